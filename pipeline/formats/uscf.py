"""All readers of US Chess files, and the member facts beside their entries.

Entries of a file come from ``recognise.read_list`` like those of every publisher; what a file says about members
(status, expiry, floors, FIDE id) comes from ``members``. No layout is known here.
"""

from collections.abc import Callable
from typing import Final

import polars as pl

from pipeline.formats import uscf_api, uscf_crosstable, uscf_members, uscf_msa
from pipeline.formats.archive import DEFAULT_LIMITS, Limits, open_list
from pipeline.formats.parsed import ParsedFile
from pipeline.formats.reader import HEAD_BYTES, Reader
from pipeline.formats.uscf_membership import MEMBER_SCHEMA

#: Readers of US Chess files; their ``sniff`` functions exclude each other.
READERS: Final = (
    Reader("uscf_dbase", uscf_members.sniff_dbase, uscf_members.parse_dbase),
    Reader("uscf_api", uscf_api.sniff, uscf_api.parse_api),
    Reader("uscf_member_page", uscf_msa.sniff, uscf_msa.parse_member_page),
    Reader("uscf_crosstable", uscf_crosstable.sniff, uscf_crosstable.parse_crosstable),
    Reader("uscf_members", uscf_members.sniff_delimited, uscf_members.parse_delimited),
)

#: Readers whose files state facts about members. A crosstable states none but names.
_WITH_MEMBERS: Final[dict[str, Callable[[bytes], tuple[ParsedFile, pl.DataFrame]]]] = {
    "uscf_dbase": uscf_members.read_dbase_members,
    "uscf_api": uscf_api.read_api,
    "uscf_member_page": uscf_msa.read_member_page,
    "uscf_members": uscf_members.read_delimited_members,
}


def members(data: bytes, file_name: str, *, limits: Limits = DEFAULT_LIMITS) -> pl.DataFrame:
    """Facts about the members in a US Chess file, plain or zipped: MEMBER_SCHEMA, one row per member id.

    Empty for files of other publishers and for crosstables.

    Raises:
        ArchiveError, FormatError: as ``recognise.read_list``.
    """
    found = []
    for member in open_list(data, file_name, limits):
        head = member.head(HEAD_BYTES)
        reader = next((reader for reader in READERS if reader.sniff(head, member.name)), None)
        if reader is not None and reader.name in _WITH_MEMBERS:
            found.append(_WITH_MEMBERS[reader.name](member.read())[1])
    return pl.concat([pl.DataFrame(schema=MEMBER_SCHEMA), *found])
