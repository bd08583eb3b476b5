"""Member files of US Chess with invented people, in the layouts of the real ones: dBase III, tab-separated, pages."""

import struct

#: field name, length
GOLDEN = (("MEM_ID", 8), ("MEM_NAME", 30), ("EXPIRED", 8), ("STATE", 2), ("R_LPB_RAT", 7), ("Q_LPB_RAT", 7))
SUPPLEMENT = (("R_MEM_ID", 8), ("R_MEM_NAME", 30), ("R_EXP_DATE", 8), ("R_RATING1", 7), ("R_RATING2", 7))


def dbase(
    fields: tuple[tuple[str, int], ...],
    rows: list[tuple[str, ...]],
    encoding: str = "ascii",
    driver: int = 0,
    deleted: tuple[int, ...] = (),
) -> bytes:
    """A dBase III table of text fields, after the published layout. ``deleted`` holds record numbers."""
    header_length, record_length = 32 + 32 * len(fields) + 1, 1 + sum(length for _, length in fields)
    header = struct.pack("<4BIHH17xB2x", 0x03, 116, 6, 1, len(rows), header_length, record_length, driver)
    descriptors = b"".join(struct.pack("<11sc4xBB14x", name.encode(), b"C", length, 0) for name, length in fields)
    records = b"".join(
        (b"*" if number in deleted else b" ")
        + b"".join(
            value.encode(encoding).ljust(length)[:length] for value, (_, length) in zip(row, fields, strict=True)
        )
        for number, row in enumerate(rows, start=1)
    )
    return header + descriptors + b"\r" + records + b"\x1a"


MEMBERS = [
    ("19900001", "QUILLFEATHER, ODESSA", "03/31/17", "MA", "1874", "1802"),
    ("19900002", "PÉTRÉL, ANDRÉ", "12/31/99", "QC", "1450/12", ""),
    ("19900003", "MÜLLERSTEIN, JÖRG", "", "OH", "", "1590/4"),
    ("19900004", "INACTIVE ID", "", "", "", ""),
]

#: Quotation marks, an address, a birth date, a short line, a line without id, an unreadable rating.
TSV = (
    "Mem_ID\tLast_Name\tFirst_Name\tFIDE_ID\tState\tExp_Date\tRegular\tQuick\tBlitz\tBirthdate\tStreet\n"
    '19900001\tQuillfeather\tOdessa "Dess"\t2999001\tMA\t2017-03-31\t1874\t1802P7\t\t1984-05-06\t1 Elm St\n'
    "19900002\tBrontide\tMarek\t0\tTX\t2099-12-31\tUnrated\t\t2210\t\t\n"
    "19900003\tUmberwick\tJonas\n"
    "no id\tZephyrine\tTalia\t\tFL\t\t1500\t\t\t\t\n"
    "19900005\tThornebarrow\tUna\t\tWA\t6/30/18\t15x0\t\t\t\t\n"
)

#: A member page of the old site, with FIDE id, floor and life membership.
PAGE = """<html><head><title>US Chess MSA - Member Details</title><script>alert("no")</script></head><body>
<table><tr><td><b>19900001: ODESSA M QUILLFEATHER</b></td></tr><tr><td><table>
<tr><td>Regular Rating</td><td><b><nobr>2114&nbsp;&nbsp;(Current floor is 2100) 2024-02</nobr></b></td></tr>
<tr><td>Quick Rating</td><td><b>1987 (Based on 12 games)&nbsp; 2023-11</b></td></tr>
<tr><td>Blitz Rating</td><td><b>(Unrated)</b></td>
<tr><td>Online-Quick Rating</td><td><b>1802</b></td></tr>
<tr><td>FIDE ID</td><td><b><a href=https://ratings.fide.com/card.phtml?event=2999001>2999001</a></b></td></tr>
<tr><td>FIDE Country</td><td><b>USA</b></td></tr>
<tr><td>FIDE Title(s)</td><td><b>WFM</b></td></tr>
<tr><td>State</td><td><b>MA</b></td></tr><tr><td>Gender</td><td><b>F</b></td></tr>
<tr><td>Expiration Dt.</td><td><b>2099-12-31</b></td></tr>
</table></td></tr></table></body></html>"""

#: A crosstable: two systems, unrated before, without id, without ratings.
CROSSTABLE = """
 Pair | Player Name                     |Total|Round|Round|
 Num  | USCF ID / Rtg (Pre->Post)       | Pts |  1  |  2  |
------------------------------------------------------------
    1 | ODESSA QUILLFEATHER             | 2.0 |W   2|W   3|
   MA | 19900001 / R: 1794   ->1817     |N:2  |W    |B    |
      |            Q: 1803P12->1812P14  |     |     |     |
------------------------------------------------------------
    2 | MAREK BRONTIDE                  | 0.5 |L   1|H    |
   TX | 19900002 / R: Unrated->1210P2   |     |B    |     |
------------------------------------------------------------
    3 | JONAS UMBERWICK                 | 0.0 |U    |L   1|
   NY |          / OB:       ->1500P1   |     |     |W    |
------------------------------------------------------------
    4 | TALIA ZEPHYRINE                 | 0.0 |F    |X    |
   FL | 19900007                        |     |     |     |
------------------------------------------------------------
"""
