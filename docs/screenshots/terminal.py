#!/usr/bin/env python3
"""Draws what a command printed as a picture of a terminal: terminal.py COMMAND < output > picture.svg"""
import sys
from xml.sax.saxutils import escape

COLUMNS = 100
LINE = 17
WIDTH = 860
TOP = 44
MARGIN = 16


def main():
    command = sys.argv[1]
    lines = ["$ " + command] + sys.stdin.read().rstrip("\n").split("\n")
    longest = max(len(line) for line in lines)
    if longest > COLUMNS:
        sys.exit("a line has %d columns, and the picture has room for %d" % (longest, COLUMNS))
    height = TOP + LINE * len(lines) + MARGIN
    print(
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" role="img">'
        % (WIDTH, height, WIDTH, height)
    )
    print("<title>%s</title>" % escape(command))
    print("<style>text { font: 13px ui-monospace, Menlo, Consolas, monospace; fill: #d1d7e0; white-space: pre; }")
    print(".command { fill: #7ee787; font-weight: 600; } .heading { fill: #79c0ff; }</style>")
    print('<rect width="%d" height="%d" rx="8" fill="#0d1117"/>' % (WIDTH, height))
    for at, colour in enumerate(("#ff5f57", "#febc2e", "#28c840")):
        print('<circle cx="%d" cy="20" r="6" fill="%s"/>' % (MARGIN + 6 + 20 * at, colour))
    for number, line in enumerate(lines):
        if line:
            kind = "command" if number == 0 else "heading" if line[0].isdigit() else ""
            print(
                '<text%s x="%d" y="%d" xml:space="preserve">%s</text>'
                % (' class="%s"' % kind if kind else "", MARGIN, TOP + LINE * number + 12, escape(line))
            )
    print("</svg>")


main()
