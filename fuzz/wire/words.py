#!/usr/bin/env python3
"""Writes random descriptions of all words, and bytes with the results that a reader must return for them:

  words.py HEADER VECTORS SEED NUMBER [PER_DESCRIPTION]

HEADER contains the structs and their codecs. Each line of VECTORS has a description's number, bytes in hex, and
the expected result of decoding. The result is "ok", the number of bytes used, the bytes that encoding must return,
and the members. Otherwise the result is "no" and the possible errors. model.py, views.py and parts.py contain the
reader and the writer.
"""
import random
import sys

from builder import Builder
from model import Input, Refused
from parts import Choice, IfLeft, When
from views import InnerElement, List, Rest, SkipRest


def open_ended(items):
  """True if a truncated record may be a valid record, too."""
  for x in items:
    if isinstance(x, (Rest, SkipRest, IfLeft)) or (isinstance(x, List) and x.end == "to_end"):
      return True
    if isinstance(x, When) and open_ended(x.items):
      return True
    if isinstance(x, Choice) and any(open_ended(p.items) for _, p in x.alternatives):
      return True
  return False


def outcome(record, raw):
  kinds = set()
  for strict in (True, False):
    i = Input(raw, 0, len(raw), strict)
    try:
      v = record.read(i)
      if strict:
        break
    except Refused as e:
      kinds.add(e.kind)
  if kinds:
    return "no %s" % ",".join(sorted(kinds))
  try:
    again = record.write(v).hex() or "-"
  except Refused as e:
    again = "!" + e.kind
  return "ok %d %s %s" % (i.pos, again, record.show(v))


def vectors(r, record, number):
  good = []
  for _ in range(max(3, number // 12)):
    v = record.draw(r)
    good.append(record.write(v))
    assert outcome(record, good[-1]).startswith("ok %d %s " % (len(good[-1]), good[-1].hex() or "-"))
  yield from good
  # One record more inside another than allowed.
  InnerElement.extra = 1
  deep = [record.write(record.draw(r)) for _ in range(number // 12)]
  InnerElement.extra = 0
  yield from deep
  for _ in range(number):
    raw = bytearray(r.choice(good))
    for _ in range(r.choice([1, 1, 1, 2, 3])):
      k, at = r.randint(0, 5), r.randint(0, len(raw))
      if k == 0:
        raw[at:at] = r.randbytes(r.randint(1, 3))
      elif k == 1:
        del raw[at:at + r.randint(1, 3)]
      elif k == 2:
        del raw[at:]
      elif at < len(raw):
        raw[at] = r.choice([raw[at] ^ 1 << r.randint(0, 7), r.randint(0, 4), 0, 0x80, 0xff,
                            r.randint(0, 255)])
    yield bytes(raw)
  for _ in range(number // 8):
    yield bytes(r.choice([0, 1, 2, 3, r.randint(0, 255)]) for _ in range(r.randint(0, 60)))


def records_of(seed, number):
  """Returns (random numbers, Record) pairs. Each depends only on its index and the seed."""
  out = []
  for k in range(number):
    r = random.Random("%d %d" % (seed, k))
    while True:
      record = Builder(r, "w%d" % k).build()
      try:
        record.draw(r)
        break
      except Refused:  # a tag was drawn that no alternative lists
        pass
    out.append((r, record))
  return out


def write_header(path, seed, records, first=0):
  with open(path, "w") as file:
    file.write("// Made by fuzz/wire/words.py: seed %d.\n#pragma once\n" % seed)
    file.write('#include "wire/worded.hpp"\n\nnamespace worded {\n')
    for k, (_, record) in enumerate(records, first):
      file.write("\n".join(record.cpp_text()) + "\n")
      names = sorted(set(record.all_names()))
      file.write("struct w%d_test {\n  using S = w%d;\n  using codec = w%d_codec;\n" % (k, k, k))
      file.write("  static constexpr bool open = %s;\n" % str(open_ended(record.items)).lower())
      file.write("  static constexpr std::string_view names[] = {%s};\n};\n" % ", ".join(
          '"%s"' % n for n in names))
      if k % 3 == 0 and "io::crc32" not in "".join(record.cpp_text()):
        raw = record.write(record.draw(random.Random(k)))
        file.write("static_assert(comes_back<w%d_test>({%s}));\n" % (k, ", ".join("%d" % b for b in raw)))
    file.write("using all = list<%s>;\n}  // namespace worded\n" % ", ".join(
        "w%d_test" % k for k in range(first, first + len(records))))


def write_vectors(path, records, per):
  with open(path, "w") as file:
    for k, (r, record) in enumerate(records):
      for raw in vectors(r, record, per):
        file.write("%d %s %s\n" % (k, raw.hex() or "-", outcome(record, raw)))


def main():
  header, table, seed, number = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
  records = records_of(seed, number)
  write_header(header, seed, records)
  write_vectors(table, records, int(sys.argv[5]) if len(sys.argv) > 5 else 60)


if __name__ == "__main__":
  main()
