"""A notebook as a page of HTML that stands alone, without scripts and on light and dark screens."""

from __future__ import annotations

import re
from base64 import b64decode, b64encode
from html import escape
from typing import Any

_STYLE = """
:root { color-scheme: light dark; }
body { margin: 2em auto; max-width: 52em; padding: 0 1em; font: 16px/1.5 sans-serif; }
pre { overflow-x: auto; padding: .6em .8em; margin: .4em 0; font: 13px/1.45 monospace; }
pre.code { background: rgba(128, 128, 128, .12); border-radius: 4px; }
pre.output { border-left: 3px solid rgba(128, 128, 128, .5); }
code { font-family: monospace; font-size: .92em; }
img { max-width: 100%; background: #fff; }
table td, table th { padding: .1em .5em; }
"""


def page(title: str, notebook: dict[str, Any], file: str) -> str:
    """The page of a notebook, with a link to its file."""
    cells = "\n".join(_cell(it) for it in notebook["cells"])
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n<main>\n"
        f'{cells}\n<p><a href="{escape(file)}" download>This notebook</a></p>\n'
        "</main>\n</body>\n</html>\n"
    )


def _cell(cell: dict[str, Any]) -> str:
    if cell["cell_type"] == "markdown":
        return _prose(cell["source"], cell.get("attachments", {}))
    outputs = "".join(_output(it) for it in cell["outputs"])
    return (
        f'<pre class="code"><code class="language-python">{escape(cell["source"])}</code></pre>'
        + (outputs)
    )


def _prose(text: str, pictures: dict[str, dict[str, str]]) -> str:
    """Headings, paragraphs, code and bold words, and pictures that are attached."""
    made = []
    for paragraph in re.split(r"\n\s*\n", text):
        picture = re.fullmatch(r"!\[(.*)\]\(attachment:(.*)\)", paragraph)
        heading = re.fullmatch(r"(#+) (.*)", paragraph)
        if picture is not None:
            data = b64decode(pictures[picture[2]]["image/svg+xml"]).decode()
            made.append(f"<p>{_image(data, picture[1])}</p>")
        elif heading is not None:
            level = len(heading[1])
            made.append(f"<h{level}>{_inline(heading[2])}</h{level}>")
        else:
            made.append(f"<p>{_inline(paragraph)}</p>")
    return "\n".join(made)


def _inline(text: str) -> str:
    text = re.sub(r"`([^`]+)`", r"<code>\1</code>", escape(text, quote=False))
    return re.sub(r"\*\*(.+?)\*\*", r"<b>\1</b>", text)


def _output(output: dict[str, Any]) -> str:
    data = output.get("data", {})
    if "text/html" in data:
        return str(data["text/html"])
    if "image/svg+xml" in data:
        return _image(data["image/svg+xml"], "")
    text = output.get("text", data.get("text/plain", ""))
    return f'<pre class="output">{escape(text)}</pre>'


def _image(svg: str, text: str) -> str:
    # As an image, it runs nothing and has identifiers of its own.
    data = b64encode(svg.encode()).decode()
    return f'<img alt="{escape(text)}" src="data:image/svg+xml;base64,{data}">'
