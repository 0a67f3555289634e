"""The views of the plane: what Python says of them. The browser is tested elsewhere."""

import numpy as np
import pytest

from helpers import attention, causal_mask
from helpers.geometry import Arrows, Gallery, Hull, Turning


def test_arrows_score_and_weigh_as_attention_does():
    """Red: the view shows other weights than `attention` gives."""
    view = Arrows([1.5, 1], [[2, 0], [0.5, 1.5], [-1, -1]], ["猫", "love", "love"])
    for query in ([1.5, 1.0], [0.0, 0.0], [-2.0, 0.5]):
        view.state = {**view.state, "query": query}
        _, weights = attention([query], view.state["keys"], np.eye(3))
        assert np.allclose(view.weights, weights[0], rtol=0, atol=1e-12)
    assert len(set(view.data["labels"])) == 3, "a repeated token stays two"


@pytest.mark.parametrize(
    ("values", "edge"),
    [
        ([[0, 0], [2, 0], [0, 2], [0.5, 0.5]], [0, 1, 2]),  # one inside
        ([[0, 0], [1, 1], [2, 2]], [0, 2]),  # on a segment
        ([[1, 1]], [0]),
        ([[1, 1], [1, 1]], [0]),
        ([[0, 0], [2, 0], [2, 2], [0, 2]], [0, 1, 2, 3]),
    ],
)
def test_the_hull_goes_around_the_values_once(values, edge):
    """Red: the line around the values crosses itself, or misses a corner."""
    found = Hull(values, [str(i) for i in range(len(values))]).data["edge"]
    places = [tuple(values[i]) for i in found]
    assert {tuple(values[i]) for i in edge} == set(places)
    assert len(places) == len(edge)


def test_the_output_of_a_hull_is_the_weighted_average():
    """Red: the point that is drawn is not what attention takes away."""
    view = Hull([[2, 0], [0, 2], [-2, -1]], ["a", "b", "c"], scores=[1, 0, -1])
    weights = np.exp([1, 0, -1]) / np.exp([1, 0, -1]).sum()
    assert np.allclose(view.weights, weights, rtol=0, atol=1e-12)
    assert np.allclose(view.output, weights @ [[2, 0], [0, 2], [-2, -1]], atol=1e-12)


def test_turning_depends_on_the_distance_alone():
    """Red: two arrows that turn by the same angle change their score."""
    view = Turning([1.5, 0.5], [1, 1], step=20)
    scores = {}
    for query in range(18):
        for key in range(18):
            view.state = {"query": query, "key": key}
            scores.setdefault(query - key, []).append(view.score)
    assert all(np.ptp(same) < 1e-12 for same in scores.values())
    assert np.ptp([same[0] for same in scores.values()]) > 1


def test_a_gallery_holds_a_mask_for_each_length():
    """Red: a length shows the mask of another."""
    view = Gallery({"causal": [causal_mask(2), causal_mask(3)]}, [2, 3])
    assert view.data["masks"][0][1] == np.tri(3).astype(int).tolist()


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Arrows([1, 2, 3], [[1, 2]], ["a"]), r"query has shape \(1, 3\)"),
        (lambda: Arrows([1, 2], [[1, 2]], ["a", "b"]), r"keys has .* shape \(2, 2\)"),
        (lambda: Hull([[1, 2]], ["a"], [5]), "numbers from -4 to 4"),
        (lambda: Hull([[1, 2]], ["a"], [1, 2]), r"scores has shape \(2,\)"),
        (lambda: Turning([1, 2], [1, np.nan]), "key holds NaN"),
        (lambda: Turning([1, 2], [1, 1], last=0), "last is 0"),
        (lambda: Gallery({"a": [np.eye(2)]}, [2]), "True and False"),
        (lambda: Gallery({"a": [causal_mask(2)]}, [2, 3]), "masks has 1 masks for 'a'"),
    ],
)
def test_errors_say_what_is_wrong(make, message):
    """Red: an author of a page is not told what a view needs."""
    with pytest.raises(ValueError, match=message):
        make()
