"""The colours of every drawn view: blue is within the limit, burnt orange over it, violet cannot be judged."""

LIGHT = {
    "paper": "#ffffff",
    "panel": "#f6f7f8",
    "ink": "#16191d",
    "soft": "#4a5159",
    "axis": "#7b838c",
    "hair": "#d5d9de",
    "after": "#1c5a9e",
    "after-wash": "#e4eef8",
    "over": "#a8410b",
    "over-wash": "#fbeee6",
    "before": "#5f6770",
    "before-fill": "#d9dde2",
    "open": "#5b4a8a",
    "open-wash": "#efecf7",
    "banner": "#4b3600",
    "banner-wash": "#fff4d6",
    "banner-edge": "#9a7400",
}

DARK = {
    "paper": "#14171a",
    "panel": "#1d2226",
    "ink": "#eceff1",
    "soft": "#b3bbc3",
    "axis": "#87909a",
    "hair": "#353c43",
    "after": "#7cb8f5",
    "after-wash": "#16293c",
    "over": "#ff9d66",
    "over-wash": "#2e1d14",
    "before": "#a3abb4",
    "before-fill": "#3a4148",
    "open": "#c0b2ee",
    "open-wash": "#272138",
    "banner": "#ffe6a3",
    "banner-wash": "#3a2f10",
    "banner-edge": "#c79a1e",
}


def variables(colours: dict[str, str]) -> str:
    """Write a palette as CSS custom properties."""
    return " ".join(f"--{name}: {colour};" for name, colour in colours.items())
