"""How large the benchmarks are."""

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, kw_only=True)
class Settings:
    """Rows, records and searches of each part."""

    k: int = 1_000_000
    """The most rows of Adult that k is computed of."""
    linkage: int = 5_000
    linkage_alike: int = 2_000
    """All pairs of more rows take the pair builder many minutes to compare by Jaro similarity."""
    narrow: tuple[int, ...] = (10_000, 100_000, 1_000_000)
    narrow_records: int = 100
    epa_records: int = 8
    epa: dict[str, Any] = field(
        default_factory=lambda: {
            "sizes": (3, 6, 12, 16, 24, 32, 48),
            "widths": (1, 8, 64, 256),
            "nodes": 4_000,
        }
    )
    correlated_rows: int = 400_000
    correlated_records: int = 2
    correlated: dict[str, Any] = field(
        default_factory=lambda: {"sizes": (3, 5, 8, 12, 16, 24), "widths": (1, 8, 64, 256), "nodes": 4_000}
    )
    chosen: dict[str, int] = field(default_factory=lambda: {"Adult": 100, "FEBRL": 200})
    trends: int = 300
    pairs: int = 40
    alike_people: int | None = None
    alike: int = 100
    whole: int = 1_000_000
    """The most rows of a data set that are used."""
    register: int = 10_000_000


FULL = Settings()
QUICK = Settings(
    k=3_000,
    linkage=200,
    linkage_alike=200,
    narrow=(5_000,),
    narrow_records=10,
    epa_records=2,
    epa={"sizes": (3, 6), "widths": (1, 8), "nodes": 50},
    correlated_rows=2_000,
    correlated_records=2,
    correlated={"sizes": (3, 5), "widths": (1, 8), "nodes": 50},
    chosen={"Adult": 5, "FEBRL": 5},
    trends=50,
    pairs=2,
    alike_people=500,
    alike=5,
    whole=500,
    register=20_000,
)
