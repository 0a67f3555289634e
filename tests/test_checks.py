"""The checks: what is said of an answer, and what no answer can do to them."""

import dataclasses
import sys
import threading
import time
from decimal import Decimal
from fractions import Fraction

import nbformat
import numpy as np
import pytest
from nbclient import NotebookClient

import helpers
from helpers import positions
from helpers.exercises import checks, progress, running
from helpers.exercises.catalogue import CHANGED, EXERCISES
from helpers.exercises.checks import check, judge
from helpers.exercises.model import PAGE_SEED, Mistake

from .conftest import TOP
from .exercises.common import printed, solution


@pytest.mark.parametrize(
    ("name", "value", "near"),
    [
        ("weight_ratio", 7.4, True),
        ("weight_ratio", 7, False),
        ("score_gap", 0.10, True),
        ("score_gap", 0.12, False),
        ("even_loss", 2.1, True),
        ("two_scores", (0.25, 0.8), False),
        ("one_score", 0.99, False),
        ("weight_ratio", 7.38, True),
        ("weight_ratio", 7.42, None),
        ("even_loss", 2.09, None),
        ("two_scores", (0.25, 0.76), None),
    ],
)
def test_too_few_digits_are_asked_for(name, value, near):
    """Red: a right number is called wrong, or a whole number should get digits."""
    said = {
        True: "Nearly: give more digits.",
        None: "Nearly, but not exactly.",
        False: "That is not it.",
    }[near]
    assert judge(name, value).text == f"Not yet. {said}"


def test_a_mistake_says_where_it_shows():
    """Red: the row and the number that it should be are missing or wrong."""
    assert judge("softmax", EXERCISES["softmax"].mistakes[0].answer).text == (
        "Not yet: softmax over the wrong axis. Your columns sum to 1: each key shares "
        "itself out\namong the queries. A query is a row, so sum along the last axis, "
        "-1.\nRow 0, column 0 should be 0.117; yours is 0.0453, with"
        "\n  scores = [[1, -1, 3], [1, 2, 0], [4, 1, 2]]"
    )


def test_a_fixed_number_of_rows_is_refused():
    """Red: rows that are counted by hand in the code are right by chance."""
    fixed = judge("weight_on_right", lambda w, place: w[[0, 1, 2], place].mean())
    assert fixed.kind == "error" and "IndexError" in fixed.text


def test_true_and_false_are_told_from_numbers():
    """Red: the reader has to know what a dtype is called."""
    text = judge("causal_mask", lambda n: np.tri(n)).text.replace("\n", " ")
    assert "The result should hold True and False; yours holds numbers" in text


def test_something_else_shows_the_smallest_input():
    """Red: an unknown mistake leaves the reader without an example."""
    text = judge("scores", lambda Q, K: Q @ K.mT * 0 + 7).text
    assert text == (
        "Not yet. The smallest input on which your function is wrong:"
        "\n  Q = [[1, 2], [0, 3]]\n  K = [[2, 1], [4, 0]]"
        "\n  expected [[2.828, 2.828], [2.121, 0]]\n  got [[7, 7], [7, 7]]"
        "\nRow 0, column 0 should be 2.83; yours is 7."
    )


def forgets_return(scores):
    exps = np.exp(scores)
    exps / exps.sum()


@pytest.mark.parametrize(
    ("name", "answer", "said"),
    [
        ("softmax", forgets_return, "returns nothing. Is the return missing?"),
        (
            "softmax",
            [[0.5, 0.5]],
            "Give the function itself: check.softmax(my_softmax)",
        ),
        ("one_score", lambda: 1, "Give the result, a value, not a function."),
        ("softmax", lambda s: [[1], [2, 3]], "rows of your answer have different"),
        ("softmax", lambda s: "half", "It should be numbers; your answer is 'half'"),
        ("project", lambda X, *W: X @ W[0], "Return 3 things: Q, K, V."),
        ("self_attention", lambda X, *W: (X, None), "It should be numbers"),
        ("two_scores", 0.25, "The answer has 2 numbers."),
        ("shuffled_output", [5, 6], "The answer has 3 rows."),
        ("query_for_love", [1, 2], "The answer has three numbers."),
        ("query_for_love", [[0, 30, 0]], "The answer has three numbers."),
        ("query_for_love", "love", "This is not the kind of answer"),
        ("softmax", lambda s: {"a": 1}, "The result is missing."),
    ],
)
def test_an_answer_of_another_form_is_explained(name, answer, said):
    """Red: a slip of the form is answered with a riddle, or with an error."""
    verdict = judge(name, answer)
    assert verdict.kind in ("form", "wrong")
    assert said in verdict.text.replace("\n", " ")


def stops(scores):
    exps = np.exp(scores)
    return exps / exps.summ(axis=-1)


def stops_deeper(scores):
    return stops(scores)


@pytest.mark.parametrize("answer", [stops, stops_deeper])
def test_an_exception_is_explained_with_the_readers_line(answer):
    """Red: the reader sees our traceback instead of a sentence about the own line."""
    line = stops.__code__.co_firstlineno + 2
    verdict = judge("softmax", answer)
    assert verdict.kind == "error" and verdict.text.startswith("Not yet. ")
    text = verdict.text.replace("\n", " ")
    assert "AttributeError: 'numpy.ndarray' object has no attribute 'summ'" in text
    assert f"in your line {line}: return exps / exps.summ(axis=-1)" in text


def test_a_line_that_stops_is_not_run_together_with_the_input():
    """Red: the words after the reader's own line look like code."""
    text = judge("scores", lambda Q, K: Q @ K.T / Q.shape[-1] ** 0.5).text
    assert text.startswith("Not yet: works only for 2-D. ") and "use @" in text
    assert "\nIt was tried on\n  Q = an array" in text and "with\n" not in text
    assert "your answer is '(5, 2)'." in judge("query_shape", "(5, 2)").text


def test_other_ways_to_stop_are_explained():
    """Red: a wrong signature or sys.exit ends the page."""
    text = judge("softmax", lambda: 3).text.replace("\n", " ")
    assert "TypeError" in text and "It is called as my_softmax(scores)." in text
    assert "SystemExit" in judge("softmax", lambda scores: sys.exit(1)).text


def endless(scores):
    while True:
        pass


def endless_and_stubborn(scores):
    for _ in range(3):
        try:
            while True:
                pass
        except:  # noqa: E722
            pass
    while True:
        pass


def endless_on_a_batch(scores):
    while np.ndim(scores) > 2:
        pass
    return solution("softmax")(scores)


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize(
    ("answer", "tried"),
    [
        (endless, "scores = [[1, -1, 3], [1, 2, 0], [4, 1, 2]]"),
        (endless_and_stubborn, "scores = [[1, -1, 3], [1, 2, 0], [4, 1, 2]]"),
        (endless_on_a_batch, "scores = an array of shape (2, 3, 3)"),
    ],
)
def test_an_endless_loop_is_stopped(answer, tried, monkeypatch):
    """Red: one endless loop blocks the page, or keeps a thread busy for ever."""
    assert running.LIMIT == 5
    monkeypatch.setattr(running, "LIMIT", 0.3)
    threads, trace, began = threading.active_count(), sys.gettrace(), time.monotonic()
    verdict = judge("softmax", answer)
    assert time.monotonic() - began < 2
    assert verdict.kind == "endless"
    assert "did not finish within 0.3 seconds" in verdict.text.replace("\n", " ")
    assert tried in verdict.text
    assert (threading.active_count(), sys.gettrace()) == (threads, trace)


@pytest.mark.parametrize(
    "huge", [np.zeros((3000, 3000)), "x" * 10**6, [[1.0] * 40] * 40, 10.0**300]
)
def test_a_huge_answer_is_cut(huge):
    """Red: the page is filled with the digits of a wrong answer."""
    assert len(judge("softmax", lambda scores: huge).text) < 600
    assert len(judge("one_score", huge).text) < 600


def test_a_check_leaves_its_inputs_and_the_answer_as_they_were():
    """Red: one wrong answer spoils the inputs for the next."""

    def spoil(scores):
        scores[...] = 0
        return scores

    for _ in range(2):
        assert judge("softmax", spoil).name == CHANGED.name
    assert judge("softmax", solution("softmax")).kind == "right"


CELLS = (
    "from helpers.exercises import check, progress, running\nrunning.LIMIT = 1",
    "def mine(scores):\n    x = 1\n    while x:\n        x += 1\n\ncheck.softmax(mine)",
    "def mine(scores):\n    print('here')\n    return scores.nothing\n\n"
    "check.softmax(mine)",
    "check.two_scores((0.25, 0.75))",
    "print(progress.path(), sorted(progress.read().solved))",
)


def test_in_a_real_kernel():
    """Red: in a notebook loops are not stopped, or lines and prints get lost."""
    cells = [nbformat.v4.new_code_cell(source) for source in CELLS]
    notebook = nbformat.v4.new_notebook(cells=cells)
    NotebookClient(notebook, timeout=60, kernel_name="python3").execute()
    outputs = [c.outputs for c in notebook.cells]
    assert all(
        o.output_type == "stream" and o.name == "stdout" for x in outputs for o in x
    )
    texts = ["".join(o.text for o in x) for x in outputs]
    assert texts[1].startswith("Not yet: your function was stopped")
    assert texts[2].startswith("here\n")
    assert "in your line 3: return scores.nothing" in texts[2].replace("\n", " ")
    assert texts[3].startswith("Right. ")
    assert str(TOP) not in texts[4], "the kernel would write the reader's own progress"
    assert "two_scores" in texts[4]


def test_an_exercise_that_does_not_exist():
    """Red: a typing error is answered with None."""
    with pytest.raises(AttributeError, match="no exercise is called 'sofmax'"):
        check.sofmax(None)
    assert dir(check) == sorted(EXERCISES)


def test_a_solved_exercise_is_recorded(tmp_path, monkeypatch):
    """Red: progress is kept for a wrong answer, or not for a right one."""
    monkeypatch.setenv("ATTENTION_PROGRESS", str(tmp_path / "p.json"))
    printed(check.one_score, 5)
    assert progress.read() == (set(), "", True)
    assert printed(check.one_score, 1).startswith("Right. ")
    assert progress.read() == ({"one_score"}, "", True)


class Refusing:
    """A result that will not become an array, as a tensor that wants its gradient."""

    def __array__(self, *_, **__):
        raise RuntimeError("detach me first")


def test_a_result_that_cannot_be_read_is_not_blamed_on_a_line():
    """Red: the reader is shown a line of ours, or of a library, as their own."""
    text = judge("softmax", lambda scores: Refusing()).text.replace("\n", " ")
    assert "cannot be read as numbers: RuntimeError: detach me first" in text
    assert "in your line" not in text


def test_of_two_mistakes_the_nearer_one_is_named():
    """Red: the first mistake within reach is named, whichever the answer was."""
    assert judge("scaled_score", 1.34).name == "scaled by d_k"
    first = Mistake("first", 1.0, "One.")
    second = Mistake("second", 1.008, "Two.")
    drawn = EXERCISES["scaled_score"].at(PAGE_SEED)
    drawn = dataclasses.replace(drawn, mistakes=(first, second))
    for value, name in ((1.001, "first"), (1.0075, "second")):
        outcomes = checks.run("scaled_score", value)
        mistake, _ = checks._named(drawn, outcomes, 0)
        assert mistake.name == name


# ---- forms of a right answer


@pytest.mark.parametrize(
    ("name", "answer"),
    [
        ("two_scores", (Fraction(1, 4), Fraction(3, 4))),
        ("two_scores", [Decimal("0.25"), Decimal("0.75")]),
        ("two_scores", ("1/4", " 0.75 ")),
        ("two_scores", (x / 4 for x in (1, 3))),
        ("two_scores", {"a": 0.25, "b": 0.75}.values()),
        ("two_scores", np.array([[0.25, 0.75]], dtype=object)),
        ("one_score", [1]),
        ("one_score", [[np.float32(1)]]),
        ("one_score", "1.0"),
        ("one_score", np.array("1")),
        ("jacobian_entry", str(EXERCISES["jacobian_entry"].right).replace("-", "−")),
        ("project", lambda X, *W: (X @ w for w in W)),
        ("shifted_targets", lambda t: np.stack([t[..., :-1], t[..., 1:]])),
        ("softmax", lambda scores: iter(solution("softmax")(scores).tolist())),
    ],
)
def test_what_can_only_mean_the_right_numbers_is_right(name, answer):
    """Red: a right answer is refused for the form in which it was written."""
    assert judge(name, answer).kind == "right"


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ("0,25", "Write a point, not a comma: 0.25."),
        (np.ma.array([0.25, 0.75], mask=[0, 1]), "It should be numbers"),
        ("1/0", "It should be numbers; your answer is '1/0'."),
        ({0.25, 0.75}, "It should be numbers"),
        (1j, "It should be numbers"),
        (10**400, "cannot be read as numbers: OverflowError"),
        (iter(int, 1), "The answer has 2 numbers."),
    ],
)
def test_what_can_mean_several_things_is_asked_about(answer, said):
    """Red: an answer is guessed at, or an endless generator fills the memory."""
    assert said in judge("two_scores", answer).text


# ---- what is off in one way on every input


def spoiled(name, change):
    """A right function, or value, with its result changed."""
    right = solution(name)
    if not EXERCISES[name].arguments:
        return change(right)
    return lambda *args: change(right(*args))


@pytest.mark.parametrize(
    ("name", "change", "mistake", "said"),
    [
        ("scores", np.negative, "the wrong sign", "The result: the size"),
        ("project", lambda r: (-r[0], *r[1:]), "the wrong sign", "Q: the size"),
        ("project", lambda r: (r[0], -r[1], -r[2]), "the wrong sign", "K, V: the size"),
        ("mix", np.matrix_transpose, "rows and columns exchanged", "is transposed"),
        ("loss", lambda r: [r], "an axis of length 1", "the numbers are right"),
        ("entropy", lambda r: r[..., None], "an axis of length 1", "keepdims=True"),
        ("softmax", lambda r: r.round(3), "rounded", "point: 3)"),
        ("softmax", lambda r: r * 1.0001, "nearly right", "right to 4 digits"),
        ("mix", lambda r: 3 * r, "a factor", "is 3 times"),
        ("descent", lambda r: {n: -x for n, x in r.items()}, "the wrong sign", "Wq, "),
        ("mix", lambda r: r * r.size, "a factor that changes with the input", "here"),
    ],
)
def test_a_slip_on_every_input_is_named(name, change, mistake, said):
    """Red: an answer that is off in one simple way gets two tables to compare."""
    verdict = judge(name, spoiled(name, change))
    assert verdict.name == mistake
    assert said in verdict.text.replace("\n", " ")


@pytest.mark.parametrize(
    ("name", "wrong", "mistake"),
    [
        ("weight_ratio", -np.exp(2), "the wrong sign"),
        ("weight_ratio", 100 * np.exp(2), "the decimal point"),
        ("dscores", EXERCISES["dscores"].right[::-1], "order exchanged"),
        ("sum_of_weights", 5, "off by one"),
    ],
)
def test_a_slip_of_a_value_is_named(name, wrong, mistake):
    """Red: a number that is off in one simple way gets "That is not it."."""
    assert judge(name, wrong).name == mistake


def test_a_slip_on_some_inputs_alone_is_no_slip():
    """Red: a cause is named that was not tested on every input."""

    answer = spoiled("mix", lambda r: r.mT if r.shape == (3, 2) else r)
    assert (judge("mix", answer).kind, judge("mix", answer).name) == ("wrong", "")


def test_no_factor_makes_a_number_of_nothing():
    """Red: "1 times what it should be", where 0 is right."""
    one_key = np.ones((1, 1))
    answer = lambda w, T: 7.0 if np.size(w) == 1 else solution("loss")(w, T)  # noqa: E731
    assert answer(one_key, one_key) == 7
    assert "factor" not in judge("loss", answer).name
    answer = spoiled("gradient_step", lambda r: r + (abs(r).max() > 1000))
    assert judge("gradient_step", answer).name != "nearly right"


def test_numbers_in_place_of_true_and_false_are_no_slip():
    """Red: a table of numbers where True and False are asked ends in a traceback."""
    verdict = judge("padding_mask", spoiled("padding_mask", lambda r: r * 1e9))
    assert "should hold True and False" in verdict.text.replace("\n", " ")


def function_of_a_page(source, **page):
    """Define a function in a page whose variables these are."""
    page["np"] = np
    exec(source, page)
    return page["mine"]


READ = "def mine(weights, values):\n    return w @ values"
DEEPER = "def mine(weights, values):\n    return (lambda: weights @ V)()"
OTHER_SHAPE = "def mine(scores):\n    return scores + S"
NUMBER = "def mine(Q, K):\n    return Q @ K.mT / d_k ** 0.5"
HARMLESS = "def mine(weights, values):\n    return weights @ values * 2 + 0 * tiny"


@pytest.mark.parametrize(
    ("name", "source", "page", "said"),
    [
        ("mix", READ, {"w": np.ones((3, 3))}, "depends on w,"),
        ("mix", DEEPER, {"V": np.ones((3, 2)), "w": np.eye(3)}, "depends on V,"),
        ("softmax", OTHER_SHAPE, {"S": np.ones((7, 5))}, "depends on S,"),
        ("scores", NUMBER, {"d_k": 3}, "depends on d_k,"),
    ],
)
def test_a_function_that_reads_the_page_is_told_so(name, source, page, said):
    """Red: the commonest slip in a notebook gets two tables to compare."""
    verdict = judge(name, function_of_a_page(source, **page))
    assert verdict.name == "a variable of the page is read"
    assert said in verdict.text.replace("\n", " ")


def test_a_variable_without_effect_is_not_blamed():
    """Red: a function is blamed for a variable that does not change its result."""
    answer = function_of_a_page(HARMLESS, tiny=1e-9)
    assert judge("mix", answer).name == "a factor"


def test_a_right_function_may_read_the_page():
    """Red: a constant of the page makes a right answer wrong."""
    answer = function_of_a_page(
        "def mine(weights, values):\n    return weights @ values * one", one=1.0
    )
    assert judge("mix", answer).kind == "right"


# ---- the input


def test_the_failing_input_can_be_had():
    """Red: the reader cannot run the function on the input on which it is wrong."""
    assert check.softmax.input.shape == (3, 3)
    answer = lambda X, *W: X * 7  # noqa: E731
    text = printed(check.multi_head, answer)
    line = "X, Wq, Wk, Wv, Wo, n_heads = check.multi_head.input"
    assert f"\n  {line}\n" in text + "\n"
    page = {"check": check}
    exec(line, page)
    assert f"Wo = an array of shape {page['Wo'].shape}" in text
    page["X"][:] = 0
    assert check.multi_head.input[0].any(), "the input is the reader's to change"
    with pytest.raises(AttributeError, match="one_score asks for a value"):
        check.one_score.input  # noqa: B018


# ---- what answers do to the checks


class Mute(Exception):
    """An exception that will not say what it is."""

    def __str__(self):
        raise RuntimeError


def raises(error):
    def answer(scores):
        raise error

    return answer


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (Mute(), "Your function stopped with Mute: <Mute>"),
        (KeyboardInterrupt(), "Your function stopped with KeyboardInterrupt"),
        (GeneratorExit(), "Your function stopped with GeneratorExit"),
    ],
)
def test_any_exception_is_told(error, said):
    """Red: an exception is called an endless loop, or leaves a traceback of ours."""
    assert said in judge("softmax", raises(error)).text


def test_an_answer_that_fails_while_it_is_read_keeps_its_line():
    """Red: a line of the course is shown as the reader's."""

    def answer(scores):
        return (1 / 0 for _ in scores)

    text = judge("softmax", answer).text.replace("\n", " ")
    assert "in your line" in text and "return (1 / 0 for _ in scores)" in text


def test_what_an_answer_prints_is_cut(capsys):
    """Red: a print in a loop fills the page, or each is shown twice."""

    def noisy(scores):
        print("once")
        print("x" * 10**6)

    judge("softmax", noisy)
    out = capsys.readouterr().out
    assert out.count("once") == 1 and len(out) < 3000 and out.endswith(" …\n")


def test_a_slow_answer_is_not_called_endless(monkeypatch):
    """Red: the time of all inputs is counted together."""
    monkeypatch.setattr(running, "LIMIT", 0.3)

    def slow(scores):
        time.sleep(0.1)
        return solution("softmax")(scores)

    assert judge("softmax", slow).kind == "right"


def test_a_result_that_changes_is_told():
    """Red: random numbers, or what is kept between calls, get another name."""
    calls = []

    def every_second(scores):
        calls.append(1)
        return solution("softmax")(scores) * (1 + len(calls) % 2)

    assert judge("softmax", every_second).name == "another result the second time"


def test_a_function_of_the_course_is_no_answer():
    """Red: helpers.softmax solves "without helpers.softmax"."""
    for function in (helpers.softmax, positions.rotate):
        verdict = judge("softmax", function)
        assert (verdict.kind, "Give your own" in verdict.text) == ("form", True)


def test_numpy_under_another_name_is_noticed(monkeypatch):
    """Red: after np.exp = … every answer is wrong, and nobody says why."""
    monkeypatch.setattr(np, "exp", 2.718)
    assert "np.exp is not NumPy's own" in judge("softmax", np.sin).text
