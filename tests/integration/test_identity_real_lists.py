"""Who is who on the real lists of 1971 to 2004: hand-checked persons are one person, homonyms stay apart."""

from pathlib import Path

import duckdb
import pytest
from building import add

from pipeline.lists.lake import Lake
from pipeline.lists.raw_store import RawStore
from pipeline.lists.sync import sync
from pipeline.settings import Settings
from pipeline.warehouse.content import LakeContent
from pipeline.warehouse.load import create_tables, load_catalogue, load_core
from pipeline.warehouse.refresh import project

pytestmark = pytest.mark.shared

#: Person -> (name as printed, federation) on lists of all eras. One player each.
PERSONS = {
    "Fischer": [("Fischer, Robert James", "USA"), ("Fischer,R.", "USA"), ("Fischer, Robert J", "USA")],
    "Spassky": [
        ("Spassky, Boris V", "URS"),
        ("Spassky,B.", "USR"),
        ("Spassky,B.V.", "FRA"),
        ("Spassky,Boris.V", "FRA"),
        ("Spassky, Boris V.", "FRA"),
    ],
    "Korchnoi": [
        ("Korchnoi, Viktor", "URS"),
        ("Kortchnoi,V.", "SUI"),
        ("Kortschnoj,V.", "SUI"),
        ("Korchnoi,Viktor", "SUI"),
        ("Korchnoi, Viktor", "SUI"),
    ],
    "Tal": [("Tal, Mihail N", "URS"), ("Tal", "USR"), ("Tal,M.N.", "USR"), ("Tal, Mihail", "LAT")],
    "Polugaevsky": [("Polugaevsky, Lev", "URS"), ("Polugaevsky,L.", "USR"), ("Polugaevsky, Lev", "RUS")],
    "Karpov": [
        ("Karpov, Anatoly", "URS"),
        ("Karpov,An.", "USR"),
        ("Karpov,Anatoly", "RUS"),
        ("Karpov, Anatoly", "RUS"),
    ],
    "Kasparov": [
        ("Kasparov,G.", "USR"),
        ("Kasparov,Gary", "RUS"),
        ("Kasparov, Gary", "RUS"),
        ("Kasparov, Garry", "RUS"),
    ],
    "Yusupov": [("Yusupov,A.", "USR"), ("Jussupow,Artur", "GER"), ("Jussupow, Artur", "GER")],
    "Huebner": [
        ("Huebner, Robert", "BRD"),
        ("Huebner,R.", "FRG"),
        ("Huebner,Robert.Dr", "GER"),
        ("Huebner, Robert Dr.", "GER"),
    ],
    "Tseshkovsky": [
        ("Tseshkovsky, Vitaly V", "URS"),
        ("Cseshkovsky,V.", "USR"),
        ("Tseshkovsky,Vitaly", "RUS"),
        ("Tseshkovsky, Vitaly", "RUS"),
    ],
    "Dzindzichashvili": [
        ("Dzindzichashvili, Roman", "URS"),
        ("Dzindzichashvili,R.", "USR"),
        ("Dzindzichashvili,R.", "ISR"),
        ("Dzindzichashvili,R.", "USA"),
        ("Dzindzichashvili,Roman", "USA"),
    ],
    "Azmaiparashvili": [
        ("Azmayparashvili,Z.", "USR"),
        ("Azmaiparashvili,Zurab", "GEO"),
        ("Azmaiparashvili, Zurab", "GEO"),
    ],
    "Rozentalis": [("Rosentalis,E.", "USR"), ("Rozentalis,Eduardas", "LTU"), ("Rozentalis, Eduardas", "LTU")],
    "Krasenkow": [
        ("Krasenkov,M.", "USR"),
        ("Krasenkov, Mikhail", "RUS"),
        ("Krasenkow,Michal", "POL"),
        ("Krasenkow, Michal", "POL"),
    ],
    "Nunn": [
        ("Nunn, John D M", "ENG"),
        ("Nun,Ji.", "ENG"),
        ("Nunn J.D.M.", "ENG"),
        ("Nunn,J.D.M.", "ENG"),
        ("Nunn,John.D.M", "ENG"),
        ("Nunn, John D.M.", "ENG"),
    ],
    "Nun": [("Nun,Ji.", "CSR"), ("Nun,Jiri", "CZE"), ("Nun, Jiri", "CZE")],
    "O'Kelly": [("O´Kelly de Galway, Alberic", "BEL"), ("O'Kelly de Galway, Alberic", "BEL"), ("O'Kelly,A.", "BEL")],
    "Beliavsky": [
        ("Beliavsky, Alexander G", "URS"),
        ("Beliavsky,A.", "USR"),
        ("Beliavsky,Alexander..G", "SLO"),
        ("Beliavsky, Alexander G", "SLO"),
    ],
    "Zsuzsa Polgar": [("Polgar,Zsu.", "HUN"), ("Polgar,Zsuzsa", "HUN"), ("Polgar, Zsuzsa", "HUN")],
    "Sofia Polgar": [("Polgar,Zso.", "HUN"), ("Polgar, Sofia", "HUN")],
    "Akhmilovskaya": [
        ("Akhmilovskaya,E.B.", "USR"),
        ("Donaldson-Akhmilovsk", "USA"),
        ("Donaldson-Akhmilovskaya,Elena", "USA"),
        ("Donaldson-A., Elena", "USA"),
    ],
    "Arakhamia": [("Arakhamia,K.", "USR"), ("Arakhamia-Grant,Ketevan", "GEO"), ("Arakhamia-Grant, Ketevan", "GEO")],
    "Mestel": [
        ("Mestel, A Jonathan", "ENG"),
        ("Mestelj.", "ENG"),
        ("Mestel,J.A.", "ENG"),
        ("Mestel, A. Jonathan", "ENG"),
    ],
    "Parma": [("Parma, Bruno", "YUG"), ("Parma B.", "YUG"), ("Parma,B.", "YUG"), ("Parma, Bruno", "SLO")],
    "Kochiev": [
        ("Kochiev, Aleksandre V", "URS"),
        ("Kochiyev,A.", "USR"),
        ("Kochyev,Alexander", "RUS"),
        ("Kochyev, Alexander", "RUS"),
    ],
    "Georgadze": [("Giorgadze, Tamaz", "URS"), ("Georgadze,T.", "USR"), ("Giorgadze,Tamaz", "GEO")],
    "Short, Nigel": [("Short,N.D.", "ENG"), ("Short,Nigel.D", "ENG"), ("Short, Nigel D", "ENG")],
    "Short, Philip": [("Short,Ph.", "IRL"), ("Short,Ph.M.", "IRL")],
    "Kramnik": [("Kramnik,Vl.", "USR"), ("Kramnik,Vladimir", "RUS"), ("Kramnik, Vladimir", "RUS")],
    "Gaprindashvili": [
        ("Gaprindashvili, Nona", "URS"),
        ("Gaprindashvili,N.", "USR"),
        ("Gaprindashvili,N.T.", "USR"),
        ("Gaprindashvili,Nona", "GEO"),
    ],
    "Petrosian": [("Petrosian, Tigran", "URS"), ("Petrosian,T.", "USR")],
}
#: Two printed names, each with federation and year of birth where that is needed to name the line: two people.
HOMONYMS = [
    (("Petrosian, Tigran", "URS", 1929), ("Petrosian, Tigran L.", "ARM", None)),
    (("Petrosian, Tigran", "URS", 1929), ("Petrosian, Tigran A.", "ARM", None)),
    (("Petrosian, Tigran", "URS", 1929), ("Petrosian, Tigran", "ARM", None)),
    (("Botvinnik, Mikhail", "URS", 1911), ("Botvinnik, Mikhail", "BLR", None)),
    (("Botvinnik, Mikhail", "URS", 1911), ("Botvinnik, Mikhail", "ISR", None)),
    (("Fischer, Robert J", "USA", None), ("Fischer, Robert", "USA", None)),
    (("Gaprindashvili,Nona", "GEO", None), ("Gaprindashvili, Valerian", "GEO", None)),
    (("Walter, Guenter", "DDR", 1942), ("Walter, Guenter", "SUI", 1938)),
    (("Kramnik,V.", "USR", None), ("Kramnik,Vl.", "USR", None)),
    (("Short,N.D.", "ENG", None), ("Short,Ph.", "IRL", None)),
    (("Nun,Ji.", "CSR", None), ("Nun,Ji.", "ENG", None)),
    (("Nun,Ji.", "CSR", None), ("Nun,Jos.", "CSR", None)),
    (("Karpov,An.", "USR", None), ("Karpov,Al.", "USR", None)),
    (("Polgar,Zsu.", "HUN", None), ("Polgar,Zso.", "HUN", None)),
    (("Becker, Thomas", "GER", 1970), ("Becker, Thomas", "GER", 1964)),  # two lines on one FIDE number
    (("Ladva, Ottomar", "EST", None), ("Oll, Lembit", "EST", None)),  # one FIDE number
]


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory, shared_dir: Path) -> duckdb.DuckDBPyConnection:
    """Persons of the bundled lists, the text lists of 1971 to 2000, FIDE's of 2001 to 2004 and of 2012 to 2014."""
    settings = Settings(data_dir=tmp_path_factory.mktemp("identity"))
    files = [
        *(shared_dir / "lists" / "historical").glob("weeks_*.txt"),
        *(shared_dir / "lists" / "fide").glob("*frl.zip"),
    ]
    for path in sorted(files):
        add(settings, path)
    lake = Lake(settings.lake_dir)
    synced = sync(RawStore(settings.raw_dir), lake)
    connection = duckdb.connect()
    models = project()
    create_tables(connection, models)
    load_catalogue(connection)
    load_core(connection, lake, LakeContent(synced.sources, synced.summaries, synced.current))
    wanted = {"staging.held_lists", "marts.player_match_rates"}
    for model in models.models:
        if model.qualified_name in wanted:
            connection.execute(model.create_sql)
    return connection


def player_ids(
    database: duckdb.DuckDBPyConnection, name: str, federation: str, birth_year: int | None = None
) -> set[int]:
    rows = database.execute(
        """
        select distinct player_id from core.player_versions
        where name = $1 and federation = $2 and ($3 is null or birth_year = $3)
        """,
        [name, federation, birth_year],
    ).fetchall()
    return {row[0] for row in rows}


@pytest.mark.parametrize("person", PERSONS)
def test_hand_checked_person_is_one_person(database: duckdb.DuckDBPyConnection, person: str) -> None:
    found = {printed: player_ids(database, *printed) for printed in PERSONS[person]}
    assert all(found.values()), "a name of the table is on no list held"
    common = set.intersection(*found.values())
    assert len(common) == 1, found


@pytest.mark.parametrize(("one", "other"), HOMONYMS)
def test_homonyms_stay_apart(
    database: duckdb.DuckDBPyConnection, one: tuple[str, str, int | None], other: tuple[str, str, int | None]
) -> None:
    first, second = player_ids(database, *one), player_ids(database, *other)
    assert first
    assert second
    assert not first & second


def test_nobody_is_twice_on_an_edition(database: duckdb.DuckDBPyConnection) -> None:
    query = Path("dbt_like_sql/tests/one_entry_per_player_and_list.sql").read_text()
    assert database.execute(query).fetchall() == []


@pytest.mark.parametrize(
    ("list_date", "least_fraction", "most_literal"),
    [
        ("1975-01-01", 0.80, 5),  # full names to initials
        ("1992-01-01", 0.85, 40),  # initials to full names, the successors of the Soviet Union and Yugoslavia
        ("1999-01-01", 0.98, 900),  # numbers; another habit of writing commas
        ("2001-01-01", 0.98, 31_000),  # the publisher's own file
    ],
)
def test_match_rate_over_breaks(
    database: duckdb.DuckDBPyConnection, list_date: str, least_fraction: float, most_literal: int
) -> None:
    """Rates reached by names and federations; the literal names show how little a plain comparison finds."""
    row = database.execute(
        """
        select matched_fraction, same_name_count from marts.player_match_rates
        where rating_type = 'standard' and coverage = 'complete' and list_date = $1::date
        """,
        [list_date],
    ).fetchone()
    assert row is not None
    assert row[0] >= least_fraction
    assert row[1] <= most_literal


def test_links_to_a_number_agree_with_the_printed_number(database: duckdb.DuckDBPyConnection) -> None:
    """Names of January 1998 linked to a number carry that number, or the later one, in January 1999."""
    wrong = database.execute(
        """
        select count(*) from core.player_versions as before
        join core.player_versions as after on after.player_id = before.player_id
        where before.fide_id is null and before.link_method = 'name' and before.last_list_date = date '1998-01-01'
            and after.fide_id is not null and before.birth_year <> after.birth_year
        """
    ).fetchone()
    assert wrong == (0,)


def test_women_of_lists_without_sex_are_known_from_later_lists(database: duckdb.DuckDBPyConnection) -> None:
    rows = database.execute(
        """
        select count(distinct entries.player_id) filter (where players.sex = 'F'),
            count(distinct entries.player_id) filter (where versions.sex = 'F')
        from core.entries as entries
        join core.player_versions as versions on versions.version_key = entries.version_key
        join core.players as players on players.player_id = entries.player_id
        join core.lists as lists on lists.list_key = entries.list_key
        where lists.list_date = date '1987-01-01' and lists.rating_type = 'standard'
        """
    ).fetchone()
    assert rows is not None
    known, printed = rows
    assert printed < 10
    assert known > 150
