"""Where editions of a list contradict each other: the reviewed value stands where the review names what it overrules.

The lists are files of Scid's and FIDE's layouts with invented people, and beside them a few players of the bundled
history whose published ratings these collections state otherwise.
"""

import csv
import re
from datetime import date
from pathlib import Path

import duckdb
import pytest
from building import build_folder, read_only
from list_builder import Player, invented_players, l6_text

from pipeline.catalogue.tables import load
from pipeline.settings import Settings

HISTORY = Path(__file__).parents[2] / "pipeline" / "catalogue" / "data" / "elite_history.csv"
#: Scid's 2720 for Karpov is named as overruled by 2705; nobody has reviewed a 2655 for Timman (bundled: 2650).
SCID = b"""\
# ratings0421.ssp
# FIDE ratings APR-2021 Last modified
@PLAYER "., -_*"
Karpov, Anatoly #GM RUS [2617] 1951.05.23
   %Bio FIDEID 4100026
   %Elo 1984:2700,2705 1985:2720 1986:2700,2705
Kasparov, Garry #GM RUS [2812] 1963.04.13
   %Bio FIDEID 4100018
   %Elo 1984:2710,2715 1985:2715 1986:2720,2740
Timman, Jan H #GM NED [2540] 1951.12.14
   %Bio FIDEID 1000012
   %Elo 1985:2655
Dunmore, Eve #- XXE [2000] 1950
   %Elo 1985:2300
Eaves, Finn #- XXE [2000] 1950
   %Elo 1985:2250
"""
#: FIDE's own file says 2807; the bundled 2809 is that of FIDE's top-100 page.
KRAMNIK = Player(fide_id=4101588, name="Kramnik, Vladimir", federation="RUS", rating=2807, birth_year=1975)

Rows = list[tuple[object, ...]]


@pytest.fixture(scope="module")
def disputed(tmp_path_factory: pytest.TempPathFactory) -> duckdb.DuckDBPyConnection:
    """Scid's layout for 1984 to 1986 and FIDE's for January 2003, beside the bundled lists."""
    folder = tmp_path_factory.mktemp("disputed")
    scid, fide = folder / "spelling.ssp", folder / "jan03frl.txt"
    scid.write_bytes(SCID)
    fide.write_bytes(l6_text([KRAMNIK, *invented_players(60)], date(2003, 1, 1)))
    return read_only(build_folder(folder / "data", [scid, fide]))


def rows(connection: duckdb.DuckDBPyConnection, query: str) -> Rows:
    return connection.execute(query).fetchall()


def test_entries_stay_what_the_edition_prints(disputed: duckdb.DuckDBPyConnection) -> None:
    printed = rows(
        disputed,
        "select player_name, rating, coverage from staging.entries where list_date = '1985-01-01' and rating > 2600 "
        "order by rating desc",
    )
    assert printed == [
        ("Karpov, Anatoly", 2720, "complete"),
        ("Kasparov, Garry", 2715, "complete"),
        ("Timman, Jan H", 2655, "complete"),
    ]


def test_the_reviewed_rating_stands_in_the_top_list_and_the_other_beside_it(
    disputed: duckdb.DuckDBPyConnection,
) -> None:
    top = rows(
        disputed,
        "select world_rank, fide_id, top_list.rating, contradicted_by from marts.top_list as top_list "
        "join core.players using (player_id) where list_date = '1985-01-01' order by world_rank limit 3",
    )
    assert top == [
        (1, 4100018, 2715, None),
        (2, 4100026, 2705, "scid:2720"),
        (3, 1000012, 2655, "bundled:2650"),  # no review names 2655, so that the complete edition stands
    ]


def test_each_rating_shown_leads_to_the_line_that_states_it(disputed: duckdb.DuckDBPyConnection) -> None:
    traced = dict(
        disputed.execute(
            "select top_list.fide_rating, [collection, line_number::varchar] from ("
            "select rating as fide_rating, source_key, line_number from marts.top_list "
            "where list_date = '1985-01-01' and world_rank in (2, 3)) as top_list "
            "join core.source_files using (source_key)"
        ).fetchall()
    )
    assert traced[2655][0] == "scid"
    collection, line_number = traced[2705]
    with HISTORY.open(newline="") as file:
        line = list(csv.reader(file))[int(line_number) - 1]
    assert (collection, line[0], line[2], line[7]) == ("bundled", "1985-01-01", "Karpov, Anatoly", "2705")


def test_kasparov_leads_in_january_1985_and_the_contradiction_is_in_the_row(
    disputed: duckdb.DuckDBPyConnection,
) -> None:
    reign = rows(
        disputed,
        "select player_names, contradicted_by from marts.number_ones where rating_type = 'standard' "
        "and date '1985-01-01' between first_list_date and last_list_date",
    )
    assert reign == [("Kasparov, Garry", "1985-01 Karpov, Anatoly scid:2720")]
    others = rows(
        disputed,
        "select first_list_date from marts.number_ones where contradicted_by is not null and rating_type = 'standard' "
        "and date '1985-01-01' not between first_list_date and last_list_date",
    )
    # FIDE's file of January 2003 lacks Kasparov here, so that Kramnik leads it with a rating that is contradicted.
    assert others == [(date(2003, 1, 1),)]


def test_who_gained_most_does_not_rest_on_an_overruled_value(disputed: duckdb.DuckDBPyConnection) -> None:
    karpov = rows(
        disputed,
        "select span, direction, earlier_rating, movers.rating, change from marts.movers "
        "join core.players using (player_id) where fide_id = 4100026 and list_date = '1985-01-01' "
        "and rating_type = 'standard'",
    )
    # 2720 would be a gain of 15 since the list before and of 20 in twelve months.
    assert karpov == [("12 months", "gain", 2700, 2705, 5)]
    other = rows(
        disputed,
        "select movers.list_date, player_name from marts.movers "
        "join marts.player_ratings as standing using (publisher, rating_type, list_date, player_id, player_name) "
        "where movers.rating <> standing.rating",
    )
    assert other == []


def test_who_was_youngest_does_not_rest_on_an_overruled_value(disputed: duckdb.DuckDBPyConnection) -> None:
    strong = rows(
        disputed,
        "select strong.rating from intermediate.strong_ratings as strong join core.lists using (list_key) "
        "where list_date = '1985-01-01' and rating_type = 'standard' order by all",
    )
    assert strong == [(2300,), (2655,), (2705,), (2715,)]


def test_every_answer_about_ranks_says_the_same(disputed: duckdb.DuckDBPyConnection) -> None:
    def ask(query: str) -> Rows:
        return rows(disputed, query)

    january = "list_date = '1985-01-01' and rating_type = 'standard'"
    assert ask(f"select rating_rank_1, gap_1_2 from marts.list_summary where {january}") == [(2715, 10)]
    assert ask("select world_rank, rating from top(2, date '1985-01-01')") == [(1, 2715), (2, 2705)]
    assert ask("select world_rank from rank_of(2706, date '1985-01-01')") == [(2,)]
    karpov = f"fide_id = 4100026 and {january}"
    assert ask(f"select rating, world_rank, rank_all, contradicted_by from marts.player_history where {karpov}") == [
        (2705, 2, 2, "scid:2720")
    ]
    assert ask("select rating, world_rank from history_of(4100026) where list_date = '1985-01-01'") == [(2705, 2)]
    assert ask(
        "select rating from ratings_at(date '1985-01-01') join core.players using (player_id) "
        "where players.fide_id = 4100026"
    ) == [(2705,)]
    assert ask(f"select federation_rank from marts.player_history where {karpov}") == [(2,)]
    assert ask(f"select best_rating from marts.federation_strength where {january} and federation = 'RUS'") == [(2715,)]
    born_1951 = f"select mean_rating, max_rating from marts.age_profile where {january} and age = 34"
    assert ask(born_1951) == [((2705 + 2655) / 2, 2705)]
    # The players of the list are counted once each, at the rating that stands.
    counted = "select list(rating order by rating desc), sum(player_count) from intermediate.rating_counts"
    assert ask(f"{counted} join core.lists using (list_key) where {january}") == [([2715, 2705, 2655, 2300, 2250], 5)]
    unranked = "select count(*) from marts.player_history where rating is not null and rank_all is null and official"
    assert ask(unranked.replace(" and official", " and list_date >= date '1971-07-01'")) == [(0,)]


def test_changes_are_between_ratings_that_stand(disputed: duckdb.DuckDBPyConnection) -> None:
    changes = rows(
        disputed,
        "select list_date, rating, change_since_previous_list from marts.player_history "
        "where fide_id = 4100026 and list_date between '1984-07-01' and '1986-01-01' order by list_date",
    )
    assert [row[1:] for row in changes if row[0] == date(1985, 1, 1)] == [(2705, 0)]


def test_the_publishers_own_file_is_not_overruled(disputed: duckdb.DuckDBPyConnection) -> None:
    kramnik = rows(
        disputed,
        "select top_list.rating, contradicted_by from marts.top_list as top_list join core.players using (player_id) "
        "where fide_id = 4101588 and list_date = '2003-01-01' and rating_type = 'standard'",
    )
    assert kramnik == [(2807, "bundled:2809")]


def test_differences_say_what_stands(disputed: duckdb.DuckDBPyConnection) -> None:
    differing = rows(
        disputed,
        "select fide_id, current_rating, other_rating, standing_rating from marts.edition_differences "
        "where difference = 'ratings differ' and list_date in ('1985-01-01', '2003-01-01') order by list_date, fide_id",
    )
    assert differing == [(1000012, 2655, 2650, 2655), (4100026, 2720, 2705, 2705), (4101588, 2807, 2809, 2807)]


def test_nothing_is_disputed_where_each_list_has_one_edition(bundled: Settings) -> None:
    with read_only(bundled) as connection:
        assert rows(connection, "select count(*) from intermediate.disputed_ratings") == [(0,)]
        assert rows(connection, "select count(*) from marts.top_list where contradicted_by is not null") == [(0,)]
        counts = "select list_key, rating, active, player_count from intermediate.{}rating_counts order by all"
        assert rows(connection, counts.format("")) == rows(connection, counts.format("printed_"))


@pytest.mark.scid
def test_on_scids_own_lines_every_named_value_is_overruled(scid_file: Path, tmp_path: Path) -> None:
    """The players of the reviewed history, as Scid's file has them: the review knows each of its contradictions."""
    elite = set(load("elite_history")["fide_id"].drop_nulls())
    excerpt = tmp_path / "spelling.ssp"
    excerpt.write_bytes(players_with_numbers(scid_file, elite))
    with read_only(build_folder(tmp_path / "data", [excerpt])) as connection:
        january = rows(
            connection,
            "select world_rank, player_name, rating, contradicted_by from marts.top_list "
            "where list_date = '1985-01-01' and world_rank <= 2 order by world_rank",
        )
        assert january == [(1, "Kasparov, Garry", 2715, None), (2, "Karpov, Anatoly", 2705, "scid:2720")]
        reviewed, disputed = rows(
            connection, "select count(*) filter (where is_reviewed), count(*) from intermediate.disputed_ratings"
        )[0]
        assert reviewed == disputed
        assert int(str(reviewed)) >= 70


def players_with_numbers(path: Path, numbers: set[int]) -> bytes:
    """Head of a file of Scid's layout and the players with these FIDE numbers."""
    head, _, rest = path.read_bytes().partition(b"@PLAYER")
    players = re.split(rb"\n(?=[^\s#])", rest.partition(b"\n@SITE")[0])
    wanted = [player for player in players if numbers & {int(n) for n in re.findall(rb"%Bio FIDEID (\d+)\n", player)}]
    return head + b"@PLAYER" + b"\n".join([players[0], *wanted]) + b"\n"


def test_the_digest_of_a_list_is_of_the_standing_ratings(disputed: duckdb.DuckDBPyConnection) -> None:
    digests = """
        select rating_type, list_date, format('{:016x}-{}', bit_xor(hash(player_id::bigint * 4096 + rating)), count(*))
        from ({ratings})
        group by rating_type, list_date
        order by rating_type, list_date
    """
    published = rows(
        disputed,
        "select rating_type, list_date, ratings_digest from marts.list_summary order by rating_type, list_date",
    )
    standing = rows(disputed, digests.replace("{ratings}", "from marts.player_ratings"))
    printed = rows(disputed, digests.replace("{ratings}", "from staging.entries where rating is not null"))
    assert published == standing
    assert ("standard", date(1985, 1, 1)) in {row[:2] for row in set(standing) - set(printed)}
