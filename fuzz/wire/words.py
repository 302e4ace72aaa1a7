#!/usr/bin/env python3
"""Random descriptions of all words, and bytes with what a reader finds in them:

  words.py HEADER VECTORS SEED NUMBER [PER_DESCRIPTION]

HEADER has the structs and their codecs. Each line of VECTORS is a description's number, bytes in hex, and
what decode makes of them: "ok", how many it uses, its members, and the bytes that encode makes of those;
or "no" and the errors that there may be. The reader and the writer are model.py's and parts.py's.
"""
import random
import sys
import zlib

import model
from model import Codec, Computed, Input, Literal, Padding, Align, Refused, Scalar, Silent, Slices
from parts import (Choice, Counted, Element, IfLeft, Limited, List, Nested, Padded, Parts, Prefixed,
                   Record, Rest, SkipRest, Strided, Terminated, When)

UNSIGNED = [("std::uint8_t", 1), ("std::uint16_t", 2), ("std::uint32_t", 4), ("std::uint64_t", 8)]
SIGNED = [("std::int8_t", 1), ("std::int16_t", 2), ("std::int32_t", 4), ("std::int64_t", 8)]
SMALL = [0, 1, 2, 3]


class Ask:
  """What a count, a size, a condition or a tag asks: in C++, and of a record's values."""

  def __init__(self, cpp, value):
    self.cpp, self.value = cpp, value

  def number(self, v):
    n = self.value(v)
    return n if n >= 0 else 1 << 60


class Builder:
  """One struct and its codec. `prefix` makes names of its own; `depth` is how many records it is in."""

  def __init__(self, r, prefix, depth=0):
    self.r, self.prefix, self.depth = r, prefix, depth
    self.big = r.random() < 0.4
    self.before, self.functions, self.lambdas = [], [], []
    self.n = self.records = 0
    self.askable = []  # Scalar or (Slices, name): numbers that were read
    self.taken = set()  # of them those whose values have a meaning
    self.ends = []  # members that every record has, in wire order
    self.sums = 0

  def full(self):
    """Whether it is large enough: each item costs a compiler time."""
    return self.n > (14 if self.depth == 0 else 5)

  def name(self):
    self.n += 1
    return "m%d" % (self.n - 1)

  # Questions.
  def function(self, body, kind):
    """`body` has the record as s."""
    n = "f%d" % (len(self.functions) + len(self.lambdas))
    if self.r.random() < 0.5:
      self.functions.append("constexpr %s %s() const { [[maybe_unused]] const auto& s = *this; return %s;"
                            " }" % (kind, n, body))
      return "&S::" + n
    self.lambdas.append("inline constexpr auto %s_%s = []([[maybe_unused]] const %s& s) -> %s { return %s; };" % (
        self.prefix, n, self.prefix, kind, body))
    return "%s_%s" % (self.prefix, n)

  def plain(self, kinds=None):
    """A member whose values may be chosen; None if there is none."""
    free = [a for a in self.askable if a not in self.taken and (kinds is None or kinds(a))]
    return self.r.choice(free) if free else None

  def use(self, name, domain):
    self.taken.add(name)
    owner = self.owner[name]
    if isinstance(owner, Slices):
      width, is_bool = [(w, b) for w, n, b, _ in owner.slices if n == name][0]
      owner.domains[name] = [x for x in domain if x < (2 if is_bool else 1 << width)]
    else:
      owner.domain = [x for x in domain if x < 2 or owner.codec.ctype != "bool"]

  def number(self):
    """A small number: how many there are."""
    r = self.r
    if r.random() < 0.1:
      n = r.randint(0, 3)
      return Ask(str(n), lambda v: n)
    if not self.askable:
      return Ask(self.function("2", "unsigned"), lambda v: 2)
    m = self.plain(lambda a: not self.is_bool(a))
    if m and r.random() < 0.6:
      self.use(m, SMALL)
      return Ask("&S::" + m, lambda v: v.get(m, 0))
    m = r.choice(self.askable)
    how = r.choice(["(%s & 3)", "(%s & 1) * 2", "(%s & 3) + 1"])
    python = {"(%s & 3)": lambda x: x & 3, "(%s & 1) * 2": lambda x: (x & 1) * 2,
              "(%s & 3) + 1": lambda x: (x & 3) + 1}[how]
    body = how % ("static_cast<std::int64_t>(s.%s)" % m)
    return Ask(self.function(body, r.choice(["std::int64_t", "std::uint64_t"])),
               lambda v: python(v.get(m, 0)))

  def condition(self):
    r = self.r
    if not self.askable:
      return Ask(self.function("true", "bool"), lambda v: True)
    m = r.choice(self.askable)
    if r.random() < 0.4 and not self.is_enum(m):
      return Ask("&S::" + m, lambda v: v.get(m, 0) != 0)
    bit = r.choice([1, 2, 4])
    return Ask(self.function("(static_cast<std::int64_t>(s.%s) & %d) != 0" % (m, bit), "bool"),
               lambda v: v.get(m, 0) & bit != 0)

  def is_enum(self, name):
    owner = self.owner[name]
    return isinstance(owner, Scalar) and owner.codec.ctype in ("small", "wide")

  def is_bool(self, name):
    return ("bool", name, "{}") in self.owner[name].members

  # Numbers.
  def scalar(self, word, codec, asks=True, **more):
    x = Scalar(self.name(), word, codec, **more)
    self.owner[x.name] = x
    if asks:
      self.fresh.append(x.name)
      if more:
        self.taken.add(x.name)
    return x

  def field(self):
    r = self.r
    ctype, size = r.choice(UNSIGNED + UNSIGNED + SIGNED + [("small", 1), ("wide", 4)])
    signed = ctype in [c for c, _ in SIGNED] + ["wide"]
    if r.random() < 0.15 and not signed and ctype != "small" and size > 1:
      big, size = r.random() < 0.5, size // 2
      return self.scalar("wire::field<%%s, wire::scalar<std::uint%d_t, wire::order::%s>>" % (
          8 * size, model.order_of(big)), model.integer(ctype, size, False, big))
    return self.scalar("wire::field<%s>", model.integer(ctype, size, signed, self.big))

  def other_number(self):
    r, big = self.r, self.big
    k = r.randint(0, 7)
    if k == 0:
      return self.scalar("wire::field<%s>", model.boolean())
    if k == 1:
      return self.scalar("wire::field<%s>", model.uint128(big), asks=False)
    if k == 2:
      ctype, size = r.choice([("float", 4), ("double", 8)])
      return self.scalar("wire::field<%s>", model.floating(ctype, size, big), asks=False)
    if k == 3:
      brain = r.random() < 0.5
      return self.scalar("wire::bfloat16<%s>" if brain else "wire::float16<%s>",
                         model.float16(brain, big), asks=False)
    if k == 4:
      size = r.choice([3, 5, 6, 7])
      sign = r.choice(["", "u"])
      ctype = "std::%sint%d_t" % (sign, 64 if size > 3 else 32)
      return self.scalar("wire::integer<%%s, %d>" % (8 * size), model.integer(ctype, size, not sign, big))
    if k == 5:
      ctype, size = r.choice(UNSIGNED + SIGNED)
      return self.scalar("wire::both_orders<%s>", model.both_orders(ctype, size, "uint" not in ctype))
    base, how = r.choice([2, 8, 10, 16]), r.choice(["zeros_nul", "zeros", "left", "right"])
    ctype, size = r.choice(UNSIGNED)
    n = r.randint(2, 9)
    return self.scalar("wire::digits<%%s, %d, %d, wire::digits_as::%s>" % (n, base, how),
                       model.digits(ctype, 8 * size, n, base, how))

  def varint(self):
    kind = self.r.choice(["leb128", "sleb128", "zigzag", "vlq"])
    ctype, size = self.r.choice(SIGNED if kind in ("sleb128", "zigzag") else UNSIGNED)
    return self.scalar("wire::%s<%%s>" % kind, model.varint(kind, ctype, 8 * size))

  def array(self):
    n = self.r.randint(1, 4)
    one = model.integer("", 2, False, self.big)

    def dec(i):
      return [one.dec(i) for _ in range(n)]
    return self.scalar("wire::field<%s>", Codec(
        "std::array<std::uint16_t, %d>" % n,
        lambda v: b"".join(one.enc(x) for x in (v or [0] * n)), dec,
        lambda r: [one.draw(r) for _ in range(n)], 2 * n,
        lambda v: "[%s]" % ",".join(str(x) for x in (v or [0] * n))), asks=False)

  def constant(self):
    r = self.r
    k = r.random()
    if k < 0.3:
      return Literal(r.choice(["OK", "v1.0", "#"]))
    if k < 0.6:
      text = r.choice(["GIF8", "RIFF", "x"])
      codec = Codec(r.choice(["std::array<char, %d>", "std::array<std::uint8_t, %d>"]) % len(text),
                    lambda v: bytes(v), lambda i: list(i.take(len(text))), lambda r: list(text.encode()),
                    len(text), lambda v: "[%s]" % ",".join(str(x) for x in v or [0] * len(text)))
      return self.scalar('wire::constant<%%s, "%s">' % text, codec, asks=False,
                         allowed=lambda v: bytes(v) == text.encode(), constant=list(text.encode()))
    ctype, size = r.choice(UNSIGNED)
    n = r.randint(0, 200)
    if r.random() < 0.2 and not self.fixed:
      codec = model.varint(r.choice(["leb128", "vlq"]), ctype, 8 * size)
      return self.scalar("wire::constant<%%s, %d, %s>" % (n, codec.wire), codec, allowed=lambda v: v == n,
                         constant=n, domain=[n])
    if r.random() < 0.3 and size > 1:
      return self.scalar("wire::constant<%%s, %d, wire::scalar<%s, wire::order::big>>" % (n, ctype),
                         model.integer(ctype, size, False, True), allowed=lambda v: v == n, constant=n,
                         domain=[n])
    return self.scalar("wire::constant<%%s, %d>" % n, model.integer(ctype, size, False, self.big),
                       allowed=lambda v: v == n, constant=n, domain=[n])

  def checked(self):
    r = self.r
    ctype, size = r.choice(UNSIGNED + SIGNED)
    codec, wire = model.integer(ctype, size, "uint" not in ctype, self.big), ""
    if r.random() < 0.3 and "uint" in ctype and not self.fixed:
      codec = model.varint("leb128", ctype, 8 * size)
      wire = ", " + codec.wire
    k = r.random()
    if k < 0.4 and not wire:
      values = r.sample(range(100), 3)
      return self.scalar("wire::one_of<%%s, %s>" % ", ".join(map(str, values)), codec,
                         allowed=lambda v: v in values, domain=values)
    low = r.randint(0, 9)
    if k < 0.7:
      return self.scalar("wire::in_range<%%s, %d, %d%s>" % (low, low + 90, wire), codec,
                         allowed=lambda v: low <= v <= low + 90, domain=[low, low + 1, low + 90])
    name = "%s_valid%d" % (self.prefix, self.n)
    self.before.append("inline constexpr auto %s = [](const auto& m) { return m %% 3 == 0; };" % name)
    return self.scalar("wire::valid<%%s, %s%s>" % (name, wire), codec, allowed=lambda v: v % 3 == 0,
                       domain=[0, 3, 6, 99])

  def slices(self):
    r = self.r
    size = r.choice([1, 2, 4, 8])
    big, wire = self.big, "std::uint%d_t" % (8 * size)
    if r.random() < 0.2 and size > 1:
      big, wire = not big, "wire::scalar<%s, wire::order::%s>" % (wire, model.order_of(not self.big))
    left, each = 8 * size, []
    while left:
      width = min(left, r.randint(1, 16))
      left -= width
      k = r.random()
      if k < 0.15 and each:
        each.append((width, None, False, None))
      elif k < 0.3 and each:
        each.append((width, None, False, r.choice([0, (1 << width) - 1])))
      else:
        each.append((width, self.name(), width <= 8 and k < 0.5, None))
    x = Slices(size, big, wire, r.random() < 0.5, each)
    for width, name, _, _ in each:
      if name:
        self.owner[name] = x
        self.fresh.append(name)
        if width < 2:
          self.taken.add(name)
    return x

  # Views.
  def element(self, fixed=None, nested=True):
    r = self.r
    k = r.random()
    if k < 0.4 and nested and self.depth < 2:
      return Element(*self.record(fixed, listed=True))
    plain = [("wire::u8", model.integer("", 1, False, False)),
             ("wire::character", model.integer("", 1, False, False)),
             ("wire::u16be", model.integer("", 2, False, True)),
             ("wire::u32le", model.integer("", 4, False, False)),
             ("wire::u64be", model.integer("", 8, False, True)),
             ("wire::both_orders_of<std::uint16_t>", model.both_orders("", 2, False))]
    if not nested:
      return Element(*r.choice(plain[:4]))
    if fixed is False or (fixed is None and k < 0.7):
      kind = r.choice(["leb128", "sleb128", "zigzag", "vlq"])
      codec = model.varint(kind, "std::int32_t" if kind in ("sleb128", "zigzag") else "std::uint16_t",
                           32 if kind in ("sleb128", "zigzag") else 16)
      return Element(codec.wire, codec)
    return Element(*r.choice(plain))

  def record(self, fixed=None, listed=False, told=False):
    """Another record, (codec, None, Record) as Element wants it; one that is told its member m0."""
    self.records += 1
    b = Builder(self.r, "%s_r%d" % (self.prefix, self.records), self.depth + 1)
    record = b.build(fixed, listed, told)
    self.before += record.cpp_text()
    return record.name + "_codec", None, record

  def counted(self):
    """With its count in front of it, or a count that was read."""
    r = self.r
    if r.random() < 0.3:
      n, ctype = self.name(), r.choice(["std::uint8_t", "std::uint16_t"])
      name = self.name()
      codec, wire = model.integer(ctype, 1 if "8" in ctype else 2, False, self.big), ""
      if r.random() < 0.4:
        codec = model.varint("leb128", ctype, 8 if "8" in ctype else 16)
        wire = ", " + codec.wire
      first = Computed(n, "wire::computed<%%s, wire::size_of<&S::%s>%s>" % (name, wire), codec, "members",
                       lambda v, p, b: len(v[name].shows) if name in v else 0)
      first.domain = SMALL
      ask = Ask("&S::" + n, lambda v: v.get(n, 0))
      if r.random() < 0.4 and self.depth < 2:
        return [first, List(name, self.element(), "times", ask, "wire::times<&S::%s>" % n)]
      return [first, Counted(name, self.element(True), ask)]
    return Counted(self.name(), self.element(True), self.number())

  def strided(self):
    e = self.element(True)
    stride = e.size + self.r.randint(0, 3)
    m = self.plain(lambda a: self.wide_enough(a, 8))
    if m and stride < 256 and self.r.random() < 0.7:
      self.use(m, [stride])
      return Strided(self.name(), e, self.number(), Ask("&S::" + m, lambda v: v.get(m, 0)))
    return Strided(self.name(), e, self.number(),
                   Ask(self.function(str(stride), "unsigned"), lambda v: stride))

  def wide_enough(self, name, bits):
    owner = self.owner[name]
    if isinstance(owner, Slices):
      return [w for w, n, b, _ in owner.slices if n == name and not b and w >= bits] != []
    c = owner.codec
    return "int" in c.ctype and (c.size is None or c.size > bits // 8) and "int8" not in c.ctype and \
        not owner.word.startswith("wire::digits")

  def text(self):
    r = self.r
    k = r.randint(0, 2)
    e = self.element(nested=False)
    if k == 0:
      return Terminated(self.name(), e, r.choice([0, 0, 10, 255 if e.cpp != "wire::character" else 10]))
    if k == 1:
      return Padded(self.name(), e, r.randint(1, 9), r.choice([0, 32]))
    kind, cpp = r.choice([(model.integer("", 1, False, self.big), "std::uint8_t"),
                          (model.integer("", 2, False, True), "wire::u16be"),
                          (model.integer("", 4, True, self.big), "std::int32_t"),
                          (model.varint("leb128", "", 32), "wire::uleb128_of<std::uint32_t>"),
                          (model.varint("vlq", "", 16), "wire::vlq_of<std::uint16_t>")])
    return Prefixed(self.name(), self.element(True) if r.random() < 0.4 else e, kind, cpp)

  def told(self):
    """What a record is told: its member, C++, and the number."""
    ask = self.number()
    return Ask(ask.cpp, lambda v: ask.value(v) & 255)

  def list(self, tail=False):
    r = self.r
    if not tail and self.depth < 1 and r.random() < 0.25:
      ask, n, (codec, _, record) = self.told(), self.number(), self.record(None, True, True)
      e = Element("%s, &%s::m0" % (codec, record.name), record=record)
      e.told = ("m0", ask)
      return List(self.name(), e, "times", n, "wire::times<%s>, wire::given<&%s::m0, %s>" % (
          n.cpp, record.name, ask.cpp))
    e = self.element()
    if tail:
      return List(self.name(), e, "to_end", None, "wire::to_end")
    if r.random() < 0.6:
      n = self.number()
      return List(self.name(), e, "times", n, "wire::times<%s>" % n.cpp)
    # (One that can begin with a 0, and with something else.)
    if e.record:
      e = Element("wire::uleb128_of<std::uint16_t>", model.varint("leb128", "", 16))
    if "sleb" in e.cpp or "zigzag" in e.cpp or "vlq" in e.cpp or e.size is None:
      test = "v == 0"
      e = Element("wire::uleb128_of<std::uint16_t>", model.varint("leb128", "", 16))
    elif e.size == 1:
      test = "v == 0"
    else:
      e, test = Element("wire::u8", model.integer("", 1, False, False)), "v == 0"
    name = "%s_last%d" % (self.prefix, self.n)
    self.before.append("inline constexpr auto %s = [](const auto& v) { return %s; };" % (name, test))
    return List(self.name(), e, "until", None, "wire::until<%s>" % name)

  # Parts.
  def when(self, depth, tail):
    c = self.condition()
    m = self.plain(lambda a: not self.is_enum(a) and not self.is_bool(a))
    if m and self.r.random() < 0.3:
      n = self.r.randint(1, 3)
      self.use(m, [0, 1, 2, 3, 7] if self.wide_enough(m, 8) else SMALL)
      return When("wire::since<&S::%s, %d" % (m, n), lambda v: v.get(m, 0) >= n,
                  self.items(depth + 1, tail, False))
    return When("wire::when<%s" % c.cpp, c.value, self.items(depth + 1, tail, False))

  def choice(self, depth, tail):
    r = self.r
    m = self.plain()
    if m and r.random() < 0.7:
      tag, values = Ask("&S::" + m, lambda v: v.get(m, 0)), list(SMALL)
    else:
      m, tag, values = None, self.number(), SMALL + [4]
      if tag.cpp[0].isdigit():
        return self.field()
    r.shuffle(values)
    if m and (self.is_bool(m) or isinstance(self.owner[m], Slices)):
      values = [0, 1]
    listed = r.randint(1, len(values))
    open_at = listed if r.random() < 0.5 else len(values)
    values = values[:listed + 1]
    if m:
      self.use(m, values)
    alternatives, shared = [], self.field() if r.random() < 0.3 else None
    if shared:
      self.fresh.remove(shared.name)
    for k, value in enumerate(values):
      none = k >= open_at
      items = [] if r.random() < 0.15 else self.items(depth + 1, tail, False, 2)
      if shared and r.random() < 0.6:
        items = [shared] + items
      alternatives.append((None if none else value, Parts(items)))
      if not none and r.random() < 0.15 and not m:
        alternatives[-1] = ((value, value), Parts(items))
      if none:
        break
    if shared and not any(shared in p.items for _, p in alternatives):
      alternatives[0][1].__init__([shared] + alternatives[0][1].items)
    if not any(x.members for _, p in alternatives for x in p.items):
      alternatives[0] = (alternatives[0][0], Parts([self.field()]))
    return Choice(tag, alternatives)

  def limited(self, depth, always):
    """With the size in front of it, and perhaps something between."""
    r, size = self.r, self.name()
    ctype, n = r.choice(UNSIGNED[1:])
    codec = model.integer(ctype, n, False, self.big)
    limit = Ask("&S::" + size, lambda v: v.get(size, 0))
    how = r.random()
    if how < 0.5:
      wire = ""
      if how < 0.15:
        codec = model.varint("leb128", ctype, 8 * n)
        wire = ", " + codec.wire
      first = Computed(size, "wire::computed<%%s, wire::extent_of_limited<&S::%s>%s>" % (size, wire), codec,
                       "places",
                       lambda v, p, b: p["limited " + size][1] - p["limited " + size][0]
                       if "limited " + size in p else 0)
    elif how < 0.7:
      first = Scalar(size, "wire::leb128<%s>", model.varint("leb128", ctype, 8 * n))
    else:
      first = Scalar(size, "wire::field<%s>", codec)
    between = [self.field()] if r.random() < 0.3 else []
    self.owner[size] = first
    if always:
      self.ends += [x.name for x in [first] + between]
    return [first] + between + [Limited(limit, self.items(depth + 1, True, always), size)]

  def computed(self, views):
    """Of the record, or a count: a list of one, or none."""
    r = self.r
    ctype, n = r.choice(UNSIGNED[1:])
    codec = model.integer(ctype, n, False, self.big)
    name = self.name()
    k = r.randint(0, 5)
    if k == 0 and views:
      x = r.choice(views)
      return [Computed(name, "wire::computed<%%s, wire::size_of<&S::%s>>" % x.name, codec, "members",
                       lambda v, p, b: len(v[x.name].shows) if x.name in v else 0)]
    if k == 1:
      return [Computed(name, "wire::computed<%s, wire::extent_of_record>", codec, "places",
                       lambda v, p, b: len(b))]
    if k == 2:
      self.later.append((Computed(name, "%s", codec, "places", None), ""))
      return [self.later[-1][0]]
    if k == 3 and self.askable:
      m = r.choice(self.askable)
      cpp = self.function("static_cast<std::uint64_t>(static_cast<std::int64_t>(s.%s) & 127) + 1" % m,
                          "std::uint64_t")
      return [Computed(name, "wire::computed<%%s, %s>" % cpp, codec, "members",
                       lambda v, p, b: (v.get(m, 0) & 127) + 1)]
    if self.sums or n < 4:
      return [Scalar(name, "wire::field<%s>", codec)]
    self.sums += 1
    big = r.random() < 0.3
    crc = model.integer(ctype, n, False, big or self.big)
    more = ", wire::scalar<%s, wire::order::big>" % ctype if big else ""
    if k == 4:
      self.later.append((Computed(name, "%s", crc, "bytes", None), more))
      return [self.later[-1][0]]
    if r.random() < 0.5:
      return [Computed(name, "wire::computed<%%s, wire::over_front<io::crc32>%s>" % more, crc, "bytes",
                       lambda v, p, b: zlib.crc32(bytes(b[:p[name][0]])))]
    fill = r.choice([0, 32])
    return [Computed(name, "wire::computed<%%s, wire::over_record<io::byte_sum, %d>%s>" % (fill, more), crc,
                     "bytes", lambda v, p, b: sum(b[:p[name][0]]) + sum(b[p[name][1]:]) + fill * n)]

  @staticmethod
  def compute_between(x, a, z, more):
    """Of the bytes from member a to member z, before or behind it or around it."""
    if x.stage == "places":
      x.word = "wire::computed<&S::%s, wire::extent_of<&S::%s, &S::%s>>" % (x.name, a, z)
      x.of = lambda v, p, b: p[z][1] - p[a][0]
      return
    x.word = "wire::computed<&S::%s, wire::over<io::crc32, &S::%s, &S::%s>%s>" % (x.name, a, z, more)

    def crc(v, p, b):
      b, (begin, end) = bytearray(b), p[x.name]
      if p[a][0] <= begin and end <= p[z][1]:
        b[begin:end] = bytes(end - begin)
      return zlib.crc32(b[p[a][0]:p[z][1]])
    x.of = crc

  def one(self, depth):
    """An item that may stand anywhere."""
    r = self.r
    x = r.random()
    if x < 0.22:
      return self.field()
    if x < 0.32:
      return self.other_number()
    if x < 0.42:
      return self.varint()
    if x < 0.50:
      return r.choice([self.constant, self.checked])()
    if x < 0.57:
      return self.slices()
    if x < 0.62:
      return r.choice([lambda: Padding(r.randint(1, 4)), self.array])()
    if x < 0.72:
      return self.text()
    if x < 0.78:
      return self.counted()
    if x < 0.82:
      return self.strided()
    if x < 0.88 and self.depth < 2:
      return self.list()
    if x < 0.92 and self.depth < 2:
      if r.random() < 0.25:
        ask, (codec, _, record) = self.told(), self.record(None, False, True)
        x = Nested(self.name(), record, "wire::field<&S::m%d, %s, wire::given<&%s::m0, %s>>" % (
            self.n - 1, codec, record.name, ask.cpp))
        x.told = ("m0", ask)
        return x
      codec, _, record = self.record(None)
      return Nested(self.name(), record, "wire::field<&S::m%d, %s>" % (self.n - 1, codec))
    if x < 0.95:
      return Align(r.choice([2, 4, 8]), r.choice([0, 0, 255]))
    return Silent(r.choice(["given", "not_on_wire"]), "std::uint8_t", self.name(), r.randint(0, 3))

  def last(self, depth):
    r = self.r
    k = r.randint(0, 3)
    if k == 0:
      from parts import Viewed  # noqa: F401
      return Rest(self.name(), self.element(True))
    if k == 1:
      return SkipRest()
    if k == 2 and self.depth < 2:
      return self.list(True)
    flag = self.name()
    return IfLeft(flag, self.items(depth + 1, True, False))

  def items(self, depth, tail, always, most=4):
    r, all_items = self.r, []
    outer = list(self.askable)
    for _ in range(r.randint(1, most)):
      if self.full() and all_items:
        break
      self.fresh = []
      x = r.random() if not self.full() else 0.5
      if depth < 3 and x < 0.10:
        new = [self.when(depth, False)]
      elif depth < 3 and x < 0.20:
        new = [self.choice(depth, False)]
      elif depth < 3 and x < 0.28:
        new = self.limited(depth, always)
      elif x < 0.34 and depth == 0:
        new = self.computed([i for i in all_items if hasattr(i, "element")])
      else:
        new = self.one(depth)
        new = new if isinstance(new, list) else [new]
      for i in new:
        if isinstance(i, Silent) and i.word == "given":
          self.fresh.append(i.name)
          self.owner[i.name] = i
          self.taken.add(i.name)
        if always and len(new) == 1 and (isinstance(i, (Scalar, Slices)) or hasattr(i, "element")):
          self.ends += [m[1] for m in i.members]
        if depth == 0 or not isinstance(i, (When, Choice, IfLeft)):
          self.askable += [n for n in self.fresh if n in [m[1] for m in i.members]
                           and isinstance(i, (Scalar, Slices, Silent))
                           and not isinstance(i, Computed)]
      all_items += new
    if tail and r.random() < (0.3 if self.full() else 0.6):
      self.fresh = []
      all_items.append(self.last(depth))
    if not any(i.members for i in all_items):
      self.fresh = []
      all_items.insert(0, self.field())
    if depth:
      self.askable = outer
    return all_items

  def build(self, fixed=None, listed=False, told=False):
    r = self.r
    self.owner, self.fresh, self.fixed, self.later = {}, [], fixed, []
    if fixed:
      items = []
      for _ in range(r.randint(1, 4)):
        items.append(r.choice([self.field, self.other_number, self.checked, self.slices, self.array,
                               self.constant])())
      if not any(i.members for i in items):
        items.append(self.field())
    else:
      items = []
      if told:
        items = [Silent("given", "std::uint8_t", self.name(), 0)]
        self.owner["m0"] = items[0]
        self.taken.add("m0")
        self.askable.append("m0")
      items.append(self.scalar("wire::leb128<%s>", model.varint("leb128", "std::uint32_t", 32)) if told
                   else self.field())
      self.askable += self.fresh
      self.ends += self.fresh
      items += self.items(0 if self.depth == 0 else 1, self.depth == 0, True)
    for x, more in self.later:
      a, z = sorted((r.randrange(len(self.ends)), r.randrange(len(self.ends))))
      self.compute_between(x, self.ends[a], self.ends[z], more)
    return Record(self.prefix, items, self.big, self.before, self.functions, self.lambdas)


def open_ended(items):
  """Whether fewer bytes may be a record, too."""
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
  """Each from its place and the seed alone; (random numbers, Record)."""
  out = []
  for k in range(number):
    r = random.Random("%d %d" % (seed, k))
    while True:
      record = Builder(r, "w%d" % k).build()
      try:
        record.draw(r)
        break
      except Refused:  # no tag that is drawn is in its list
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
