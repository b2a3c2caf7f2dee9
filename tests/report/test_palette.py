import pytest

from giveaway.report.charts import palette

TEXT_PAIRS = (
    ("ink", "paper"),
    ("ink", "panel"),
    ("soft", "paper"),
    ("soft", "panel"),
    ("soft", "over-wash"),
    ("after", "paper"),
    ("after", "after-wash"),
    ("over", "paper"),
    ("over", "over-wash"),
    ("before", "paper"),
    ("before", "over-wash"),
    ("open", "open-wash"),
    ("banner", "banner-wash"),
)
"""Text and the ground it stands on; each pair has a contrast of at least 4.5."""

MARK_PAIRS = (
    ("axis", "paper"),
    ("after", "paper"),
    ("after", "panel"),
    ("over", "paper"),
    ("over", "panel"),
    ("before", "paper"),
    ("before", "panel"),
    ("banner-edge", "banner-wash"),
)
"""Marks and the ground they stand on; each pair has a contrast of at least 3."""


def luminance(colour: str) -> float:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(first: str, second: str) -> float:
    light, dark = sorted((luminance(first), luminance(second)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def test_contrast_is_computed_as_the_guidelines_say() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#767676", "#ffffff") == pytest.approx(4.54, abs=0.01)


@pytest.mark.parametrize("colours", [palette.LIGHT, palette.DARK], ids=["light", "dark"])
@pytest.mark.parametrize(("text", "ground"), TEXT_PAIRS)
def test_text_can_be_read_on_its_ground(colours: dict[str, str], text: str, ground: str) -> None:
    assert contrast(colours[text], colours[ground]) >= 4.5


@pytest.mark.parametrize("colours", [palette.LIGHT, palette.DARK], ids=["light", "dark"])
@pytest.mark.parametrize(("mark", "ground"), MARK_PAIRS)
def test_marks_can_be_seen_on_their_ground(colours: dict[str, str], mark: str, ground: str) -> None:
    assert contrast(colours[mark], colours[ground]) >= 3


def test_both_themes_have_the_same_colours() -> None:
    assert palette.LIGHT.keys() == palette.DARK.keys()
