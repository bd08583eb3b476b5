"""US Chess member files: dBase director files, the tab-separated golden database, CSV exports of either.

From bytes to the cells of one table; ``uscf_table`` turns the table into entries and member facts. Member
pages and crosstables of the old site are in ``uscf_msa`` and ``uscf_crosstable``, the API in ``uscf_api``.
"""

import polars as pl

from pipeline.formats.pairs import looks_like_pairs
from pipeline.formats.parsed import FormatError, ParsedFile, UnknownLayoutError
from pipeline.formats.uscf_columns import looks_like_us_header, roles_of, unused_columns
from pipeline.formats.uscf_dbase import is_dbase, read_dbase
from pipeline.formats.uscf_table import MemberTable, Reject, note, table_to_entries
from pipeline.formats.uscf_text import cells_of, decode, delimiter_of, first_line, split_lines

#: Fields of the two rating columns of a supplement. The second holds quick or blitz ratings by edition.
_UNNAMED_SECOND_RATING = "R_RATING2"


def sniff_dbase(head: bytes, file_name: str) -> bool:
    """True for any dBase III table: no other publisher's files are in that format."""
    return is_dbase(head)


def sniff_delimited(head: bytes, file_name: str) -> bool:
    """True for a delimited text whose header has a column name that only US Chess files have."""
    header = first_line(head)
    delimiter = delimiter_of(header)
    if delimiter is None or looks_like_pairs(header):
        return False
    return looks_like_us_header(cells_of(header, delimiter))


def parse_dbase(data: bytes) -> ParsedFile:
    """Entries of ``TARATSUP.DBF`` (all members) or ``TARSFLE.DBF`` (supplement): ``read_dbase_members``."""
    return read_dbase_members(data)[0]


def parse_delimited(data: bytes) -> ParsedFile:
    """Entries of a tab-separated or CSV member file, see ``read_delimited_members``."""
    return read_delimited_members(data)[0]


def read_dbase_members(data: bytes) -> tuple[ParsedFile, pl.DataFrame]:
    """Read a director file in dBase III: entries of every rating column, and member facts (MEMBER_SCHEMA).

    Raises:
        FormatError: the table is cut or damaged.
        UnknownLayoutError: the columns are not those of a member file; the message names them.
    """
    table = read_dbase(data)
    roles = roles_of(table.columns, "dBase file")
    supplement = any(column.upper() == "R_MEM_ID" for column in table.columns)
    notes = _column_notes(table.columns, roles)
    if table.code_page_guessed:
        notes.append(note("encoding_guessed", f"the header states no code page; read as {table.code_page}"))
    names = {table.columns[position]: role for role, position in roles.items()}
    cells = table.cells.select("line_number", *names).rename(names)
    deleted = cells["line_number"].is_in(table.deleted)
    rejects: list[Reject] = [
        (int(row["line_number"]), "the record is marked as deleted", _shown(row))
        for row in cells.filter(deleted).iter_rows(named=True)
    ]
    return table_to_entries(
        MemberTable(
            layout="uscf_dbase_supplement" if supplement else "uscf_dbase_members",
            cells=cells.filter(~deleted),
            rejects=rejects,
            notes=notes,
            coverage="supplement" if supplement else "complete",
        )
    )


def read_delimited_members(data: bytes) -> tuple[ParsedFile, pl.DataFrame]:
    """Read a tab-separated or CSV member file: entries of every rating column, member facts (MEMBER_SCHEMA).

    Raises:
        FormatError: the file is empty or a line is absurdly long.
        UnknownLayoutError: no header, or columns that are not those of a member file; the message names them.
    """
    text, code_page, guessed = decode(data)
    lines = split_lines(text)
    if not lines:
        raise FormatError("US Chess member file: no lines; expected a header and one line per member")
    header = lines[0][1]
    delimiter = delimiter_of(header)
    if delimiter is None:
        raise UnknownLayoutError(
            f"US Chess member file: expected a header with tabs or commas in line {lines[0][0]}, found {header[:200]!r}"
        )
    columns = cells_of(header, delimiter)
    roles = roles_of(columns, "US Chess member file")
    notes = _column_notes(columns, roles)
    if guessed:
        notes.append(note("encoding_guessed", f"not UTF-8; read as {code_page}"))

    # Columns that nobody asked for may hold addresses: a spoilt line then shows its first cells only.
    private = bool(unused_columns(columns, roles)) or "birth_year" in roles
    rejects: list[Reject] = []
    kept: dict[str, list[object]] = {role: [] for role in ("line_number", *roles)}
    for number, line in lines[1:]:
        cells = cells_of(line, delimiter)
        if len(cells) != len(columns):
            shown = line if not private else " | ".join(cells[:2])
            reason = f"expected {len(columns)} cells as in the header, found {len(cells)}"
            rejects.append((number, reason, shown))
            continue
        kept["line_number"].append(number)
        for role, position in roles.items():
            kept[role].append(cells[position] or None)
    schema = {role: pl.Int32() if role == "line_number" else pl.String() for role in kept}
    return table_to_entries(
        MemberTable(
            layout="uscf_tsv_members" if delimiter == "\t" else "uscf_csv_members",
            cells=pl.DataFrame(kept, schema=schema),
            rejects=rejects,
            notes=notes,
            coverage="complete",
        )
    )


def _column_notes(columns: list[str], roles: dict[str, int]) -> list[dict[str, object]]:
    notes = []
    if unused := unused_columns(columns, roles):
        notes.append(note("columns_not_used", ", ".join(unused)))
    if any(column.upper() == _UNNAMED_SECOND_RATING for column in columns):
        notes.append(
            note(
                "second_rating_assumed_quick",
                "R_RATING2 does not say whether it is quick or blitz; read as quick",
            )
        )
    return notes


def _shown(row: dict[str, object]) -> str:
    return " | ".join(str(value) for key, value in row.items() if key != "line_number" and value is not None)
