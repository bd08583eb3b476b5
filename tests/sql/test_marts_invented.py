"""Marts of complete lists, on invented people: every number here follows from how the lists were made."""

from collections.abc import Callable

Query = Callable[[str], list[tuple[object, ...]]]


def test_every_mart_of_lists_has_rows(invented: Query) -> None:
    tables = [
        "activity", "age_profile", "compression_2024", "elite_ages", "elite_membership", "entry_effects",
        "federation_strength", "generations", "inflation_indices", "k_factor_counts", "movers", "percentiles",
        "points_created", "prodigies", "published_figure_checks", "rating_at_rank", "rating_distribution",
        "rating_type_pairs", "records", "rule_calendar", "survival", "title_counts", "top_list",
    ]  # fmt: skip
    empty = [name for name in tables if invented(f"select count(*) from marts.{name}") == [(0,)]]
    assert empty == []


def test_player_history_has_one_row_per_player_and_list(invented: Query) -> None:
    """Its grain is not tested at every build: on the whole history that alone takes ten seconds."""
    counts = invented(
        """
        select count(*), count(distinct (publisher, rating_type, list_date, player_id)),
            (select count(*) from core.entries)
        from marts.player_history
        """
    )
    assert counts[0][0] == counts[0][1] == counts[0][2]


def test_player_ratings_are_the_history_without_ranks(invented: Query) -> None:
    columns = """
        publisher, rating_type, list_date, player_id, player_name, printed_name, fide_id, federation, sex, birth_year,
        title, rating
    """
    ratings = invented(f"select {columns} from marts.player_ratings order by all")
    assert ratings
    assert ratings == invented(f"select {columns} from marts.player_history where rating is not null order by all")


def test_newcomers_of_2004_are_those_who_were_not_there_in_2003(invented: Query) -> None:
    rows = invented("select newcomers from marts.entry_effects where list_date = date '2004-01-01'")
    assert rows == [(50,)]


def test_compression_follows_the_rule_and_counts_leavers(invented: Query) -> None:
    totals = invented(
        """
        select sum(before_count), sum(left_count), sum(by_rule_count) = sum(after_count),
            max(abs(mean_after - mean_by_rule)) < 0.5
        from marts.compression_2024
        """
    )
    assert totals == [(200, 10, True, True)]
    untouched = invented("select max(abs(mean_change)) from marts.compression_2024 where band_low >= 2000")
    assert untouched == [(0,)]


def test_points_created_are_the_sum_of_the_changes(invented: Query) -> None:
    """In April 2004 player n moves by n % 21 - 10; March 2024 gives every one of the 190 left his raise."""
    rows = invented(
        """
        select list_date::varchar, earlier_list_date::varchar, player_count, risen_count, fallen_count, points_created
        from marts.points_created order by 1
        """
    )
    moves = [number % 21 - 10 for number in range(200)]
    risen, fallen = sum(move > 0 for move in moves), sum(move < 0 for move in moves)
    assert rows[0] == ("2004-04-01", "2004-01-01", 200, risen, fallen, sum(moves))
    raises = invented(
        "select sum(before_count - left_count), sum(mean_change * after_count) from marts.compression_2024"
    )
    assert [row[0] for row in rows] == ["2004-04-01", "2024-03-01"]
    assert (rows[1][2], rows[1][4]) == (raises[0][0], 0)
    assert abs(rows[1][5] - raises[0][1]) < 1e-6  # type: ignore[operator]


def test_shares_of_a_population_add_up(invented: Query) -> None:
    sums = invented(
        """
        select distinct round(sum(player_fraction), 9) from marts.rating_distribution
        group by publisher, rating_type, list_date, population
        """
    )
    assert sums == [(1,)]


def test_percentiles_rise_with_the_rating_and_both_look_ups_agree(invented: Query) -> None:
    falling = invented(
        """
        select * from (
            select percentile - lag(percentile) over (
                partition by rating_type, list_date, population, method order by rating
            ) as step
            from marts.percentiles where look_up = 'rating'
        ) where step < 0
        """
    )
    assert falling == []
    (half,) = invented(
        """
        select rating from marts.percentiles
        where look_up = 'percentile' and percentile = 50 and method = 'everybody' and population = 'all'
            and rating_type = 'standard' and list_date = date '2004-01-01'
        """
    )
    share = invented(
        f"""
        select count(*) filter (where rating <= {half[0]}) >= 100 and count(*) filter (where rating < {half[0]}) < 100
        from staging.entries where rating_type = 'standard' and list_date = date '2004-01-01'
        """
    )
    assert share == [(True,)]


def test_rapid_and_standard_are_compared_for_those_on_both(invented: Query) -> None:
    rows = invented(
        """
        select sum(player_count), max(abs(mean_difference)) <= 10 from marts.rating_type_pairs
        where list_date = date '2013-03-01'
        """
    )
    assert rows == [(150, True)]


def test_one_transfer_is_seen_there_and_back(invented: Query) -> None:
    """Player 4 is USA until January 2004, GER on April 2004 and not on the next list, USA again in 2024."""
    rows = invented(
        """
        select list_date::varchar, from_federation, to_federation, player_count from marts.federation_flows
        where (from_federation, to_federation) in (('USA', 'GER'), ('GER', 'USA')) and list_date > date '2003-01-01'
        order by 1
        """
    )
    assert rows == [("2004-04-01", "USA", "GER", 1), ("2024-02-01", "GER", "USA", 1)]


def test_no_games_in_april_2004(invented: Query) -> None:
    """Zeros for everybody are no games of nobody: unknown, not 0. In January 2004 every tenth had none."""
    played = invented(
        """
        select list_date::varchar, player_count, played_count from marts.list_summary
        where list_date between date '2004-01-01' and date '2004-04-01' and coverage = 'complete' order by 1
        """
    )
    assert played == [("2004-01-01", 200, 180), ("2004-04-01", 200, None)]
    assert invented("select count(*) from marts.activity where list_date = date '2004-04-01'") == [(0,)]
    codes = invented(
        """
        select anomaly_code from marts.list_anomalies
        where list_date = date '2004-04-01' and rating_type = 'standard' and anomaly_origin = 'comparison'
        """
    )
    assert ("games_all_zero",) in codes


def test_survival_falls_from_one(invented: Query) -> None:
    rising = invented(
        """
        select * from (
            select surviving_fraction - lag(surviving_fraction, 1, 1.0) over (
                partition by rating_type, end_kind, entry_years, cohort_group order by years_since_entry
            ) as step
            from marts.survival
        ) where step > 1e-12
        """
    )
    assert rising == []


def test_means_of_the_first_ten_of_a_federation_are_theirs(invented: Query) -> None:
    wrong = invented(
        """
        with best as (
            select federation, rating from staging.entries
            where rating_type = 'standard' and list_date = date '2004-01-01' and active
            qualify row_number() over (partition by federation order by rating desc) <= 10
        )
        select strength.federation
        from marts.federation_strength as strength
        join (select federation, avg(rating) as mean from best group by federation) as direct using (federation)
        where rating_type = 'standard' and list_date = date '2004-01-01' and abs(mean_top_10 - mean) > 1e-9
        """
    )
    assert wrong == []
