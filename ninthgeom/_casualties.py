"""Sampler of losses: which models of the units are left."""

from __future__ import annotations

from typing import Literal, TypeAlias, get_args

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike, NDArray

from ninthgeom._arrays import BoolArray, as_floats, check_range, element, first_index
from ninthgeom._checks import PlacedTypeError, PlacedValueError, choice, whole
from ninthgeom._sampler_arguments import check_rng, for_states
from ninthgeom._states import check_board, checked_mask
from ninthgeom.board import Board

#: Which models of a unit are lost first: those at its rear, or any.
LossOrder: TypeAlias = Literal["rear", "anywhere"]


def casualties(
    rng: Generator,
    board: Board,
    n: int,
    *,
    losses: ArrayLike | None = None,
    chances: ArrayLike | None = None,
    order: LossOrder = "rear",
    occupied: ArrayLike | None = None,
) -> BoolArray:
    """Draw which models are left after losses, given in number or as a chance for each model.

    Casualties come from the rear rank in both editions. The second then fills gaps at once, which only
    losses from anywhere leave: `Board.fill_ranks`. Health Points, saves and the like are the caller's.

    Parameters
    ----------
    rng : numpy.random.Generator
        Source of chance.
    board : Board
        The units.
    n : int
        Number of states.
    losses : array_like of int, shape () or (U,) or (n, U)
        Models that each unit loses. One that has no more loses them all.
    chances : array_like, shape () or (U,) or (n, U)
        Chance, from 0 to 1, that a model of the unit is lost, of all models independently: the number lost is
        binomial. Either these or `losses` must be given.
    order : {"rear", "anywhere"}
        Which models go: those of the last rank first, the right-most of it first, and attached characters
        after all others, the last one first; or any of the unit, attached characters too, every choice of as
        many as likely.
    occupied : array_like of bool, shape (M,) or (n, M), optional
        Slots that hold a living model before; those of full strength by default.

    Returns
    -------
    ndarray of bool, shape (n, M)
        Slots that hold a living model afterwards: the `occupied` of every question.

    Raises
    ------
    TypeError, ValueError
        If an argument cannot be used: both or neither of `losses` and `chances`, a negative number of models,
        a chance that is none.

    Examples
    --------
    >>> import numpy as np
    >>> from ninthgeom import Attached, Board, Unit
    >>> from ninthgeom.samplers import casualties
    >>> rng = np.random.default_rng(1)
    >>> spears = Unit("spears", (20, 20), models=7, files=4, attached=[Attached("captain", (20, 20))])
    >>> casualties(rng, Board([spears]), 1, losses=5).astype(int)  # the captain stands in front
    array([[1, 1, 0, 0, 0, 0, 0, 1]])
    >>> left = casualties(rng, Board([spears]), 10_000, chances=0.25, order="anywhere")
    >>> float(left.sum(axis=1).mean().round(1))
    6.0
    """
    check_rng(rng)
    check_board(board)
    whole(n, ("n",), 0)
    choice(order, ("order",), get_args(LossOrder))
    if (losses is None) == (chances is None):
        raise TypeError("either losses or chances must be given")
    mask = checked_mask(occupied, "occupied", board.n_models, "model slots")
    before = np.array(for_states("occupied", board.occupied if mask is None else mask, n, board.n_models))
    fewer = None if losses is None else _whole_losses(losses, n, len(board))
    chance = None
    if chances is not None:
        given = as_floats("chances", chances)
        check_range("chances", given, 0.0, 1.0)
        chance = for_states("chances", given, n, len(board))
    for i, (unit, slots) in enumerate(zip(board.units, board.model_slices, strict=True)):
        # the unit's slots from the first to go to the last: its ranks from behind, then the attached models
        ranked = unit.layout.n_ranked
        going = slots.start + np.r_[ranked - 1 : -1 : -1, unit.n_slots - 1 : ranked - 1 : -1].astype(np.intp)
        living = before[:, going]
        if fewer is not None:
            lost = fewer[:, i]
        elif chance is not None:
            lost = rng.binomial(living.sum(axis=1), chance[:, i])
        if order == "rear":
            living &= living.cumsum(axis=1) > lost[:, None]
        else:
            # of random numbers, the dead ones' left out, the smallest are as good a choice as any
            keys = np.where(living, rng.random(living.shape), np.inf)
            place = keys.argsort(axis=1).argsort(axis=1)
            living &= place >= lost[:, None]
        before[:, going] = living
    return before


def _whole_losses(losses: ArrayLike, n: int, n_units: int) -> NDArray[np.int64]:
    try:
        array = np.asarray(losses)
    except ValueError as error:  # rows of unequal length
        raise PlacedValueError(("losses",), f"must be an array of whole numbers: {error}") from None
    if array.dtype.kind not in "iu" and array.size:
        raise PlacedTypeError(("losses",), f"must hold whole numbers, got dtype {array.dtype}")
    wrong = array < 0
    if wrong.any():
        index = first_index(wrong)
        raise ValueError(f"{element('losses', index)} must not be negative, got {array[index]}")
    return for_states("losses", array, n, n_units)
