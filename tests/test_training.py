"""The tasks, the model and its training, and the film of its weights."""

import numpy as np
import pytest

from helpers import film
from helpers.training import (
    Adam,
    answer,
    before_marker,
    cross_entropy,
    loss_and_gradients,
    recall,
    spell,
    start,
)

from .test_core import assert_close
from .test_gradients import slopes

TASKS = pytest.mark.parametrize("task", [recall, before_marker])


@TASKS
def test_the_answer_stands_at_its_place(task):
    """Red: a task asks one thing and rewards another."""
    batch = task(np.random.default_rng(0), 200)
    each = np.arange(200)
    found, asking = batch.X[each, batch.place], batch.X[each, batch.asks]
    if task is recall:
        assert (found[:, 6:12].argmax(axis=1) == batch.answer).all()
        assert (found[:, :6] == asking[:, :6]).all()  # the same key
        assert (batch.X[:, :-1, :6].sum(axis=1) <= 1).all()  # keys differ
        assert {spell(x)[1] for x in asking} == {"?"}
    else:
        assert (found[:, :6].argmax(axis=1) == batch.answer).all()
        assert (batch.place == batch.asks - 1).all()
        assert (asking[:, 6] == 1).all() and (batch.X[:, :, 6].sum(axis=1) == 1).all()


@pytest.mark.parametrize(
    ("asks", "kind", "words"),
    [
        ([[0], [1]], ValueError, r"asks has shape \(2, 1\); it needs shape \(2,\)"),
        ([0, 5], ValueError, "asks holds 5; each has to lie between 0 and 4"),
        ([-1, 0], ValueError, "asks holds -1"),
        ([True, False], TypeError, "asks has dtype bool"),
        ([0.0, 1.0], TypeError, "asks has dtype float64"),
    ],
)
def test_the_asking_token_is_one_of_the_sequence(asks, kind, words):
    """Red: another token asks, or a mask of tokens is taken for their numbers."""
    rng = np.random.default_rng(6)
    batch, P = recall(rng, 2), start(rng, 13, 8, 8, 6)
    batch.asks = asks
    for run in (answer, loss_and_gradients):
        with pytest.raises(kind, match=words):
            run(P, batch)


def test_a_token_of_recall_is_spelled():
    """Red: the notebook spells a token that is not there."""
    token = np.zeros(13)
    token[[1, 8]] = 1
    assert spell(token) == "B3"
    token[12] = 1
    assert spell(token) == "B?"


@TASKS
def test_the_gradients_of_the_model_agree_with_slopes(task):
    """Red: training follows a wrong gradient."""
    rng = np.random.default_rng(3)
    batch = task(rng, 7)
    P = {k: 5 * W for k, W in start(rng, batch.X.shape[-1], 3, 4, 6).items()}
    loss, gradients = loss_and_gradients(P, batch)
    logits, _ = answer(P, batch)
    assert loss == cross_entropy(logits, batch.answer)[0]
    for name, W in P.items():
        measured = slopes(lambda x, n=name: loss_and_gradients(P | {n: x}, batch)[0], W)
        assert_close(gradients[name], measured, 1e-7, name)


def test_an_even_guess_costs_the_logarithm_of_the_classes():
    """Red: the loss is no longer a mean in nats."""
    loss, dlogits = cross_entropy(np.zeros((4, 6)), np.array([0, 1, 2, 3]))
    np.testing.assert_allclose(loss, np.log(6), rtol=0, atol=1e-15)
    np.testing.assert_allclose(dlogits.sum(axis=1), 0, atol=1e-15)
    assert dlogits[0, 0] < 0 < dlogits[0, 1]


def test_adam_makes_the_steps_of_the_paper():
    """Red: Adam differs from algorithm 1 of arXiv:1412.6980, worked out by hand."""
    adam, P = Adam(0.1), {"W": np.array([1.0]), "frozen": np.array([2.0])}
    P = adam.step(P, {"W": np.array([4.0])})  # m̂ = 4, v̂ = 16: a step of 0.1
    np.testing.assert_allclose(P["W"], 0.9, rtol=0, atol=1e-8)
    P = adam.step(P, {"W": np.array([-4.0])})  # m̂ = −0.04 / 0.19, v̂ = 16
    np.testing.assert_allclose(P["W"], 0.9 + 0.1 * 0.04 / 0.19 / 4, rtol=0, atol=1e-8)
    assert P["frozen"] == 2


def test_float32_stays_float32_through_a_step():
    """Red: one float64 number on the way makes training twice as slow."""
    rng = np.random.default_rng(4)
    batch = recall(rng, 8)
    batch.X = batch.X.astype(np.float32)
    P = {k: W.astype(np.float32) for k, W in start(rng, 13, 8, 8, 6).items()}
    _, gradients = loss_and_gradients(P, batch)
    moved = Adam(0.05).step(P, gradients)
    assert {W.dtype for W in [*gradients.values(), *moved.values()]} == {
        np.dtype(np.float32)
    }


def test_training_does_not_depend_on_when_it_runs():
    """Red: the same seed gives another result the second time."""

    def run():
        rng, adam = np.random.default_rng(5), Adam(0.05)
        P = start(rng, 13, 8, 8, 6)
        for _ in range(5):
            P = adam.step(P, loss_and_gradients(P, recall(rng, 16))[1])
        return P

    first, second = run(), run()
    assert all((first[name] == second[name]).all() for name in first)


# ---- the film


def test_the_film_keeps_every_picture_and_shows_the_last():
    """Red: a picture is lost, or another one is shown than the last."""
    reel = film.Film(3, ["<b>", "$x_$"], ["a", "b", "c"], [2, 0])
    assert repr(reel) == "Run this cell to move the sliders."
    for i in range(3):
        reel.add(np.eye(3)[[i, 0]], f"step {i}")
        assert reel.state == {"at": i}
    assert [frame["caption"] for frame in reel.frames] == ["step 0", "step 1", "step 2"]
    assert reel.frames[1]["weights"] == [[0, 1, 0], [1, 0, 0]]
    assert reel.data["said"] == [
        "<b>, the right key is c",
        "$x_$, the right key is a",
    ]


def test_a_film_of_a_second_training_begins_anew():
    """Red: a training cell that is run again adds to the film of the first run."""
    reel = film.Film(2, ["q"], ["a", "b"], [0])
    for caption in ("first", "second"):
        reel.clear()
        assert reel.frames == [] and reel.state == {"at": 0}
        reel.add([[1, 0]], caption)
        assert [frame["caption"] for frame in reel.frames] == [caption]
        assert reel.state == {"at": 0}


def test_the_film_refuses_weights_of_another_shape():
    """Red: a wrong matrix is drawn instead of refused."""
    reel = film.Film(1, ["q"], ["a", "b"], [0])
    with pytest.raises(ValueError, match=r"weights has shape \(2, 2\)"):
        reel.add(np.eye(2), "")
    assert reel.frames == []
