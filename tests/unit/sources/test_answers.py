"""Reading what a publisher answers: redirects, ranges, waits."""

from email.utils import formatdate

import pytest

from pipeline.sources.answers import retry_after, same_host, whole_size


@pytest.mark.parametrize(
    ("url", "target", "same"),
    [
        ("https://a.org/x", "https://a.org/y", True),
        ("http://a.org/x", "https://a.org/x", True),
        ("http://a.org:80/x", "https://a.org:443/x", True),
        ("https://a.org/x", "http://a.org/x", False),
        ("https://a.org/x", "https://b.a.org/x", False),
        ("https://a.org/x", "https://a.org:8443/x", False),
        ("http://a.org:8080/x", "https://a.org/x", False),
        ("https://a.org/x", "https://a.org@b.org/x", False),
        ("https://a.org/x", "file:///etc/passwd", False),
    ],
)
def test_same_host(url: str, target: str, same: bool) -> None:
    assert same_host(url, target) is same


@pytest.mark.parametrize(
    ("content_range", "size"),
    [
        ("bytes 5-9/10", 10),
        ("bytes 4-9/10", None),
        ("bytes 5-8/10", None),
        ("bytes 5-9/*", None),
        ("bytes */10", None),
        ("", None),
    ],
)
def test_a_range_must_go_from_the_part_to_the_end(content_range: str, size: int | None) -> None:
    assert whole_size(content_range, 5) == size


def test_retry_after() -> None:
    now = 1_750_000_000.0
    assert retry_after("30", now) == 30
    assert retry_after(formatdate(now + 90, usegmt=True), now) == 90
    assert retry_after(formatdate(now - 90, usegmt=True), now) == 0
    assert retry_after("soon", now) is None
    assert retry_after("", now) is None
