"""Who is who: from the attribute combinations printed on lists to persons.

Belongs here: the whole, from evidence to a person for every version. How each part is decided is in the other
modules of this package. A pure function on frames; links are made by numbers, names, birth years, federations and
lists, never by closeness of ratings.
"""

import hashlib
from typing import Final

import polars as pl

from pipeline.players import catalogued
from pipeline.players.candidates import candidate_pairs
from pipeline.players.evidence import Evidence
from pipeline.players.linking import link, persons_of
from pipeline.players.nodes import Nodes, make_nodes, registered
from pipeline.players.number_changes import changed_numbers
from pipeline.players.numbers import holders
from pipeline.players.persons import Forest
from pipeline.players.questions import in_question

#: Persons without any number get one from here on, derived from their name, clear of FIDE's.
FIRST_NAMED_PLAYER: Final = 1_000_000_000
#: How many such numbers there are; from their end on lie those of people known to US Chess only.
NAMED_PLAYERS: Final = 500_000_000
FIRST_USCF_PLAYER: Final = FIRST_NAMED_PLAYER + NAMED_PLAYERS

#: The links that are no link: printed alike on several lists, or on one list only.
SAME_NAME: Final = "same_name"
UNMATCHED: Final = "unmatched"
_SAME_NAME_CONFIDENCE: Final = 0.9
_CHANGED_NUMBER: Final = "fide_id_changed"


def resolve(evidence: Evidence) -> pl.DataFrame:
    """Give every version its person.

    Two entries of one edition never get the same person.

    Returns:
        ``version_key``, ``player_id``, ``link_method``, ``link_confidence`` (0 to 1; null where the person is
        one name on one list, so that nothing was linked).
    """
    numbered = holders(evidence)
    changed = changed_numbers(evidence, numbered)
    asked = in_question(evidence, numbered, changed)
    settled = numbered.join(asked.to_frame(), on="version_key", how="anti").select(
        "version_key",
        player_id=_numbered_person(),
        link_method="method",
        link_confidence="confidence",
    )
    linked = _decided(evidence.on(asked), numbered, changed)
    return pl.concat([settled, linked]).with_columns(pl.col("link_confidence").round(3)).sort("version_key")


def _decided(evidence: Evidence, numbered: pl.DataFrame, changed: pl.DataFrame) -> pl.DataFrame:
    """As ``resolve``, of the versions in question."""
    nodes = make_nodes(evidence, numbered)
    forest = _linked(evidence, nodes, changed)
    links = [(node, *forest.link_of(node)) for node in sorted(forest.links)]
    schema = {"node": pl.Int32(), "root": pl.Int32(), "step": pl.String(), "weight": pl.Float64()}
    roots = pl.DataFrame(links, schema=schema, orient="row")
    persons = (
        nodes.members.join(roots, on="node", how="left")
        .with_columns(root=pl.coalesce("root", "node"))
        .join(numbered, on="version_key", how="left")
    )
    player_ids = _player_ids(evidence, nodes, persons)
    alone = nodes.facts.select(
        "node",
        one_list=pl.col("first_list_date") == pl.col("last_list_date"),
    ).join(roots.select(node="root").unique().with_columns(joined=pl.lit(True)), on="node", how="left")
    unlinked = pl.when(pl.col("one_list") & pl.col("joined").is_null())
    return (
        persons.join(alone, on="node")
        .join(player_ids, on="root")
        .select(
            "version_key",
            "player_id",
            link_method=pl.coalesce("step", "method", unlinked.then(pl.lit(UNMATCHED)).otherwise(pl.lit(SAME_NAME))),
            link_confidence=pl.coalesce(
                "weight",
                "confidence",
                unlinked.then(pl.lit(None, pl.Float64)).otherwise(pl.lit(_SAME_NAME_CONFIDENCE)),
            ),
        )
    )


def alternative_names(evidence: Evidence, links: pl.DataFrame) -> pl.DataFrame:
    """Spellings of persons that no list need have printed.

    Args:
        evidence: what is known.
        links: result of ``resolve``.

    Returns:
        ``player_id``, ``name``, ``name_source`` (``register`` or ``catalogue``), ``source_key`` (null for the
        catalogue).
    """
    stated = registered(evidence.register.filter(pl.col("alternative_name").is_not_null()), evidence.versions)
    spelled = stated.join(links, on="version_key").select(
        "player_id", name="alternative_name", name_source=pl.lit("register"), source_key="source_key"
    )
    holders_of = (
        catalogued.checked_versions(evidence).join(links, on="version_key").select("person", "player_id").unique()
    )
    rows = catalogued.spellings()
    names = pl.concat([rows.select("person", name="spelling"), rows.select("person", name="person_name")]).unique()
    checked = names.join(holders_of.filter(pl.col("person").is_unique()), on="person").select(
        "player_id", "name", name_source=pl.lit("catalogue"), source_key=pl.lit(None, pl.Int32)
    )
    return pl.concat([spelled, checked]).unique().sort("player_id", "name", "name_source", "source_key")


def _linked(evidence: Evidence, nodes: Nodes, changed_holders: pl.DataFrame) -> Forest:
    """All nodes that may be somebody else's too, joined."""
    pairs = candidate_pairs(nodes)
    checked = catalogued.catalogued_pairs(evidence, nodes)
    changed = _as_nodes(changed_holders, nodes)
    wanted = pl.concat([frame[name] for frame in (pairs, checked, changed) for name in ("node", "other")]).unique()
    forest = persons_of(evidence, nodes, wanted.sort())
    for node, other, confidence in changed.iter_rows():
        if forest.root(node) != forest.root(other):
            forest.join(forest.root(node), forest.root(other), _CHANGED_NUMBER, confidence)
    for node, other in checked.iter_rows():
        one, two = forest.root(node), forest.root(other)
        # A hand-checked person may have had two numbers, but is never twice on one edition.
        if one != two and not forest.persons[one].editions & forest.persons[two].editions:
            forest.join(one, two, catalogued.METHOD, catalogued.CONFIDENCE)
    link(forest, pairs)
    return forest


def _as_nodes(changed: pl.DataFrame, nodes: Nodes) -> pl.DataFrame:
    by_holder = nodes.facts.filter(pl.col("holder").is_not_null()).select("holder", "node")
    return (
        changed.join(by_holder, on="holder")
        .join(by_holder.rename({"holder": "later_holder", "node": "other"}), on="later_holder")
        .select("node", "other", "confidence")
        .sort("node")
    )


def _player_ids(evidence: Evidence, nodes: Nodes, persons: pl.DataFrame) -> pl.DataFrame:
    """A number for every person: ``root``, ``player_id``.

    FIDE's number, else one derived from US Chess's, else one derived from the first printed name and federation.
    """
    own = persons.filter(pl.col("node") == pl.col("root"))
    numbers = own.group_by("root").agg(
        pl.col("fide_id").max(), pl.col("uscf_id").filter(pl.col("holder").str.starts_with("uscf")).max()
    )
    unnamed = numbers.filter(pl.col("fide_id").is_null(), pl.col("uscf_id").is_null()).select("root")
    body = nodes.federations.group_by("node").agg(pl.col("body").min())
    first = (
        persons.join(unnamed, on="root", how="semi")
        .join(evidence.versions.select("version_key", "name", "first_list_date"), on="version_key")
        .join(body, on="node", how="left")
        .sort("first_list_date", "name", "body", "version_key")
        .unique("root", keep="first", maintain_order=True)
        .select("root", text=pl.concat_str(pl.col("name").fill_null(""), pl.col("body").fill_null(""), separator="|"))
        .sort("text", "root")
    )
    named = pl.DataFrame(
        {"root": first["root"], "player_id": _named_numbers(first["text"].to_list())},
        schema={"root": pl.Int32(), "player_id": pl.Int32()},
    )
    return numbers.join(named, on="root", how="left").select(
        "root", player_id=pl.coalesce(_numbered_person(), "player_id")
    )


def _numbered_person() -> pl.Expr:
    """Number of a person who has one: FIDE's, else one derived from US Chess's."""
    return pl.coalesce("fide_id", FIRST_USCF_PLAYER + pl.col("uscf_id")).cast(pl.Int32)


def _named_numbers(texts: list[str]) -> list[int]:
    """Numbers that depend on the text alone, but for the rare ones that must make way for an equal one."""
    taken: set[int] = set()
    numbers = []
    for text in texts:
        digest = hashlib.sha256(text.encode()).digest()
        number = int.from_bytes(digest[:8], "big") % NAMED_PLAYERS
        while number in taken:
            number = (number + 1) % NAMED_PLAYERS
        taken.add(number)
        numbers.append(FIRST_NAMED_PLAYER + number)
    return numbers
