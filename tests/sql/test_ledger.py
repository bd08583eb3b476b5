"""The ledger of published figures on the bundled lists: enough verdicts, every difference explained by evidence."""

from collections.abc import Callable

Query = Callable[[str], list[tuple[object, ...]]]


def test_every_figure_is_in_the_ledger_once(bundled: Query) -> None:
    counts = bundled(
        "select count(*), (select count(*) from catalogue.published_figures) from marts.published_figure_checks"
    )
    assert counts[0][0] == counts[0][1]


def test_at_least_sixty_figures_get_a_verdict_from_the_bundled_lists(bundled: Query) -> None:
    counts = dict(bundled("select verdict, count(*) from marts.published_figure_checks group by verdict"))
    assert counts["agrees"] >= 100
    assert counts["agrees"] + counts["differs"] >= 115


def test_every_difference_is_explained_and_every_explanation_names_its_evidence(bundled: Query) -> None:
    unexplained = bundled(
        "select figure_id from marts.published_figure_checks "
        "where verdict = 'differs' and (explanation is null or evidence is null)"
    )
    assert unexplained == []


def test_what_cannot_be_computed_says_why_and_shows_no_value(bundled: Query) -> None:
    wrong = bundled(
        "select figure_id from marts.published_figure_checks where verdict = 'cannot be computed' "
        "and (explanation is null or computed_value is not null)"
    )
    assert wrong == []


def test_explanations_are_shown_only_where_the_figure_differs(bundled: Query) -> None:
    assert (
        bundled("select 1 from marts.published_figure_checks where verdict = 'agrees' and explanation is not null")
        == []
    )


def test_number_ones_and_peaks_of_the_literature_agree(bundled: Query) -> None:
    disagreeing = bundled(
        "select figure_id from marts.published_figure_checks "
        "where measure in ('number_one', 'peak_rating') and verdict <> 'agrees'"
    )
    # July 1985 is in no collection at hand.
    assert disagreeing == [("F106",)]


def test_figures_known_to_be_wrong_are_found_wrong(bundled: Query) -> None:
    verdicts = dict(bundled("select figure_id, verdict || ' ' || computed_value from marts.published_figure_checks"))
    assert verdicts["F039"] == "differs 2"
    assert verdicts["F053"] == "differs 5"
    assert verdicts["F089"] == "differs 2790"
    assert verdicts["F090"] == "differs 2800.7"


def test_a_live_rating_matches_no_list(bundled: Query) -> None:
    assert bundled("select verdict from marts.published_figure_checks where figure_id = 'F140'") == [
        ("cannot be computed",)
    ]
    assert bundled("select max(rating) from marts.top_list where player_name = 'Carlsen, Magnus'") == [(2882,)]


def test_the_offset_of_the_encyclopedia_is_that_of_the_published_conversions(bundled: Query) -> None:
    rows = bundled(
        "select figure_id, verdict from marts.published_figure_checks where figure_id in ('F177', 'F178') order by 1"
    )
    assert rows == [("F177", "differs"), ("F178", "agrees")]
