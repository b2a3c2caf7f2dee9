"""Small right scenarios for every attack, and the files that they name."""

from pathlib import Path
from typing import Any

Scenario = dict[str, Any]

_PEOPLE = [
    *[("f", "cook", "Ayr", "asthma", 31)] * 3,
    *[("f", "cook", "Ayr", "healthy", 35)] * 3,
    *[("f", "clerk", "Ayr", "healthy", 42)] * 4,
    *[("f", "clerk", "Wick", "gout", 47)] * 2,
    *[("m", "cook", "Ayr", "healthy", 31)] * 4,
    *[("m", "cook", "Wick", "gout", 58)] * 3,
    *[("m", "clerk", "Ayr", "asthma", 42)] * 1,
    *[("m", "clerk", "Wick", "healthy", 47)] * 4,
]
_BASKETS = [
    "bread milk", "bread milk jam", "bread milk jam insulin", "bread milk", "bread jam", "bread milk caviar",
    "milk jam", "milk bread saffron insulin", "", "bread", "bread milk jam", "milk jam bread",
]  # fmt: skip

FILES = {
    "baskets.dat": "".join(f"{line}\n" for line in _BASKETS),
    "sample.dat": "".join(f"{line}\n" for line in _BASKETS[::2]),
    "long.csv": "visit,what\n"
    + "".join(f"{number},{item}\n" for number, line in enumerate(_BASKETS) for item in line.split()),
    "supports.csv": "item,support\nbread,9\nmilk,8\njam,6\ninsulin,2\ncaviar,1\n",
    "private.txt": "insulin\n",
    "domain.txt": "insulin\nwine\n",
    "items.txt": "bread\njam\n",
    "itemsets.txt": "bread milk\njam bread\n",
    "intervals.csv": "item,low,high\nbread,0.5,1\nmilk,0.5,0.9\njam,0.2,0.6\ninsulin,0,0.5\ncaviar,0,0.5\nsaffron,0,0.5\n",
    "pairs.csv": "first,second\nbread,milk\n",
    "people.csv": "who,sex,job,town,ill,age\n"
    + "".join(f"p{number},{','.join(map(str, row))}\n" for number, row in enumerate(_PEOPLE)),
    "register.csv": "person,sex,job,town\n"
    + "".join(f"q{number},{','.join(row[:3])}\n" for number, row in enumerate(_PEOPLE * 2)),
    "voters.csv": "person,sex,job,town\n"
    + "".join(f"v{number},{','.join(row[:3])}\n" for number, row in enumerate(_PEOPLE[::-1])),
    "secrets.csv": "row\n1\n7\n11\n",
    "marks.csv": "row,column\n2,job\n",
    "weights.csv": "who,weight\np1,2\np2,1\n",
    "age.csv": "31,30s,any\n35,30s,any\n42,40s,any\n47,40s,any\n58,50s,any\n",
    "leaves.csv": "sex,value,count\nf,gout,2\n",
    "keep.csv": "antecedents,consequents\nsex=f,ill=healthy\n",
}

_BASKET = {"data": "baskets.dat"}
_TABLE = {"data": "people.csv", "id": "who", "sensitive": "ill", "leave_out": ["age"]}
_RULES = {**_TABLE, "rules": {"min_support": "1/10", "min_confidence": "1/2"}}
_SECRET = {**_TABLE, "secrets": "secrets.csv"}
_KNOWN = ["sex", "job", "town"]


def _case(release: Scenario, tolerates: Scenario, *knows: Scenario, **more: Any) -> Scenario:
    return {"release": release, "tolerates": tolerates, "knows": list(knows), **more}


def _items(**fields: Any) -> Scenario:
    return {"attack": "items", "at_most": 2, **fields}


def _frequencies(**fields: Any) -> Scenario:
    return {"attack": "frequencies", **fields}


def _directory(**fields: Any) -> Scenario:
    return {"attack": "directory", "on": _KNOWN, **fields}


def _profiles(**fields: Any) -> Scenario:
    return {"attack": "profiles", "columns": _KNOWN, **fields}


def _attributes(**fields: Any) -> Scenario:
    return {"attack": "attributes", "columns": _KNOWN, "trusts_support_above": 0, **fields}


BASES: dict[str, Scenario] = {
    "items": _case(
        {**_BASKET, "private": ["insulin"], "order": "kept"},
        {"identity": "1/2", "attribute": 0.5, "share": 0},
        _items(),
        needs={"itemsets": {"min_support": 3, "max_size": 2}},
        protect={"items": {"score": "paper", "reinstate": True}},
        effort={"seed": 1, "exact": False},
    ),
    "items of a long table": _case(
        {
            "data": "long.csv",
            "kind": "transactions",
            "id": "visit",
            "item": "what",
            "private_from": "private.txt",
        },
        {"identity": "1/3", "attribute": "2/3"},
        _items(at_most=1),
        _items(at_most=3, tolerates={"identity": "1/2"}),
    ),
    "items, renamed": _case(
        {**_BASKET, "domain_from": "domain.txt", "renamed": True, "missing": [""]},
        {"identity": 0.5},
        _items(),
    ),
    "frequencies": _case(
        _BASKET,
        {"identity": "2/3", "average": 0.5, "share": 0.1},
        _frequencies(belief={"around": "1/12"}, compliance=1, order="random", of_interest="items.txt"),
        effort={"seed": 3, "seconds": 20},
    ),
    "frequencies of sets": _case(
        _BASKET,
        {"identity": "1/2", "share": 0.5},
        _frequencies(belief="exact", targets={"size": 2, "sample": 5}),
    ),
    "frequencies of given sets": _case(
        _BASKET,
        {"identity": 0.9},
        _frequencies(belief={"intervals": "intervals.csv"}, targets={"from": "itemsets.txt"}),
    ),
    "frequencies from a sample": _case(
        _BASKET,
        {"average": "1/2"},
        _frequencies(belief={"from_sample": "sample.dat"}, known_pairs={"top": 1, "candidates": 2}),
    ),
    "frequencies of supports": _case(
        {"data": "supports.csv", "kind": "supports", "transactions": 12, "domain": ["wine"]},
        {"average": 0.9},
        _frequencies(belief={"around": "median gap"}, compliance="1/2", order="worst"),
    ),
    "directory": _case(
        {**_TABLE, "gaps": "apart"},
        {"identity": "1/4", "average": 0.5},
        _directory(),
        needs={"columns": {"per_record": 2, "clip": True}},
        protect={"directory": {"method": "auto"}},
    ),
    "directory of registers": _case(
        {**_TABLE, "publish_unjudged": ["ill"], "sensitive": []},
        {"average": "1/2"},
        _directory(
            people=["register.csv", "voters.csv"],
            id="person",
            prior=["1/4", 0.75],
            match={"job": {"jaro": 0.8}},
        ),
    ),
    "directory with weights": _case(
        {**_TABLE, "sensitivity": {"columns": {"ill": 2, "town": 1}, "form": "additive"}},
        {"average": 2},
        _directory(true_people="register.csv"),
    ),
    "directory with hierarchies": _case(
        {
            "data": "people.csv",
            "id": "who",
            "leave_out": ["job", "town", "ill"],
            "hierarchies": {"age": "age.csv"},
        },
        {"identity": "1/3"},
        {"attack": "directory", "on": ["sex", "age"]},
    ),
    "profiles": _case(
        {**_RULES, "statements_from": "leaves.csv"},
        {"attribute": "4/5"},
        _profiles(judges="any", whole_numbers=True, non_rules=True),
        needs={"rules": {"must_publish": "keep.csv"}},
    ),
    "profiles with statements": _case(
        {
            **_TABLE,
            "rules": {"min_support": 0.1, "min_confidence": 0.6, "scores": {"digits": 2}, "complete": False},
            "statements": [{"where": {"job": "cook"}, "value": "gout", "share": "0.23"}],
        },
        {"attribute": 0.9, "share": 0.2},
        _profiles(judges="true", missing_profiles="drop"),
    ),
    "attributes": _case(
        {**_SECRET, "must_publish": "marks.csv"},
        {"attribute": "2/3", "share": 0},
        _attributes(),
        needs={"cells": {"hideable": "g"}},
        protect={"attributes": {"method": "auto"}},
        effort={"exact": True, "seconds": 20},
    ),
    "attributes and directory": _case(
        {**_SECRET, "rest": "leave_out", "leave_out": [], "sensitive_values": ["gout", "asthma"]},
        {"attribute": 0.8},
        _attributes(columns=["sex", "town"]),
        {"attack": "directory", "on": ["sex", "town"], "tolerates": {"identity": "1/2"}},
    ),
}


def write_files(folder: Path) -> None:
    for name, text in FILES.items():
        (folder / name).write_text(text)
