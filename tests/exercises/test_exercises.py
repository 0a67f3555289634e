"""Every exercise: its solution, other right answers, and wrong ones by their names.

The modules e01_… beside this one hold the answers of a page.
"""

import pickle
import re
from importlib import import_module

import pytest

from helpers.exercises.catalogue import CHANGED, EXERCISES, FOR_TAG, MODULES, PAGES
from helpers.exercises.checks import check, decide, judge, run
from helpers.exercises.model import PAGE_SEED
from helpers.language import say

from ..common import FORBIDDEN
from .common import in_place, only_matrices, printed, solution, truncated

ANSWERS = [import_module(f"tests.exercises.{name}") for name in MODULES]
ALSO_RIGHT = {k: v for page in ANSWERS for k, v in page.ALSO_RIGHT.items()}
NAMED = [row for page in ANSWERS for row in page.NAMED]
NAMES = pytest.mark.parametrize("name", EXERCISES)


def on_page(name, text):
    """Return a text with the numbers that it has on the page."""
    return say(text, **EXERCISES[name].numbers)


def ours(answer):
    """Give a function of the course's as if a reader had written it."""
    return (lambda *args: answer(*args)) if callable(answer) else answer


# ---- right answers


@NAMES
def test_the_solution_is_accepted(name):
    """Red: the printed solution does not pass its own check."""
    verdict = judge(name, solution(name))
    assert verdict.kind == "right", verdict.text
    assert on_page(name, EXERCISES[name].means) in verdict.text.replace("\n", " ")


@pytest.mark.parametrize(
    ("name", "answer"), [(n, a) for n, answers in ALSO_RIGHT.items() for a in answers]
)
def test_another_right_answer_is_accepted(name, answer):
    """Red: right numbers are refused because they were computed in another way."""
    verdict = judge(name, answer)
    assert verdict.kind == "right", verdict.text


def test_every_function_has_another_right_answer():
    """Red: an exercise was added whose check has only met its own solution."""
    functions = {e.name for e in EXERCISES.values() if e.arguments}
    assert functions <= set(ALSO_RIGHT) <= set(EXERCISES)


def test_the_answers_stand_with_their_page():
    """Red: the answers of one page are looked for in the file of another."""
    for page, answers in zip(PAGES, ANSWERS, strict=True):
        here = {exercise.name for exercise in page.exercises}
        assert {*answers.ALSO_RIGHT, *(row[0] for row in answers.NAMED)} <= here


# ---- wrong answers


def with_tag(tag):
    return [
        e.name
        for e in EXERCISES.values()
        if tag in [c.tag for c in e.at(PAGE_SEED).cases]
    ]


ARRAYS = [  # not the functions of whole numbers alone
    e.name
    for e in EXERCISES.values()
    if e.arguments and not isinstance(e.at(PAGE_SEED).cases[0].args[0], int)
]
LIKE_SECOND = "mix", "softmax_backward"
INTEGER_FIRST = [name for name in with_tag("integers") if name not in LIKE_SECOND]
INJECTED = [
    *((name, in_place, CHANGED) for name in ARRAYS),
    *((name, truncated, FOR_TAG["integers"]) for name in INTEGER_FIRST),
    *((name, only_matrices, FOR_TAG["batch"]) for name in with_tag("batch")),
]


def mistakes():
    """Every wrong answer of the catalogue, and the general ones, put into solutions."""
    for e in EXERCISES.values():
        for mistake in e.at(PAGE_SEED).mistakes:
            yield e.name, mistake.name, ours(mistake.answer)
    for name, spoil, mistake in INJECTED:
        yield name, mistake.name, spoil(solution(name))
    for name, answer, mistake in NAMED:
        if mistake:
            yield name, mistake, answer


def test_the_table_of_mistakes(capsys):
    """Red: a wrong answer is accepted, or is called by another mistake's name."""
    failed = []
    for name, mistake, answer in mistakes():
        verdict = judge(name, answer)
        good = verdict.kind == "mistake" and verdict.name == mistake
        print(f"{name:20} {mistake:45} {'named' if good else verdict}")
        if not good:
            failed.append((name, mistake, verdict))
    assert not failed, f"named otherwise, see the tags of the cases, too: {failed}"


@pytest.mark.parametrize(("name", "answer"), [row[:2] for row in NAMED if not row[2]])
def test_an_unknown_mistake_gets_no_name(name, answer):
    """Red: an answer that a reader gave is accepted, or blamed for something else."""
    verdict = judge(name, answer)
    assert (verdict.kind, verdict.name) == ("wrong", "")


def test_infinity_is_no_query():
    """Red: ∞ − ∞ on the way to the weights is called an undecided query."""
    verdict = judge("query_for_love", (0, float("inf"), 0))
    assert verdict.kind == "form" and "finite" in verdict.text


def test_the_mistakes_that_the_course_promises_to_name():
    """Red: a mistake that readers are told about has no name any more."""
    named = {(name, mistake) for name, mistake, _ in mistakes()}
    promised = {
        "softmax": (
            "softmax over the wrong axis",
            "softmax over the whole matrix",
            "maximum not subtracted",
            "keepdims missing",
            "arg-max instead of average",
            CHANGED.name,
            *(FOR_TAG[tag].name for tag in ("integers", "wide", "batch")),
        ),
        "self_attention": (
            "no scale",
            "scaled by d_k",
            "scaled by d_model",
            "multiplied instead of divided",
            "Kᵀ forgotten",
            "Q and K exchanged",
            "weightsᵀ V",
            "scores used as weights",
            "values projected with Wk",
            "arg-max instead of average",
        ),
        "masked_weights": (
            "mask inverted",
            "mask added as 0/1",
            "mask applied after softmax",
        ),
        "causal_mask": (
            "mask inverted",
            "off by one: its own position hidden",
            "off by one: the next token in sight",
        ),
    }
    assert {(e, m) for e, names in promised.items() for m in names} <= named


@NAMES
def test_a_value_is_never_given_away(name):
    """Red: a wrong number on paper is answered with the right one."""
    if EXERCISES[name].arguments:
        return
    for wrong in (1234.5, [1234.5], [[1, 2], [3, 4.5], [5, 6]], "x"):
        verdict = judge(name, wrong)
        assert verdict.kind in ("wrong", "form", "mistake"), wrong
        assert re.search(
            "That is not it|The answer |It should|not the kind|No key has", verdict.text
        )


@NAMES
def test_an_empty_answer_is_not_solved_yet(name):
    """Red: a page with stubs looks wrong, or looks solved."""
    exercise = EXERCISES[name]
    stubs = [None, ..., NotImplemented]
    if exercise.arguments:

        def raises(*_):
            raise NotImplementedError

        stubs += [lambda *_: None, lambda *_: ..., raises]
    for stub in stubs:
        verdict = judge(name, stub)
        assert verdict.kind == "unsolved"
        asked = on_page(name, exercise.asked)
        assert verdict.text.replace("\n", " ") == f"Not solved yet: {asked}"
    assert printed(getattr(check, name), None) == f"{verdict.text}\n"


@NAMES
def test_an_exercise_is_well_formed(name):
    """Red: a text breaks the style, or a mistake is no mistake."""
    exercise = EXERCISES[name]
    texts = [exercise.asked, exercise.means, *(m.text for m in exercise.mistakes)]
    assert not any(FORBIDDEN.search(text) for text in texts)
    assert all(text.endswith((".", "?", ".5).")) for text in texts), texts
    assert exercise.title.startswith("my_")
    assert len(exercise.mistakes) >= 3
    assert bool(exercise.arguments) == bool(exercise.cases)
    if exercise.arguments:
        assert exercise.call in exercise.asked
    drawn = exercise.at(PAGE_SEED)
    for mistake in drawn.mistakes:
        outcomes = run(name, mistake.answer, drawn.cases)
        assert decide(name, outcomes).kind == "mistake", mistake.name


def test_the_tags_of_cases_are_known():
    """Red: a case has a tag that no message belongs to."""
    tags = {c.tag for e in EXERCISES.values() for c in e.at(PAGE_SEED).cases}
    assert tags <= {"", *FOR_TAG}


# ---- other seeds


@NAMES
@pytest.mark.parametrize("seed", [1, 2])
def test_an_exercise_with_other_numbers(name, seed):
    """Red: numbers were drawn on which the right answer or a mistake is another."""
    exercise = EXERCISES[name]
    if not (callable(exercise.cases) or exercise.draw):
        return
    drawn = exercise.at(seed)
    assert judge(name, ours(drawn.right), seed).kind == "right"
    for mistake in drawn.mistakes:
        verdict = judge(name, ours(mistake.answer), seed)
        assert (verdict.kind, verdict.name) == ("mistake", mistake.name)


def test_some_exercises_draw_their_numbers():
    """Red: nothing is drawn any more, so that nothing above is tested."""
    functions = [e for e in EXERCISES.values() if callable(e.cases)]
    values = [e for e in EXERCISES.values() if e.draw]
    assert len(functions) >= 10 and len(values) >= 3
    for exercise in functions:
        assert repr(exercise.at(1).cases) != repr(exercise.at(2).cases)
    for exercise in values:
        page, drawn = exercise.at(PAGE_SEED), exercise.at(1)
        assert page.numbers == exercise.numbers != drawn.numbers
        answer = exercise.at(PAGE_SEED).right
        assert judge(exercise.name, answer).kind == "right"
        assert judge(exercise.name, answer, 1).kind != "right"


def test_an_answer_can_be_run_elsewhere_and_judged_here():
    """Red: outcomes do not survive being sent from one process to another."""
    for name, answer, kind in [
        ("softmax", solution("softmax"), "right"),
        ("softmax", lambda scores: scores.nothing, "error"),
        ("softmax", lambda scores: [[1], [2, 3]], "form"),
        ("softmax", lambda scores: scores, "mistake"),
        ("softmax", None, "unsolved"),
        ("one_score", 1, "right"),
    ]:
        outcomes = run(name, answer, EXERCISES[name].at(PAGE_SEED).cases)
        sent = pickle.loads(pickle.dumps(outcomes))
        verdict = decide(name, sent)
        assert verdict.kind == kind
        assert verdict == judge(name, answer)
