"""What a reader is: how a layout family is told from others, and how its bytes become a parsed file.

Belongs here: the contract only. The readers themselves live in one module per layout family; the order in
which they are asked is in ``recognise.py``.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import BinaryIO, Final

from pipeline.formats.parsed import ParsedFile

#: ``sniff`` sees at most this many bytes from the beginning of a file.
HEAD_BYTES: Final = 65_536


@dataclass(frozen=True, slots=True)
class Reader:
    """One layout family.

    Attributes:
        name: stable name, shown where known layouts are listed.
        sniff: (first bytes of the content, at most HEAD_BYTES; name of the file or archive member) ->
            whether it is of this family. Quick, never raises, decides by content: the name is a hint only.
        parse: the whole content -> ParsedFile. Raises FormatError when the content is not readable after all.
        parse_stream: the same from a stream read once from front to end, so that a large file is never held in
            memory. When given, ``recognise.read_list`` uses it.
        parse_blocks: the same in bounded memory, some players at a time; what needs the whole list (notes on repeated
            ids) is left out. When it raises, earlier blocks must be thrown away.
    """

    name: str
    sniff: Callable[[bytes, str], bool]
    parse: Callable[[bytes], ParsedFile]
    parse_stream: Callable[[BinaryIO], ParsedFile] | None = None
    parse_blocks: Callable[[BinaryIO], Iterator[ParsedFile]] | None = None
