"""Whether a stored picture is the one that its cell draws; nbval does not look."""

import base64
import io

import numpy as np
from PIL import Image

# Other versions of matplotlib place labels elsewhere, so pictures are compared from
# afar: 3.9 and 3.11 differ by up to 0.18, a blank picture from any other by 1.
MOST = 0.3


def compare(stored, drawn):
    """Raise AssertionError where the pictures of a cell are not those that it draws.

    Parameters
    ----------
    stored, drawn : outputs of the cell, in the page and when it was run now.
    """
    for ours, theirs in zip(_pictures(stored), _pictures(drawn), strict=True):
        (text, ink), (their_text, their_ink) = _glance(ours), _glance(theirs)
        assert text == their_text, "the stored picture is another cell's: make run"
        away = np.abs(ink - their_ink).sum() / max(ink.sum() + their_ink.sum(), 1e-9)
        assert away <= MOST, f"the stored picture looks different, {away:.2f}: make run"


def _pictures(outputs):
    pictures = [output.get("data", {}).get("image/png") for output in outputs]
    return [base64.b64decode(picture) for picture in pictures if picture]


def _glance(png):
    """Return a picture's text, and how much ink lies in each of 16 by 16 fields."""
    picture = Image.open(io.BytesIO(png))
    fields = picture.convert("RGB").resize((16, 16), Image.Resampling.BOX)
    return picture.text.get("Description"), 255.0 - np.asarray(fields)
