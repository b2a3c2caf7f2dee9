"""The certificate on the data of Zhu, Wang and Du: the shares of people above a limit, to the printed digit."""

from pathlib import Path

import pytest
from tests.oracles.shared import SHARED
from tests.sizes import long

import giveaway as ga
from giveaway import checker, publish
from giveaway.checker.attacks.profiles import judge
from giveaway.checker.check import ReadBack
from giveaway.checker.files import rule_files

FILE = SHARED / "adult" / "adult_train_complete.csv.gz"
COLUMNS = (
    "workclass", "education", "marital-status", "occupation", "relationship", "race", "sex", "native-country",
)  # fmt: skip

pytestmark = pytest.mark.skipif(not FILE.exists(), reason="the data set adult is not at hand")


@long
def test_rules_without_scores_put_so_many_people_above_a_limit(tmp_path: Path) -> None:
    table = ga.read_table(FILE, sensitive="salary-class")
    rules = ga.mine_rules(table, columns=COLUMNS, min_support="0.1", min_confidence="0.6")
    release = ga.Release(table, rules=ga.PublishedRules(rules, min_support="0.1", min_confidence="0.6"))
    listed, counted = rule_files.same(publish.write_release(release, tmp_path, None), release, table)
    attacker = vars(ga.KnowsProfiles(columns=COLUMNS, whole_numbers=False))

    def keeps(limit: str, share: str) -> bool:
        tolerance = ga.Tolerance(attribute=limit, share=share)
        promise = checker.Promise(attack="profiles", attacker=attacker, tolerance=tolerance)
        return judge.keeps(ReadBack(form="rules", content=listed, release=release, codes=None), promise)

    assert counted == {"rules.csv": 110}
    for limit, below, above in (("0.8", "0.36745", "0.36755"), ("0.9", "0.23735", "0.23745")):
        assert not keeps(limit, below)
        assert keeps(limit, above)
