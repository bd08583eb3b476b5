"""Open what was downloaded or dropped: a plain file, or a zip archive with the list inside.

Belongs here: signatures, sizes, checksums, inflating; everything is hostile until proven. What a member
contains is not judged here (``recognise.py``); nothing is ever written to disk, and a member's name is only
ever shown, never used as a path.

A zip member is one deflate stream. ``isal`` inflates it 2.7 times faster than ``zipfile`` and is used when
it is there; the checksum of the archive is always verified.
"""

import io
import struct
import zipfile
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import PurePosixPath
from typing import Any, BinaryIO, Final, cast

from pipeline.formats.parsed import FormatError

try:
    from isal import isal_zlib as _zlib
except ImportError:  # no wheel for this platform: slower, equal result
    import zlib as _zlib  # type: ignore[no-redef]

_DEFLATE_ERROR: Final = cast(type[Exception], _zlib.error)
_LOCAL_HEADER: Final = struct.Struct("<4s22xHH")
_ENCRYPTED: Final = 0x1
_CHUNK: Final = 1 << 20
_ZIP: Final = (b"PK\x03\x04", b"PK\x05\x06")
_OTHER_ARCHIVES: Final = {
    b"\x1f\x8b": "gzip",
    b"7z\xbc\xaf\x27\x1c": "7-Zip",
    b"Rar!": "RAR",
    b"BZh": "bzip2",
    b"\xfd7zXZ\x00": "xz",
}


class ArchiveError(FormatError):
    """The archive is damaged, not an archive, or larger than allowed."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What an archive may contain. The largest list published so far is 0.86 GB, 18 times its archive.

    Attributes:
        max_bytes: inflated size of one member.
        max_ratio: inflated size over packed size; judged above ``ratio_from_bytes`` only, since a small file
            of blanks packs extremely well.
        ratio_from_bytes: inflated size from which the ratio is judged.
        max_members: number of members.
    """

    max_bytes: int = 2 * 1024**3
    max_ratio: int = 200
    ratio_from_bytes: int = 16 * 1024**2
    max_members: int = 200


DEFAULT_LIMITS: Final = Limits()


@dataclass(frozen=True, slots=True)
class Member:
    """One file that was delivered, plain or inside an archive. Nothing is inflated before it is asked for.

    Attributes:
        name: last part of its name, for messages and for what it says about the list. Not a path.
        size: bytes when inflated, as the archive states it (checked when read).
        open: a new stream over the content; at its end it raises ArchiveError when size or checksum are
            wrong.
        read: the whole content, checked.
    """

    name: str
    size: int
    open: Callable[[], BinaryIO]
    read: Callable[[], bytes]

    def head(self, size: int) -> bytes:
        """Return the first ``size`` bytes at most."""
        with self.open() as stream:
            return stream.read(size)


def open_list(data: bytes, file_name: str, limits: Limits = DEFAULT_LIMITS) -> tuple[Member, ...]:
    """Return the files in ``data``: itself when it is plain, else the members that may be lists.

    Extras of macOS and Windows are left out; archives inside the archive are opened, one level deep.

    Raises:
        ArchiveError: no bytes, a web page under an archive's name, another kind of archive, a cut or damaged
            archive, no member, or one beyond the limits.
    """
    return _open(data, PurePosixPath(file_name.replace("\\", "/")).name, limits, nested=False)


def _open(data: bytes, name: str, limits: Limits, *, nested: bool) -> tuple[Member, ...]:
    if not data:
        raise ArchiveError(f"{name}: the file has no bytes; fetch it again")
    if data.startswith(_ZIP):
        return _zip_members(data, name, limits, nested=nested)
    for signature, kind in _OTHER_ARCHIVES.items():
        if data.startswith(signature):
            raise ArchiveError(f"{name}: a {kind} archive; only zip is read, so unpack it and add the list itself")
    if name.lower().endswith(".zip"):
        start = data[:4096].lstrip(b"\xef\xbb\xbf \t\r\n").lower()
        if start.startswith((b"<!doctype", b"<html", b"<head", b"<body")):
            raise ArchiveError(f"{name}: not an archive but a web page (an error page?); fetch it again later")
        if b"\x00" in start:
            raise ArchiveError(f"{name}: not a zip archive (it starts with {data[:4]!r}); fetch it again")
    if len(data) > limits.max_bytes:
        raise ArchiveError(f"{name}: {len(data):,} bytes, more than the {limits.max_bytes:,} allowed for a list")
    return (Member(name, len(data), lambda: io.BytesIO(data), lambda: data),)


def _zip_members(data: bytes, name: str, limits: Limits, *, nested: bool) -> tuple[Member, ...]:
    try:
        infos = zipfile.ZipFile(io.BytesIO(data)).infolist()
    except (zipfile.BadZipFile, ValueError, struct.error, NotImplementedError, OverflowError) as error:
        raise ArchiveError(f"{name}: the archive is cut off or damaged ({error}); fetch it again") from error
    if len(infos) > limits.max_members:
        raise ArchiveError(f"{name}: {len(infos):,} members, more than the {limits.max_members:,} allowed")
    members: list[Member] = []
    for info in infos:
        if info.is_dir() or _is_extra(info.filename):
            continue
        member = _zip_member(data, name, info, limits)
        if member.head(4) != b"PK\x03\x04":
            members.append(member)
        elif nested:
            raise ArchiveError(f"{name}: an archive in an archive in an archive; unpack it and add the list itself")
        else:
            rest = replace(limits, max_bytes=limits.max_bytes - member.size)
            members.extend(_open(member.read(), member.name, rest, nested=True))
    if not members:
        raise ArchiveError(f"{name}: the archive holds no file")
    return tuple(members)


def _is_extra(path: str) -> bool:
    """Tell what operating systems add to archives: never a list."""
    parts = PurePosixPath(path.replace("\\", "/")).parts
    return "__MACOSX" in parts or parts[-1].startswith(("._", ".DS_Store")) or parts[-1].lower() == "thumbs.db"


def _zip_member(data: bytes, archive: str, info: zipfile.ZipInfo, limits: Limits) -> Member:
    name = PurePosixPath(info.filename.replace("\\", "/")).name
    where = f"{archive}: member {name!r}"
    if info.flag_bits & _ENCRYPTED:
        raise ArchiveError(f"{where} is encrypted")
    if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise ArchiveError(f"{where} is packed by method {info.compress_type}; only stored and deflated are read")
    if info.file_size > limits.max_bytes:
        raise ArchiveError(
            f"{where} says it holds {info.file_size:,} bytes, more than the {limits.max_bytes:,} allowed"
        )
    if info.file_size > max(limits.ratio_from_bytes, info.compress_size * limits.max_ratio):
        raise ArchiveError(
            f"{where} says it grows from {info.compress_size:,} to {info.file_size:,} bytes, "
            f"more than {limits.max_ratio} times; no rating list packs like that"
        )
    start, signature = info.header_offset, b""
    if 0 <= start <= len(data) - _LOCAL_HEADER.size:
        signature, name_size, extra_size = _LOCAL_HEADER.unpack_from(data, start)
        start += _LOCAL_HEADER.size + name_size + extra_size
    if signature != b"PK\x03\x04" or start + info.compress_size > len(data):
        raise ArchiveError(f"{where} lies outside the archive, which is cut off or damaged; fetch it again")
    packed = memoryview(data)[start : start + info.compress_size]
    deflated = info.compress_type == zipfile.ZIP_DEFLATED

    def open_stream() -> BinaryIO:
        return cast(BinaryIO, io.BufferedReader(_Inflating(packed, deflated, info, where), _CHUNK))

    def read() -> bytes:
        return _inflate(packed, info, where) if deflated else open_stream().read()

    return Member(name, info.file_size, open_stream, read)


def _inflate(packed: memoryview, info: zipfile.ZipInfo, where: str) -> bytes:
    """Inflate in one call, which never makes more than the stated size and one byte."""
    inflater: Any = _zlib.decompressobj(-15)
    try:
        content: bytes = inflater.decompress(packed, info.file_size + 1)
    except _DEFLATE_ERROR as error:
        raise ArchiveError(f"{where} is damaged ({error}); fetch it again") from error
    _check(len(content), _zlib.crc32(content), info, where)
    return content


def _check(size: int, checksum: int, info: zipfile.ZipInfo, where: str) -> None:
    if size != info.file_size:
        more = "more" if size > info.file_size else "fewer"
        raise ArchiveError(f"{where} holds {more} than the {info.file_size:,} bytes it states; fetch it again")
    if checksum != info.CRC:
        raise ArchiveError(f"{where}: the content does not match its checksum (CRC-32); fetch it again")


class _Inflating(io.RawIOBase):
    """A member's content from front to end in pieces of bounded size, checked when its end is reached."""

    def __init__(self, packed: memoryview, deflated: bool, info: zipfile.ZipInfo, where: str) -> None:
        self._packed, self._info, self._where = packed, info, where
        self._inflater: Any = _zlib.decompressobj(-15) if deflated else None
        self._offset = self._size = self._checksum = 0
        self._rest: bytes = b""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        piece = self._next(len(buffer))
        buffer[: len(piece)] = piece
        self._size += len(piece)
        self._checksum = _zlib.crc32(piece, self._checksum)
        if not piece or self._size > self._info.file_size:
            _check(self._size, self._checksum, self._info, self._where)
        return len(piece)

    def _next(self, wanted: int) -> bytes:
        if self._inflater is None:
            stored = bytes(self._packed[self._offset : self._offset + wanted])
            self._offset += len(stored)
            return stored
        while not self._inflater.eof:
            if not self._rest:
                self._rest = bytes(self._packed[self._offset : self._offset + _CHUNK])
                self._offset += len(self._rest)
            at_end = not self._rest
            try:
                piece: bytes = self._inflater.decompress(self._rest, wanted)
            except _DEFLATE_ERROR as error:
                raise ArchiveError(f"{self._where} is damaged ({error}); fetch it again") from error
            self._rest = self._inflater.unconsumed_tail
            if piece or at_end:
                return piece
        return b""
