"""Answers of the library for batches of pairs, checked against the reference: seen or not, and why."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import shapely

from ninthgeom import line_of_sight, sight_lines
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
        self.add(label, answer, *self._robust(questions))

    def _robust(self, questions: Questions) -> Any:
        return questions.robust() if self.touching == "clear" else questions.robust_blocked()

    def add(self, label: str, answer: Any, expected: Any, robust: Any) -> None:
        """Count answers, and note those that are wrong."""
        self.compared += int(robust.sum())
        self.skipped += int((~robust).sum())
        self.seen += int((expected & robust).sum())
        self.hidden += int((~expected & robust).sum())
        differing = np.flatnonzero(robust & (answer != expected))
        self.wrong += [f"{label} pair {i}: {answer[i]}, not {expected[i]}" for i in differing]

    def explain(self, label: str, pairs: Pairs, questions: Questions) -> Any:
        """Check every line and every blocker that is named; returns the answers."""
        options: dict[str, Any] = {"half_angle": questions.half_angle, "touching": self.touching}
        answer = seen(pairs, **options)
        found = sight_lines(*arguments(pairs), blocks=pairs.blocks, **options)

        def note(problem: str, where: Any) -> None:
            self.wrong += [f"{label} pair {i}: {problem}" for i in np.flatnonzero(where)]

        note("sight_lines does not answer as line_of_sight", found.visible != answer)
        for place, ends in (("start", found.start), ("end", found.end)):
            note(f"{place} of a line is missing", np.isnan(ends).any(axis=1) & answer)
            note(f"{place} of a line that is none", ~np.isnan(ends).all(axis=1) & ~answer)
        faults = questions.line_faults(found.start, found.end, self.touching)
        for code in range(1, len(FAULTS)):
            note(f"the line {FAULTS[code]}", faults == code)
        self.lines += int(answer.sum())

        state, blocker = found.blockers.state, found.blockers.blocker
        named = np.zeros_like(pairs.blocks)
        named[state, blocker] = True
        no_inside = (pairs.blockers[..., 3:5] == 0).all(axis=2)
        note("names a blocker that does not count", (named & ~pairs.blocks).any(axis=1))
        note("names a point", (named & no_inside).any(axis=1))
        cuts = np.ones_like(named)
        cuts[state, blocker] = questions.cuts_some_line(state, blocker)
        self.needless += [f"{label} pair {i}: names {b}" for i, b in np.argwhere(~cuts)]
        in_arc = seen(pairs, blocks=False, **options)
        note("names blockers though it is seen or out of the arc", named.any(axis=1) & (answer | ~in_arc))
        others = pairs.blocks & ~named
        note("is hidden without the blockers it names", ~seen(pairs, blocks=others, **options) & in_arc)
        hidden = np.flatnonzero(in_arc & ~answer)
        if len(hidden):
            without, robust = self._robust(questions.chosen(hidden, others[hidden]))
            note("is hidden without the blockers it names, says the reference", np.isin(
                np.arange(len(answer)), hidden[robust & ~without]
            ))  # fmt: skip
        self.rows += len(state)
        return answer

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
