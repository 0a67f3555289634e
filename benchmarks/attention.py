"""Time `helpers.attention` against PyTorch's `scaled_dot_product_attention`.

    pip install -r benchmarks/requirements.txt   (PyTorch; the course never needs it)
    python benchmarks/attention.py

Both sides take the same Q, K and V, run in turn on one thread in one process, and
agree before they are timed. Printed: the median of the milliseconds of each, and the
median and the range of the middle half of the ratios of neighbouring runs. Three times:
without a mask; with the same boolean causal mask on both sides; and with is_causal=True
for PyTorch, which may then skip the half that is hidden.
"""

import os

for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = "1"  # before NumPy and PyTorch load

import statistics
import time

import numpy as np
import torch
from torch.nn.functional import scaled_dot_product_attention

from helpers import attention, causal_mask

CASES = [(64, 400), (512, 60), (2048, 12)]  # T, rounds
HEADS, D_HEAD = 4, 64


def compare(dtype: type, T: int, rounds: int, kind: str) -> None:
    """Time both sides in turn and print one line."""
    rng = np.random.default_rng(0)
    Q, K, V = rng.normal(size=(3, 1, HEADS, T, D_HEAD)).astype(dtype)
    tensors = [torch.tensor(x) for x in (Q, K, V)]
    mask = None if kind == "none" else causal_mask(T)
    same = {"attn_mask": torch.tensor(mask)} if kind == "mask" else {}
    theirs_too = {"is_causal": True} if kind == "causal" else same

    def numpy_pass() -> np.ndarray:
        return attention(Q, K, V, mask=mask)[0]

    def torch_pass() -> np.ndarray:
        with torch.no_grad():
            return scaled_dot_product_attention(*tensors, **theirs_too).numpy()

    ours, theirs = numpy_pass(), torch_pass()
    assert ours.dtype == dtype, "a hidden widening to float64"
    assert np.abs(ours - theirs).max() < (1e-5 if dtype is np.float32 else 1e-12)
    times: list[list[float]] = [[], []]
    for round_ in range(rounds + 3):
        for side, run in enumerate((numpy_pass, torch_pass)):
            begin = time.perf_counter()
            run()
            if round_ >= 3:
                times[side].append(1000 * (time.perf_counter() - begin))
    low, ratio, high = statistics.quantiles(
        [a / b for a, b in zip(*times, strict=True)], n=4
    )
    a, b = map(statistics.median, times)
    print(
        f"{dtype.__name__:8} {T:5} {kind:7} {a:9.2f} {b:9.2f}"
        f" {ratio:7.2f}   {low:.2f} … {high:.2f}"
    )


if __name__ == "__main__":
    torch.set_num_threads(1)
    print(f"NumPy {np.__version__}, PyTorch {torch.__version__}, one thread")
    print(f"{HEADS} heads of width {D_HEAD}")
    print("dtype        T mask     NumPy ms  torch ms   ratio   middle half")
    for kind in ("none", "mask", "causal"):
        for dtype in (np.float32, np.float64):
            for T, rounds in CASES:
                compare(dtype, T, rounds, kind)
