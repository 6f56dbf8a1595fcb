"""A notebook as a page of HTML that stands alone, without scripts and on light and dark screens."""

from __future__ import annotations

import re
from base64 import b64decode, b64encode
from html import escape
from typing import Any

# Where the first output stands, for readers who want to see that first.
_RESULTS = "results"

_STYLE = """
:root {
  color-scheme: light dark;
  --raised: #f6f7f9; --line: #dfe3e8; --accent: #c2410c;
  --keyword: #9a3412; --string: #166534; --number: #1d4ed8; --comment: #57606a;
}
@media (prefers-color-scheme: dark) {
  :root {
    --raised: #1d2127; --line: #323841; --accent: #f97316;
    --keyword: #fdba74; --string: #86d9a0; --number: #9dbcff; --comment: #a0a8b1;
  }
  body { background: #14171b; color: #e8eaed; }
}
body {
  margin: 1rem auto 4rem; max-width: 54rem; padding: 0 1rem;
  font: 16px/1.55 system-ui, -apple-system, "Segoe UI", "DejaVu Sans", sans-serif;
}
h1 { font-size: clamp(1.5rem, 4vw, 2.1rem); line-height: 1.2; text-wrap: balance; }
a { color: inherit; text-decoration-color: var(--accent); text-underline-offset: 3px; }
pre { overflow-x: auto; padding: .7em .9em; margin: .4em 0; font-size: 13px; }
pre.code { background: var(--raised); border: 1px solid var(--line); border-radius: 10px; }
pre.output { border-left: 3px solid var(--accent); }
code, pre { font-family: ui-monospace, monospace; }
code { font-size: .92em; }
pre code { font-size: inherit; }
img { max-width: 100%; background: #fff; border-radius: 6px; }
table td, table th { padding: .1em .5em; }
.k, .kn, .kc, .ow { color: var(--keyword); }
.s1, .s2, .sd, .sa, .si, .se, .s { color: var(--string); }
.mi, .mf { color: var(--number); }
.c1 { color: var(--comment); }
"""


def page(title: str, notebook: dict[str, Any], file: str) -> str:
    """The page of a notebook, with links to what it prints and to its file."""
    cells = notebook["cells"]
    about, *rest = (_cell(it) for it in cells)
    shown = next((it for it, cell in enumerate(cells) if cell.get("outputs")), None)
    if shown is not None:
        rest[shown - 1] = f'<div id="{_RESULTS}">{rest[shown - 1]}</div>'
        about += f'\n<p><a href="#{_RESULTS}">What it prints and draws</a></p>'
    body = "\n".join([about, *rest])
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<meta name="description" content="{escape(title)}">\n'
        f"<title>{escape(title)}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n<main>\n"
        f'{body}\n<p><a href="{escape(file)}" download>This notebook</a></p>\n'
        "</main>\n</body>\n</html>\n"
    )


def _cell(cell: dict[str, Any]) -> str:
    if cell["cell_type"] == "markdown":
        return _prose(cell["source"], cell.get("attachments", {}))
    outputs = "".join(_output(it) for it in cell["outputs"])
    code = _highlighted(cell["source"])
    return f'<pre class="code"><code class="language-python">{code}</code></pre>{outputs}'


def _highlighted(code: str) -> str:
    """Code as HTML; what stands out in it is marked where pygments is installed."""
    try:
        from pygments import highlight
        from pygments.formatters import HtmlFormatter
        from pygments.lexers import PythonLexer
    except ImportError:
        return escape(code)
    made: str = highlight(code, PythonLexer(), HtmlFormatter(nowrap=True))
    return made.rstrip("\n")


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
