"""The questions and exercises of page 08."""

import numpy as np

from helpers.arrays import Array
from helpers.core import softmax
from helpers.exercises.model import (
    Case,
    Exercise,
    Mistake,
    Numbers,
    Option,
    Page,
    Question,
    tenths,
)
from helpers.gradients import softmax_backward
from helpers.training import cross_entropy

QKV = "Wq", "Wk", "Wv"

# Right is the largest logit once, the smallest twice. The largest of the table, a
# logit above 0 and a probability above one half are right once, too.
LOGITS = np.array([[1.0, 7, 0], [-1, -2, 4], [0, 1, 2], [6, 5, 0]])
ANSWER = np.array([1, 0, 0, 2])
UNSURE = np.array([[3.0, 2, 2, 2], [0, 5, 1, 4], [1, 6, 2, 0]])
UNSURE_ANSWER = np.array([0, 3, 1])
CLOSE = np.array([[0.2, 0.252, 0.254], [0.5, 0.75, 0.3], [0.1, 0, 1.2], [-0.7, 0.2, 0]])
CLOSE_ANSWER = np.array([2, 1, 2, 2])

WEIGHTS = np.array([[0.1, 0.7, 0.2], [0.5, 0.2, 0.3], [0.1, 0.4, 0.5]])
PLACE = np.array([1, 2, 2])

LOGITS34 = np.array([[2.0, 0, 1, -1], [0, 3, 0, 1], [1, 1, -2, 0]])
ANSWER34 = np.array([0, 2, 1])


def _dlogits(logits: Array, answer: Array) -> Array:
    return cross_entropy(logits, answer)[1]


def _probability(logits: Array, answer: Array) -> Array:
    return softmax(logits)[np.arange(len(answer)), answer]


def _target(logits: Array, answer: Array) -> Array:
    return np.eye(logits.shape[1])[answer]


def _every_answer(logits: Array, answer: Array) -> Array:
    gradient = softmax(logits)
    gradient[:, answer] -= 1
    return gradient / len(answer)


def _matrices(seed: int, *names: str) -> dict[str, Array]:
    return {name: tenths(seed + i, 2, i + 1) for i, name in enumerate(names)}


def _step(P: dict[str, Array], G: dict[str, Array], rate: float) -> dict[str, Array]:
    return {name: P[name] - rate * G[name] for name in P}


def _whole(matrices: dict[str, Array]) -> dict[str, Array]:
    return {name: (W * 3).round() for name, W in matrices.items()}


def _steps(seed: int) -> tuple[Case, ...]:
    P, G = _matrices(seed + 50, *QKV), _matrices(seed + 60, *QKV)
    Wk, dWk, Wo, dWo = tenths(seed + 70, 4, 2, 2)
    other, backwards = {"Wk": Wk, "Wo": Wo}, {"Wo": dWo, "Wk": dWk}
    minus = {name: -np.abs(W) - 0.5 for name, W in P.items()}
    shapes = zip(QKV, ((1, 3), (5, 2), (3, 1)), strict=True)
    wide = {name: tenths(seed + 75, *shape) for name, shape in shapes}
    return (
        Case((_whole(P), _whole(G), 0.1)),
        Case((_whole(other), _whole(backwards), 0.1)),
        Case(({name: W / 8 for name, W in P.items()}, G, 0.1), "decimals"),
        Case((minus, G, 0.1), "negative"),
        Case((_whole(P), _whole(G), 0.3), "other"),
        Case((wide, {name: 1 - W for name, W in wide.items()}, 0.1), "wide"),
        Case(({name: W * 1000 for name, W in P.items()}, G, 0.1), "large"),
    )


def _powers(rng: np.random.RandomState) -> Numbers:
    log2 = int(rng.randint(4, 11))
    return {"n": 2**log2, "log2": log2}


QUESTIONS = (
    Question(
        name="what_weights_show",
        text=(
            "A model answers everything right, with 0.66 of the weight on the right "
            "token. What follows?"
        ),
        options=(
            Option("it looks in the wrong place", "0.66 is on the right token."),
            Option(
                "weights alone do not tell how good it is",
                "Its values and its read-out do the rest.",
                True,
            ),
            Option("it is not trained yet", "All of its answers are right."),
        ),
    ),
)

EXERCISES = (
    Exercise(
        name="even_loss",
        call="my_even_loss",
        asked=(
            "A model guesses evenly among {n} answers. Which number is its loss, -log "
            "of the probability of the right one? Two digits after the point."
        ),
        means="log {n}: a model that has learned something lies below it.",
        numbers={"n": 8, "log2": 3},
        draw=_powers,
        right=lambda n, log2: float(np.log(n)),
        mistakes=(
            Mistake(
                "logarithm of base 2",
                lambda n, log2: log2,
                "log2 {n} = {log2}. Here the base is e.",
            ),
            Mistake("the probability", lambda n, log2: 1 / n, "Take -log of it."),
            Mistake(
                "the probability of a wrong answer",
                lambda n, log2: 1 - 1 / n,
                "The right answer has the probability 1/{n}. Take -log of that.",
            ),
            Mistake(
                "the number of answers",
                lambda n, log2: n,
                "{n} is e to the loss. The loss is its logarithm.",
            ),
            Mistake(
                "six answers, as on the page",
                lambda n, log2: float(np.log(6)),
                "log 6 is for six answers. Here there are {n}.",
            ),
            Mistake(
                "multiplied by the probability",
                lambda n, log2: float(np.log(n)) / n,
                "You multiplied -log(1/{n}) by 1/{n}. Only one answer is right, and "
                "its -log counts in full.",
            ),
            Mistake(
                "added up over the answers",
                lambda n, log2: float(np.log(n)) * n,
                "You added up {n} losses. Only one answer is right, and its -log "
                "alone counts.",
            ),
            Mistake(
                "the wrong sign",
                lambda n, log2: -float(np.log(n)),
                "-log(1/{n}) is positive.",
            ),
            Mistake(
                "logarithm of base 10",
                lambda n, log2: float(np.log10(n)),
                "Here the base is e: np.log.",
            ),
        ),
        tolerance=6e-3 / np.log(8),
        near=5e-3,
    ),
    Exercise(
        name="accuracy",
        call="my_accuracy(logits, answer)",
        asked=(
            "Write my_accuracy(logits, answer): which share of the questions is "
            "answered right, if the largest logit is the answer."
        ),
        means="The first number of the judge.",
        right=lambda logits, answer: (logits.argmax(axis=1) == answer).mean(),
        mistakes=(
            Mistake(
                "a number instead of a share",
                lambda logits, answer: (logits.argmax(axis=1) == answer).sum(),
                "You counted the right ones. Divide by the number of questions.",
            ),
            Mistake(
                "the share of the wrong ones",
                lambda logits, answer: (logits.argmax(axis=1) != answer).mean(),
                "That is the share of wrong answers.",
            ),
            Mistake(
                "the mean probability",
                lambda logits, answer: _probability(logits, answer).mean(),
                "That is the mean probability of the right answer. Count the "
                "questions whose largest logit is right.",
            ),
            Mistake(
                "the number of the wrong ones",
                lambda logits, answer: (logits.argmax(axis=1) != answer).sum(),
                "You counted the wrong ones. Count the right ones, and divide by the "
                "number of questions.",
            ),
            Mistake(
                "one by one",
                lambda logits, answer: logits.argmax(axis=1) == answer,
                "You say for each question whether it is right. Take the mean.",
            ),
            Mistake(
                "one by one",
                lambda logits, answer: (logits.argmax(axis=1) == answer).astype(float),
                "You say for each question whether it is right. Take the mean.",
            ),
            Mistake(
                "divided by the number of classes",
                lambda logits, answer: (
                    (logits.argmax(axis=1) == answer).sum() / logits.shape[1]
                ),
                "You divided by the number of classes. Divide by that of the "
                "questions.",
            ),
            Mistake(
                "the smallest logit",
                lambda logits, answer: (logits.argmin(axis=1) == answer).mean(),
                "You took the smallest logit. The largest one is the answer.",
            ),
            Mistake(
                "in per cent",
                lambda logits, answer: (logits.argmax(axis=1) == answer).mean() * 100,
                "A share lies between 0 and 1. Leave out the factor 100.",
            ),
            Mistake(
                "arg-max along the wrong axis",
                lambda logits, answer: (logits.argmax(axis=0) == answer).mean(),
                "You looked for the best question of each class. Look for the best "
                "class of each question: axis=1.",
            ),
            Mistake(
                "arg-max of the whole table",
                lambda logits, answer: (logits.argmax() == answer).mean(),
                "Without an axis, argmax finds one place in the whole table. Each "
                "question needs its own: axis=1.",
            ),
            Mistake(
                "answers not compared",
                lambda logits, answer: logits.argmax(axis=1).mean(),
                "These are the classes that the model answers, or their mean. Compare "
                "them with answer first.",
            ),
            Mistake(
                "answers not compared",
                lambda logits, answer: logits.argmax(axis=1),
                "These are the classes that the model answers, or their mean. Compare "
                "them with answer first.",
            ),
            Mistake(
                "the mean of the largest probabilities",
                lambda logits, answer: softmax(logits).max(axis=1).mean(),
                "That says how sure the model is. Count how often it is right.",
            ),
            Mistake(
                "a right answer has to be above one half",
                lambda logits, answer: (_probability(logits, answer) > 0.5).mean(),
                "With more than two classes the largest probability can be below "
                "0.5. It is enough to be the largest.",
            ),
            Mistake(
                "a right answer has to be above 0",
                lambda logits, answer: (
                    logits[np.arange(len(answer)), answer] > 0
                ).mean(),
                "A logit above 0 need not be the largest. Compare it with the others "
                "of its row.",
            ),
        ),
        cases=lambda seed: (
            Case((LOGITS, ANSWER)),
            Case((UNSURE, UNSURE_ANSWER)),
            Case((CLOSE, CLOSE_ANSWER), "decimals"),
            Case((LOGITS - 9, ANSWER), "negative"),
            Case((np.array([[2.0, 5, 1]]), np.array([1])), "wide"),
            Case(
                (tenths(seed + 18, 7, 4), np.array([0, 1, 2, 2, 0, 0, 3])),
                "wide",
            ),
            Case((LOGITS * 1000, ANSWER), "large"),
        ),
    ),
    Exercise(
        name="weight_on_right",
        call="my_weight_on_right(weights, place)",
        asked=(
            "Write my_weight_on_right(weights, place): the mean weight on the right "
            "token, where row i of weights is question i and place[i] its right token."
        ),
        means="The second number of the judge: it sees where attention looks.",
        right=lambda weights, place: weights[np.arange(len(place)), place].mean(),
        mistakes=(
            Mistake(
                "every row with every place",
                lambda weights, place: weights[:, place].mean(),
                "weights[:, place] takes all places in every row. Row i needs "
                "place[i] alone.",
            ),
            Mistake(
                "the largest weight",
                lambda weights, place: weights.max(axis=1).mean(),
                "You took the largest weight of each row, wherever it lies.",
            ),
            Mistake(
                "sum instead of mean",
                lambda weights, place: weights[np.arange(len(place)), place].sum(),
                "You added up the questions. Take their mean.",
            ),
            Mistake(
                "how often the largest is right",
                lambda weights, place: (weights.argmax(axis=1) == place).mean(),
                "You counted how often the largest weight is right. Return how much "
                "weight is there.",
            ),
            Mistake(
                "not averaged",
                lambda weights, place: weights[np.arange(len(place)), place],
                "That is the weight of each question. Take their mean.",
            ),
            Mistake(
                "every row with every place",
                lambda weights, place: weights[:, place],
                "weights[:, place] takes all places in every row. Row i needs "
                "place[i] alone.",
            ),
            Mistake(
                "whole rows averaged",
                lambda weights, place: weights.mean(),
                "A row sums to 1, so the mean of whole rows is 1 divided by the number "
                "of tokens, whatever the weights are. Row i needs place[i] alone.",
            ),
            Mistake(
                "rows and columns exchanged",
                lambda weights, place: weights[place, np.arange(len(place))].mean(),
                "You took row place[i], column i. The rows are the questions: row i, "
                "column place[i].",
            ),
            Mistake(
                "divided by the number of tokens",
                lambda weights, place: (
                    weights[np.arange(len(place)), place].sum() / weights.shape[1]
                ),
                "You divided by the number of tokens. Divide by that of the questions.",
            ),
            Mistake(
                "counted from 1",
                lambda weights, place: weights[np.arange(len(place)), place - 1].mean(),
                "You took the token before the right one. place counts from 0.",
            ),
        ),
        cases=(
            Case((WEIGHTS, PLACE)),
            Case((np.array([[0.4, 0.35, 0.25], [0, 0.3, 0.7]]), np.array([2, 1]))),
            Case((np.array([[0.5, 0.375, 0.125], *WEIGHTS[1:]]), PLACE), "decimals"),
            Case((np.array([[0.1, 0.2, 0.6, 0.1]]), np.array([2])), "wide"),
            Case((np.vstack([WEIGHTS, WEIGHTS]), np.array([2, 0, 1, 1, 0, 1])), "wide"),
        ),
    ),
    Exercise(
        name="dlogits",
        call="my_dlogits(logits, answer)",
        asked=(
            "Write my_dlogits(logits, answer): the gradient of the mean loss of n "
            "questions with respect to their logits. You may use softmax."
        ),
        means="(probability - target) / n: where the way back begins.",
        right=_dlogits,
        mistakes=(
            Mistake(
                "sum instead of mean",
                lambda logits, answer: _dlogits(logits, answer) * len(answer),
                "The loss is a mean over n questions: divide by n.",
            ),
            Mistake(
                "the wrong sign",
                lambda logits, answer: -_dlogits(logits, answer),
                "The sign is the other way round: probability minus target.",
            ),
            Mistake(
                "target forgotten",
                lambda logits, answer: softmax(logits) / len(answer),
                "Subtract 1 at the right answer of each question.",
            ),
            Mistake(
                "softmax forgotten",
                lambda logits, answer: (
                    (logits - np.eye(logits.shape[1])[answer]) / len(answer)
                ),
                "You subtracted the target from the logits. Softmax comes first.",
            ),
            Mistake(
                "divided by the number of classes",
                lambda logits, answer: (
                    _dlogits(logits, answer) * len(answer) / logits.shape[1]
                ),
                "You divided by the number of classes. Divide by that of the "
                "questions.",
            ),
            Mistake(
                "divided by the number of logits",
                lambda logits, answer: (
                    _dlogits(logits, answer) * len(answer) / logits.size
                ),
                "You averaged over all the logits. The mean runs over the questions: "
                "divide by n.",
            ),
            Mistake(
                "softmax over the wrong axis",
                lambda logits, answer: (
                    (softmax(logits, axis=0) - _target(logits, answer)) / len(answer)
                ),
                "Your columns sum to 1. The classes of a question share its "
                "probability: axis -1.",
            ),
            Mistake(
                "only the right class",
                lambda logits, answer: (
                    _dlogits(logits, answer) * _target(logits, answer)
                ),
                "The other classes have a gradient, too: their probability, divided "
                "by n.",
            ),
            Mistake(
                "every row with every answer",
                _every_answer,
                "[:, answer] takes all answers in every row. In row i, subtract 1 at "
                "answer[i] alone.",
            ),
            Mistake(
                "the gradient of the probabilities",
                lambda logits, answer: (
                    -_target(logits, answer) / softmax(logits) / len(answer)
                ),
                "That is the gradient with respect to the probabilities. It still has "
                "to go back through softmax.",
            ),
            Mistake(
                "back through softmax twice",
                lambda logits, answer: softmax_backward(
                    softmax(logits), _dlogits(logits, answer)
                ),
                "Probability minus target has come back through softmax already.",
            ),
            Mistake(
                "six classes, as on the page",
                lambda logits, answer: softmax(logits) - np.eye(6)[answer],
                "Your target has six classes. Take as many as the logits have: "
                "logits.shape[1].",
            ),
            Mistake(
                "as many classes as questions",
                lambda logits, answer: softmax(logits) - np.eye(len(answer))[answer],
                "Your target has a column for each question. It needs one for each "
                "class: logits.shape[1].",
            ),
            Mistake(
                "averaged over the questions",
                lambda logits, answer: _dlogits(logits, answer).sum(axis=0),
                "You added up the rows. Each question keeps its row, divided by n.",
            ),
            Mistake(
                "the loss itself",
                lambda logits, answer: cross_entropy(logits, answer)[0],
                "That is the mean loss. Its gradient has the shape of the logits.",
            ),
        ),
        cases=(
            Case((LOGITS34, ANSWER34)),
            Case((LOGITS, ANSWER)),
            Case((LOGITS34 / 8, ANSWER34), "decimals"),
            Case((LOGITS34 - 4, ANSWER34), "negative"),
            Case((LOGITS34[1:2], ANSWER34[1:2]), "wide"),
            Case(
                (np.arange(10.0).reshape(5, 2) % 3, ANSWER34[[0, 2, 2, 0, 2]]), "wide"
            ),
            Case((LOGITS34.astype(int), ANSWER34), "integers"),
            Case((LOGITS34 * 1000, ANSWER34), "large"),
        ),
    ),
    Exercise(
        name="descent",
        call="my_descent(P, G, rate)",
        asked=(
            "Write my_descent(P, G, rate): a new dict with every matrix of P after a "
            "step against its gradient in G. P itself stays as it is."
        ),
        means="All matrices at once, and the old ones are still there to compare.",
        right=_step,
        mistakes=(
            Mistake(
                "uphill",
                lambda P, G, rate: {name: P[name] + rate * G[name] for name in P},
                "You went with the gradient, which points uphill. Go against it: "
                "minus.",
            ),
            Mistake(
                "rate forgotten",
                lambda P, G, rate: {name: P[name] - G[name] for name in P},
                "Your step is the whole gradient. Multiply it by the rate.",
            ),
            Mistake(
                "only the steps",
                lambda P, G, rate: {name: -rate * G[name] for name in P},
                "These are the steps. Add them to the matrices.",
            ),
            Mistake(
                "only the steps",
                lambda P, G, rate: {name: rate * G[name] for name in P},
                "These are the steps. Subtract them from the matrices.",
            ),
            Mistake(
                "names lost",
                lambda P, G, rate: list(_step(P, G, rate).values()),
                "Your matrices have lost their names. Return a dict: {name: … for name "
                "in P}.",
            ),
            Mistake(
                "nothing moved",
                lambda P, G, rate: P,
                "These are the matrices as they came. Subtract rate times the "
                "gradient from each.",
            ),
            Mistake(
                "frozen Wq and Wk",
                lambda P, G, rate: {
                    name: W if name in ("Wq", "Wk") else W - rate * G[name]
                    for name, W in P.items()
                },
                "Wq and Wk did not move, so it never learns where to look.",
            ),
            Mistake(
                "divided by the rate",
                lambda P, G, rate: {name: P[name] - G[name] / rate for name in P},
                "You divided by the rate. Multiply by it: a small rate is a small "
                "step.",
            ),
            Mistake(
                "P and G exchanged",
                lambda P, G, rate: {name: G[name] - rate * P[name] for name in P},
                "You started at the gradient and stepped along the matrix. It is the "
                "other way round.",
            ),
            Mistake(
                "the rate multiplies the matrix, too",
                lambda P, G, rate: {name: rate * (P[name] - G[name]) for name in P},
                "The rate belongs to the gradient alone: P[name] - rate * G[name].",
            ),
            Mistake(
                "only the first matrix",
                lambda P, G, rate: dict([next(iter(_step(P, G, rate).items()))]),
                "Your dict has one matrix alone. Does return stand inside the loop?",
            ),
            Mistake(
                "gradients taken in their order",
                lambda P, G, rate: {
                    name: W - rate * dW
                    for (name, W), dW in zip(P.items(), G.values(), strict=True)
                },
                "You took the gradients in the order in which they stand in G. It "
                "need not be that of P: use G[name].",
            ),
            Mistake(
                "names written into the code",
                lambda P, G, rate: {name: P[name] - rate * G[name] for name in QKV},
                "Wq, Wk and Wv are the names of one model. Take those that P has.",
            ),
        ),
        cases=_steps,
    ),
)

PAGE = Page(
    number=8, topic="attention learns", questions=QUESTIONS, exercises=EXERCISES
)
