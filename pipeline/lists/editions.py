"""From a source file to editions: entries of every list it holds, as Parquet, with rejects and notes beside them.

Reading a source file again with the same reader changes nothing; a changed reader (PARSER_VERSION) reads anew.
"""

import shutil
from collections.abc import Iterable
from datetime import date
from typing import Final

import polars as pl

from pipeline.domain.entry import NOTE_SCHEMA, REJECT_SCHEMA
from pipeline.domain.list_key import ListKey
from pipeline.formats import pairs, uscf
from pipeline.formats.parsed import PARSER_VERSION, FormatError, ParsedFile
from pipeline.lists.duplicates import mark_duplicates
from pipeline.lists.files import write_atomically
from pipeline.lists.lake import EDITION_SCHEMA, Edition, Lake, SourceSummary
from pipeline.lists.list_parts import ListParts
from pipeline.lists.raw_store import RawStore, SourceFile
from pipeline.lists.reading import read_blocks, read_register

#: Collection and layout of files of ready pairs, which hold no list.
PAIRS_COLLECTION: Final = "pairs"
PAIRS_LAYOUT: Final = "rating_pairs"
#: A file of more rows than this from one federation only is an extract, whatever its layout.
ONE_FEDERATION_ROWS: Final = 20
#: Lists are sorted by name: a file of more rows than this was cut off where (nearly) all begin with one letter.
ONE_LETTER_ROWS: Final = 100
ONE_LETTER_SHARE: Final = 0.98


def normalise(
    source: SourceFile, store: RawStore, lake: Lake, blocks: Iterable[ParsedFile] | None = None
) -> SourceSummary:
    """Read a source file and write its editions into the lake.

    Args:
        blocks: the content, where it is being read already.

    Raises:
        FormatError: the file cannot be accepted; the lake is unchanged.
    """
    if (done := lake.summary(source.sha256)) and done.parser_version == PARSER_VERSION:
        return done
    content = store.read(source)
    if source.collection == PAIRS_COLLECTION:
        return _write_pairs(source, content, lake)
    blocks = blocks or read_blocks(content, source.file_name, source.mapping)
    if (register := read_register(content, source.file_name)) is not None:
        write_atomically(lake.source_dir(source.sha256) / "register.parquet", register.write_parquet)
    members = uscf.members(content, source.file_name)
    if members.height:
        write_atomically(lake.source_dir(source.sha256) / "members.parquet", members.write_parquet)
    return write_editions(source, blocks, lake)


def write_editions(source: SourceFile, blocks: Iterable[ParsedFile], lake: Lake) -> SourceSummary:
    """Write the editions of a parsed file, its rejects, notes and, last, its summary."""
    rejects, notes = [pl.DataFrame(schema=REJECT_SCHEMA)], [pl.DataFrame(schema=NOTE_SCHEMA)]
    first: ParsedFile | None = None
    lines_read = without_entry = 0
    with ListParts() as parts:
        # Everything is read before anything is written: a file may turn out to be damaged at its end.
        for block in blocks:
            first = first or block
            lines_read += block.lines_read
            without_entry += block.lines_without_entry
            rejects.append(block.rejects)
            notes.append(block.notes)
            parts.add(_by_list(source, block))
        if first is None or not parts.lists():
            raise FormatError(f"{source.file_name}: no entry could be read ({lines_read} lines, all rejected)")
        editions = [_write_edition(key, parts.take(key), source, first, lake) for key in parts.lists()]
    all_notes = pl.concat([*notes, _file_notes(source, first, editions)])
    all_rejects = pl.concat(rejects)
    directory = lake.source_dir(source.sha256)
    write_atomically(directory / "rejects.parquet", all_rejects.write_parquet)
    write_atomically(directory / "notes.parquet", all_notes.write_parquet)
    summary = SourceSummary(
        sha256=source.sha256,
        parser_version=PARSER_VERSION,
        layout=first.layout,
        lines_read=lines_read,
        lines_without_entry=without_entry,
        rejects=all_rejects.height,
        notes=all_notes.height,
        stated_month=first.stated_month,
        editions=tuple(editions),
    )
    lake.write_summary(summary)
    return summary


def _write_pairs(source: SourceFile, content: bytes, lake: Lake) -> SourceSummary:
    """Keep a file of ready pairs of ratings: no list, hence no edition."""
    read = pairs.read_pairs(content, source.file_name, source.list_date)
    if read.pairs.is_empty():
        raise FormatError(f"{source.file_name}: none of its {read.lines_read} lines has a FIDE and a US rating")
    directory = lake.source_dir(source.sha256)
    write_atomically(directory / "pairs.parquet", read.pairs.write_parquet)
    write_atomically(directory / "rejects.parquet", read.rejects.write_parquet)
    summary = SourceSummary(
        sha256=source.sha256,
        parser_version=PARSER_VERSION,
        layout=PAIRS_LAYOUT,
        lines_read=read.lines_read,
        lines_without_entry=0,
        rejects=read.rejects.height,
        notes=0,
        stated_month=None,
        editions=(),
        pairs=read.pairs.height,
    )
    lake.write_summary(summary)
    return summary


def forget(source: SourceFile, lake: Lake) -> None:
    """Remove what the lake holds of a source file."""
    if summary := lake.summary(source.sha256):
        for edition in summary.editions:
            shutil.rmtree(lake.edition_path(edition.key, source.sha256).parent, ignore_errors=True)
    shutil.rmtree(lake.source_dir(source.sha256), ignore_errors=True)


def _by_list(source: SourceFile, parsed: ParsedFile) -> list[tuple[ListKey, pl.DataFrame]]:
    """Split entries by list; what the file does not say about its list comes from the source file."""
    told_date = source.list_date or parsed.stated_month
    told_type = source.rating_type or parsed.stated_rating_type
    entries = parsed.entries.with_columns(
        pl.col("list_date").fill_null(pl.lit(told_date, dtype=pl.Date)),
        pl.col("rating_type").fill_null(pl.lit(told_type, dtype=pl.String)),
    )
    _require_list(source, entries)
    if source.list_date and source.rating_type and parsed.collection == "fide":
        entries = _only_asked_for(source, entries)
    keyed = []
    for (list_date, rating_type), frame in entries.partition_by(
        "list_date", "rating_type", as_dict=True, include_key=False, maintain_order=True
    ).items():
        assert isinstance(list_date, date)
        assert isinstance(rating_type, str)
        try:
            key = ListKey(parsed.publisher, rating_type, list_date)
        except ValueError as error:
            raise FormatError(f"{source.file_name}: {error}") from error
        keyed.append((key, frame))
    return keyed


def _require_list(source: SourceFile, entries: pl.DataFrame) -> None:
    if entries["list_date"].null_count():
        raise FormatError(
            f"{source.file_name}: neither the file nor its name says which month's list it is; "
            "add it again with --list-date YYYY-MM"
        )
    if entries["rating_type"].null_count():
        raise FormatError(
            f"{source.file_name}: neither the file nor its name says which ratings it holds; "
            "add it again with --rating-type standard, rapid or blitz"
        )


def _only_asked_for(source: SourceFile, entries: pl.DataFrame) -> pl.DataFrame:
    """A file told to be of one rating type must not hold entries of another."""
    others = entries.filter(pl.col("rating_type") != source.rating_type)
    if others.height:
        raise FormatError(
            f"{source.file_name}: told to hold {source.rating_type} ratings, but line "
            f"{others['line_number'][0]} states a {others['rating_type'][0]} rating; "
            "add it again without --rating-type"
        )
    return entries


def _write_edition(key: ListKey, entries: pl.DataFrame, source: SourceFile, parsed: ParsedFile, lake: Lake) -> Edition:
    entries = mark_duplicates(entries).select(EDITION_SCHEMA.keys())
    write_atomically(
        lake.edition_path(key, source.sha256),
        lambda path: entries.write_parquet(path, compression="zstd", compression_level=3),
    )
    return Edition(
        key=key,
        sha256=source.sha256,
        collection=source.collection,
        coverage=_coverage(entries, parsed),
        rows=entries.height,
        duplicates=entries.height - entries["duplicate_of"].null_count(),
        unrated=entries["rating"].null_count(),
        has_flags=entries["active"].null_count() < entries.height,
    )


def _coverage(entries: pl.DataFrame, parsed: ParsedFile) -> str:
    if parsed.coverage != "complete":
        return parsed.coverage
    letters = entries["name"].drop_nulls().str.slice(0, 1).str.to_uppercase()
    federations = entries["federation"]  # null throughout where a list states none, as those of US Chess
    one_federation = (
        federations.n_unique() == 1 and not federations.has_nulls() and entries.height > ONE_FEDERATION_ROWS
    )
    most_common = letters.value_counts()["count"].max() if letters.len() else 0
    assert isinstance(most_common, int)
    cut_off = entries.height > ONE_LETTER_ROWS and most_common >= ONE_LETTER_SHARE * letters.len()
    return "extract" if one_federation or cut_off else "complete"


def _file_notes(source: SourceFile, parsed: ParsedFile, editions: list[Edition]) -> pl.DataFrame:
    """Notes about the whole file that only its editions show."""
    found: list[tuple[str, str]] = []
    told = source.list_date
    if told and parsed.stated_month and parsed.stated_month != told:
        found.append(("header_month_differs", f"the file says {parsed.stated_month:%Y-%m}, it is held as {told:%Y-%m}"))
    if parsed.coverage == "complete":
        found += [
            ("looks_like_an_extract", f"{edition.key}: {edition.rows} rows of one federation or one letter")
            for edition in editions
            if edition.coverage == "extract"
        ]
    frame = pl.DataFrame(found, schema={"code": pl.String, "detail": pl.String}, orient="row")
    return frame.select(
        "code",
        pl.lit(None, dtype=pl.Int32).alias("line_number"),
        pl.lit(None, dtype=pl.Int32).alias("fide_id"),
        "detail",
    )
