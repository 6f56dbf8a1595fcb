"""The index that mdBook writes for the search of a book, at half its size.

mdBook counts the words of a page in every field after the one that has them, so that breadcrumbs,
the last field, have those of the text as well: the field of the text alone finds nothing more.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

LEFT_OUT = "body"
# A script that hands over a text of JSON in single quotes.
SCRIPT = re.compile(r"(.*?JSON\.parse\(')(.*)('\).*)", re.DOTALL)
ESCAPED = re.compile(r"\\(.)", re.DOTALL)
IN_QUOTES = re.compile(r"[\\']")


def slim(book: Path) -> None:
    """Leaves the field of the text out of the index of a book.

    Raises:
        ValueError: There is not one index, or it is written in another way.
    """
    found = [*book.glob("searchindex-*.js")]
    if len(found) != 1:
        raise ValueError(f"{book} has {len(found)} indices of its search")
    script = SCRIPT.fullmatch(found[0].read_text(encoding="utf-8"))
    if script is None:
        raise ValueError(f"{found[0].name} is no script with an index in JSON")
    before, text, after = script.groups()
    index = json.loads(ESCAPED.sub(r"\1", text))
    leave_out(index)
    made = json.dumps(index, ensure_ascii=False, separators=(",", ":"))
    found[0].write_text(before + IN_QUOTES.sub(r"\\\g<0>", made) + after, encoding="utf-8")


def leave_out(index: dict[str, Any]) -> None:
    """Takes the field out of what is searched, and of what is found in it."""
    del index["search_options"]["fields"][LEFT_OUT]
    index["index"]["fields"].remove(LEFT_OUT)
    del index["index"]["index"][LEFT_OUT]
