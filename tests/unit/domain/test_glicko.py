import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.domain.glicko import GlickoRating, glicko1, glicko2, grown_deviation

#: Glickman's own worked example, used in both of his papers.
PLAYER = GlickoRating(1500, 200, 0.06)
FIELD = [GlickoRating(1400, 30), GlickoRating(1550, 100), GlickoRating(1700, 300)]
SCORES = [1.0, 0.0, 0.0]

players = st.builds(
    GlickoRating,
    st.floats(min_value=800, max_value=2800),
    st.floats(min_value=30, max_value=350),
    st.floats(min_value=0.03, max_value=0.1),
)


def test_glickmans_example_of_glicko_1() -> None:
    after = glicko1(PLAYER, FIELD, SCORES)
    assert round(after.rating) == 1464
    assert round(after.deviation, 1) == 151.4


def test_glickmans_example_of_glicko_2() -> None:
    after = glicko2(PLAYER, FIELD, SCORES, tau=0.5)
    # The paper rounds on the way and prints 1464.06 and 151.52.
    assert after.rating == pytest.approx(1464.06, abs=0.02)
    assert after.deviation == pytest.approx(151.52, abs=0.02)
    assert after.volatility == pytest.approx(0.05999, abs=0.00001)


def test_without_games_only_the_deviation_grows() -> None:
    after = glicko2(PLAYER, [], [])
    assert after.rating == PLAYER.rating
    assert after.deviation > PLAYER.deviation
    assert grown_deviation(50, 63.2, 30) == pytest.approx(350, abs=0.5)
    assert grown_deviation(340, 63.2, 30) == 350


@given(players, players)
def test_a_game_narrows_the_deviation_and_moves_the_rating_the_right_way(
    player: GlickoRating, opponent: GlickoRating
) -> None:
    won, lost = glicko1(player, [opponent], [1]), glicko1(player, [opponent], [0])
    assert lost.rating < player.rating < won.rating
    assert won.deviation == lost.deviation < player.deviation
    volatile = glicko2(player, [opponent], [1])
    assert volatile.rating > player.rating
    assert 0 < volatile.volatility < 1


def test_a_surprising_result_raises_the_volatility() -> None:
    steady = GlickoRating(1500, 60, 0.06)
    upset = glicko2(steady, [GlickoRating(2400, 40)] * 5, [1] * 5)
    assert upset.volatility > 0.06


def test_games_and_scores_must_agree() -> None:
    with pytest.raises(ValueError, match="3 opponents but 1 scores"):
        glicko1(PLAYER, FIELD, [1])
