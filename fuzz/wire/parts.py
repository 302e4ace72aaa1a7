"""Words of descriptions that contain other words: parts, choices, records. See model.py."""
import re
import zlib

from model import Input, Item, Output, Refused, order_of


class Nested(Item):
  """A member that is a record."""

  def __init__(self, name, record, word):
    super().__init__()
    self.name, self.record, self.word, self.size = name, record, word, record.size
    self.members, self.parameter = [(record.name, name, "{}")], None
    self.names = [name] + record.all_names()

  def cpp(self):
    return self.word

  def arguments(self, v):
    return {self.parameter[0]: self.parameter[1].value(v)} if self.parameter else {}

  def draw(self, r, v):
    v[self.name] = self.record.draw(r, self.arguments(v))

  def read(self, i, v):
    inner = Input(i.data, i.pos, i.end, i.strict)
    v[self.name] = self.record.read(inner, self.arguments(v))
    i.places[self.name] = (i.pos, inner.pos)
    i.pos = inner.pos

  def write(self, o, v):
    begin = len(o.out)
    o.out += self.record.write({**v.get(self.name, {}), **self.arguments(v)}, o.open)
    o.places[self.name] = (begin, len(o.out))

  def show(self, v):
    return "%s=%s " % (self.name, self.record.show(v.get(self.name, {})))


class Parts(Item):
  """A sequence of items, all of which are present."""

  def __init__(self, items):
    super().__init__()
    self.items = items
    self.members = [m for x in items for m in x.members]
    self.names = [n for x in items for n in x.names]
    self.computed = tuple(c for x in items for c in x.computed)

  def words(self):
    return ", ".join(x.cpp() for x in self.items)

  def draw(self, r, v):
    for x in self.items:
      x.draw(r, v)

  def read(self, i, v):
    for x in self.items:
      x.read(i, v)

  def write(self, o, v):
    for x in self.items:
      x.write(o, v)

  def show(self, v):
    return "".join(x.show(v) for x in self.items)


class When(Parts):
  """Items with a condition; `word` is the C++ code that precedes the items."""

  def __init__(self, word, condition, items):
    super().__init__(items)
    self.word, self.condition = word, condition

  def cpp(self):
    return "%s, %s>" % (self.word, self.words())

  def draw(self, r, v):
    if self.condition(v):
      super().draw(r, v)

  def read(self, i, v):
    if self.condition(v):
      super().read(i, v)

  def write(self, o, v):
    if self.condition(v):
      super().write(o, v)

  def show(self, v):
    return super().show(v) if self.condition(v) else ""


class ByteOrder:
  """The byte order of a record's items: True for big-endian. Codecs evaluate it whenever they read or write."""

  def __init__(self, big):
    self.big = big

  def __bool__(self):
    return self.big


class InByteOrder(Parts):
  """Items in the byte order that `is_big` returns for the values of a record. `order` is the order of its items."""

  def __init__(self, cpp, is_big, order, items):
    super().__init__(items)
    self.function, self.is_big, self.order = cpp, is_big, order

  def cpp(self):
    return "wire::in_byte_order<%s, %s>" % (self.function, self.words())

  def ordered(self, run, to, v):
    before, self.order.big = self.order.big, self.is_big(v)
    try:
      run(to, v)
    finally:
      self.order.big = before

  def read(self, i, v):
    self.ordered(super().read, i, v)

  def write(self, o, v):
    self.ordered(super().write, o, v)


class Choice(Item):
  """One of several `alternatives`. Each is (value, Parts). The value is a pair for a range, a list for several
  values, and None for `otherwise`."""

  def __init__(self, tag, alternatives):
    super().__init__()
    self.tag, self.alternatives = tag, alternatives
    for _, p in alternatives:
      self.members += [m for m in p.members if m not in self.members]
      self.names += p.names
    self.names += ["choice"]
    self.computed = tuple(c for _, p in alternatives for c in p.computed)

  def cpp(self):
    words = []
    for value, p in self.alternatives:
      head = [] if value is None else [str(value)]
      word = "otherwise" if value is None else "on"
      if isinstance(value, tuple):
        head, word = [str(x) for x in value], "on_range"
      if isinstance(value, list):
        head, word = ["wire::values<%s>" % ", ".join(str(x) for x in value)], "on_any"
      words.append("wire::%s<%s>" % (word, ", ".join(head + [x.cpp() for x in p.items])))
    return "wire::choice<%s, %s>" % (self.tag.cpp, ", ".join(words))

  def chosen(self, v):
    tag = self.tag.value(v)
    for value, p in self.alternatives:
      if value is None or value == tag or isinstance(value, tuple) and value[0] <= tag <= value[1] or \
          isinstance(value, list) and tag in value:
        return p
    return None

  def draw(self, r, v):
    p = self.chosen(v)
    if p is None:
      raise Refused("invalid_value")
    p.draw(r, v)

  def read(self, i, v):
    p = self.chosen(v)
    if p is None:
      raise Refused("invalid_value")
    p.read(i, v)

  def write(self, o, v):
    p = self.chosen(v)
    if p is None:
      raise Refused("invalid_value")
    p.write(o, v)

  def show(self, v):
    p = self.chosen(v)
    return p.show(v) if p else ""


class Sized(Parts):
  """Items with a stated total size. `sets` is the member with the size, which draw() sets."""

  def __init__(self, size, items, sets):
    super().__init__(items)
    self.extent, self.sets = size, sets

  def cpp(self):
    return "wire::sized<%s, %s>" % (self.extent.cpp, self.words())

  def draw(self, r, v):
    super().draw(r, v)
    o = Output(True)
    super().write(o, v)
    v[self.sets] = len(o.out)

  def read(self, i, v):
    n = self.extent.number(v)
    whole = n <= i.end - i.pos
    part = Input(i.data, i.pos, i.pos + n if whole else i.end, i.strict, i.places, i.pos, i.record)
    try:
      super().read(part, v)
    except Refused as e:
      raise Refused("wrong_size" if whole and e.kind == "truncated" else e.kind) from None
    if not whole:
      raise Refused("truncated")
    if part.pos != part.end:
      i.refuse("wrong_size")
    i.places["sized " + self.sets] = (i.pos, part.end)
    i.pos = part.end

  def write(self, o, v):
    base, begin = o.base, len(o.out)
    o.base = begin
    super().write(o, v)
    o.base = base
    if not o.open and len(o.out) - begin != self.extent.number(v):
      raise Refused("count_mismatch")
    o.places["sized " + self.sets] = (begin, len(o.out))


class PrefixedPart(Parts):
  """A part right after its size; `size` is the computed field of the size, and `wire` the C++ code of its type."""

  def __init__(self, size, part, wire):
    super().__init__([size, part])
    self.word = "wire::sized<wire::prefix<&S::%s%s>, %s>" % (size.name, wire, part.words())

  def cpp(self):
    return self.word


class IfLeft(Parts):
  def __init__(self, flag, items):
    super().__init__(items)
    self.flag = flag
    self.members = [("bool", flag, "{}")] + self.members

  def cpp(self):
    return "wire::if_left<&S::%s, %s>" % (self.flag, self.words())

  def draw(self, r, v):
    v[self.flag] = r.randint(0, 1)
    if v[self.flag]:
      super().draw(r, v)

  def read(self, i, v):
    v[self.flag] = int(i.pos != i.end)
    if v[self.flag]:
      super().read(i, v)

  def write(self, o, v):
    if v.get(self.flag, 0):
      super().write(o, v)

  def show(self, v):
    return super().show(v) if v.get(self.flag, 0) else ""


class Record(Parts):
  """A struct and its codec. `before` is C++ code that precedes it, `functions` are its member functions, and
  `lambdas` follow it. If elements of a list carry a parameter, `carried` is its name and a function of the previous
  element."""

  def __init__(self, name, items, big, before, functions, lambdas, carried=None):
    super().__init__(items)
    self.name, self.big, self.carried = name, big, carried
    self.before, self.functions, self.lambdas = before, functions, lambdas
    self.inner = False  # True if the record contains a list of its own kind
    sizes = [x.size for x in items]
    self.size = None if None in sizes else sum(sizes)

  def all_names(self):
    return self.names

  def arguments(self, received):
    return {**{m[1]: int(m[2][3:]) for m in self.members if m[2].startswith(" = ")}, **received}

  def draw(self, r, arguments={}):
    for _ in range(300):
      v = self.arguments(arguments)
      try:
        super().draw(r, v)
        self.set_sizes(v)
        raw = self.write(v)
      except Refused:  # a tag that no alternative lists
        continue
      return self.read(Input(raw, 0, len(raw), True), arguments)
    raise Refused("invalid_value")

  def set_sizes(self, v):
    """Sets the sizes of parts, which depend on where the parts begin if something in them is aligned from the
    record."""
    for _ in range(4):
      o = Output(True)
      super().write(o, v)
      for name, (begin, end) in o.places.items():
        if name.startswith("sized "):
          v[name[6:]] = end - begin

  def read(self, i, arguments={}):
    v = self.arguments(arguments)
    begin = i.pos
    i.places.clear()
    super().read(i, v)
    for c in self.computed:
      if c.name in i.places and c.of(v, self.within(i.places, begin), i.data[begin:i.pos]) != v[c.name]:
        i.refuse("not_as_computed")
    return v

  @staticmethod
  def within(places, begin):
    return {n: (a - begin, b - begin) for n, (a, b) in places.items()}

  def write(self, v, is_open=False):
    v = dict(v)
    for c in self.computed:
      if c.codec.size is None:
        v[c.name] = 0
    # Sizes in varints change other sizes.
    for stage in ("members",) + 12 * ("places",) + (None,):
      o = Output(is_open or stage is not None)
      super().write(o, v)
      for c in self.computed:
        if c.stage == stage and c.name in o.places:
          v[c.name] = c.of(v, o.places, o.out)
          if c.codec.bits < 64 and v[c.name] >> c.codec.bits:
            raise Refused("does_not_fit")
    for c in self.computed:
      if c.stage == "bytes" and c.name in o.places:
        begin, end = o.places[c.name]
        o.out[begin:end] = c.codec.enc(c.of(v, o.places, o.out))
    return bytes(o.out)

  def show(self, v):
    return "{%s}" % super().show(v)

  def description(self):
    """Returns the list of items. Half of the records state only what is special; words without members then stand
    beside one with members."""
    if zlib.crc32(self.name.encode()) % 2:
      return "wire::fields<%s>" % self.words()
    places, waiting = [], []
    for x in self.items:
      if x.members:
        places.append(waiting + [x.cpp()])
        waiting = []
      else:
        (places[-1] if places else waiting).append(x.cpp())
    special = [p for p in places if len(p) > 1 or not re.fullmatch(r"wire::field<&S::\w+>", p[0])]
    return "wire::in_struct_order<%s>" % ", ".join(
        ["S"] + [p[0] if len(p) == 1 else "wire::at<%s>" % ", ".join(p) for p in special])

  def cpp_text(self):
    lines = list(self.before) + (["struct %s_codec;" % self.name] if self.inner else [])
    lines += ["struct %s {" % self.name, "  using S = %s;" % self.name]
    lines += ["  %s %s%s;" % m for m in self.members] + ["  " + f for f in self.functions]
    lines += ["};"] + self.lambdas
    lines += ["struct %s_words {" % self.name, "  using S = %s;" % self.name,
              "  using codec = wire::record<%s, wire::order::%s>;" % (
                  self.description(), order_of(self.big)), "};",
              ("struct %s_codec : %s_words::codec {};" if self.inner else "using %s_codec = %s_words::codec;") % (
                  self.name, self.name),
              "template <> struct codec_for<%s> { using type = %s_codec; };" % (self.name, self.name)]
    return lines
