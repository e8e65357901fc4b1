"""What contacts and attack rights rest on: the codes in the rows of `contacts` and `may_attack`."""

from __future__ import annotations

from enum import IntEnum


class ContactKind(IntEnum):
    """Why two models count as in contact; the first that holds.

    * ``TOUCH``: their bases touch or overlap.
    * ``GAP``: across a gap between engaged facings.
    * ``ROUND``: one of them stands on a round or oval base, straight in front of the other.
    * ``DUEL``: they fight a duel.

    Examples
    --------
    >>> ContactKind(2)
    <ContactKind.GAP: 2>
    """

    TOUCH = 1
    GAP = 2
    ROUND = 3
    DUEL = 4


class AttackReason(IntEnum):
    """Why a model may attack another; the first that holds.

    * ``DUEL``: they fight a duel.
    * ``CONTACT``: they are in contact.
    * ``SUPPORT``: it stands behind a model of the first rank that is in contact to the front.
    * ``SWIRL``: all that it can reach are characters, champions or models in a duel.

    Examples
    --------
    >>> AttackReason(1)
    <AttackReason.CONTACT: 1>
    """

    CONTACT = 1
    SUPPORT = 2
    SWIRL = 3
    DUEL = 4
