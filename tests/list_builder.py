"""Rating lists of invented people in the real layouts, for tests: text of several eras, XML, zipped.

Spans and headers are those counted on published lists. Only what a list prints is here, no reading.
"""

import io
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from xml.sax.saxutils import escape

MONTH_CODES = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")

_L6_HEADER = "ID_NUMBER NAME                        TITLE COUNTRY {month} GAMES BIRTHDAY   FLAG "
_SINGLE_HEAD = f"{'ID Number':15}{'Name':61}Fed Sex Tit  WTit {'OTit':15}"
_COMBINED_TAIL = "FOA SRtng SGm SK RRtng RGm Rk BRtng BGm BK B-day Flag"
_OPEN_CODES = {"GM": "g", "IM": "m", "FM": "f", "CM": "c", "WGM": "wg", "WIM": "wm", "WFM": "wf", "WCM": "wc"}


@dataclass(frozen=True)
class Player:
    """One invented player. ``rating`` is of the single-type list, in a combined list the standard one."""

    fide_id: int
    name: str
    federation: str = "NOR"
    sex: str = "M"
    title: str = ""
    w_title: str = ""
    other_titles: str = ""
    foa_title: str = ""
    rating: int | None = 1800
    games: int = 0
    k_factor: int = 20
    rapid: int | None = None
    blitz: int | None = None
    birth_year: int | None = 1990
    active: bool = True

    @property
    def flag(self) -> str:
        """The letters of the flag column."""
        return ("w" if self.sex == "F" else "") + ("" if self.active else "i")


def invented_players(count: int, first_id: int = 9_900_001) -> list[Player]:
    """Return ``count`` different people, the same every time; every seventh a woman, every fifth inactive."""
    titles = ("GM", "IM", "FM", "", "", "", "", "")
    federations = ("NOR", "IND", "ESP", "GER", "USA")
    return [
        Player(
            fide_id=first_id + number,
            name=f"Invented {chr(65 + number % 26)}{chr(97 + number // 26 % 26)}, Player {number}",
            federation=federations[number % 5],
            sex="F" if number % 7 == 3 else "M",
            title=titles[number % 8],
            rating=2700 - (number * 37) % 1300,
            games=number % 10,
            birth_year=None if number % 11 == 5 else 1940 + number % 70,
            active=number % 5 != 2,
        )
        for number in range(count)
    ]


def with_ratings_raised(players: Sequence[Player], points: int) -> list[Player]:
    """Return the same people with other ratings: a revision, or the next list."""
    return [replace(player, rating=None if player.rating is None else player.rating + points) for player in players]


def l6_text(players: Sequence[Player], list_date: date, *, header: bool = True) -> bytes:
    """Return a list as printed in 2003 and 2004 (layout L6): 79 wide, right-aligned IDs, dd.mm.yy births."""
    lines = [_L6_HEADER.format(month=_month(list_date).upper())] if header else []
    for player in players:
        born = f"01.07.{player.birth_year % 100:02d}" if player.birth_year else "  .  ."
        title = _OPEN_CODES.get(player.w_title or player.title, "")
        lines.append(
            f"{player.fide_id:>8}  {player.name:32.32}  {title:2}  {player.federation:3}  {player.rating:>4}"
            f"   {player.games:>2}  {born:8}    {player.flag:2} "
        )
    return _crlf(lines)


def o1_text(players: Sequence[Player], list_date: date, month_word: str = "") -> bytes:
    """Return a list as printed from 2006 to August 2012 (layout O1): words run together, cut after the flag.

    ``month_word`` replaces the month of the header: FIDE's own lists name a wrong one now and then.
    """
    month = month_word or _month(list_date).capitalize()
    lines = [f"ID number Name                              TitlFed  {month} GamesBorn  Flag"]
    for player in players:
        title = _OPEN_CODES.get(player.w_title or player.title, "")
        lines.append(
            f"{player.fide_id:>8}  {player.name:32.32}  {title:2}  {player.federation:3}  {player.rating:>4}"
            f"   {player.games:>2}  {player.birth_year or '':>4}  {player.flag}"
        )
    return _crlf(lines)


def n1_text(players: Sequence[Player], list_date: date) -> bytes:
    """Return a single-type list as printed from September 2012 to August 2016 (layout N1): 132 wide."""
    month = _month(list_date) if list_date < date(2014, 4, 1) else _month(list_date).upper()
    lines = [f"{_SINGLE_HEAD}{month} Gms K  B-day Flag"]
    lines.extend(
        _person(player) + _rating(player.rating, player.games, player.k_factor, unrated="") + _end(player, "0000")
        for player in players
    )
    return _crlf(lines)


def n2_text(players: Sequence[Player], list_date: date) -> bytes:
    """Return a single-type list as printed from September 2016 on (layout N2, with FOA titles): 136 wide."""
    lines = [f"{_SINGLE_HEAD}FOA {_month(list_date).upper()} Gms K  B-day Flag"]
    lines.extend(
        _person(player)
        + f"{player.foa_title:4}"
        + _rating(player.rating, player.games, player.k_factor, unrated="")
        + _end(player, "0")
        for player in players
    )
    return _crlf(lines)


def n3_text(players: Sequence[Player]) -> bytes:
    """Return a combined list as printed today (layout N3, no month anywhere): 162 wide, unrated is 0."""
    lines = [_SINGLE_HEAD + _COMBINED_TAIL]
    lines.extend(
        _person(player)
        + f"{player.foa_title:4}"
        + _rating(player.rating, player.games, player.k_factor, unrated="0")
        + _rating(player.rapid, 0, player.k_factor, unrated="0")
        + _rating(player.blitz, 0, player.k_factor, unrated="0")
        + _end(player, "0")
        for player in players
    )
    return _crlf(lines)


def single_xml(players: Sequence[Player]) -> bytes:
    """Return a single-type XML list: no declaration, no month, empty elements as pairs."""
    rows = ["<playerslist>"]
    for player in players:
        values = {
            "fideid": player.fide_id,
            "name": escape(player.name),
            "country": player.federation,
            "sex": player.sex,
            "title": player.title,
            "w_title": player.w_title,
            "o_title": player.other_titles,
            "foa_title": player.foa_title,
            "rating": player.rating,
            "games": player.games,
            "k": player.k_factor,
            "birthday": player.birth_year or "",
            "flag": player.flag,
        }
        rows.append("<player>")
        rows.extend(f"<{name}>{value}</{name}>" for name, value in values.items())
        rows.append("</player>")
    rows.append("</playerslist>")
    return _crlf(rows)


def text_of(players: Sequence[Player], list_date: date) -> bytes:
    """Return a single-type text list in the layout of its month (2003 and 2004, or 2006 on)."""
    if list_date >= date(2016, 9, 1):
        return n2_text(players, list_date)
    if list_date >= date(2012, 9, 1):
        return n1_text(players, list_date)
    if date(2006, 1, 1) <= list_date < date(2012, 9, 1):
        return o1_text(players, list_date)
    if date(2003, 1, 1) <= list_date <= date(2004, 7, 1):
        return l6_text(players, list_date)
    raise ValueError(f"no builder for the layout of {list_date:%B %Y}")


def archive_name(list_date: date, rating_type: str = "standard") -> str:
    """Return the name FIDE's archive gives the zip of a text list."""
    prefix = "" if list_date < date(2012, 9, 1) else f"{rating_type}_"
    return f"{prefix}{_month(list_date)}frl.zip"


def zipped(member: str, content: bytes) -> bytes:
    """Return a zip archive with one member; equal content gives equal bytes."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(zipfile.ZipInfo(member, (2025, 1, 1, 0, 0, 0)), content, zipfile.ZIP_DEFLATED)
    return buffer.getvalue()


def zipped_list(players: Sequence[Player], list_date: date, rating_type: str = "standard") -> bytes:
    """Return the zip FIDE's archive would offer for this list."""
    member = archive_name(list_date, rating_type).replace(".zip", ".txt")
    return zipped(member, text_of(players, list_date))


def _month(list_date: date) -> str:
    return f"{MONTH_CODES[list_date.month - 1]}{list_date.year % 100:02d}"


def _person(player: Player) -> str:
    return (
        f"{player.fide_id!s:15}{player.name:61.61}{player.federation:3} {player.sex:3} {player.title:5}"
        f"{player.w_title:5}{player.other_titles:15}"
    )


def _rating(rating: int | None, games: int, k_factor: int, unrated: str) -> str:
    if rating is None:
        return f"{unrated:6}{unrated:4}{unrated:3}"
    return f"{rating!s:6}{games!s:4}{k_factor!s:3}"


def _end(player: Player, unknown_year: str) -> str:
    return f"{player.birth_year or unknown_year!s:6}{player.flag:4}"


def _crlf(lines: Sequence[str]) -> bytes:
    return "".join(f"{line}\r\n" for line in lines).encode("ascii")
