#!/usr/bin/env python3
"""Builds the pages as a site, with search and navigation, in target/site: python3 docs/site.py

Makes a virtual environment in target/site-tools on the first run, which needs pip and its index. Pages lie in the site where they lie in the
repository, so that their links stay as they are; a link to a file that is no page leads to the copy of that file. A link that leads nowhere
ends the build. If the Javadoc was built before, the site has it below javadoc/: docs/index.md has the command.
"""

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
SKIPPED = {".git", "target", "node_modules", "src"}
LINK = re.compile(r"\]\(([^)\s#]+)")


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


def collect():
    """What a page shows or links to comes along: pictures, sources, settings, other pages and what they link to."""
    shutil.rmtree(PAGES, ignore_errors=True)
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
        copied(page).write_text(text, encoding="utf-8")


def main():
    mkdocs = tool()
    collect()
    subprocess.run([mkdocs, "build", "--strict", "--clean", "--config-file", ROOT / "docs" / "mkdocs.yml"], check=True)
    javadoc = TARGET / "reports" / "apidocs"
    if javadoc.is_dir():
        shutil.copytree(javadoc, SITE / "javadoc", dirs_exist_ok=True)
    print(f"{SITE / 'index.html'}")


if __name__ == "__main__":
    sys.exit(main())
