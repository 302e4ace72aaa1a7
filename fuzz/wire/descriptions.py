#!/usr/bin/env python3
"""Writes a C++ header of random descriptions: descriptions.py OUT SEED NUMBER

For each description, the header contains a struct, its codec, and a reader that is generated from the same random
choices. This reader decodes byte by byte and shares no code with the library. For any bytes, codec and reader must
return the same results.
"""
import random
import sys
from typing import NamedTuple

INTEGERS = [("std::uint8_t", 1, False), ("std::uint16_t", 2, False), ("std::uint32_t", 4, False),
            ("std::uint64_t", 8, False), ("std::int8_t", 1, True), ("std::int16_t", 2, True),
            ("std::int32_t", 4, True), ("std::int64_t", 8, True), ("small", 1, False),
            ("wide", 4, True)]  # the last two are enumerations
ELEMENTS = [("wire::u8", 1), ("wire::u16be", 2), ("wire::u32le", 4), ("wire::u64be", 8),
            ("pair_codec", 3), ("wire::array_of<wire::u16le, 3>", 6)]


class Item(NamedTuple):
  """One word of a description, with C++ code that reads it.

  `evaluation` computes its counts and conditions before its section is read, `parts` lists the names and sizes of
  its parts, and `loads` reads it at `p`. If the parts of a word are read one after another, it has `steps`
  instead.
  """
  word: str
  evaluation: list
  parts: list
  loads: list
  members: frozenset = frozenset()  # members that it loads
  dependencies: frozenset = frozenset()  # members that are used directly as its counts and conditions
  calls: bool = False  # True if it calls a function, which may depend on any member
  fixed: bool = True
  steps: list = None

  def depends_on(self, items):
    return self.calls or any(self.dependencies & i.members for i in items)


def split(items, free):
  """Splits items into sections. A free item begins a new section if its count or condition depends on the current
  section."""
  sections = []
  together = []
  for i in items:
    if together and (i.steps or free and i.depends_on(together)):
      sections.append(together)
      together = []
    together.append(i)
    if i.steps:
      sections.append(together)
      together = []
  return sections + [together] if together else sections


def read(sections):
  """Returns C++ code that reads the sections one after another."""
  lines = []
  for items in sections:
    if items[0].steps:
      lines += items[0].steps
      continue
    for i in items:
      lines += i.evaluation
    lines.append("parts = {%s};" % ", ".join("{%s, %s}" % p for i in items for p in i.parts))
    lines.append("if (!whole(parts, in, p, out)) return out;")
    for i in items:
      lines += i.loads
  return lines


class Description:
  """One struct S, its words, and the lines of its reader."""

  def __init__(self, r, number):
    self.r, self.name = r, "d%d" % number
    self.members, self.functions, self.lambdas = [], [], []
    self.scalars, self.views = [], []  # members that were read in earlier sections
    self.fresh_scalars, self.fresh_views = [], []  # members of this section
    self.all_views = []
    self.hostile = self.fickle = False
    self.big = r.random() < 0.5
    self.evaluated = 0

  def member(self, kind):
    name = "m%d" % len(self.members)
    self.members.append((kind, name))
    return name

  def field(self):
    r = self.r
    kind, size, signed = r.choice(INTEGERS)
    name = self.member(kind)
    shape = r.random()
    big, word = self.big, "wire::field<&S::%s>" % name
    if shape < 0.15 and not kind.startswith(("small", "wide")) and not signed and size > 1:
      size //= 2  # narrower on the wire, with its own byte order
      big = r.random() < 0.5
      order = "big" if big else "little"
      word = "wire::field<&S::%s, wire::scalar<std::uint%d_t, wire::order::%s>>" % (
          name, 8 * size, order)
    self.fresh_scalars.append(name)
    load = "s.%s = static_cast<%s>(number(p, %d, %s)); p = keep(canon, p, %d);" % (
        name, kind, size, str(big).lower(), size)
    return Item(word, [], [('"%s"' % name, "%dU" % size)], [load], frozenset([name]))

  def boolean(self):
    name = self.member("bool")
    self.fresh_scalars.append(name)
    return Item("wire::field<&S::%s, wire::nonzero<>>" % name, [], [('"%s"' % name, "1U")],
                ["s.%s = *p != std::byte{0}; canon.push_back(std::byte{s.%s}); ++p;" % (name, name)],
                frozenset([name]))

  def numbers(self):
    n = self.r.randint(1, 3)
    name = self.member("std::array<std::uint16_t, %d>" % n)
    load = "for (auto& e : s.%s) { e = static_cast<std::uint16_t>(number(p, 2, %s)); p = keep(" \
        "canon, p, 2); }" % (name, str(self.big).lower())
    return Item("wire::field<&S::%s>" % name, [], [('"%s"' % name, "%dU" % (2 * n))], [load],
                frozenset([name]))

  def nested(self):
    name = self.member("pair")
    load = "s.%s = {static_cast<std::uint8_t>(number(p, 1, false)), static_cast<std::uint16_t>(" \
        "number(p + 1, 2, %s))}; p = keep(canon, p, 3);" % (name, str(self.big).lower())
    self.fresh_scalars.append(name + ".kind")
    return Item("wire::field<&S::%s>" % name, [], [('"%s"' % name, "3U")], [load], frozenset([name]))

  def pointer(self):
    name = self.member("wire::file_pointer<pair_codec, wire::whole_file, std::uint32_t>")
    load = "s.%s.offset = static_cast<std::uint32_t>(number(p, 4, %s)); p = keep(canon, p, 4);" % (
        name, str(self.big).lower())
    return Item("wire::field<&S::%s>" % name, [], [('"%s"' % name, "4U")], [load], frozenset([name]))

  def padding(self):
    n = self.r.randint(1, 5)
    return Item("wire::padding<%d>" % n, [], [('"(padding)"', "%dU" % n)],
                ["canon.insert(canon.end(), %d, std::byte{0}); p += %d;" % (n, n)])

  def slices(self):
    r = self.r
    size = r.choice([1, 2, 4, 8])
    left, words, loads, first, names = 8 * size, [], [], None, []
    loads.append("{ const std::uint64_t w = number(p, %d, %s); std::uint64_t kept = 0;" % (
        size, str(self.big).lower()))
    while left > 0:
      kind = "bool" if r.random() < 0.3 else "std::uint16_t"
      width = 1 if kind == "bool" else min(left, r.randint(1, 16))
      left -= width
      mask = (1 << width) - 1
      if r.random() < 0.2:
        words.append("wire::unused_bits<%d>" % width)
        first = first or "unused"
        continue
      name = self.member(kind)
      first = first or name
      names.append(name)
      words.append("wire::bits<&S::%s, %d>" % (name, width))
      self.fresh_scalars.append(name)
      if kind == "bool":
        loads.append("s.%s = ((w >> %d) & %d) != 0; kept |= std::uint64_t{s.%s} << %d;" % (
            name, left, mask, name, left))
      else:
        loads.append("s.%s = static_cast<std::uint16_t>((w >> %d) & %d); kept |= std::uint64_t{"
                     "s.%s} << %d;" % (name, left, mask, name, left))
    loads.append("put(canon, kept, %d, %s); p += %d; }" % (size, str(self.big).lower(), size))
    if all("unused" in w for w in words):
      return self.field()
    return Item("wire::bit_slices<std::uint%d_t, %s>" % (8 * size, ", ".join(words)), [],
                [('"%s"' % first, "%dU" % size)], loads, frozenset(names))

  def number_of(self, scalar):
    return "static_cast<std::int64_t>(s.%s)" % scalar

  def function(self, body, kind):
    """Adds a count or condition: a lambda or a member function, which may be opaque to the compiler. `body` uses
    the record as `s`."""
    n = "f%d" % (len(self.functions) + len(self.lambdas))
    opaque = self.hostile or self.r.random() < 0.3
    if opaque or self.r.random() < 0.5:
      self.functions.append("%s%s %s() const { [[maybe_unused]] const auto& s = *this; return %s; }" % (
          "" if opaque else "constexpr ", kind, n, body))
      return "&S::" + n, "s.%s()" % n
    lambda_name = "%s_%s" % (self.name, n)
    self.lambdas.append("constexpr auto %s = []([[maybe_unused]] const %s& s) -> %s { return %s; };" % (
        lambda_name, self.name, kind, body))
    return lambda_name, "%s(s)" % lambda_name

  def readable(self):
    """Returns the scalars and views that a function may use. The functions of a hostile description may use all of
    them."""
    if self.hostile and self.r.random() < 0.6:
      return (self.scalars + self.fresh_scalars, self.all_views)
    return self.scalars, self.views

  def count(self):
    r = self.r
    scalars, views = self.readable()
    plain = [m for m in self.scalars if "." not in m]
    if plain and not self.hostile and r.random() < 0.4:
      m = r.choice(plain)
      return "&S::" + m, "s." + m
    if self.fickle and r.random() < 0.5:
      return self.function("fickle() % 5 - 1", "int")
    if views and r.random() < 0.4:
      return self.function("odd_bytes(s.%s)" % r.choice(views), "std::size_t")
    if scalars:
      m = self.number_of(r.choice(scalars))
      body = r.choice(["%s & %d" % (m, r.choice([1, 3, 7, 15])),
                       "(%s & 3) * 2 + 1" % m, "(%s & 7) - 1" % m, m])
      return self.function(body, r.choice(["std::int64_t", "std::uint64_t"])
                           if body != m else "std::int64_t")
    return self.function(str(r.randint(0, 4)), "unsigned")

  def condition(self):
    r = self.r
    scalars, views = self.readable()
    if self.fickle and r.random() < 0.5:
      return self.function("fickle() % 2 != 0", "bool")
    plain = [m for m in self.scalars if "." not in m]
    kinds = dict((n, k) for k, n in self.members)
    plain = [m for m in plain if kinds[m] not in ("small", "wide")]
    if plain and not self.hostile and r.random() < 0.3:
      m = r.choice(plain)
      return "&S::" + m, "s." + m
    if views and r.random() < 0.3:
      return self.function("s.%s.size() > 1" % r.choice(views), "bool")
    if scalars:
      m = self.number_of(r.choice(scalars))
      return self.function(r.choice(["(%s & 1) != 0" % m, "%s > 64" % m, "(%s & 6) == 2" % m]),
                           "bool")
    return self.function("true", "bool")

  def counted(self):
    element, size = self.r.choice(ELEMENTS)
    how, call = self.count()
    name = self.member("wire::array_view<%s>" % element)
    self.fresh_views.append(name)
    self.all_views.append(name)
    a = "a%d" % self.evaluated
    self.evaluated += 1
    return Item("wire::counted<&S::%s, %s>" % (name, how), ["%s = elements(%s);" % (a, call)],
                [('"%s"' % name, "%s * %d" % (a, size))],
                ["s.%s = {p, static_cast<std::size_t>(%s)}; p = keep(canon, p, static_cast<std::size_t"
                 ">(%s) * %d);" % (name, a, a, size)], frozenset([name]), *self.dependencies(how), fixed=False)

  def dependencies(self, how):
    """Returns the members that are used directly as a count or condition, and whether a function is called."""
    name = how.removeprefix("&S::")
    is_member = name != how and name in (m for _, m in self.members)
    return (frozenset([name]), False) if is_member else (frozenset(), True)

  def when(self, depth):
    how, call = self.condition()
    items = [self.item(depth + 1) for _ in range(self.r.randint(1, 3))]
    word = "wire::when<%s, %s>" % (how, ", ".join(i.word for i in items))
    members = frozenset().union(*(i.members for i in items))
    needed, calls = self.dependencies(how)
    needed = needed.union(*(i.dependencies for i in items))
    calls = calls or any(i.calls for i in items)
    sections = [items] if all(i.fixed for i in items) else split(items, True)
    if len(sections) > 1 or any(i.steps for i in items):
      steps = ["if (static_cast<bool>(%s)) {" % call, *read(sections), "}"]
      return Item(word, [], [], [], members, needed, calls, False, steps)
    a = "a%d" % self.evaluated
    self.evaluated += 1
    evaluation = ["%s = %s ? 1 : 0;" % (a, "static_cast<bool>(%s)" % call), "if (%s != 0) {" % a]
    parts, loads = [], ["if (%s != 0) {" % a]
    for i in items:
      evaluation += i.evaluation
      parts += [(n, "(%s != 0 ? %s : 0U)" % (a, size)) for n, size in i.parts]
      loads += i.loads
    return Item(word, evaluation + ["}"], parts, loads + ["}"], members, needed, calls, False)

  def item(self, depth=0):
    x = self.r.random()
    if depth < 2 and x < 0.15:
      return self.when(depth)
    if x < 0.4:
      return self.counted()
    return self.r.choice([self.field, self.field, self.boolean, self.numbers, self.nested,
                          self.pointer, self.padding, self.slices])()

  def text(self):
    r = self.r
    self.hostile = r.random() < 0.35
    self.fickle = self.hostile and r.random() < 0.3
    sections, reader = [], []
    for k in range(r.randint(2, 5)):
      items = [self.field(), self.field()] if k == 0 and not self.hostile else []
      items += [self.item() for _ in range(r.randint(1, 4))]
      sections.append("wire::section<%s>" % ", ".join(i.word for i in items))
      reader += read(split(items, False))
      self.scalars += self.fresh_scalars
      self.views += self.fresh_views
      self.fresh_scalars, self.fresh_views = [], []
    name = self.name
    lines = ["struct %s {" % name, "  using S = %s;" % name]
    lines += ["  %s %s{};" % m for m in self.members]
    lines += ["  " + f for f in self.functions]
    lines += ["};"] + self.lambdas
    lines += ["struct %s_test {" % name, "  using S = %s;" % name,
              "  static constexpr bool hostile = %s, fickle = %s;" % (
                  str(self.hostile).lower(), str(self.fickle).lower()),
              "  using codec = wire::record<wire::fields<%s>, wire::order::%s>;" % (
                  ", ".join(sections), "big" if self.big else "little"),
              "  static reading read(view in, S& s, [[maybe_unused]] bytes& canon) {",
              "    reading out;", "    const std::byte* p = in.data();",
              "    std::vector<part> parts;"]
    lines += ["    std::uint64_t a%d = 0;" % i for i in range(self.evaluated)]
    lines += ["    " + line for line in reader]
    lines += ["    out.used = static_cast<std::size_t>(p - in.data());", "    return out;", "  }",
              "  static bool same(const S& a, const S& b) {", "    return true"]
    for kind, m in self.members:
      lines.append("        && equal(a.%s, b.%s)" % (m, m))
    lines += ["        ;", "  }", "  template <class F> static void views(const S& s, F f) {",
              "    static_cast<void>(s);", "    static_cast<void>(f);"]
    lines += ["    f(&S::%s, s.%s);" % (v, v) for v in self.all_views]
    lines += ["  }", "};"]
    return "\n".join(lines)


def main():
  out, seed, number = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
  r = random.Random(seed)
  with open(out, "w") as file:
    file.write("// Made by fuzz/wire/descriptions.py: seed %d.\n#pragma once\n" % seed)
    file.write('#include "wire/described.hpp"\n\nnamespace described {\n')
    for i in range(number):
      file.write(Description(r, i).text() + "\n\n")
    file.write("using all = list<%s>;\n" % ", ".join("d%d_test" % i for i in range(number)))
    file.write("}  // namespace described\n")


main()
