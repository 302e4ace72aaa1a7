"""Plots of docs/performance.md, drawn from the tables of that page."""
import pathlib
import re

import matplotlib.pyplot as plt

PAGE = pathlib.Path("docs/performance.md")


def rows_of(part):
  """Returns the rows of a part's table as {first cell: other cells}."""
  text = PAGE.read_text()
  found = re.search(rf"<!-- measured{part} -->\n(.*?)<!-- /measured{part} -->", text, re.S)[1]
  lines = [[cell.strip() for cell in line.strip("|").split("|")]
           for line in found.splitlines() if line.startswith("|")]
  return {first: cells for first, *cells in lines[2:]}


def bars(groups, labels, *, value_label):
  """Draws a group of horizontal bars for each entry of `groups`, a dictionary of values."""
  height = 0.8 / len(labels)
  for i, label in enumerate(labels):
    places = [place + i * height for place in range(len(groups))]
    plt.barh(places, [values[i] for values in groups.values()], height, label=label)
  plt.yticks([place + 0.4 - height / 2 for place in range(len(groups))], groups)
  plt.gca().invert_yaxis()
  plt.xlabel(value_label)
  plt.legend(frameon=False)


def decoding():
  """Draws the times of the alternatives as multiples of the library's time."""
  rows = {name: list(map(float, cells[1:4])) for name, cells in rows_of("").items()}
  plt.figure(figsize=(7, 3.5))
  plt.axvline(1, color="black", label="tracecodec")
  for i, (label, marker) in enumerate([("by hand", "o"), ("Boost.Endian", "s"), ("memcpy", "^")]):
    places = [place + 0.25 * (i - 1) for place in range(len(rows))]
    plt.plot([values[i] for values in rows.values()], places, marker, label=label, markersize=6)
  plt.yticks(range(len(rows)), rows)
  plt.gca().invert_yaxis()
  plt.grid(axis="x", color="lightgray")
  plt.xscale("log")
  ticks = [0.25, 0.5, 1, 2, 4, 8, 16]
  plt.xticks(ticks, map(str, ticks))
  plt.minorticks_off()
  plt.xlabel("time, tracecodec = 1")
  plt.legend(loc="lower right")


def sizes():
  """Draws the sizes of a pack as fractions of the sizes that xz and zstd produce."""
  rows = {name: list(map(float, cells[1:3] + cells[4:5])) for name, cells in rows_of(" packed").items()}
  plt.figure(figsize=(7, 4))
  bars(rows, ["level fast, of xz -6", "level high, of xz -6", "level fast, of zstd -19 --long=27"],
       value_label="size of the pack, size of the alternative = 1")
