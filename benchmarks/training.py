"""Time one training step of `helpers.training` against the same model in PyTorch.

    pip install -r benchmarks/requirements.txt   (PyTorch; the course never needs it)
    python benchmarks/training.py

Both sides take the same float32 batch, run in turn on one thread in one process, and
agree on the loss before they are timed. Printed: the median of the tokens per second
of each, and the median of the ratios of neighbouring runs.
"""

import os

for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = "1"  # before NumPy and PyTorch load

import statistics
import time
from collections.abc import Callable

import numpy as np
import torch

from helpers.training import Adam, Batch, Parameters, loss_and_gradients, start

ROUNDS = 200
CASES = [(16, 128, 6), (16, 32, 64), (64, 128, 6), (64, 32, 64)]  # d, n, n_tokens


def numpy_step(P: Parameters, batch: Batch) -> Callable[[], float]:
    """Return a function that makes one step and returns its loss."""
    adam = Adam(0.001)

    def step() -> float:
        nonlocal P
        loss, gradients = loss_and_gradients(P, batch)
        P = adam.step(P, gradients)
        return loss

    return step


def torch_step(P: Parameters, batch: Batch) -> Callable[[], float]:
    """Return the same in PyTorch eager."""
    W = {name: torch.tensor(matrix, requires_grad=True) for name, matrix in P.items()}
    adam = torch.optim.Adam(W.values(), lr=0.001)
    X, asks, answer = map(torch.tensor, (batch.X, batch.asks, batch.answer))
    each = torch.arange(len(X))
    scale = W["Wq"].shape[1] ** -0.5

    def step() -> float:
        adam.zero_grad()
        Q = (X[each, asks] @ W["Wq"])[:, None]
        weights = torch.softmax(Q @ (X @ W["Wk"]).transpose(1, 2) * scale, -1)
        logits = (weights @ (X @ W["Wv"]))[:, 0] @ W["Wo"]
        loss = torch.nn.functional.cross_entropy(logits, answer)
        loss.backward()
        adam.step()
        return loss.item()

    return step


def compare(d: int, n: int, n_tokens: int) -> None:
    """Time both sides in turn and print one line."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, n_tokens, d)).astype(np.float32)
    asks, place = rng.integers(n_tokens, size=(2, n))
    batch = Batch(X, asks, place, rng.integers(16, size=n))
    P = {k: W.astype(np.float32) for k, W in start(rng, d, d, d, 16).items()}
    sides = numpy_step(P, batch), torch_step(P, batch)
    times: list[list[float]] = [[], []]
    for round_ in range(ROUNDS + 20):
        losses = []
        for side, step in enumerate(sides):
            begin = time.perf_counter()
            losses.append(step())
            if round_ >= 20:
                times[side].append(time.perf_counter() - begin)
        assert abs(losses[0] - losses[1]) < 1e-3, losses
    ours, theirs = (n * n_tokens / statistics.median(t) for t in times)
    ratio = statistics.median(b / a for a, b in zip(*times, strict=True))
    print(f"{d:3} {n:4} {n_tokens:4} {ours:12,.0f} {theirs:12,.0f} {ratio:8.2f}")


if __name__ == "__main__":
    torch.set_num_threads(1)
    print(f"NumPy {np.__version__}, PyTorch {torch.__version__}, one thread, float32")
    print("  d    n    T   NumPy tok/s  torch tok/s    ratio")
    for case in CASES:
        compare(*case)
