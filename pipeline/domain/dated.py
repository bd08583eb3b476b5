"""Rules with dates: which of several holds on a day, and an honest error where none is known.

Belongs here: the shape of a dated rule and the look-up. The rules themselves stand in ``fide_rules.py`` and
``uscf_rules.py``.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Generic, Literal, TypeVar

Value = TypeVar("Value")

#: How a rule or its date is known: read in a document, computed from the lists, inferred, or stated once.
Certainty = Literal["read", "computed", "inferred", "unconfirmed"]


class UnknownRuleError(Exception):
    """No rule is known for that day. The message says from when on one is known."""


@dataclass(frozen=True, slots=True)
class DatedRule(Generic[Value]):
    """One rule and when it holds.

    Attributes:
        valid_from: first day on which the rule is known to hold (it may be older where ``text`` says so).
        value: parameter of the rule; None where it is known that the rule of these days is not known.
        text: the rule in one sentence.
        source: what it rests on.
        certainty: how far it is established.
    """

    valid_from: date
    value: Value | None
    text: str
    source: str
    certainty: Certainty = "read"


@dataclass(frozen=True, slots=True)
class RuleInForce(Generic[Value]):
    """The rule of one day, with the days between which it holds (``valid_to`` is None for the present rule)."""

    value: Value
    text: str
    source: str
    certainty: Certainty
    valid_from: date
    valid_to: date | None


def rule_on(rules: Sequence[DatedRule[Value]], day: date, subject: str) -> RuleInForce[Value]:
    """The rule in force on ``day``.

    Args:
        rules: ascending by ``valid_from``.
        day: the day asked for.
        subject: what the rules are about, for the message.

    Raises:
        UnknownRuleError: ``day`` is before the first known rule, or in a gap that is marked as unknown.
    """
    in_force = [place for place, rule in enumerate(rules) if rule.valid_from <= day]
    if not in_force:
        raise UnknownRuleError(
            f"the rule for {subject} on {day} is unknown; the earliest known one holds from "
            f"{rules[0].valid_from}: {rules[0].text}"
        )
    rule = rules[in_force[-1]]
    following = rules[in_force[-1] + 1 :]
    if rule.value is None:
        until = f" to {following[0].valid_from - timedelta(days=1)}" if following else ""
        raise UnknownRuleError(f"the rule for {subject} on {day} is unknown ({rule.valid_from}{until}): {rule.text}")
    valid_to = following[0].valid_from - timedelta(days=1) if following else None
    return RuleInForce(rule.value, rule.text, rule.source, rule.certainty, rule.valid_from, valid_to)
