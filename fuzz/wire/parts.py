"""The words of descriptions that hold several values: views, lists, parts, records. As in model.py."""
from model import Input, Item, Output, Refused, order_of


class View:
  """Elements: their bytes, which encode copies, and how each is shown."""

  def __init__(self, raw, shows, more=""):
    self.raw, self.shows, self.more = raw, shows, more

  def __str__(self):
    return "[%s]%s" % (",".join(self.shows), self.more)


nothing = View(b"", [])


class Element:
  """What views and lists are of: a codec, or a record."""

  def __init__(self, cpp, codec=None, record=None):
    self.cpp, self.codec, self.record = cpp, codec, record
    self.size = codec.size if codec else record.size
    self.told = None  # (member, Ask): what each is given

  def given(self, v):
    return {self.told[0]: self.told[1].value(v)} if self.told else {}

  def read(self, i, given={}):
    if self.codec:
      return self.codec.show(self.codec.dec(i))
    v = self.record.read(i, given)
    return self.record.show(v)

  def draw(self, r, like=None, given={}):
    while True:
      raw = self.codec.enc(self.codec.draw(r)) if self.codec else self.record.write(
          self.record.draw(r, given))
      if like is None or like(raw):
        return bytes(raw)

  def all_of(self, raw, strict=True, given={}):
    i, shows = Input(raw, 0, len(raw), strict), []
    while i.pos != i.end:
      one = Input(raw, i.pos, i.end, strict)
      shows.append(self.read(one, given))
      i.pos = one.pos
    return View(bytes(raw), shows)


class Viewed(Item):
  """A member that is a view."""

  def __init__(self, name, element, view="array_view"):
    super().__init__()
    self.name, self.element = name, element
    self.members = [("wire::%s<%s>" % (view, element.cpp), name, "{}")]
    self.names = [name] + (element.record.all_names() if element.record else [])

  def show(self, v):
    return "%s=%s " % (self.name, v.get(self.name, nothing))

  def read(self, i, v):
    begin = i.pos
    v[self.name] = self.take(i, v)
    i.places[self.name] = (begin, i.pos)

  def write(self, o, v):
    begin = len(o.out)
    self.put(o, v.get(self.name, nothing))
    o.places[self.name] = (begin, len(o.out))

  def put(self, o, view):
    o.out += view.raw

  def some(self, r, n):
    return self.element.all_of(b"".join(self.element.draw(r) for _ in range(n)))


class Counted(Viewed):
  def __init__(self, name, element, count):
    super().__init__(name, element)
    self.count = count

  def cpp(self):
    return "wire::counted<&S::%s, %s>" % (self.name, self.count.cpp)

  def draw(self, r, v):
    v[self.name] = self.some(r, self.count.number(v))

  def take(self, i, v):
    return self.element.all_of(i.take(self.count.number(v) * self.element.size), i.strict)


class Strided(Viewed):
  def __init__(self, name, element, count, stride):
    super().__init__(name, element, "strided_view")
    self.count, self.stride = count, stride

  def cpp(self):
    return "wire::strided<&S::%s, %s, %s>" % (self.name, self.count.cpp, self.stride.cpp)

  def draw(self, r, v):
    n, stride = self.count.number(v), self.stride.number(v)
    raw = b""
    for _ in range(n):
      raw += self.element.draw(r) + r.randbytes(stride - self.element.size)
    v[self.name] = self.take(Input(raw, 0, len(raw), True), v)

  def take(self, i, v):
    n, stride = self.count.number(v), self.stride.number(v)
    raw = i.take(n * stride)
    if stride < self.element.size:
      i.refuse()
      return View(raw, [], "/%d" % min(stride, 1 << 56))
    shows = [self.element.read(Input(raw, k * stride, (k + 1) * stride, i.strict)) for k in range(n)]
    return View(raw, shows, "/%d" % min(stride, 1 << 56))


class Terminated(Viewed):
  def __init__(self, name, element, end):
    super().__init__(name, element)
    self.end = end

  def cpp(self):
    return "wire::terminated<&S::%s%s>" % (self.name, ", %d" % self.end if self.end else "")

  def last(self):
    return self.element.codec.enc(self.end)

  def draw(self, r, v):
    raw = b"".join(self.element.draw(r, lambda e: e != self.last()) for _ in range(r.randint(0, 4)))
    v[self.name] = self.element.all_of(raw)

  def take(self, i, v):
    raw = b""
    while True:
      e = i.take(self.element.size)
      if e == self.last():
        return self.element.all_of(raw)
      raw += e

  def put(self, o, view):
    o.out += view.raw + self.last()


class Prefixed(Viewed):
  def __init__(self, name, element, length, length_cpp):
    super().__init__(name, element)
    self.length, self.length_cpp = length, length_cpp

  def cpp(self):
    return "wire::prefixed<&S::%s, %s>" % (self.name, self.length_cpp)

  def draw(self, r, v):
    v[self.name] = self.some(r, r.randint(0, 4))

  def take(self, i, v):
    n = self.length.dec(i)
    return self.element.all_of(i.take((n if n >= 0 else 1 << 60) * self.element.size), i.strict)

  def put(self, o, view):
    o.out += self.length.enc(len(view.shows)) + view.raw


class Padded(Viewed):
  def __init__(self, name, element, n, fill):
    super().__init__(name, element)
    self.n, self.fill, self.size = n, element.codec.enc(fill), n * element.size
    self.word = "wire::padded<&S::%s, %d%s>" % (name, n, ", %d" % fill if fill else "")

  def cpp(self):
    return self.word

  def draw(self, r, v):
    raw = b"".join(self.element.draw(r) for _ in range(r.randint(0, self.n)))
    v[self.name] = self.element.all_of(self.stripped(raw))

  def stripped(self, raw):
    while raw.endswith(self.fill) and raw:
      raw = raw[:-len(self.fill)]
    return raw

  def take(self, i, v):
    raw, size = i.take(self.size), self.element.size
    while raw and raw[-size:] == self.fill:
      raw = raw[:-size]
    return self.element.all_of(raw)

  def put(self, o, view):
    o.out += view.raw + self.fill * (self.n - len(view.shows))


class Rest(Viewed):
  def cpp(self):
    return "wire::rest<&S::%s>" % self.name

  def draw(self, r, v):
    v[self.name] = self.some(r, r.randint(0, 4))

  def take(self, i, v):
    n = (i.end - i.pos) // self.element.size
    raw = i.take(n * self.element.size)
    if i.pos != i.end:
      raise Refused("truncated")
    return self.element.all_of(raw, i.strict)


class SkipRest(Item):
  def __init__(self):
    super().__init__()
    self.names = ["(padding)"]

  def cpp(self):
    return "wire::skip_rest"

  def read(self, i, v):
    i.pos = i.end

  def write(self, o, v):
    pass


class List(Viewed):
  """`end` is "to_end", "times" (of `count`), or "until": an element that begins with a 0."""

  def __init__(self, name, element, end, count, end_cpp):
    super().__init__(name, element, "list_view")
    self.end, self.count, self.end_cpp = end, count, end_cpp

  def cpp(self):
    return "wire::list<&S::%s, %s>" % (self.name, self.end_cpp)

  def draw(self, r, v):
    n = self.count.number(v) if self.end == "times" else r.randint(0, 3)
    raw = b""
    for _ in range(n):
      raw += self.element.draw(r, (lambda e: e[0] != 0) if self.end == "until" else None,
                               self.element.given(v))
    if self.end == "until":
      raw += self.element.draw(r, lambda e: e[0] == 0)
    v[self.name] = self.element.all_of(raw, True, self.element.given(v))

  def take(self, i, v):
    most = self.count.number(v) if self.end == "times" else 1 << 60
    begin, shows, done = i.pos, [], False
    while len(shows) < most and not done and i.pos != i.end:
      at = i.pos
      one = Input(i.data, i.pos, i.end, i.strict)
      shows.append(self.element.read(one, self.element.given(v)))
      i.pos = one.pos
      if i.pos == at:
        raise Refused("malformed")
      done = self.end == "until" and i.data[at] == 0
    if (self.end == "times" and len(shows) != most) or (self.end == "until" and not done):
      raise Refused("truncated")
    return View(bytes(i.data[begin:i.pos]), shows)


class Nested(Item):
  """A member that is a record."""

  def __init__(self, name, record, word):
    super().__init__()
    self.name, self.record, self.word, self.size = name, record, word, record.size
    self.members, self.told = [(record.name, name, "{}")], None
    self.names = [name] + record.all_names()

  def cpp(self):
    return self.word

  def given(self, v):
    return {self.told[0]: self.told[1].value(v)} if self.told else {}

  def draw(self, r, v):
    v[self.name] = self.record.draw(r, self.given(v))

  def read(self, i, v):
    inner = Input(i.data, i.pos, i.end, i.strict)
    v[self.name] = self.record.read(inner, self.given(v))
    i.places[self.name] = (i.pos, inner.pos)
    i.pos = inner.pos

  def write(self, o, v):
    begin = len(o.out)
    o.out += self.record.write({**v.get(self.name, {}), **self.given(v)}, o.open)
    o.places[self.name] = (begin, len(o.out))

  def show(self, v):
    return "%s=%s " % (self.name, self.record.show(v.get(self.name, {})))


class Parts(Item):
  """What has items: all of them, if they are there."""

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
  """`word` is the C++ of the condition, with what stands before the items."""

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


class Choice(Item):
  """`alternatives` are (value, Parts); of otherwise the value is None."""

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
      words.append("wire::%s<%s>" % (word, ", ".join(head + [x.cpp() for x in p.items])))
    return "wire::choice<%s, %s>" % (self.tag.cpp, ", ".join(words))

  def chosen(self, v):
    tag = self.tag.value(v)
    for value, p in self.alternatives:
      if value is None or value == tag or isinstance(value, tuple) and value[0] <= tag <= value[1]:
        return p
    return None

  def draw(self, r, v):
    p = self.chosen(v)
    if p is None:
      raise Refused("refused_value")
    p.draw(r, v)

  def read(self, i, v):
    p = self.chosen(v)
    if p is None:
      raise Refused("refused_value")
    p.read(i, v)

  def write(self, o, v):
    p = self.chosen(v)
    if p is None:
      raise Refused("refused_value")
    p.write(o, v)

  def show(self, v):
    p = self.chosen(v)
    return p.show(v) if p else ""


class Limited(Parts):
  """`sets` is the member of its size, if draw() gives that its value."""

  def __init__(self, size, items, sets):
    super().__init__(items)
    self.limit, self.sets = size, sets

  def cpp(self):
    return "wire::limited<%s, %s>" % (self.limit.cpp, self.words())

  def draw(self, r, v):
    super().draw(r, v)
    o = Output(True)
    super().write(o, v)
    v[self.sets] = len(o.out)

  def read(self, i, v):
    n = self.limit.number(v)
    whole = n <= i.end - i.pos
    part = Input(i.data, i.pos, i.pos + n if whole else i.end, i.strict, i.places, i.pos)
    try:
      super().read(part, v)
    except Refused as e:
      raise Refused("malformed" if whole and e.kind == "truncated" else e.kind) from None
    if not whole:
      raise Refused("truncated")
    if part.pos != part.end:
      i.refuse("malformed")
    i.places["limited " + self.sets] = (i.pos, part.end)
    i.pos = part.end

  def write(self, o, v):
    base, begin = o.base, len(o.out)
    o.base = begin
    super().write(o, v)
    o.base = base
    if not o.open and len(o.out) - begin != self.limit.number(v):
      raise Refused("count_mismatch")
    o.places["limited " + self.sets] = (begin, len(o.out))


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
  """A struct and its codec. `before` is C++ that stands before it, `functions` of the struct, `lambdas`
  behind it."""

  def __init__(self, name, items, big, before, functions, lambdas):
    super().__init__(items)
    self.name, self.big = name, big
    self.before, self.functions, self.lambdas = before, functions, lambdas
    sizes = [x.size for x in items]
    self.size = None if None in sizes else sum(sizes)

  def all_names(self):
    return self.names

  def given(self, told):
    return {**{m[1]: int(m[2][3:]) for m in self.members if m[2].startswith(" = ")}, **told}

  def draw(self, r, given={}):
    for _ in range(300):
      v = self.given(given)
      try:
        super().draw(r, v)
        raw = self.write(v)
      except Refused:  # a tag that is in no list
        continue
      return self.read(Input(raw, 0, len(raw), True), given)
    raise Refused("refused_value")

  def read(self, i, given={}):
    v = self.given(given)
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
    # Sizes in varints change others.
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

  def cpp_text(self):
    lines = list(self.before) + ["struct %s {" % self.name, "  using S = %s;" % self.name]
    lines += ["  %s %s%s;" % m for m in self.members] + ["  " + f for f in self.functions]
    lines += ["};"] + self.lambdas
    lines += ["struct %s_words {" % self.name, "  using S = %s;" % self.name,
              "  using codec = wire::record<wire::fields<%s>, wire::order::%s>;" % (
                  ", ".join(x.cpp() for x in self.items), order_of(self.big)), "};",
              "using %s_codec = %s_words::codec;" % (self.name, self.name),
              "template <> struct codec_for<%s> { using type = %s_codec; };" % (self.name, self.name)]
    return lines

