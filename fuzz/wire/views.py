"""Words of descriptions that are views or lists. See model.py."""
from model import Input, Item, Refused


class View:
  """Elements: their bytes, which encoding copies, and the text of each."""

  def __init__(self, raw, shows, more=""):
    self.raw, self.shows, self.more = raw, shows, more

  def __str__(self):
    return "[%s]%s" % (",".join(self.shows), self.more)


nothing = View(b"", [])


class Element:
  """The element type of views and lists: a codec or a record."""

  def __init__(self, cpp, codec=None, record=None):
    self.cpp, self.codec, self.record = cpp, codec, record
    self.size = codec.size if codec else record.size
    self.parameter = None  # (member, Expr): the parameter that each element receives

  def arguments(self, v):
    return {self.parameter[0]: self.parameter[1].value(v)} if self.parameter else {}

  def read(self, i, arguments={}):
    if self.codec:
      return self.codec.show(self.codec.dec(i))
    self.last = self.record.read(i, arguments)
    return self.record.show(self.last)

  def next_arguments(self, arguments):
    """Returns the arguments of the element after the one that read() returned."""
    if not (self.record and self.record.carried):
      return arguments
    name, value = self.record.carried
    return {**arguments, name: value(self.last)}

  def draw(self, r, like=None, arguments={}):
    while True:
      raw = self.codec.enc(self.codec.draw(r)) if self.codec else self.record.write(
          self.record.draw(r, arguments))
      if like is None or like(raw):
        return bytes(raw)

  def all_of(self, raw, strict=True, arguments={}):
    i, shows = Input(raw, 0, len(raw), strict), []
    while i.pos != i.end:
      one = Input(raw, i.pos, i.end, strict)
      shows.append(self.read(one, arguments))
      i.pos = one.pos
      arguments = self.next_arguments(arguments)
    return View(bytes(raw), shows)


class InnerElement(Element):
  """The element type of a list of a record's own kind. At most `limit` such records may be inside one another. The
  record is set after it was drawn. `extra` raises all limits, to draw records that decode refuses."""
  extra = 0

  def __init__(self, name, limit):
    self.cpp = "wire::inner<%s, %s_codec, %d>" % (name, name, limit)
    self.codec = self.record = self.size = self.parameter = None
    self.limit, self.reading, self.drawing = limit, 0, 0

  def read(self, i, arguments={}):
    self.reading += 1
    try:
      if self.reading > self.limit + InnerElement.extra:
        raise Refused("malformed")
      return super().read(i, arguments)
    finally:
      self.reading -= 1

  def draw(self, r, like=None, arguments={}):
    self.drawing += 1
    try:
      return super().draw(r, like, arguments)
    finally:
      self.drawing -= 1

  def may_contain(self):
    """Returns True if the record that is drawn may contain others."""
    return self.drawing < self.limit + InnerElement.extra


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
  """A list that ends as `end` specifies: "to_end"; "times", after `count` elements; or "until", after an element that
  begins with a 0."""

  def __init__(self, name, element, end, count, end_cpp):
    super().__init__(name, element, "list_view")
    self.end, self.count, self.end_cpp = end, count, end_cpp

  def cpp(self):
    return "wire::list<&S::%s, %s>" % (self.name, self.end_cpp)

  def most(self, i, v):
    """Returns the number of elements, or the largest number if another rule ends the list."""
    return self.count.number(v) if self.end == "times" else 1 << 60

  def draw(self, r, v):
    n = self.count.number(v) if self.end == "times" else r.randint(0, 3)
    raw, arguments = b"", self.element.arguments(v)
    for _ in range(n):
      one = self.element.draw(r, (lambda e: e[0] != 0) if self.end == "until" else None, arguments)
      self.element.read(Input(one, 0, len(one), True), arguments)
      arguments = self.element.next_arguments(arguments)
      raw += one
    if self.end == "until":
      raw += self.element.draw(r, lambda e: e[0] == 0)
    v[self.name] = self.element.all_of(raw, True, self.element.arguments(v))

  def take(self, i, v):
    most, shows, done = self.most(i, v), [], False
    begin, arguments = i.pos, self.element.arguments(v)
    while len(shows) < most and not done and i.pos != i.end:
      at = i.pos
      one = Input(i.data, i.pos, i.end, i.strict)
      shows.append(self.element.read(one, arguments))
      arguments = self.element.next_arguments(arguments)
      i.pos = one.pos
      if i.pos == at:
        raise Refused("malformed")
      done = self.end == "until" and i.data[at] == 0
    if (self.end in ("times", "prefixed") and len(shows) != most) or (self.end == "until" and not done):
      raise Refused("truncated")
    return View(bytes(i.data[begin:i.pos]), shows)


def draw_inner(inner, r, v):
  """Draws a list of records of the own kind, which is empty at the limit."""
  element, n = inner.element, r.choice([0, 1, 1, 2]) if inner.element.may_contain() else 0
  until = inner.end == "until"
  raw = [element.draw(r, (lambda e: e[0] != 0) if until else None) for _ in range(n)]
  if until:
    raw.append(element.draw(r, lambda e: e[0] == 0))
  v[inner.name] = element.all_of(b"".join(raw))


class InnerList(List):
  def draw(self, r, v):
    draw_inner(self, r, v)


class EachList(List):
  """A list of records, each of which receives an element of the array `other` as its parameter m0."""

  def __init__(self, name, element, other):
    end = "wire::times<wire::size_of<&S::%s>>, wire::args<&%s::m0, wire::each<&S::%s>>" % (
        other, element.record.name, other)
    super().__init__(name, element, "times", None, end)
    self.other = other

  def arguments(self, v):
    return [{"m0": int(x)} for x in v.get(self.other, nothing).shows]

  def draw(self, r, v):
    raw = b"".join(self.element.draw(r, None, a) for a in self.arguments(v))
    v[self.name] = self.take(Input(raw, 0, len(raw), True), v)

  def take(self, i, v):
    begin, shows = i.pos, []
    for a in self.arguments(v):
      one = Input(i.data, i.pos, i.end, i.strict)
      shows.append(self.element.read(one, a))
      i.pos = one.pos
    return View(bytes(i.data[begin:i.pos]), shows)


class PrefixedList(List):
  """A list that follows the number of its elements. `args` are the C++ arguments of its elements."""

  def __init__(self, name, element, length, length_cpp, args=""):
    super().__init__(name, element, "prefixed", None, "")
    self.length, self.word = length, "wire::prefixed<&S::%s, %s%s>" % (name, length_cpp, args)

  def cpp(self):
    return self.word

  def most(self, i, v):
    n = self.length.dec(i)
    return n if n >= 0 else 1 << 60

  def put(self, o, view):
    o.out += self.length.enc(len(view.shows)) + view.raw


class PrefixedInnerList(PrefixedList):
  def draw(self, r, v):
    draw_inner(self, r, v)
