import polars as pl
import pytest

from pipeline.catalogue.tables import load
from pipeline.domain.federations import FederationCodes, code_expr


@pytest.fixture(scope="module")
def codes() -> FederationCodes:
    return FederationCodes.from_frame(load("federations"))


def test_the_soviet_union_is_followed_by_fifteen(codes: FederationCodes) -> None:
    assert len(codes.successors("USR")) == 15
    assert codes.successors("URS") == codes.successors("USR") | {"USR"}


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        ("URS", "LAT"), ("BRD", "GER"), ("DDR", "GER"), ("CSR", "SVK"), ("YUG", "MNE"), ("YUG", "MKD"),
        ("ROM", "ROU"), ("MON", "MGL"), ("SAF", "RSA"), ("NLA", "AHO"), ("USA", "USA"),
    ],
)  # fmt: skip
def test_codes_one_player_can_carry_in_turn(codes: FederationCodes, earlier: str, later: str) -> None:
    assert codes.may_follow(earlier, later)
    assert later == earlier or not codes.may_follow(later, earlier)


@pytest.mark.parametrize(("earlier", "later"), [("USR", "SUI"), ("MON", "MNC"), ("GER", "FRG"), ("XXX", "USA")])
def test_codes_that_do_not_follow(codes: FederationCodes, earlier: str, later: str) -> None:
    assert not codes.may_follow(earlier, later)


@pytest.mark.parametrize(
    ("code", "today"),
    [("ROM", "ROU"), ("SIN", "SGP"), ("BRD", "GER"), ("URS", "USR"), ("YUG", "YUG"), ("USA", "USA")],
)
def test_renamed_codes(codes: FederationCodes, code: str, today: str) -> None:
    assert codes.renamed_to(code) == today


def test_codes_are_written_in_capitals() -> None:
    frame = pl.DataFrame({"printed": ["Col", " Ind", "", None]})
    assert frame.select(code_expr(pl.col("printed"))).to_series().to_list() == ["COL", "IND", None, None]


def test_broken_tables_are_refused() -> None:
    rows = {"code": ["AAA", "BBB"], "name": ["A", "B"], "successors": ["BBB", "AAA"]}
    with pytest.raises(ValueError, match="among its own successors"):
        FederationCodes.from_frame(pl.DataFrame(rows))
    rows["successors"] = ["BBB", "CCC"]
    with pytest.raises(ValueError, match="unknown successor CCC"):
        FederationCodes.from_frame(pl.DataFrame(rows))
