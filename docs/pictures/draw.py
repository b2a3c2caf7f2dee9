"""Draw the pictures of the documentation: `python docs/pictures/draw.py` writes them into docs/images."""

from collections.abc import Callable
from pathlib import Path

from drawing import Drawing

IMAGES = Path(__file__).parents[1] / "images"


def overview() -> Drawing:
    """Draw data and attacker, verdict, release."""
    d = Drawing(
        "From data to a release",
        "Data and an attacker with stated knowledge go into giveaway; the verdict is at risk; after withholding it is safe, and the release is written.",
        432,
    )
    d.card(30, 24, 235, ["Your data", "baskets, records of people,", "rules found in a table"])
    d.box(295, 24, 235, 81)
    d.person(309, 42, "orange")
    d.words(350, 50, "An attacker", "bold")
    d.words(350, 71, "and what they know,", "small")
    d.words(350, 92, "besides the release", "small")
    d.arrow([(147, 105), (147, 144)])
    d.arrow([(412, 105), (412, 144)])
    d.box(30, 144, 500, 46, "blue")
    d.words(280, 173, "giveaway measures, and judges by what you tolerate", "bold middle")
    d.arrow([(280, 190), (280, 226)])
    d.box(30, 226, 500, 60, "orange")
    d.words(48, 251, "▲ AT RISK", "bold orange")
    d.words(48, 273, "whose basket it is, or what is in it, can be told too surely", "small")
    d.arrow([(280, 286), (280, 346)])
    d.words(294, 321, "withhold the least, measure again", "small")
    d.box(30, 346, 500, 60, "blue")
    d.words(48, 371, "✓ SAFE", "bold blue")
    d.words(48, 393, "released files, a report for you and one for the public", "small")
    return d


def verbs() -> Drawing:
    """Draw the four verbs."""
    d = Drawing(
        "Four parties, four verbs",
        "The attacker knows, the owner tolerates, the reader needs, the release withholds; together they give a verdict.",
        330,
    )
    cells = [
        (30, 24, "The attacker knows", "any two items of a basket", "orange"),
        (295, 24, "The owner tolerates", "a chance of 1 in 5", "open"),
        (30, 112, "The reader needs", "what is bought together", ""),
        (295, 112, "The release withholds", "eight products of thirty", "blue"),
    ]
    for x, y, who, what, kind in cells:
        d.box(x, y, 235, 64, kind)
        d.words(x + 16, y + 27, who, "bold")
        d.words(x + 16, y + 49, what, "small")
    d.arrow([(280, 186), (280, 226)])
    d.box(30, 226, 500, 84)
    d.words(48, 255, "Verdict", "bold")
    d.words(48, 278, "what the attacker, knowing that, learns about each target from the", "small")
    d.words(48, 295, "release: within what is tolerated, over it, or impossible to judge", "small")
    return d


def items() -> Drawing:
    """Draw a till receipt and baskets."""
    d = Drawing(
        "The attack items",
        "Somebody saw two products on a till receipt and looks for the baskets that hold both: one does, and it also holds insulin.",
        318,
    )
    d.box(30, 24, 190, 206)
    d.words(125, 50, "at the till", "bold middle")
    for number, (name, seen) in enumerate(
        [("bread", False), ("baby-wipes", True), ("? ? ?", False), ("test-strips", True), ("? ? ?", False)]
    ):
        y = 82 + 30 * number
        if seen:
            d.box(46, y - 19, 158, 27, "orange")
        d.words(58, y, name, "code orange bold" if seen else "code grey")
    d.arrow([(220, 112), (268, 112)], "orange")
    d.words(280, 44, "released baskets", "bold")
    baskets = [
        ("bread  milk  tea", False),
        ("baby-wipes  milk", False),
        ("baby-wipes  test-strips", True),
        ("test-strips  tea", False),
    ]
    y = 58.0
    for text, found in baskets:
        height = 50 if found else 32
        d.box(280, y, 250, height, "orange" if found else "")
        d.words(292, y + 21, text, "code bold" if found else "code")
        if found:
            d.words(292, y + 41, "bread  insulin", "code bold orange")
        y += height + 10
    d.words(30, 266, "Only one basket holds both of what was seen.", "bold")
    d.words(30, 290, "So it is theirs, and the rest of it is known: they buy insulin.", "small")
    return d


def frequencies() -> Drawing:
    """Draw sales figures and codes."""
    d = Drawing(
        "The attack frequencies",
        "Somebody knows how often products are sold and counts how often each code occurs; the code that occurs as rarely as insulin is insulin.",
        290,
    )
    d.words(30, 44, "sales figures, known", "bold")
    d.words(322, 44, "your codes, counted", "bold")
    rows = [
        ("bread", 150, "17", 146, ""),
        ("milk", 104, "41", 107, ""),
        ("tea", 101, "23", 99, ""),
        ("insulin", 14, "58", 15, "orange"),
    ]
    for number, (name, often, code, counted, kind) in enumerate(rows):
        y = 82 + 36 * number
        d.words(30, y, name, f"code {kind} {'bold' if kind else ''}")
        d.bar(96, y - 11, often, kind or "grey")
        d.words(322, y, code, f"code {kind} {'bold' if kind else ''}")
        d.bar(352, y - 11, counted, kind or "grey")
    d.arrow([(118, 185), (312, 185)], "orange")
    d.line([(258, 77), (312, 77)], "dash")
    d.line([(214, 113), (312, 149)], "dash")
    d.line([(214, 149), (312, 113)], "dash")
    d.line([(214, 113), (312, 113)], "dash")
    d.line([(214, 149), (312, 149)], "dash")
    d.words(30, 238, "Nothing else is as rare: code 58 is insulin, in every basket.", "bold")
    d.words(30, 262, "Milk and tea are about as frequent, and protect each other.", "small")
    return d


def directory() -> Drawing:
    """Draw a register and a record."""
    d = Drawing(
        "The attack directory",
        "Somebody compares a record without a name with a register of people: only one person has this district, year of birth and sex, so the illness is theirs.",
        290,
    )
    d.words(30, 44, "a released record", "bold")
    d.box(30, 58, 196, 146)
    for number, (name, value) in enumerate(
        [("district", "harbour"), ("birth", "1961"), ("sex", "f"), ("illness", "hiv")]
    ):
        y = 86 + 32 * number
        d.words(44, y, name, "small")
        d.words(124, y, value, "code bold orange" if name == "illness" else "code")
    d.words(282, 44, "a register with names", "bold")
    rows = [
        ("harbour  1961  m", False),
        ("harbour  1961  f", True),
        ("harbour  1974  f", False),
        ("north    1961  f", False),
    ]
    for number, (text, found) in enumerate(rows):
        y = 58 + 38 * number
        d.box(282, y, 248, 32, "orange" if found else "")
        d.person(294, y + 4, "orange" if found else "grey", size=0.55)
        d.words(322, y + 21, text, "code bold" if found else "code")
    d.arrow([(226, 112), (274, 112)], "orange")
    d.words(30, 244, "One person of the register fits.", "bold")
    d.words(30, 267, "So it is known whose record it is, and everything else that is in it.", "small")
    return d


def profiles() -> Drawing:
    """Draw rules and a person."""
    d = Drawing(
        "The attack profiles",
        "A published rule holds for at least 100 people; somebody knows that 105 women are in management, so each of them earns much with a chance of at least 95 percent.",
        330,
    )
    d.words(30, 44, "published rules, no rows", "bold")
    d.box(30, 58, 260, 70)
    d.words(44, 84, "job=management, sex=female", "code")
    d.words(44, 110, "=> salary=high", "code bold orange")
    d.words(30, 152, "each rule holds for 100 people or more", "small")
    d.words(330, 44, "known of everybody", "bold")
    for number, kind in enumerate(["orange"] * 19 + ["grey"]):
        d.person(330 + 20 * (number % 10), 64 + 34 * (number // 10), kind, size=0.6)
    d.words(330, 152, "105 women in management", "small")
    d.arrow([(160, 164), (160, 214)], "orange")
    d.arrow([(430, 164), (430, 214)], "orange")
    d.box(30, 214, 500, 46, "orange")
    d.words(280, 243, "at least 100 of these 105 earn much", "bold middle")
    d.words(30, 288, "Whoever is one of them earns much: 95 % or more.", "bold")
    d.words(30, 311, "Rules that are missing from the list tell something too.", "small")
    return d


def attributes() -> Drawing:
    """Draw a blank and a rule."""
    d = Drawing(
        "The attack attributes",
        "In a table one job is left blank; all other women with a master's degree who are visible are teachers, so the blank is filled in with teacher.",
        330,
    )
    d.words(30, 44, "a released table with a blank", "bold")
    columns = (48, 148, 270)
    d.box(30, 58, 360, 204)
    for x, name in zip(columns, ("sex", "education", "job"), strict=True):
        d.words(x, 82, name, "small bold")
    rows = [
        ("female", "master", "teacher"),
        ("female", "master", "teacher"),
        ("female", "master", ""),
        ("female", "master", "teacher"),
        ("male", "school", "clerk"),
    ]
    for number, row in enumerate(rows):
        y = 114 + 32 * number
        if not row[2]:
            d.box(262, y - 20, 112, 28, "orange")
            d.words(318, y, "?", "bold orange middle")
        for x, value in zip(columns, row, strict=True):
            d.words(x, y, value, "code" if row[0] == "female" else "code grey")
    d.line([(374, 110), (440, 110), (440, 172)], "orange")
    d.arrow([(440, 172), (382, 172)], "orange")
    d.words(452, 128, "visible", "small")
    d.words(452, 146, "ones have", "small")
    d.words(452, 164, "one job", "small")
    d.words(30, 292, "Women with a master's degree are teachers here:", "bold")
    d.words(30, 315, "a rule of the rest of the table fills the blank in.", "small")
    return d


def crowd() -> Drawing:
    """Draw one, two and five people who fit."""
    d = Drawing(
        "A crowd of five and the limit 1/5",
        "If one person fits, it is certain who it is; if two fit, the chance is 1 in 2; if five fit, it is 1 in 5, which is within the limit 1/5.",
        286,
    )
    rows = [
        (1, "certain", "over 1/5", "orange"),
        (2, "1 in 2", "over 1/5", "orange"),
        (5, "1 in 5", "within 1/5", "blue"),
    ]
    d.words(30, 40, "people who fit", "small")
    d.words(292, 40, "chance", "small")
    d.words(400, 40, 'identity = "1/5"', "small")
    for number, (people, chance, verdict, kind) in enumerate(rows):
        y = 54 + 62 * number
        for place in range(people):
            d.person(30 + 44 * place, y, kind)
        d.words(292, y + 30, chance, "bold")
        d.words(400, y + 30, ("✓ " if kind == "blue" else "▲ ") + verdict, f"bold {kind}")
    d.line([(30, 172), (530, 172)], "dash")
    d.words(30, 262, "Everybody hides among at least five. Exactly at the limit is within it.", "small")
    return d


def two_releases() -> Drawing:
    """Draw six people in two releases, and joined."""
    d = Drawing(
        "Two releases of six people, each safe",
        "Of six people a first release shows age and illness, a second one job and illness; in each three people look the same. Joined row by row, two people are alone: their job must be blank in the second release.",
        330,
    )
    people = [
        ("30", "cook", "flu"),
        ("30", "smith", "flu"),
        ("30", "smith", "hiv"),
        ("40", "cook", "flu"),
        ("40", "cook", "ulcer"),
        ("40", "smith", "hiv"),
    ]
    for x, title in ((30, "2025"), (190, "2026"), (350, "joined")):
        d.words(x, 40, title, "bold")
    for number, (age, job, illness) in enumerate(people):
        y = 52 + 38 * number
        alone = [one[:2] for one in people].count((age, job)) == 1
        for x, width, text in ((30, 130, f"{age}, {illness}"), (190, 130, f"{job}, {illness}")):
            d.box(x, y, width, 30)
            d.words(x + 12, y + 20, text, "small")
        d.box(350, y, 180, 30, "orange" if alone else "")
        d.words(362, y + 20, f"{age}, {job}, {illness}", "small bold orange" if alone else "small")
    d.words(
        30,
        306,
        "In each release three people fit a row. Joined, one fits the first and one the last.",
        "small",
    )
    return d


def which_attack() -> Drawing:
    """Draw the way from what is published to the name of an attack."""
    d = Drawing(
        "Which attack is mine?",
        "Lists of things with readable names: items; with codes: frequencies. Rows of a table: whose row is it, or what do similar rows tell: directory; with blanks: attributes. Rules without rows: profiles.",
        394,
    )
    d.box(30, 22, 500, 44, "blue")
    d.words(280, 50, "What do you publish?", "bold middle")
    groups = [
        (
            "lists of things: baskets, clicks",
            [("names can be read", "items"), ("codes replace the names", "frequencies")],
        ),
        (
            "rows of a table, one person each",
            [
                ("names are gone, values are there", "directory"),
                ("some entries are left blank", "attributes"),
            ],
        ),
        ("no rows: rules, shares, a model", [("somebody knows the people", "profiles")]),
    ]
    y = 66.0
    d.line([(44, 66), (44, 325)])
    for group, leaves in groups:
        y += 36
        d.line([(44, y - 5), (58, y - 5)])
        d.words(64, y, group, "bold")
        last = y + 20 + 40 * (len(leaves) - 1)
        d.line([(78, y + 8), (78, last)])
        for number, (condition, attack) in enumerate(leaves):
            line = y + 20 + 40 * number
            d.words(98, line + 5, condition, "small")
            d.line([(78, line), (92, line)])
            d.arrow([(330, line), (372, line)])
            d.box(374, line - 16, 156, 32, "orange")
            d.words(452, line + 5, attack, "code bold middle")
        y = last + 18
    return d


def rooms() -> Drawing:
    """Draw the path of one file through the folders of the source."""
    d = Drawing(
        "The path of one CSV file through the rooms",
        "sources reads people.csv into a Table, scenario makes questions of people.toml, flow asks the attack directory, which returns risks and protections; the assessment gives a Summary to report, and publish writes files that the checker reads back and judges before they get their name.",
        640,
    )
    d.card(30, 22, 235, ["people.csv", "the original"], "open")
    d.card(295, 22, 235, ["people.toml", "the question"], "open")
    d.arrow([(147, 82), (147, 106)])
    d.arrow([(412, 82), (412, 106)])
    d.card(30, 106, 235, ["sources/", "reads, numbers labels,", "merges equal rows"])
    d.card(295, 106, 235, ["scenario/", "words become attackers,", "limits and needs"])
    d.arrow([(147, 187), (147, 225)])
    d.words(157, 211, "Table", "small")
    d.arrow([(412, 187), (412, 225)])
    d.words(422, 211, "Question", "small")
    d.card(
        30,
        225,
        500,
        [
            "flow.py",
            "assess: measure every attacker, judge each",
            "protect: withhold, measure again, until all are safe",
        ],
        "blue",
    )
    d.arrow([(100, 306), (100, 346)])
    d.words(110, 331, "findings", "small")
    d.arrow([(270, 306), (270, 346)])
    d.words(280, 331, "Question", "small")
    d.arrow([(400, 346), (400, 306)])
    d.words(410, 331, "Risk, Protection", "small")
    d.card(30, 346, 170, ["assessment.py", "the answer, and", "its Summary"], "blue")
    d.card(
        230,
        346,
        300,
        ["attacks/directory/", "measure.py, protect.py, reporting/", "with model/, moles/ and others"],
    )
    d.arrow([(70, 427), (70, 463)])
    d.words(80, 451, "Summary", "small")
    d.card(30, 463, 155, ["report/", "terminal, HTML,", "notebook"])
    d.line([(160, 427), (160, 444), (280, 444)])
    d.arrow([(280, 444), (280, 463)])
    d.words(292, 451, "publish", "small")
    d.card(205, 463, 150, ["publish/", "writes under", "hidden names"])
    d.arrow([(355, 503), (375, 503)])
    d.card(375, 463, 155, ["checker/", "reads the files", "back, and judges"])
    d.arrow([(452, 544), (452, 574)])
    d.box(205, 574, 325, 44, "blue")
    d.words(219, 601, "out/", "bold")
    d.words(262, 601, "release.csv, manifest.json", "small")
    return d


PICTURES: dict[str, Callable[[], Drawing]] = {
    "overview": overview,
    "verbs": verbs,
    "which-attack": which_attack,
    "crowd-of-five": crowd,
    "two-releases": two_releases,
    "rooms": rooms,
    "attack-items": items,
    "attack-frequencies": frequencies,
    "attack-profiles": profiles,
    "attack-attributes": attributes,
    "attack-directory": directory,
}


def main() -> None:
    """Write all drawings."""
    for name, draw in PICTURES.items():
        draw().write(IMAGES / f"{name}.svg")
        print(f"images/{name}.svg")


if __name__ == "__main__":
    main()
