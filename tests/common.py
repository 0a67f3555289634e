"""What several files of tests need."""

import json

from helpers.language import BETWEEN

from .conftest import TOP

CHINESE = r"[\u4e00-\u9fff]"
HALF_WIDTH = rf"{CHINESE}[,;:!?.(]|[,;:!?)]{CHINESE}"
TABLE = json.loads((TOP / "helpers/texts_zh.json").read_text(encoding="utf-8"))
# Each text that helpers say with its Chinese; one may stand there in two contexts.
TEXTS = [(key.rpartition(BETWEEN)[2], chinese) for key, chinese in TABLE.items()]
