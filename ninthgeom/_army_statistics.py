"""How tournament armies of The Ninth Age are composed.

Source: 400 tournament lists, 2024-2026, DarkSkyT9A/t9a-data and BSData/The-9th-Age. Counted entries, nothing
smoothed; a mounted character counts as one model on the base of its mount.
"""

from typing import Final, Literal, NamedTuple, TypeAlias

Role: TypeAlias = Literal["character", "single", "unit"]


class Profile(NamedTuple):
    """A kind of entry: base in millimetres (of a round one its diameter), height, role, how often seen."""

    base_mm: tuple[int, int] | int
    height: Literal["Standard", "Large", "Gigantic"]
    role: Role
    entries: int


# fmt: off
# Number of entries in a list: how many of the lists.
ENTRIES_PER_ARMY: Final = {
    7: 1, 8: 11, 9: 34, 10: 46, 11: 72, 12: 73, 13: 49, 14: 34, 15: 33, 16: 11, 17: 12, 18: 4, 19: 10,
    20: 4, 21: 6,
}
# fmt: on

PROFILES: Final = (
    Profile((20, 20), "Standard", "unit", 1270),
    Profile((20, 20), "Standard", "character", 630),
    Profile((25, 50), "Standard", "unit", 547),
    Profile((40, 40), "Large", "unit", 384),
    Profile((25, 25), "Standard", "unit", 296),
    Profile((50, 100), "Large", "single", 205),
    Profile((50, 100), "Large", "unit", 159),
    Profile((25, 50), "Standard", "character", 157),
    Profile((50, 100), "Gigantic", "single", 130),
    Profile((40, 40), "Standard", "single", 115),
    Profile((40, 40), "Large", "character", 102),
    Profile((50, 75), "Large", "unit", 97),
    Profile(60, "Standard", "single", 76),
    Profile(75, "Large", "single", 75),
    Profile((50, 100), "Large", "character", 73),
    Profile((50, 100), "Gigantic", "character", 67),
    Profile((40, 40), "Standard", "unit", 53),
    Profile((25, 25), "Standard", "character", 50),
    Profile((40, 40), "Large", "single", 50),
    Profile((50, 50), "Large", "single", 46),
    Profile((100, 150), "Gigantic", "single", 45),
    Profile((50, 50), "Large", "character", 44),
    Profile((60, 100), "Large", "single", 43),
    Profile((50, 50), "Standard", "character", 31),
    Profile((50, 75), "Large", "character", 30),
    Profile((50, 75), "Gigantic", "single", 28),
    Profile((50, 50), "Large", "unit", 27),
    Profile((50, 75), "Large", "single", 23),
    Profile((100, 100), "Gigantic", "single", 14),
    Profile((60, 100), "Large", "character", 13),
    Profile(75, "Standard", "single", 12),
    Profile((150, 100), "Gigantic", "character", 10),
    Profile((40, 40), "Standard", "character", 10),
    Profile((75, 50), "Gigantic", "character", 9),
    Profile((50, 50), "Gigantic", "single", 7),
    Profile((100, 150), "Gigantic", "character", 6),
    Profile((20, 20), "Standard", "single", 6),
    Profile((40, 20), "Standard", "character", 5),
    Profile((40, 60), "Standard", "single", 5),
    Profile((60, 100), "Gigantic", "single", 5),
    Profile((60, 100), "Gigantic", "character", 4),
    Profile((75, 100), "Gigantic", "character", 4),
    Profile(60, "Large", "single", 4),
    Profile((40, 60), "Standard", "character", 3),
    Profile((75, 100), "Gigantic", "single", 3),
    Profile((75, 50), "Gigantic", "single", 3),
    Profile((40, 60), "Large", "unit", 2),
    Profile((50, 75), "Standard", "character", 2),
    Profile((75, 75), "Gigantic", "character", 2),
    Profile((100, 150), "Large", "single", 1),
    Profile((150, 100), "Gigantic", "single", 1),
    Profile((50, 100), "Standard", "character", 1),
)

# fmt: off
# Models of a unit that has more than one, by its base: how many of the units.
MODELS: Final[dict[tuple[int, int] | int, dict[int, int]]] = {
    (20, 20): {
        5: 21, 6: 7, 7: 18, 8: 41, 9: 10, 10: 296, 11: 13, 12: 45, 13: 20, 14: 16, 15: 166, 16: 13,
        17: 6, 18: 12, 19: 16, 20: 148, 21: 22, 22: 13, 23: 31, 24: 40, 25: 51, 26: 8, 27: 18, 28: 10,
        29: 11, 30: 43, 31: 4, 32: 7, 33: 7, 34: 7, 35: 27, 36: 6, 37: 8, 38: 9, 39: 5, 40: 27, 41: 6,
        42: 14, 43: 6, 44: 8, 45: 20, 46: 3, 48: 3, 49: 1, 50: 3, 56: 1, 59: 1, 60: 2,
    },
    (25, 50): {
        3: 39, 4: 5, 5: 137, 6: 33, 7: 16, 8: 81, 9: 56, 10: 89, 11: 16, 12: 23, 13: 6, 14: 25, 15: 14,
        16: 2, 19: 1, 20: 3, 22: 1,
    },
    (40, 40): {
        2: 42, 3: 113, 4: 49, 5: 40, 6: 115, 7: 14, 8: 34, 9: 9, 10: 7, 11: 1, 12: 4, 13: 1, 14: 7,
        15: 1,
    },
    (25, 25): {
        5: 16, 6: 1, 7: 1, 8: 2, 9: 3, 10: 63, 11: 7, 12: 3, 13: 2, 15: 57, 16: 4, 17: 2, 18: 2,
        19: 10, 20: 23, 21: 11, 22: 6, 23: 11, 24: 22, 25: 13, 26: 3, 28: 5, 29: 4, 30: 18, 34: 1,
        35: 1, 36: 1, 37: 1, 39: 2, 40: 1,
    },
    (50, 100): {
        2: 24, 3: 104, 4: 15, 5: 13, 6: 3,
    },
    (50, 75): {
        3: 50, 4: 26, 5: 21,
    },
    (50, 50): {
        2: 2, 3: 9, 4: 1, 5: 4, 6: 7, 8: 1, 9: 3,
    },
    (40, 60): {
        6: 2,
    },
}
# fmt: on
