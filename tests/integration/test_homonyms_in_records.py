"""Two people of one name who share a record are two rows of it, and stop no publication."""

from dataclasses import replace
from datetime import date
from pathlib import Path

from building import build_folder, read_only
from list_builder import archive_name, invented_players, zipped_list


def test_two_people_of_one_name_share_a_record(tmp_path: Path) -> None:
    listed = date(2025, 10, 1)
    people = [
        replace(player, name=f"{chr(65 + player.fide_id % 26)}nventedov {player.fide_id}, Person")
        for player in invented_players(60)
    ]
    twins = [replace(player, name="Namesake, Invented", rating=2750, birth_year=None) for player in people[:2]]
    path = tmp_path / archive_name(listed, "rapid")
    path.write_bytes(zipped_list([*twins, *people[2:]], listed, "rapid"))
    with read_only(build_folder(tmp_path / "data", [path])) as connection:
        rows = connection.execute(
            "select record_rank, player_ids from marts.records "
            "where record_code = 'highest_peak' and rating_type = 'rapid' and holder = 'Namesake, Invented' order by 2"
        ).fetchall()
    assert rows == [(1, [twins[0].fide_id]), (1, [twins[1].fide_id])]
