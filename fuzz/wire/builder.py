"""Draws random descriptions: one struct and its words."""
import struct
import zlib

import model
from drawn import SMALL, UNSIGNED, Expr, Drawn
from model import Align, Computed, Padding, Reserved, Scalar, Silent, Slices
from parts import Choice, IfLeft, InByteOrder, Nested, Parts, PrefixedPart, Record, Sized, When
from views import (Counted, EachList, Element, InnerElement, InnerList, List, Padded, Prefixed, PrefixedInnerList,
                   PrefixedList, Rest, SkipRest, Strided, Terminated)


class Builder(Drawn):
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

  def record(self, fixed=None, listed=False, parameter=None):
    """Draws another record and returns (codec, None, Record) for Element. If `parameter` is "parameter" or
    "previous", its member m0 is such a parameter."""
    self.records += 1
    b = Builder(self.r, "%s_r%d" % (self.prefix, self.records), self.depth + 1)
    record = b.build(fixed, listed, parameter, not fixed and not parameter and self.r.random() < 0.4)
    self.before += record.cpp_text()
    return record.name + "_codec", None, record

  def inner_list(self):
    """Draws a list of records of the own kind, which ends in any way, and returns its items."""
    r, e = self.r, InnerElement(self.prefix, self.r.randint(1, 4))
    ctype, n = r.choice(UNSIGNED[:2])
    codec, first, name = model.integer(ctype, n, False, self.big), self.name(), self.name()
    k = r.randint(0, 3)
    if k == 0:
      return e, [Computed(first, "wire::computed<%%s, wire::size_of<&S::%s>>" % name, codec, "members",
                          lambda v, p, b: len(v[name].shows) if name in v else 0),
                 InnerList(name, e, "times", Expr("&S::" + first, lambda v: v.get(first, 0)),
                           "wire::times<&S::%s>" % first)]
    if k == 1:
      return e, [Scalar(first, "wire::field<%s>", codec), PrefixedInnerList(name, e, *self.length())]
    if k == 2:
      size = Computed(first, "%s", model.integer("std::uint16_t", 2, False, self.big), "places",
                      lambda v, p, b: p["sized " + first][1] - p["sized " + first][0] if "sized " + first in p else 0)
      part = Sized(Expr("&S::" + first, lambda v: v.get(first, 0)),
                   [InnerList(name, e, "to_end", None, "wire::to_end")], first)
      return e, [PrefixedPart(size, part, "")]
    flag = Scalar(first, "wire::field<%s>", model.boolean(False))
    # At the limit, the list is absent, because it would have at least one element.
    flag.draw = lambda r, v: v.__setitem__(first, r.randint(0, 1) if e.may_contain() else 0)
    ends = "%s_ends" % self.prefix
    self.before.append("inline constexpr auto %s = [](const auto& v) { return v.m0 == 0; };" % ends)
    return e, [flag, When("wire::when<&S::" + first, lambda v: v.get(first, 0) != 0,
                          [InnerList(name, e, "until", None, "wire::until<%s>" % ends)])]

  def counted(self):
    """Draws an array with its count before it, or with a count that was read earlier."""
    r = self.r
    if self.depth < 1 and r.random() < 0.2:
      other = Prefixed(self.name(), Element("wire::u8", model.integer("", 1, False, False)), *self.length())
      codec, _, record = self.record(None, True, "parameter")
      e = Element("%s, wire::each<&%s::m0, wire::array_view<wire::u8>>" % (codec, record.name), record=record)
      return [other, EachList(self.name(), e, other.name)]
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
      count = Expr("&S::" + n, lambda v: v.get(n, 0))
      if r.random() < 0.4 and self.depth < 2:
        return [first, List(name, self.element(), "times", count, "wire::times<&S::%s>" % n)]
      return [first, Counted(name, self.element(True), count)]
    return Counted(self.name(), self.element(True), self.number())

  def strided(self):
    e = self.element(True)
    stride = e.size + self.r.randint(0, 3)
    m = self.plain(lambda a: self.wide_enough(a, 8))
    if m and stride < 256 and self.r.random() < 0.7:
      self.use(m, [stride])
      return Strided(self.name(), e, self.number(), Expr("&S::" + m, lambda v: v.get(m, 0)))
    return Strided(self.name(), e, self.number(),
                   Expr(self.function(str(stride), "unsigned"), lambda v: stride))

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
    return Prefixed(self.name(), self.element(True) if r.random() < 0.4 else e, *self.length())

  def length(self):
    """Draws the type of a length that precedes elements: its codec and its C++ code."""
    return self.r.choice([(model.integer("", 1, False, self.big), "std::uint8_t"),
                          (model.integer("", 2, False, True), "wire::u16be"),
                          (model.integer("", 4, True, self.big), "std::int32_t"),
                          (model.varint("leb128", "", 32), "wire::uleb128_of<std::uint32_t>"),
                          (model.varint("vlq", "", 16), "wire::vlq_of<std::uint16_t>"),
                          (model.leb_in_bytes("", 32, 2, False), "wire::uleb128_of<std::uint32_t, 2>")])

  def parameter(self):
    """Draws the parameter that a record receives: C++ code and its value."""
    n = self.number()
    return Expr(n.cpp, lambda v: n.value(v) & 255)

  def list(self, tail=False):
    r = self.r
    if not tail and self.depth < 1 and r.random() < 0.3:
      carried = r.random() < 0.6
      codec, _, record = self.record(None, True, "previous" if carried else "parameter")
      if carried and r.random() < 0.5:
        n = self.number()
        return List(self.name(), Element(codec, record=record), "times", n, "wire::times<%s>" % n.cpp)
      parameter, n = self.parameter(), self.number()
      e = Element("%s, &%s::m0" % (codec, record.name), record=record)
      e.parameter = ("m0", parameter)
      if r.random() < 0.5:
        return PrefixedList(self.name(), e, *self.length(), ", wire::args<&%s::m0, %s>" % (
            record.name, parameter.cpp))
      return List(self.name(), e, "times", n, "wire::times<%s>, wire::args<&%s::m0, %s>" % (
          n.cpp, record.name, parameter.cpp))
    e = self.element()
    if tail:
      return List(self.name(), e, "to_end", None, "wire::to_end")
    if r.random() < 0.3:
      return PrefixedList(self.name(), e, *self.length())
    if r.random() < 0.6:
      n = self.number()
      return List(self.name(), e, "times", n, "wire::times<%s>" % n.cpp)
    # The list needs an element that can begin with a 0 or with another byte.
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
      return When("wire::when<wire::at_least<&S::%s, %d>" % (m, n), lambda v: v.get(m, 0) >= n,
                  self.items(depth + 1, tail, False))
    return When("wire::when<%s" % c.cpp, c.value, self.items(depth + 1, tail, False))

  def ordered(self, depth, always):
    m = self.r.choice(self.usable)
    cpp = self.function("(static_cast<std::int64_t>(s.%s) & 1) != 0 ? wire::order::big : wire::order::little" % m,
                        "wire::order")
    return InByteOrder(cpp, lambda v: v.get(m, 0) & 1 != 0, self.big, self.items(depth + 1, False, always))

  def choice(self, depth, tail):
    r = self.r
    m = self.plain()
    if m and r.random() < 0.7:
      tag, values = Expr("&S::" + m, lambda v: v.get(m, 0)), list(SMALL)
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
      elif not none and r.random() < 0.2 and values != [0, 1]:
        alternatives[-1] = ([value, 100 + value], Parts(items))
      if none:
        break
    if shared and not any(shared in p.items for _, p in alternatives):
      alternatives[0][1].__init__([shared] + alternatives[0][1].items)
    if not any(x.members for _, p in alternatives for x in p.items):
      alternatives[0] = (alternatives[0][0], Parts([self.field()]))
    return Choice(tag, alternatives)

  def sized(self, depth, always):
    """Draws a part of a stated size, with the size before it and sometimes another field between."""
    r, size = self.r, self.name()
    ctype, n = r.choice(UNSIGNED[1:])
    codec = model.integer(ctype, n, False, self.big)
    extent = Expr("&S::" + size, lambda v: v.get(size, 0))
    how, wire = r.random(), ""
    if how < 0.5:
      if how < 0.2:
        codec = model.varint("leb128", ctype, 8 * n) if how < 0.15 else \
            model.leb_in_bytes(ctype, 8 * n, 2, False)
        wire = ", " + codec.wire
      first = Computed(size, "wire::computed<%%s, wire::extent_of<wire::sized_by<&S::%s>>%s>" % (size, wire), codec,
                       "places",
                       lambda v, p, b: p["sized " + size][1] - p["sized " + size][0]
                       if "sized " + size in p else 0)
    elif how < 0.7:
      first = Scalar(size, "wire::leb128<%s>", model.varint("leb128", ctype, 8 * n))
    else:
      first = Scalar(size, "wire::field<%s>", codec)
    between = [self.field()] if r.random() < 0.3 else []
    self.owner[size] = first
    if always:
      self.ends += [x.name for x in [first] + between]
    if isinstance(first, Computed) and not between and r.random() < 0.6:
      return [PrefixedPart(first, Sized(extent, self.items(depth + 1, True, always), size), wire)]
    return [first] + between + [Sized(extent, self.items(depth + 1, True, always), size)]

  def computed(self, views):
    """Draws a computed field and returns it in a list: a count, an extent or a checksum. In a few cases the field
    is a plain one."""
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
      ends, of = r.choice([("", lambda begin, end, size: size),
                           ("wire::record_start, wire::here", lambda begin, end, size: begin),
                           ("wire::here, wire::record_end", lambda begin, end, size: size - end)])
      return [Computed(name, "wire::computed<%%s, wire::extent_of<%s>>" % ends, codec, "places",
                       lambda v, p, b: of(*p[name], len(b)))]
    if k == 2:
      self.later.append((Computed(name, "%s", codec, "places", None), ""))
      return [self.later[-1][0]]
    if k == 3 and self.usable:
      m = r.choice(self.usable)
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
    if r.random() < 0.3:
      codec = model.Codec("std::array<std::uint8_t, 12>", lambda v: bytes(v or 12 * [0]), lambda i: list(i.take(12)),
                          lambda r: list(r.randbytes(12)), 12,
                          lambda v: "[%s]" % ",".join(str(x) for x in v or 12 * [0]))

      def digest(v, p, b):
        b = bytes(b[:p[name][0]])
        return list(struct.pack("<III", len(b), sum(b), sum((len(b) - i) * x for i, x in enumerate(b))))
      return [Computed(name, "wire::computed<%s, wire::over<digest, wire::record_start, wire::here>>", codec, "bytes",
                       digest)]
    if r.random() < 0.5:
      ends, of = r.choice([("wire::record_start, wire::here", lambda begin, end: slice(0, begin)),
                           ("wire::here, wire::record_end", lambda begin, end: slice(end, None))])
      return [Computed(name, "wire::computed<%%s, wire::over<io::crc32, %s>%s>" % (ends, more), crc, "bytes",
                       lambda v, p, b: zlib.crc32(bytes(b[of(*p[name])])))]
    fill = r.choice([0, 32])
    return [Computed(name, "wire::computed<%%s, wire::over<io::byte_sum, wire::itself_as<%d>>%s>" % (fill, more), crc,
                     "bytes", lambda v, p, b: sum(b[:p[name][0]]) + sum(b[p[name][1]:]) + fill * n)]

  @staticmethod
  def compute_between(x, a, z, more):
    """Makes `x` a function of the bytes from member a to member z. `x` itself may lie before, after or within these
    bytes."""
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
    """Draws an item that may occur anywhere."""
    r = self.r
    x = r.random()
    if x < 0.22:
      return self.field()
    if x < 0.32:
      return self.other_number()
    if x < 0.42:
      if self.usable and r.random() < 0.25:
        return self.delta()
      return self.digits_until() if r.random() < 0.15 else self.varint()
    if x < 0.50:
      return r.choice([self.constant, self.checked])()
    if x < 0.57:
      return self.slices()
    if x < 0.62:
      return r.choice([lambda: Padding(r.randint(1, 4)), lambda: Reserved(r.randint(1, 4)), self.array])()
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
        parameter, (codec, _, record) = self.parameter(), self.record(None, False, "parameter")
        x = Nested(self.name(), record, "wire::field<&S::m%d, %s, wire::args<&%s::m0, %s>>" % (
            self.n - 1, codec, record.name, parameter.cpp))
        x.parameter = ("m0", parameter)
        return x
      codec, _, record = self.record(None)
      return Nested(self.name(), record, "wire::field<&S::m%d, %s>" % (self.n - 1, codec))
    if x < 0.95:
      return Align(r.choice([2, 4, 8]), r.choice([0, 0, 255]), r.random() < 0.5)
    # A nested record must receive all its parameters.
    word = r.choice(["parameter", "not_on_wire"]) if self.depth == 0 else "not_on_wire"
    return Silent(word, "std::uint8_t", self.name(), r.randint(0, 3))

  def last(self, depth):
    r = self.r
    k = r.randint(0, 3)
    if k == 0:
      return Rest(self.name(), self.element(True))
    if k == 1:
      return SkipRest()
    if k == 2 and self.depth < 2:
      return self.list(True)
    flag = self.name()
    return IfLeft(flag, self.items(depth + 1, True, False))

  def items(self, depth, tail, always, most=4):
    r, all_items = self.r, []
    outer = list(self.usable)
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
        new = self.sized(depth, always)
      elif depth < 3 and x < 0.31 and self.usable:
        new = [self.ordered(depth, always)]
      elif x < 0.37 and depth == 0:
        new = self.computed([i for i in all_items if hasattr(i, "element")])
      else:
        new = self.one(depth)
        new = new if isinstance(new, list) else [new]
      for i in new:
        if isinstance(i, Silent) and i.word == "parameter":
          self.fresh.append(i.name)
          self.owner[i.name] = i
          self.taken.add(i.name)
        if always and len(new) == 1 and (isinstance(i, (Scalar, Slices)) or hasattr(i, "element")):
          self.ends += [m[1] for m in i.members]
        if depth == 0 or not isinstance(i, (When, Choice, IfLeft)):
          self.usable += [n for n in self.fresh if n in [m[1] for m in i.members]
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
      self.usable = outer
    return all_items

  def carry(self, m0, number):
    """Makes m0 a function of `number`, a member of the previous record. In some cases, it starts again."""
    n, python = number.name, self.r.choice([lambda v: v[n] & 255, lambda v: 0 if v[n] % 3 == 0 else v[n] & 255])
    cpp = "&S::" + n
    if python({n: 3}) == 0:
      cpp = self.function("static_cast<std::uint8_t>(s.%s %% 3 == 0 ? 0 : s.%s)" % (n, n), "std::uint8_t")
    m0.more = ", " + cpp
    return "m0", python

  def build(self, fixed=None, listed=False, parameter=None, inner=False):
    """Draws the struct and its words. If `inner` is set, the record contains a list of its own kind."""
    r, element = self.r, None
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
      if parameter:
        items = [Silent(parameter, "std::uint8_t", self.name(), 0)]
        self.owner["m0"] = items[0]
        self.taken.add("m0")
        self.usable.append("m0")
      if inner:
        items.append(self.scalar("wire::field<%s>", model.integer("std::uint8_t", 1, False, False)))
        self.taken.add("m0")
      else:
        items.append(self.scalar("wire::leb128<%s>", model.varint("leb128", "std::uint32_t", 32))
                     if parameter else self.field())
      self.usable += self.fresh
      self.ends += self.fresh
      items += self.items(0 if self.depth == 0 else 1, self.depth == 0, True)
      if inner:
        element, more = self.inner_list()
        at = r.randint(1, len(items))
        items[at:at] = more
    for x, more in self.later:
      a, z = sorted((r.randrange(len(self.ends)), r.randrange(len(self.ends))))
      self.compute_between(x, self.ends[a], self.ends[z], more)
    carried = self.carry(items[0], items[1]) if parameter == "previous" else None
    record = Record(self.prefix, items, self.big, self.before, self.functions, self.lambdas, carried)
    if element:
      record.inner, element.record = True, record
    return record
