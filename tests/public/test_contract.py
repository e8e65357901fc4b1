"""One contract for every public function: forms, shapes, types, out, workers, tolerances, refusals.

What they have in common is tested here and nowhere else; the functions themselves stand in
`tests/contract.py`.
"""

from __future__ import annotations

import copy
import inspect
import math
import pickle
import re
import sys
from typing import Any

import numpy as np
import pytest

import ninthgeom
from ninthgeom import TOLERANCE, Bases, Board, Polygons, Segments, _arrays, _parallel, skirmish, t9a
from tests.contract import EXEMPT, LIMITS, QUESTIONS, Batch, Question

ELEMENTWISE = [question for question in QUESTIONS if question.leading is None]


def each(questions: list[Question]) -> Any:
    return pytest.mark.parametrize("question", questions, ids=str)


def with_option(name: str) -> list[Question]:
    return [question for question in QUESTIONS if question.has(name)]


def is_container(batch: Batch) -> bool:
    return not isinstance(batch.values, np.ndarray)


def array_arguments(kind: str) -> Any:
    """Arguments that are arrays of floats, kind "f", or of truth values, "b"."""
    return pytest.mark.parametrize(
        ("question", "name"),
        [
            pytest.param(question, name, id=f"{question}-{name}")
            for question in QUESTIONS
            for name, batch in question.make(1).items()
            if not is_container(batch) and batch.values.dtype.kind == kind
        ],
    )


def assert_same(found: list[Any], expected: list[Any]) -> None:
    assert len(found) == len(expected)
    for one, other in zip(found, expected, strict=True):
        assert one.dtype == other.dtype
        np.testing.assert_array_equal(one, other, strict=True)


def test_every_public_name_is_registered_or_exempt() -> None:
    public = set(ninthgeom.__all__)
    public |= {
        f"{module.__name__.partition('.')[2]}.{name}" for module in (skirmish, t9a) for name in module.__all__
    }
    for owner in (Bases, Board, Polygons, Segments):
        public |= {
            f"{owner.__name__}.{name}"
            for name, member in inspect.getmembers(owner)
            if (inspect.isfunction(member) or inspect.ismethod(member)) and not name.startswith("_")
        }
    registered = [question.name for question in QUESTIONS]
    assert len(QUESTIONS) == len(set(map(str, QUESTIONS)))
    assert not set(registered) & set(EXEMPT)
    assert {*registered, *EXEMPT} == public


@each(QUESTIONS)
def test_form_of_the_call(question: Question) -> None:
    parameters = inspect.signature(question.function).parameters.values()
    names = []
    for parameter in parameters:
        if parameter.kind is parameter.KEYWORD_ONLY and "*" not in names:
            names.append("*")
        names.append(parameter.name)
    assert ", ".join(names) == question.form
    defaults = {parameter.name: parameter.default for parameter in parameters}
    for option, default in (("tol", TOLERANCE), ("out", None), ("workers", 1)):
        assert defaults.get(option, default) == default


# ---------------------------------------------------------------------------------- shapes

# Axes of one argument, of the other or of both, and axes of length 1; a third argument is as the first.
SHAPES = [
    ((), ()),
    ((1,), ()),
    ((1,), (1,)),
    ((0,), ()),
    ((), (0,)),
    ((0,), (0,)),
    ((0, 3), (3,)),
    ((3, 0), (1, 1)),
    ((3, 0), (3, 1)),
    ((2, 0, 1), (5,)),
    ((7,), ()),
    ((), (7,)),
    ((7,), (7,)),
    ((1,), (7,)),
    ((5, 1), (6,)),
    ((6,), (5, 1)),
    ((5, 1), (1, 6)),
    ((4, 5), (5,)),
    ((4, 1), (4, 5)),
    ((4, 5), (4, 1)),
    ((2, 4, 1), (2, 1, 3)),
    ((2, 1, 3), (2, 4, 1)),
    ((4, 1), (2, 1, 3)),
    ((2, 4, 1), (3,)),
    ((2, 1, 3), (4, 1)),
    ((2, 1, 3), (1, 4, 3)),
    ((2, 1, 3), (4, 3)),
    ((2, 3, 1, 1), (2, 3, 2, 2)),
    ((2, 1, 2, 1), (1, 2, 1, 3)),
    ((2, 1, 2, 1, 2), (3, 2, 2, 2)),
    ((1, 1, 1), (1,)),
]


@each(ELEMENTWISE)
def test_a_broadcast_is_the_loop_over_its_pairs(question: Question, monkeypatch: pytest.MonkeyPatch) -> None:
    batches = question.make(24)
    # of polygons and bases, test_laws.py asks about more
    assert question.note or any(len(np.unique(p)) > 1 for p in question.parts(question.arguments((24,))))
    single: dict[tuple[int, ...], list[Any]] = {}  # answers by places; shapes have many pairs in common
    for shapes in SHAPES:
        own = {name: shapes[i % 2] for i, name in enumerate(batches)}
        shape = np.broadcast_shapes(*own.values())
        places = {
            name: np.broadcast_to(np.arange(math.prod(axes)).reshape(axes), shape).ravel()
            for name, axes in own.items()
        }
        found = question.parts({name: batches[name].shaped(axes) for name, axes in own.items()})
        with monkeypatch.context() as patch:
            patch.setattr(_arrays, "BLOCK", 4)  # the form for larger batches where no kernel form fits
            assert_same(
                question.parts({name: batches[name].shaped(axes) for name, axes in own.items()}), found
            )
        pairs = list(zip(*(places[name].tolist() for name in batches), strict=True))
        assert len(pairs) == math.prod(shape)
        for pair in set(pairs) - set(single):
            alone = {name: batches[name].item(i) for name, i in zip(batches, pair, strict=True)}
            single[pair] = question.parts(alone)
        loop = [single[pair] for pair in pairs]
        assert len(found) == len(question.answers)
        for k, (kind, axes) in enumerate(question.answers):
            assert found[k].dtype == kind
            assert found[k].shape == shape + axes, own
            expected = np.array([answer[k] for answer in loop], kind).reshape(shape + axes)
            np.testing.assert_array_equal(found[k], expected, err_msg=str(own))


@each([question for question in QUESTIONS if question.leading is not None])
def test_types_of_answers_that_do_not_broadcast(question: Question) -> None:
    found = question.parts(question.arguments(question.leading or ()))
    for answer, (kind, axes) in zip(found, question.answers, strict=True):
        assert answer.dtype == kind
        assert axes in (answer.shape[: len(axes)], answer.shape[answer.ndim - len(axes) :])


@each(ELEMENTWISE)
def test_single_values_give_scalars(question: Question) -> None:
    for answer, (kind, axes) in zip(question.parts(question.arguments(())), question.answers, strict=True):
        assert isinstance(answer, np.ndarray if axes or not question.is_scalar else kind)
        assert np.shape(answer) == axes
    for answer in question.parts(question.arguments((1,))):
        assert isinstance(answer, np.ndarray)


@each([question for question in ELEMENTWISE if len(question.takes) > 1])
def test_shapes_that_do_not_broadcast(question: Question) -> None:
    batches = question.make(3)
    names = list(batches)
    for other in names[1:]:
        for left, right in (((2,), (3,)), ((0,), (3,)), ((2, 1), (3, 3))):
            arguments = {name: batch.shaped(()) for name, batch in batches.items()}
            arguments[names[0]] = question.make(9)[names[0]].shaped(left)
            arguments[other] = question.make(9)[other].shaped(right)
            with pytest.raises(ValueError, match=r"broadcast") as caught:
                question.ask(arguments)
            message = str(caught.value)
            for axes in (left, right):
                # A shape may stand as the front of one with the axes of its values.
                assert str(axes) in message or f"{str(axes)[:-1].rstrip(',')}, " in message, message
            assert other in message


@each([question for question in QUESTIONS if any(batch.core for batch in question.make(1).values())])
def test_shapes_of_one_value(question: Question) -> None:
    shape = (2,) if question.leading is None else question.leading
    arguments = question.arguments(shape)
    for name, batch in question.make(1).items():
        if batch.core == 0:
            continue
        given = arguments[name]
        wider = np.concatenate([given, given[..., :1]], axis=-1)
        flat = np.zeros((), given.dtype)
        for wrong in (wider, flat):
            if wrong is flat and name in ("blocks", "pairs"):  # which broadcast
                continue
            with pytest.raises((ValueError, TypeError), match=rf"^{name}\b") as caught:
                question.ask({**arguments, name: wrong})
            if wrong is wider:
                own = wrong.shape[1:] if name == "rings" else wrong.shape
                assert str(own) in str(caught.value)


# ---------------------------------------------------------------------------------- batches and arrays


@each([q for q in ELEMENTWISE if any(map(is_container, q.make(1).values()))])
def test_views_and_copies_of_batches(question: Question) -> None:
    batches = question.make(36)
    given = {name: batch.shaped((6, 6)) for name, batch in batches.items()}
    expected = question.parts(given)
    places = np.arange(36).reshape(6, 6).T
    turned = question.parts({name: batch.values[places] for name, batch in batches.items()})
    assert_same(turned, [part.swapaxes(0, 1) for part in expected])
    for key in ((slice(None, None, -1), slice(None)), (slice(None, None, 2), slice(1, None, 3)), [4, 0, 0]):
        assert_same(
            question.parts({name: value[key] for name, value in given.items()}),
            [part[key] for part in expected],
        )
    for clone in (copy.deepcopy, lambda value: pickle.loads(pickle.dumps(value))):
        assert_same(question.parts({name: clone(value) for name, value in given.items()}), expected)


@each([q for q in QUESTIONS if any(map(is_container, q.make(1).values()))])
def test_what_is_no_batch(question: Question) -> None:
    arguments = question.arguments((2,))
    for name, batch in question.make(1).items():
        if not is_container(batch):
            continue
        may_be_left_out = inspect.signature(question.function).parameters[name].default is None
        for wrong in (
            object() if may_be_left_out else None,
            1.0,
            np.zeros((2, 7)),
            [arguments[name]],
            "bases",
            object(),
        ):
            with pytest.raises(TypeError, match=rf"^{name} must be .*, got {type(wrong).__name__}$"):
                question.ask({**arguments, name: wrong})


def not_aligned(array: np.ndarray) -> np.ndarray:
    return np.frombuffer(b"." + array.tobytes(), array.dtype, offset=1).reshape(array.shape)


LAYOUTS = {
    "list": np.ndarray.tolist,
    "read-only": lambda array: np.frombuffer(array.tobytes(), array.dtype).reshape(array.shape),
    "strided": lambda array: np.repeat(array, 3, axis=0)[::3] if array.ndim else array,
    "reversed": lambda array: array[::-1].copy()[::-1] if array.ndim else array,
    "fortran": np.asfortranarray,
    "not aligned": not_aligned,
    "masked array without masks": np.ma.masked_array,
}
NUMBER_TYPES = ("f2", "f4", "g", ">f8", "i1", "i2", "<i4", ">i8", "u1", "u2", "u4", "u8")


@array_arguments("f")
def test_numbers_of_any_type_in_any_order(question: Question, name: str) -> None:
    arguments = question.arguments((3, 4) if question.leading is None else question.leading)
    numbers = np.abs(arguments[name])  # unsigned ones too
    expected = question.parts({**arguments, name: numbers})
    for kind in NUMBER_TYPES:
        assert_same(question.parts({**arguments, name: numbers.astype(kind)}), expected)
    for change in LAYOUTS.values():
        assert_same(question.parts({**arguments, name: change(numbers)}), expected)


@array_arguments("b")
def test_truth_values_in_any_order(question: Question, name: str) -> None:
    arguments = question.arguments((3, 4) if question.leading is None else question.leading)
    expected = question.parts(arguments)
    for change in LAYOUTS.values():
        assert_same(question.parts({**arguments, name: change(arguments[name])}), expected)
    for kind in (np.int8, np.float64, object, "S1"):
        with pytest.raises(TypeError, match=rf"^{name} must hold booleans, got dtype"):
            question.ask({**arguments, name: arguments[name].astype(kind)})
    wrong = np.ma.masked_array(arguments[name], np.ones_like(arguments[name]))
    with pytest.raises(ValueError, match=rf"^{name} must not have masked values$"):
        question.ask({**arguments, name: wrong})


@array_arguments("f")
def test_what_is_no_number(question: Question, name: str) -> None:
    arguments = question.arguments((2,) if question.leading is None else question.leading)
    numbers = arguments[name]
    for kind in (np.bool_, np.complex128, object, "U3", "S3", "M8[D]"):
        wrong = numbers.astype(np.int64).astype(kind)
        # One ring among several is named with its index.
        with pytest.raises(
            TypeError, match=rf"^{name}\S* must hold real numbers, got dtype {re.escape(str(wrong.dtype))}"
        ):
            question.ask({**arguments, name: wrong})
    with pytest.raises(ValueError, match=rf"^{name}\S* must not have masked values$"):
        question.ask({**arguments, name: np.ma.masked_array(numbers, np.ones_like(numbers))})
    if question.make(1)[name].core == 0:
        for wrong in (None, "1.0", 1j, True, [None, 1.0]):
            with pytest.raises(TypeError, match=rf"^{name} must hold real numbers, got dtype"):
                question.ask({**arguments, name: wrong})
    for ragged in ([1.0, [2.0, 3.0]], [[[0.0, 1.0], [2.0]]] * 2):
        with pytest.raises(ValueError, match=rf"^{name}\S* must "):
            question.ask({**arguments, name: ragged})


def test_masked_numbers() -> None:
    masked = np.ma.masked_array([1.0, 2.0], [False, True])
    with pytest.raises(ValueError, match=r"^x must not have masked values$"):
        Bases.point(masked, 0.0)


def names_the_place(name: str, index: tuple[int, ...], value: float) -> str:
    """Pattern of a message that names argument, index, as in an array or in a list of lists, and value."""
    both = [", ".join(map(str, index)), "][".join(map(str, index))]
    place = "|".join(re.escape(f"[{text}]") for text in both) if index else ""
    return rf"^{name}({place})\W.*must .*got {re.escape(repr(value))}$"


@array_arguments("f")
def test_numbers_out_of_range(question: Question, name: str) -> None:
    batch = question.make(1)[name]
    shapes = [(), (2,), (2, 3)] if question.leading is None else [question.leading]
    for shape in shapes:
        arguments = question.arguments(shape)
        for mask in ("present", "occupied"):  # who is absent has no position
            arguments.pop(mask, None)
        columns = range(3 if name in ("positions", "centres") else 2 if batch.core else 1)
        for column in columns:
            low, high = LIMITS["heading"] if column == 2 else LIMITS[name]
            least, most = math.nextafter(low, -math.inf), math.nextafter(high, math.inf)
            if name == "radius":
                most = 1e7
            index = tuple(length - 1 for length in arguments[name].shape)
            index = (*index[: len(index) - 1], column) if batch.core else index
            for wrong in (math.nan, -math.inf, math.inf, least, most):
                if low <= wrong <= high:
                    continue
                values = np.array(arguments[name])
                values[index] = wrong
                with pytest.raises(ValueError, match=names_the_place(name, index, float(wrong))):
                    question.ask({**arguments, name: values})


@array_arguments("f")
def test_largest_and_smallest_numbers(question: Question, name: str) -> None:
    arguments = question.arguments((2,) if question.leading is None else question.leading)
    for value in LIMITS[name]:
        values = np.array(arguments[name])
        index = (-1,) * values.ndim if values.ndim < 3 else (-1, -1, 0)
        values[index] = value
        if name in ("outline", "rings"):  # still a simple polygon
            values[..., -1, 1] = 8.0
            values[..., -1, 0] = -1e6
        if name == "width" or name == "depth":
            arguments |= {"radius": 0.0} if question.name == "Bases" else {}
        question.ask({**arguments, name: values})


@each(QUESTIONS)
def test_arguments_are_neither_written_to_nor_kept(question: Question) -> None:
    shape = (3, 4) if question.leading is None else question.leading
    given, before = question.arguments(shape), question.arguments(shape)
    answer = question.parts(given)
    found = [np.array(part) for part in answer]
    for name, value in before.items():
        if isinstance(value, np.ndarray):
            np.testing.assert_array_equal(given[name], value)
            given[name][...] = ~value if value.dtype == np.bool_ else value + 1.0
        else:
            assert given[name] == value
    assert_same([np.array(part) for part in answer], found)


# ---------------------------------------------------------------------------------- options


@each(with_option("out"))
def test_out_is_filled_and_returned(question: Question) -> None:
    ((kind, _),) = question.answers
    batches = question.make(30)
    for shapes in (((5, 1), (6,)), ((6,), (5, 1)), ((30,), (30,)), ((30,), ()), ((0,), (0,)), ((), ())):
        arguments = {name: batch.shaped(shapes[i % 2]) for i, (name, batch) in enumerate(batches.items())}
        (expected,) = question.parts(arguments)
        shape = np.shape(expected)
        size = math.prod(shape)
        memory = bytearray(size * np.dtype(kind).itemsize + 1)
        for out in (
            (
                np.empty(shape, kind),
                np.empty(shape, kind, order="F"),
                np.empty((*shape, 2), kind)[..., 1],
                np.empty((3 * shape[0], *shape[1:]) if shape else (), kind)[:: -3 if shape else None],
                np.frombuffer(memory, kind, size, offset=1).reshape(shape),  # not aligned
            )
            if shape
            else (np.empty((), kind), np.empty(3, kind)[1:2].reshape(()))
        ):
            assert question.ask({**arguments, "out": out}) is out
            np.testing.assert_array_equal(out, expected)


@each(with_option("out"))
def test_wrong_out(question: Question) -> None:
    ((kind, axes),) = question.answers
    arguments = question.arguments((3,))
    locked = np.empty((3, *axes), kind)
    locked.flags.writeable = False
    shapes = [(4, *axes), (1, 3, *axes), (3, 1, *axes), (), (0, *axes)]
    wrong: list[tuple[Any, type[Exception], str]] = [
        (
            np.empty(shape, kind),
            ValueError,
            rf"^out must have shape {re.escape(str((3, *axes)))}, got {re.escape(str(shape))}$",
        )
        for shape in shapes
    ]
    for other in (np.int16, np.float32, object, np.dtype(np.float64).newbyteorder()):
        given = np.empty((3, *axes), other)
        message = rf"^out must have dtype {np.dtype(kind)}, got {re.escape(str(given.dtype))}$"
        wrong.append((given, TypeError, message))
    wrong += [
        ([0, 0, 0], TypeError, r"^out must be an array, got list$"),
        (np.float64(0.0), TypeError, r"^out must be an array, got float64$"),
        (locked, ValueError, r"^out must be writable$"),
    ]
    for out, error, message in wrong:
        with pytest.raises(error, match=message):
            question.ask({**arguments, "out": out})


@each(with_option("workers"))
def test_workers_give_the_same_bits(question: Question, monkeypatch: pytest.MonkeyPatch) -> None:
    batches = question.make(40)
    for shapes in (((40, 1), (40,)), ((40,), (40, 1)), ((40,), (40,)), ((40,), ()), ((5, 1, 8), (5, 8, 1))):
        if question.leading is not None or any(batch.core == 2 for batch in batches.values()):
            shapes = ((40,), (40,))
        arguments = {name: batch.shaped(shapes[i % 2]) for i, (name, batch) in enumerate(batches.items())}
        expected = question.parts(arguments)
        with monkeypatch.context() as patch:
            # Many chunks in threads, however short the work is.
            patch.setattr(_parallel, "WORTH_A_THREAD_NS", 0.0)
            patch.setattr(_parallel, "SHORTEST_CHUNK_NS", 1.0)
            for workers in (1, 2, 3, -1, np.int64(2)):
                assert_same(question.parts({**arguments, "workers": workers}), expected)


@each(with_option("workers"))
def test_wrong_workers(question: Question) -> None:
    for n in (0, 2):
        arguments = question.arguments((n,))
        for wrong, error in (
            (0, ValueError),
            (-2, ValueError),
            (1.5, TypeError),
            (2.0, TypeError),
            ("2", TypeError),
            (None, TypeError),
            (True, TypeError),
            ([1], TypeError),
        ):
            with pytest.raises(error, match=r"^workers must be"):
                question.ask({**arguments, "workers": wrong})


WRONG_TOLERANCES = [
    (-1e-9, ValueError),
    (-math.inf, ValueError),
    (math.nan, ValueError),
    (math.inf, ValueError),
    ([1e-6], ValueError),
    (np.full(2, 1e-6), ValueError),
    (np.empty(0), ValueError),
    (None, TypeError),
    ("1e-6", TypeError),
    (True, TypeError),
    (1e-6j, TypeError),
]


@each(with_option("tol"))
def test_tolerance(question: Question) -> None:
    arguments = question.arguments((6,))
    expected = question.parts(arguments)
    for same in (TOLERANCE, np.float64(TOLERANCE), np.array(TOLERANCE), np.longdouble(TOLERANCE)):
        assert_same(question.parts({**arguments, "tol": same}), expected)
    assert_same(
        question.parts({**arguments, "tol": 1}), question.parts({**arguments, "tol": np.float32(1.0)})
    )
    for n in (0, 2):
        arguments = question.arguments((n,))
        for wrong, error in WRONG_TOLERANCES:
            with pytest.raises(error, match=r"^tol must"):
                question.ask({**arguments, "tol": wrong})


# ---------------------------------------------------------------------------------- kernels


def test_every_kernel_has_one_compiled_signature() -> None:
    for question in ELEMENTWISE:
        question.ask(question.arguments((2, 1)))
    kernels = [
        value
        for name, module in list(sys.modules.items())
        if name.startswith("ninthgeom_kernel.")
        for value in vars(module).values()
        if hasattr(value, "signatures") and "no_cpython_wrapper" not in value.targetoptions  # no helper
    ]
    assert kernels
    assert not [(kernel, kernel.signatures) for kernel in kernels if len(kernel.signatures) != 1]
