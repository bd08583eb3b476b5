"""Colours can be read and told apart: contrast, lightness for greyscale, the three kinds of colour blindness."""

import itertools
import math

import pytest

from dashboards import theme

# Linear-RGB matrices of complete dichromacy, Machado, Oliveira and Fernandes 2009.
DICHROMACY = {
    "normal": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deuteranopia": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.01182, 0.04294, 0.968881)),
    "tritanopia": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.3039)),
}


def linear(colour: str) -> tuple[float, ...]:
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    return tuple(c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)


def luminance(rgb: tuple[float, ...]) -> float:
    return 0.2126 * rgb[0] + 0.7152 * rgb[1] + 0.0722 * rgb[2]


def contrast(one: str, other: str) -> float:
    darker, lighter = sorted((luminance(linear(one)), luminance(linear(other))))
    return (lighter + 0.05) / (darker + 0.05)


def lab(rgb: tuple[float, ...]) -> tuple[float, float, float]:
    x = (0.4124 * rgb[0] + 0.3576 * rgb[1] + 0.1805 * rgb[2]) / 0.9505
    z = (0.0193 * rgb[0] + 0.1192 * rgb[1] + 0.9505 * rgb[2]) / 1.089

    def f(t: float) -> float:
        return t ** (1 / 3) if t > 0.008856 else 7.787 * t + 16 / 116

    y = luminance(rgb)
    return 116 * f(y) - 16, 500 * (f(x) - f(y)), 200 * (f(y) - f(z))


def seen(colour: str, matrix: tuple[tuple[float, ...], ...]) -> tuple[float, ...]:
    rgb = linear(colour)
    return tuple(min(1.0, max(0.0, sum(row[i] * rgb[i] for i in range(3)))) for row in matrix)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_has_contrast_aa_on_every_ground(scheme: theme.Scheme) -> None:
    tokens = theme.TOKENS[scheme]
    for text in ("ink", "muted", "accent", "mark"):
        for ground in ("paper", "sunken"):
            assert contrast(tokens[text], tokens[ground]) >= 4.5, (text, ground)
    assert contrast(tokens["control"], tokens["paper"]) >= 3


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_series_stand_out_and_apart(scheme: theme.Scheme) -> None:
    tokens = theme.TOKENS[scheme]
    series = [tokens[name.removeprefix("@")] for name in theme.SERIES]
    assert min(contrast(colour, tokens["paper"]) for colour in series) >= 3
    lightness = [lab(linear(colour))[0] for colour in series]
    assert min(abs(a - b) for a, b in itertools.pairwise(lightness)) >= 7
    for matrix in DICHROMACY.values():
        for one, other in itertools.combinations(series, 2):
            assert math.dist(lab(seen(one, matrix)), lab(seen(other, matrix))) >= 20


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_ramp_runs_away_from_the_ground(scheme: theme.Scheme) -> None:
    tokens = theme.TOKENS[scheme]
    steps = [contrast(tokens[name.removeprefix("@")], tokens["paper"]) for name in theme.RAMP]
    assert steps == sorted(steps)
    assert steps[2] >= 1.5
    assert steps[-1] >= 7


def test_both_schemes_have_the_same_tokens() -> None:
    assert theme.TOKENS["light"].keys() == theme.TOKENS["dark"].keys()


def test_resolve_replaces_whole_tokens_only() -> None:
    spec = {"color": "@ink", "title": "@inkwell", "mail": "a@ink", "range": ["@c1", "@unknown"]}
    resolved = theme.resolve(spec, "dark")
    dark = theme.TOKENS["dark"]
    assert resolved == {
        "color": dark["ink"],
        "title": "@inkwell",
        "mail": "a@ink",
        "range": [dark["c1"], "@unknown"],
    }
