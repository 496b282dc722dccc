# SPDX-License-Identifier: Apache-2.0
"""What the documents of docs/ lack as a site: a first page, and addresses of the files that they link outside of docs/."""
import re
from pathlib import Path
from xml.etree import ElementTree

from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File

HERE = Path(__file__).parent
ROOT = HERE.parent
POM = "{http://maven.apache.org/POM/4.0.0}"
PAGE = re.compile(r"\[([\w-]+\.md)\]\(\1")
OUTSIDE = re.compile(r"\[([^\]]+)\]\(\.\./([^)\s#]+)(#[^)\s]*)?\)")
CELL = re.compile(r"^<t[dh].*$", re.MULTILINE)
# rows and columns of the table in docs/performance.md that the first page repeats
SETTINGS = {
    "confidentiality.32.p256": "confidentiality",
    "integrity.p256": "integrity",
    "privacy.p256": "privacy",
}
COLUMNS = {1: "Rate, 1 = no loss", 3: "Processor time, µs", 4: "Round trip of one client, ms", 5: "Bytes more"}


def costs():
    table = (ROOT / "docs/performance.md").read_text("utf-8").split("<!-- costs -->")[1].split("<!-- end -->")[0]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in table.strip().splitlines()]
    found = {row[0]: row for row in rows}
    lines = ["| Quality | " + " | ".join(COLUMNS.values()) + " |", "|---" + "|--:" * len(COLUMNS) + "|"]
    for setting, quality in SETTINGS.items():
        if setting not in found:
            raise PluginError(f"docs/performance.md: the table of costs has no row {setting}")
        lines.append("| " + " | ".join([f"`{quality}`"] + [found[setting][column] for column in COLUMNS]) + " |")
    return "\n".join(lines)


def on_config(config):
    pom = ElementTree.parse(ROOT / "pom.xml").getroot()
    version = pom.findtext(POM + "version")
    repository = pom.findtext(f"{POM}scm/{POM}url")
    config.extra["sources"] = repository and f"{repository.rstrip('/')}/blob/v{version}/"
    config.copyright = f"Signet {version}"
    return config


def on_files(files, config):
    index = (HERE / "index.md").read_text("utf-8").replace("<!-- costs -->", costs())
    files.append(File.generated(config, "index.md", content=index))
    for name in ("iframe-worker.js", "iframe-worker.LICENSE", "signet.css"):
        files.append(File.generated(config, "assets/" + name, abs_src_path=str(HERE / name)))
    return files


def on_page_markdown(markdown, page, config, files):
    """The name of a page's file becomes its title. A file outside of docs/ is in the repository; where the pom names none,
    its name remains."""

    def titled(link):
        title = (ROOT / "docs" / link[1]).read_text("utf-8").splitlines()[0].removeprefix("# ")
        return f"[{title}]({link[1]}"

    def sources(link):
        text, path, anchor = link[1], link[2], link[3] or ""
        if not (ROOT / path).exists():
            raise PluginError(f"{page.file.src_path}: no file {path}")
        return f"[{text}]({config.extra['sources']}{path}{anchor})" if config.extra["sources"] else text

    return OUTSIDE.sub(sources, PAGE.sub(titled, markdown))


def on_page_content(html, page, config, files):
    """In tables a bar in code is written \\| and means the bar."""
    return CELL.sub(lambda cell: re.sub(r"<code>.*?</code>", lambda code: code[0].replace("\\|", "|"), cell[0]), html)
