"""What contacts and attack rights rest on: the codes in the rows of `contacts` and `may_attack`."""

from __future__ import annotations

from enum import IntEnum


class ContactKind(IntEnum):
    """Why two models count as in contact; the first that holds.

    Examples
    --------
    >>> ContactKind(2)
    <ContactKind.GAP: 2>
    """

    TOUCH = 1  #: the bases touch or overlap
    GAP = 2  #: across a gap
    ROUND = 3  #: one of them stands on a round or oval base, straight in front of the other
    DUEL = 4  #: they fight a duel


class AttackReason(IntEnum):
    """Why a model may attack another; the first that holds.

    Examples
    --------
    >>> AttackReason(1)
    <AttackReason.CONTACT: 1>
    """

    CONTACT = 1  #: they are in contact
    SUPPORT = 2  #: it stands behind a model of the first rank that is in contact to the front
    SWIRL = 3  #: all it can reach are characters, champions or models in a duel
    DUEL = 4  #: they fight a duel
