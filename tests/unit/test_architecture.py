"""The house rules that a reader relies on: imports point one way, modules are small and say what they are for."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
MODULES = sorted(path for folder in ("pipeline", "dashboards") for path in (ROOT / folder).rglob("*.py"))
#: What each sub-package may import of the others.
ALLOWED = {
    "settings": set(),
    "domain": set(),
    "catalogue": {"domain"},
    "formats": {"domain", "catalogue"},
    "sources": {"domain", "catalogue", "formats"},
    "lists": {"domain", "catalogue", "formats", "sources"},
    "players": {"domain", "catalogue", "formats"},
    "analytics": {"domain", "catalogue"},
    "code_digest": {"settings"},
    "warehouse": {"domain", "catalogue", "formats", "lists", "players", "analytics", "settings", "code_digest"},
    "site": {"lists", "warehouse", "settings", "code_digest"},
    "assets": {
        "domain",
        "catalogue",
        "formats",
        "sources",
        "lists",
        "warehouse",
        "settings",
        "site",
        "definitions",
    },
    "commands": {"*"},
    "cli": {"commands"},
    "definitions": {"assets"},
    "definitions_dask": {"assets", "settings"},
    "dashboards": {"dashboards"},
}
#: Network libraries and those that only one part of the house may touch.
ONLY_IN = {
    "requests": {"sources", "assets"},
    "urllib3": {"sources"},
    "duckdb": {"warehouse", "commands", "assets", "dashboards"},
    "dagster": {"assets", "definitions", "definitions_dask", "commands"},
    "altair": {"dashboards"},
}
LONGEST_MODULE = 320


def part_of(path: Path) -> str:
    relative = path.relative_to(ROOT).with_suffix("").parts
    return "dashboards" if relative[0] == "dashboards" else relative[1] if len(relative) > 1 else "pipeline"


def imported(path: Path) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.add(node.module)
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
    return names


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_imports_point_one_way(path: Path) -> None:
    part = part_of(path)
    if part in ("__init__", "pipeline"):
        return
    for name in imported(path):
        top, *rest = name.split(".")
        if top == "pipeline" and rest:
            other = rest[0]
            assert other == part or "*" in ALLOWED[part] or other in ALLOWED[part], f"{part} must not import {name}"
        elif top == "dashboards":
            assert part in ("commands", "site", "dashboards"), f"{part} must not import {name}"
        elif top in ONLY_IN:
            assert part in ONLY_IN[top], f"{part} must not import {top}"


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_module_says_what_it_is_for_and_is_short(path: Path) -> None:
    text = path.read_text()
    assert ast.get_docstring(ast.parse(text)), "the first lines say what belongs here"
    assert len(text.splitlines()) <= LONGEST_MODULE
    assert not {"utils", "helpers", "common", "misc"} & set(path.with_suffix("").parts[-2:])


def test_dagster_asset_modules_do_not_postpone_annotations() -> None:
    """Dagster reads the annotations of ``context``; postponed ones are texts."""
    for path in (ROOT / "pipeline" / "assets").glob("*.py"):
        assert "from __future__ import annotations" not in path.read_text(), path


def test_no_circles_between_modules() -> None:
    from graphlib import TopologicalSorter

    names = {".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path for path in MODULES}
    graph = {
        name: {other for other in module_level_imports(path) if other in names and other != name}
        for name, path in names.items()
    }
    assert len(list(TopologicalSorter(graph).static_order())) >= len(names)


def module_level_imports(path: Path) -> set[str]:
    names: set[str] = set()
    for node in ast.parse(path.read_text()).body:
        if isinstance(node, ast.ImportFrom) and node.module:
            names |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return names
