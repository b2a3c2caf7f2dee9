"""Write the results of the benchmarks as Markdown."""

from collections.abc import Callable
from typing import Any

from benchmarks.directory.trends import SHARES
from benchmarks.shared import opening, part, table

Found = dict[str, Any]

_INDEX = {"full": "all pairs", "block": "same given name"}
_MATCH = {"exact": "equal", "jaro": "Jaro at least 0.8"}


def markdown(results: Found) -> str:
    """Return one page with a table for each part."""
    head = opening(
        "Benchmarks of the attack `directory`",
        results,
        "All numbers are of one run with fixed seeds. Compiled code is loaded before anything is timed, "
        "so the compilation on first use is not in these times, except where said.",
    )
    if results["adult"] != "Adult":
        head += ["", "**Adult was not at hand: a generated table stands in its place.**"]
    parts = [
        *head,
        *_part("Against building pairs (recordlinkage)", _linkage, results["linkage"]),
        *_part("k-anonymity, against pyCANON", _k, results["k"]),
        *_part("Counting and choosing, twelve columns", _narrow, results["narrow"]),
        *_part("Counting and choosing, 64 columns", _wide, results["wide"]),
        *_part("What independence costs", _choosing, results["choosing"]),
        *_part("Risk against what is disclosed and the size of the directory", _nested, results["nested"]),
        *_part("Estimated against true risk", _pairs, results["pairs"]),
        *_part("Equal against alike", _alike, results["alike"]),
        *_part("Whole assessments, public interface", _whole, results["whole"]),
        *_part("A large directory, public interface", _register, results["register"]),
    ]
    return "\n".join(parts) + "\n"


def _part(title: str, write: Callable[[list[Found]], list[str]], found: list[Found]) -> list[str]:
    return part(title, write(found) if found else ["Left out: the data are not at hand."])


def _linkage(found: list[Found]) -> list[str]:
    rows = [
        (_INDEX[one["index"]], _MATCH[one["match"]], one["failed"], *[""] * 6)
        if "failed" in one
        else (
            _INDEX[one["index"]],
            _MATCH[one["match"]],
            f"{one['giveaway']['rows']:,}",
            f"{one['mean_candidates']:.3f}",
            f"{one['giveaway']['seconds']:.3f}",
            f"{one['recordlinkage']['seconds']:.2f}",
            f"{one['ratio']:,.0f}",
            *(_memory(one[tool]) for tool in ("giveaway", "recordlinkage")),
        )
        for one in found
    ]
    head = "pairs | names compared | records | candidates, mean | giveaway, s | recordlinkage, s | times faster | "
    finished = " where both finished" if any("failed" in one for one in found) else ""
    told = (
        "FEBRL 3 against itself: given name, surname, suburb and postcode, the postcode always equal, a missing value agrees. "
        "Each in a fresh process, from the same frame in memory to the number of people who agree with each record. "
        f"**The counts of the two are equal for every record{finished}: else the run stops.** recordlinkage takes 0.8 - 1e-9 as "
        "its limit, because a similarity of 0.8 may come out lower in floats. Blocking drops rows without a given name, so both "
        "leave them out there, and the given name is then compared as equal."
    )
    return [*table(head + "giveaway, peak MB (before) | recordlinkage, peak MB (before)", rows), "", told]


def _memory(one: Found) -> str:
    return f"{one['peak_mb']:,.0f} ({one['peak_mb_before']:,.0f})"


def _k(found: list[Found]) -> list[str]:
    rows = [
        (
            f"{one['rows']:,}",
            len(one["columns"]),
            one["k"],
            f"{one['pycanon_seconds']:.3f}",
            f"{one['giveaway_seconds']:.3f}",
            f"{one['ratio']:.1f}",
            f"{one['assess_seconds']:.2f}",
        )
        for one in found
    ]
    head = "rows | columns | k, equal | pyCANON, s | giveaway, s | times faster | whole assessment, s"
    told = (
        "From the same pandas frame of Adult to k, shortest of 5 runs. giveaway: `Table.from_frame(frame[columns]).weights.min()`, "
        "since a table keeps distinct records with their numbers. The whole assessment, `assess` with `KnowsDirectory`, gives "
        "k as one figure among the candidates of every record, the exposures, the curves and what each column identifies, "
        "and is not what pyCANON computes."
    )
    return [*table(head, rows), "", told]


def _narrow(found: list[Found]) -> list[str]:
    rows = [
        (
            one["data"],
            f"{one['people']:,}",
            f"{one['entries']:,}",
            f"{one['masks']:,.0f}",
            f"{one['signature_ms']:.2f}",
            f"{one['optimum_ms']:.2f}",
            f"{one['proved']:.0%}",
            f"{one['all_at_once_seconds']:.2f}",
            f"{one['all_at_once_us']:.1f}",
            f"{one['preparing_seconds']:.2f}",
        )
        for one in found
    ]
    head = (
        "data | people | distinct entries | masks, mean | counting, ms per record | best choice for every number of values, "
        "ms per record | proved | all records at once, s | us per record | preparing, s"
    )
    told = (
        f"{found[0]['records']} records of the directory, multiplicative weights drawn from 0 to 1. Counting: who agrees in which of the "
        "columns, from which the number of people follows for every set of columns. All records at once: the number of people "
        "who agree with all that a record says, for every row of the directory, by grouping."
    )
    return [*table(head, rows), "", told]


def _wide(found: list[Found]) -> list[str]:
    lines = []
    for one in found:
        ways = list(one["sizes"][0]["ratios"])
        rows = [
            (
                size["values"],
                *(f"{size['ratios'][way]:.3g}" for way in ways),
                f"{size['proved']:.0%}",
                f"{size['proof_seconds']:.2f}",
            )
            for size in one["sizes"]
        ]
        beams = ", ".join(f"{width}: {seconds:.3f} s" for width, seconds in one["beam_seconds"].items())
        head = f"values | {' | '.join(ways)} | proved | beam 64 and proof, s per record"
        lines += [
            (
                f"{one['data']}, {one['people']:,} people, {one['records']} records, {one['masks']:,.0f} masks on average. Counting "
                f"{one['signature_ms']:.1f} ms per record; a beam for all numbers of values up to {one['sizes'][-1]['values']}, "
                f"by width, per record: {beams}."
            ),
            "",
            *table(head, rows),
            "",
        ]
    told = (
        "Loss over the best found, mean of the records; MinRisk is judged with the people counted. The proof is a branch and "
        f"bound of at most {found[0]['nodes']:,} nodes from the beam of width 64, and may find better; proved is the share of the "
        "records for which nothing better exists. Where it is below 100 %, the best found need not be the best. A record with "
        "fewer values discloses all it has."
    )
    return [*lines, told]


def _choosing(found: list[Found]) -> list[str]:
    rows = [
        (
            one["data"],
            one["values"],
            f"{one['risk']:.3g}",
            f"{one['minrisk']:.2f}",
            f"{one['greedy']:.2f}",
            f"{one['share_optimal']:.0%}",
            f"{one['factorised']:.3g}",
        )
        for one in found
    ]
    proved = "proved" if all(one["proved"] for one in found) else "NOT proved for all"
    numbers = {one["data"]: f"{one['records']} records of {one['people']:,}" for one in found}
    told = (
        f"{', '.join(f'{name}: {number}' for name, number in numbers.items())}. Multiplicative weights drawn from 0 to 1; risks with the people "
        f"counted, over the least risk, which is {proved}. The last column is the figure that independence gives for MinRisk's "
        "choice, over its true risk. A record with fewer values discloses all it has."
    )
    head = (
        "data | values | least risk | MinRisk | greedy | MinRisk optimal | figure under independence / true"
    )
    return [*table(head, rows), "", told]


def _nested(found: list[Found]) -> list[str]:
    lines = []
    for one in found:
        rows = [
            (
                f"{share} %",
                *(f"{risk['additive']:.3g} / {risk['multiplicative']:.3g}" for risk in inside),
                f"{outside['additive']:.3g} / {outside['multiplicative']:.3g}",
                f"{outside['nobody']:.0%}",
            )
            for share, inside, outside in zip(SHARES, one["inside"], one["outside"], strict=True)
        ]
        disclosed = " | ".join(f"{share} % of the values" for share in SHARES[1:])
        head = f"{one['data']}, directory | {disclosed} | all values, records not in it | of them without a candidate"
        lines += [*table(head, rows), ""]
    told = (
        f"Additive / multiplicative risk of {found[0]['records']} records that are in every directory, which are nested parts of the "
        "table; what is disclosed was chosen by MinRisk on the whole table. The last two columns: the same records looked up "
        "in directories that do not hold them, where a record without a candidate counts as no loss, as in the paper."
    )
    return [*lines, told]


def _pairs(found: list[Found]) -> list[str]:
    above = sum(one["estimated"] >= one["true"] for one in found)
    rows = []
    for ratio in sorted({one["size_ratio"] for one in found}):
        here = [one for one in found if one["size_ratio"] == ratio]
        ratios = [one["estimated"] / one["true"] for one in here]
        rows.append(
            (
                ratio,
                len(here),
                *(f"{value:.3g}" for value in (min(ratios), sum(ratios) / len(ratios), max(ratios))),
            )
        )
    told = (
        f"{above} of {len(found)} estimates are on or above the true risk. The estimate uses a sixth of Adult; the true directory holds the "
        "same people, 0 to 30 % of their values missing, and up to five times as many in all; a random number of values is "
        "disclosed."
    )
    return [
        *table("true / estimated size | pairs | least ratio | mean ratio | largest ratio", rows),
        "",
        told,
    ]


def _alike(found: list[Found]) -> list[str]:
    rows = [(one["values"], f"{one['exact']:.3g}", f"{one['jaro']:.3g}") for one in found]
    never = all(one["never_above"] for one in found)
    told = (
        "Mean chance in FEBRL 1 to 3, all ten columns equal, or all alike by Jaro of at least 0.8, over all sets of so many columns. "
        f"The chance by likeness is {'never' if never else 'NOT always'} above that by equality, for any record and any set of columns."
    )
    return [*table("columns | equal | alike", rows), "", told]


def _whole(found: list[Found]) -> list[str]:
    rows = [
        (one["what"], one["failed"], *[""] * 6)
        if "failed" in one
        else (
            one["what"],
            f"{one['records']:,}",
            one["verdict"],
            f"{one['kept']['cells']:,} of {one['kept']['cells_total']:,}",
            f"{one['risk']:.4g}",
            "" if one["optimal_records"] is None else f"{one['optimal_records']:,}",
            f"{one['seconds']:.1f}",
            _memory(one),
        )
        for one in found
    ]
    told = (
        "From the frame in memory to the answer, the table itself as the directory. Protecting includes measuring before and after. "
        "Each in a fresh process."
    )
    head = "what | records | verdict | values kept | risk | records with a proved choice | seconds | peak, MB (before)"
    return [*table(head, rows), "", told]


def _register(found: list[Found]) -> list[str]:
    rows = [
        (one["columns"], one["failed"], *[""] * 8)
        if "failed" in one
        else (
            one["columns"],
            f"{one['records']:,}",
            f"{one['people']:,}",
            f"{one['entries']:,}",
            f"{one['reading_seconds']:.1f}",
            f"{one['directory_seconds']:.1f}",
            f"{one['assessing_seconds']:.1f}",
            f"{one['seconds']:.1f}",
            f"{one['peak_mb']:,.0f}",
            one["verdict"],
        )
        for one in found
    ]
    told = (
        "Generated people, 1 % of the values missing, every tenth of them a record; assess only, identity 1/5, values "
        "equal. Both are Parquet files; the first use of compiled code is in these times."
    )
    head = "columns | records | people | distinct entries | reading records, s | reading directory, s | assessing, s | in all, s | peak, MB | verdict"
    return [*table(head, rows), "", told]
