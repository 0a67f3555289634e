"""A film of weights: it grows while a model trains, and can be slid through then."""

from collections.abc import Sequence

from IPython.display import display
from numpy.typing import ArrayLike

from helpers.arrays import real
from helpers.language import say
from helpers.live import View
from helpers.marks import check_weights, colours, short


class Film(View):
    """Pictures of a weight matrix, one after the other, with a handle and a button.

    Parameters
    ----------
    total : how many pictures there will be.
    queries, keys : labels of the rows and columns, drawn literally.
    right : (n_queries,), for each query the key to look at; that cell has a frame.
    """

    _script = ("maps.js", "film.js")

    def __init__(
        self,
        total: int,
        queries: Sequence[str],
        keys: Sequence[str],
        right: Sequence[int],
    ) -> None:
        queries, keys = [str(q) for q in queries], [str(k) for k in keys]
        chosen = [int(key) for key in right]
        if len(chosen) != len(queries) or not set(chosen) <= set(range(len(keys))):
            raise ValueError(
                f"right is {chosen}; it needs one of the {len(keys)} keys, counted "
                f"from 0, for each of the {len(queries)} queries"
            )
        self.shape = len(queries), len(keys)
        data = {
            "shown": {
                "queries": [short(query) for query in queries],
                "keys": [short(key) for key in keys],
            },
            "said": [
                say("{query}, the right key is {key}", query=query, key=keys[key])
                for query, key in zip(queries, chosen, strict=True)
            ],
            "right": chosen,
            "total": total,
            "frames": [],
            "colours": colours(),
            "texts": {
                "query": say("query"),
                "key": say("key"),
                "weights": say("weights"),
                "training": say("training"),
                "picture": say("picture"),
                "play": say("Play"),
                "pause": say("Pause"),
            },
        }
        super().__init__(data, {"at": 0})

    def show(self) -> None:
        """Display the film; pictures appear as they are added."""
        display(self)  # type: ignore[no-untyped-call]

    def add(self, weights: ArrayLike, caption: str) -> None:
        """Add a picture and show it.

        Parameters
        ----------
        weights : (n_queries, n_keys), each entry in 0…1.
        caption : a line above it.

        Raises
        ------
        TypeError
            If `weights` does not hold real numbers.
        ValueError
            If `weights` has another shape than the labels.
        """
        weights = real("weights", weights, min_ndim=2, finite=True)
        check_weights("weights", weights)
        if weights.shape != self.shape:
            raise ValueError(
                f"weights has shape {weights.shape}; the labels need shape {self.shape}"
            )
        frame = {"weights": weights.tolist(), "caption": caption}
        self.data = {**self.data, "frames": [*self.frames, frame]}
        self.state = {"at": len(self.frames) - 1}

    def clear(self) -> None:
        """Take all pictures away, for a training that begins anew."""
        self.state = {"at": 0}
        self.data = {**self.data, "frames": []}

    @property
    def frames(self) -> list[dict[str, object]]:
        """The pictures so far: the weights and the caption of each."""
        frames: list[dict[str, object]] = self.data["frames"]
        return frames
