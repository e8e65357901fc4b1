"""Answers of the library for batches of pairs, checked against the reference: seen or not, and why."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import shapely

from ninthgeom import Sight, line_of_sight, sight_lines
from tests.reference.sight_generators import GENERATORS
from tests.reference.sight_reference import Questions, shapes_of_bases
from tests.reference.sight_scenes import Pairs, bases_of, joined, posed

FAULTS = (
    "",
    "does not start at the source",
    "does not end at the target",
    "is not in the arc",
    "is blocked",
    "passes between blockers in contact",
    "is not where source and target touch",
)


def seen(pairs: Pairs, blocks: Any = None, **options: Any) -> Any:
    """`line_of_sight` of the pairs."""
    return line_of_sight(*arguments(pairs), blocks=pairs.blocks if blocks is None else blocks, **options)


def arguments(pairs: Pairs) -> Any:
    """Sources, targets and blockers."""
    return bases_of(pairs.sources), bases_of(pairs.targets), bases_of(pairs.blockers)


def generated(name: str, n: int, seed: int = 0) -> Pairs:
    """Pairs of one generator, the first half where they were made, the others all over the plane."""
    rng = np.random.default_rng([list(GENERATORS).index(name), seed])
    still = GENERATORS[name](rng, n)
    return joined([still[: n // 2], posed(still[n // 2 :], rng)])


def triangles(outline: Any) -> list[Any]:
    """Triangles that make a polygon: the reference knows convex shapes, and that there are no slits."""
    polygon = outline if isinstance(outline, shapely.Polygon) else shapely.Polygon(outline)
    parts = shapely.orient_polygons(shapely.constrained_delaunay_triangles(polygon))
    return [shapely.get_coordinates(part)[:-1] for part in shapely.get_parts(parts)]


class Tally:
    """Counts of a comparison with the reference, and the pairs that differ."""

    def __init__(self, touching: str = "clear") -> None:
        self.touching = touching
        self.compared = self.skipped = self.seen = self.hidden = self.lines = self.rows = 0
        self.wrong: list[str] = []
        self.needless: list[str] = []  # blockers that are named and not in the way of any line

    def compare(self, label: str, pairs: Pairs, half_angle: float = math.pi / 4) -> None:
        """Compare answers where they are robust; lines and blockers that are named are checked everywhere."""
        questions = Questions.of(
            pairs.sources, pairs.targets, shapes_of_bases(pairs.blockers), pairs.blocks, half_angle
        )
        answer = self.explain(label, pairs, questions)
        self.add(label, answer, *self.robust(questions))

    def robust(self, questions: Questions) -> Any:
        """Answers of the reference, and which of them are to be compared."""
        return questions.robust() if self.touching == "clear" else questions.robust_blocked()

    def add(self, label: str, answer: Any, expected: Any, robust: Any) -> None:
        """Count answers, and note those that are wrong."""
        self.compared += int(robust.sum())
        self.skipped += int((~robust).sum())
        self.seen += int((expected & robust).sum())
        self.hidden += int((~expected & robust).sum())
        differing = np.flatnonzero(robust & (answer != expected))
        self.wrong += [f"{label} pair {i}: {answer[i]}, not {expected[i]}" for i in differing]

    def note(self, label: str, problem: str, where: Any) -> None:
        """Note pairs where something is wrong."""
        self.wrong += [f"{label} pair {i}: {problem}" for i in np.flatnonzero(where)]

    def check_lines(self, label: str, questions: Questions, answer: Any, found: Sight) -> None:
        """Check the lines of all pairs, one axis."""
        self.note(label, "sight_lines does not answer as line_of_sight", found.visible != answer)
        for ends in (found.start, found.end):
            self.note(label, "has no line", np.isnan(ends).any(axis=1) & answer)
            self.note(label, "has a line", ~np.isnan(ends).all(axis=1) & ~answer)
        faults = questions.line_faults(found.start, found.end, self.touching)
        for code in range(1, len(FAULTS)):
            self.note(label, f"the line {FAULTS[code]}", faults == code)
        self.lines += int(answer.sum())

    def explain(self, label: str, pairs: Pairs, questions: Questions) -> Any:
        """Check every line and every blocker that is named; returns the answers."""
        options: dict[str, Any] = {"half_angle": questions.half_angle, "touching": self.touching}
        answer = seen(pairs, **options)
        found = sight_lines(*arguments(pairs), blocks=pairs.blocks, **options)
        self.check_lines(label, questions, answer, found)

        state, blocker = found.blockers.state, found.blockers.blocker
        named = np.zeros_like(pairs.blocks)
        named[state, blocker] = True
        cuts = np.ones_like(named)
        cuts[state, blocker] = questions.cuts_some_line(state, blocker)
        is_point = (pairs.blockers[..., 3:5] == 0).all(axis=2)
        self.note(label, "names a point", (named & is_point).any(axis=1))
        others = pairs.blocks & ~named
        in_arc, without = (seen(pairs, blocks=blocks, **options) for blocks in (False, others))
        self.check_names(label, answer, in_arc, without, named, pairs.blocks, cuts)
        hidden = np.flatnonzero(in_arc & ~answer)
        if len(hidden):
            sees, robust = self.robust(questions.chosen(hidden, others[hidden]))
            missed = np.zeros(len(answer), dtype=bool)
            missed[hidden] = robust & ~sees
            self.note(label, "is hidden by more than it names, says the reference", missed)
        return answer

    def check_names(
        self, label: str, answer: Any, in_arc: Any, without: Any, named: Any, blocks: Any, cuts: Any
    ) -> None:
        """Check the blockers that are named, (P, B).

        Given are the answers, those without any blocker and those without the ones named, and which blockers
        of those named are in the way.
        """
        self.note(label, "names a blocker that does not count", (named & ~blocks).any(axis=1))
        self.note(label, "names blockers of what is seen", named.any(axis=1) & answer)
        self.note(label, "is hidden by more than it names", in_arc & ~without)
        needless = named & ~(cuts & in_arc[:, None])
        self.needless += [f"{label} pair {i}: names {b}" for i, b in np.argwhere(needless)]
        self.rows += int(named.sum())

    def absorb(self, other: Tally) -> None:
        """Add the counts of another one."""
        for field in ("compared", "skipped", "seen", "hidden", "lines", "rows", "wrong", "needless"):
            setattr(self, field, getattr(self, field) + getattr(other, field))

    def __str__(self) -> str:
        return (
            f"compared {self.compared:,}, skipped as not robust {self.skipped:,}, "
            f"seen {self.seen:,}, hidden {self.hidden:,}, lines checked {self.lines:,}, "
            f"blockers named {self.rows:,}, of them not in the way {len(self.needless):,}, "
            f"wrong {len(self.wrong)}"
        )

    def check(self, least: float = 0.9) -> None:
        """Nothing is wrong, and enough was compared to know."""
        assert self.wrong == [], f"{self}: {self.wrong[:10]}"
        assert self.compared > least * (self.compared + self.skipped), str(self)
        assert min(self.seen, self.hidden) > 0.08 * self.compared, str(self)
        # None where the source has a facing; see test_blockers_named_are_in_the_way.
        assert len(self.needless) <= 1e-3 * self.rows, f"{self}: {self.needless[:10]}"
