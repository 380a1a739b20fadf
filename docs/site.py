#!/usr/bin/env python3
"""Builds the pages as a site, with search and navigation, in target/site: python3 docs/site.py

Makes a virtual environment in target/site-tools on the first run, which needs pip and its index. Pages lie in the site where they lie in the
repository, so that their links stay as they are; a link to a file that is no page leads to the copy of that file. A link that leads nowhere
ends the build. If the Javadoc was built before (docs/javadoc.md has the command), the site has it below javadoc/, its packages are listed on that page,
and the first time that a page names a public type, the name leads there.
"""

import collections
import os
import pathlib
import re
import shutil
import subprocess
import sys
import venv

ROOT = pathlib.Path(__file__).resolve().parent.parent
TARGET = ROOT / "target"
TOOLS = TARGET / "site-tools"
PAGES = TARGET / "site-pages"
SITE = TARGET / "site"
GENERATOR = "mkdocs-material==9.5.49"
JAVADOC_PAGE = ROOT / "docs" / "javadoc.md"
STYLE = ROOT / "docs" / "site.css"
SKIPPED = {".git", "target", "node_modules", "src"}
LINK = re.compile(r"\]\(([^)\s#]+)")
JAVADOC = TARGET / "reports" / "apidocs"
TYPE_PAGE = re.compile(r"[A-Z][A-Za-z0-9]*(\.[A-Z][A-Za-z0-9]*)*\.html")
# A link is left as it is; so is a name in it.
LINK_OR_TYPE = re.compile(r"\[(?:[^\[\]]|\[[^\[\]]*\])*\]\([^)]*\)|`@?([A-Z][A-Za-z0-9.]*)`")


def tool():
    scripts = TOOLS / ("Scripts" if os.name == "nt" else "bin")
    if not (scripts / "mkdocs").exists():
        venv.create(TOOLS, with_pip=True, clear=True)
        subprocess.run([scripts / "python", "-m", "pip", "install", "--quiet", GENERATOR], check=True)
    return scripts / "mkdocs"


def pages():
    """README and its neighbours, and all below docs."""
    yield from ROOT.glob("*.md")
    for folder, folders, files in os.walk(ROOT / "docs"):
        folders[:] = sorted(set(folders) - SKIPPED)
        yield from (pathlib.Path(folder) / file for file in files if file.endswith(".md"))


def copied(file):
    copied_file = PAGES / file.relative_to(ROOT)
    copied_file.parent.mkdir(parents=True, exist_ok=True)
    return copied_file


def list_folder(folder):
    """A folder of sources has no page of its own: this one lists its files, which come along."""
    files = sorted(file for file in folder.iterdir() if file.is_file())
    for file in files:
        shutil.copyfile(file, copied(file))
    lines = [f"# {folder.relative_to(ROOT)}", "", *(f"- [{file.name}]({file.name})" for file in files)]
    copied(folder / "index.md").write_text("\n".join(lines) + "\n", encoding="utf-8")


def documented_types():
    """The page of each public type by its name, and of a nested one by both names. A last name that several types have leads nowhere."""
    named = {}
    for page in JAVADOC.rglob("*.html"):
        if TYPE_PAGE.fullmatch(page.name) and page.parent != JAVADOC:
            named.setdefault(page.stem, []).append(page.relative_to(JAVADOC))
    last_names = collections.Counter(name.rpartition(".")[2] for name, found in named.items() for _ in found)
    return {name: found[0] for name, found in named.items() if len(found) == 1 and ("." in name or last_names[name] == 1)}


def link_types(text, page, types):
    """Links the first code span with the name of each public type, but not in code and headings."""
    linked = set()

    def link(match):
        name = match.group(1)
        if name not in types or name in linked:
            return match.group(0)
        linked.add(name)
        return f"[{match.group(0)}]({os.path.relpath(ROOT / 'javadoc' / types[name], page.parent)})"

    lines = []
    is_code = False
    for line in text.split("\n"):
        if line.lstrip().startswith("```"):
            is_code = not is_code
        if not is_code and not line.startswith(("#", "    ", "```")):
            line = LINK_OR_TYPE.sub(link, line)
        lines.append(line)
    return "\n".join(lines)


def packages():
    """A list of the documented packages, for the page of the Javadoc."""
    folders = sorted(page.parent.relative_to(JAVADOC) for page in JAVADOC.rglob("package-summary.html"))
    lines = ["", "## Packages", "", "[The start page of the Javadoc](../javadoc/index.html) has the same list with descriptions.", ""]
    lines += [f"- [`{'.'.join(folder.parts)}`](../javadoc/{folder.as_posix()}/package-summary.html)" for folder in folders]
    return "\n".join(lines) + "\n"


def collect():
    """What a page shows or links to comes along: pictures, sources, settings, other pages and what they link to."""
    shutil.rmtree(PAGES, ignore_errors=True)
    types = documented_types()
    if types:
        shutil.copytree(JAVADOC, PAGES / "javadoc")
    left = list(pages())
    done = set()
    while left:
        page = left.pop()
        if page in done:
            continue
        done.add(page)
        text = page.read_text(encoding="utf-8")
        for link in set(LINK.findall(text)):
            linked = (page.parent / link).resolve()
            if "://" in link or ROOT not in linked.parents:
                continue
            if linked.suffix == ".md" and linked.is_file():
                left.append(linked)
            elif linked.is_dir():
                list_folder(linked)
                text = text.replace(f"]({link})", f"]({link.rstrip('/')}/index.md)")
            elif linked.is_file():
                shutil.copyfile(linked, copied(linked))
        text = link_types(text, page, types)
        if types and page == JAVADOC_PAGE:
            text += packages()
        copied(page).write_text(text, encoding="utf-8")
    shutil.copyfile(STYLE, copied(STYLE))


def main():
    mkdocs = tool()
    collect()
    subprocess.run([mkdocs, "build", "--strict", "--clean", "--config-file", ROOT / "docs" / "mkdocs.yml"], check=True)
    print(f"{SITE / 'index.html'}")


if __name__ == "__main__":
    sys.exit(main())
