"""Traps others fell into, on the lists themselves: each would move a published number."""

from collections.abc import Callable

import pytest

Query = Callable[[str], list[tuple[object, ...]]]


def test_eleven_players_stand_in_the_first_ten_of_april_2020(bundled: Query) -> None:
    rows = bundled(
        """
        select count(*), round(avg(rating)), (
            select mean_top_10 from marts.list_summary where list_date = date '2020-04-01' and rating_type = 'standard'
        )
        from marts.top_list where list_date = date '2020-04-01' and world_rank <= 10
        """
    )
    assert rows == [(11, 2788, 2790.0)]


def test_reigns_with_shared_first_places(bundled: Query) -> None:
    """Against the list of world number ones, July 1985 left out: it is in no collection."""
    shared = bundled("select first_list_date::varchar, lists_count from marts.number_ones where is_shared order by 1")
    assert shared == [("1996-01-01", 1), ("2008-01-01", 1)]
    days = bundled(
        """
        select sum(days) from marts.number_ones
        where player_names = 'Kasparov, Garry' and first_list_date between date '1984-01-01' and date '1996-07-01'
        """
    )
    assert days == [(3653 + 365 + 3561,)]
    assert bundled("select count(*) from marts.number_ones where rating_type = 'standard'") == [(17,)]


def test_january_lists_against_figures_from_the_top_100_pages(bundled: Query) -> None:
    """The summaries were computed apart from this project; means may differ where editions do (data/SOURCES.md)."""
    rows = bundled(
        """
        select pages.list_date::varchar
        from catalogue.top100_list_summary as pages
        join marts.list_summary as summary
            on summary.list_date = pages.list_date and summary.rating_type = 'standard'
        where month(pages.list_date) = 1 and pages.official = 1 and (
            pages.r1 <> summary.rating_rank_1 or pages.gap <> summary.gap_1_2
            or pages.n2700 <> summary.active_ge_2700 or pages.n2800 <> summary.active_ge_2800
            or abs(pages.mean11_50 - summary.mean_ranks_11_50) > 1
        )
        """
    )
    assert rows == []
    assert bundled(
        "select count(*) >= 45 from catalogue.top100_list_summary as pages "
        "join marts.list_summary using (list_date) where month(list_date) = 1 and official = 1"
    ) == [(True,)]


def test_april_2004_is_known_to_print_no_games(bundled: Query) -> None:
    """FIDE's file is not at hand; zeros for everybody are found on an invented one (test_marts_invented.py)."""
    rows = bundled(
        """
        select anomaly_code, short_label from marts.list_anomalies
        where list_date = date '2004-04-01' and anomaly_origin = 'catalogue'
        """
    )
    assert rows == [("games_zero", "games 0 throughout")]


@pytest.mark.shared
class TestOnRealLists:
    """FIDE's lists of 2001 to 2004 and the text collection before."""

    def test_initials_that_look_like_titles_are_no_grandmasters(self, real: Query) -> None:
        """A loose pattern takes 28 bare initials for titles: 762 grandmasters with mean 2508 instead of 734, 2519."""
        rows = real(
            """
            select player_count, round(mean_rating) from marts.title_counts
            where list_date = date '2001-01-01' and title = 'GM' and federation = 'all'
            """
        )
        assert rows == [(734, 2519)]

    def test_fischer_is_listed_with_2780_but_inactive(self, real: Query) -> None:
        rows = real("select rating, world_rank, rank_all from history_of(2000016) where list_date = date '2001-01-01'")
        assert rows == [(2780, None, 3)]
        counts = real(
            "select active_ge_2700, count_ge_2700 from marts.list_summary where list_date = date '2001-01-01'"
        )
        assert counts == [(12, 14)]

    def test_january_2002_lacks_the_inactive_players(self, real: Query) -> None:
        codes = real("select anomaly_code from marts.list_anomalies where list_date = date '2002-01-01'")
        assert {("inactive_missing",), ("size_jump",), ("players_gone_and_back",)} <= set(codes)
        inactive = dict(
            real(
                "select list_date::varchar, player_count - active_count from marts.list_summary "
                "where list_date > '2001-01-01' and rating_type = 'standard'"
            )
        )
        assert inactive["2002-01-01"] < 0.05 * inactive["2001-10-01"]  # type: ignore[operator]

    def test_january_1998_lost_names(self, real: Query) -> None:
        codes = real("select anomaly_code from marts.list_anomalies where list_date = date '1998-01-01'")
        assert ("names_lost",) in codes
        assert real("select verdict from marts.published_figure_checks where figure_id = 'F019'") == [("agrees",)]

    def test_july_2002_lacks_federations(self, real: Query) -> None:
        origins = real(
            """
            select anomaly_origin, contains(detail, 'ARG') from marts.list_anomalies
            where list_date = date '2002-07-01' and anomaly_code = 'federations_missing' order by 1
            """
        )
        assert origins == [("catalogue", False), ("comparison", True)]

    def test_women_gained_exactly_100_points_in_1987(self, real: Query) -> None:
        changes = dict(
            real(
                """
                select later.rating - earlier.rating as change, count(*)
                from staging.entries as earlier
                join staging.entries as later using (player_id)
                where earlier.list_date = date '1986-01-01' and later.list_date = date '1987-01-01'
                group by change
                """
            )
        )
        assert changes[100] > 100
        assert changes[100] > 4 * (changes[95] + changes[105])  # type: ignore[operator]

    def test_back_dated_codes_are_no_transfers(self, real: Query) -> None:
        assert real("select min(list_date) >= date '1999-01-01' from marts.federation_flows") == [(True,)]

    def test_grandmasters_of_1974(self, real: Query) -> None:
        verdicts = real(
            "select verdict from marts.published_figure_checks where figure_id in ('F092', 'F093') order by figure_id"
        )
        assert verdicts == [("agrees",), ("agrees",)]
