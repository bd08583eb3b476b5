"""Digest of code and data in the checkout: what was made by other code has to be made anew."""

import hashlib
from collections.abc import Iterable
from importlib.metadata import version

from pipeline.settings import PROJECT_ROOT


def code_digest(libraries: Iterable[str], folders: Iterable[tuple[str, str]]) -> str:
    """Digest of the versions of distributions, and of names and content of the files that match.

    Args:
        libraries: names of installed distributions.
        folders: folder in the checkout, and the pattern of the files below it.
    """
    digest = hashlib.sha256(" ".join(f"{name} {version(name)}" for name in libraries).encode())
    for folder, pattern in folders:
        for path in sorted((PROJECT_ROOT / folder).rglob(pattern)):
            if path.is_file() and "__pycache__" not in path.parts:
                digest.update(str(path.relative_to(PROJECT_ROOT)).encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()
