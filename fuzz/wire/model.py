"""Words of descriptions for single values: their C++ form, and a reader and a writer of their bytes that share no
code with the library."""
import re
import struct


class Refused(Exception):
  """Raised for bytes that are not a valid record, or for a record that cannot be encoded. `kind` is a wire::errc."""

  def __init__(self, kind):
    super().__init__(kind)
    self.kind = kind


class Input:
  """Bytes of a record, up to `end`. The record begins at `record`, and its innermost part at `base`. Alignment is
  counted from one of them. An input that is not strict reports only truncation, because the library checks parts that it reads together for truncation before it checks their values."""

  def __init__(self, data, pos, end, strict, places=None, base=None, record=None):
    self.data, self.pos, self.end, self.strict = data, pos, end, strict
    self.places = {} if places is None else places
    self.base = pos if base is None else base
    self.record = pos if record is None else record

  def take(self, n):
    if n > self.end - self.pos:
      raise Refused("truncated")
    self.pos += n
    return self.data[self.pos - n:self.pos]

  def refuse(self, kind="invalid_value"):
    if self.strict:
      raise Refused(kind)


class Output:
  """Written bytes. While `open` is set, a part's length may differ from its size field."""

  def __init__(self, is_open):
    self.out, self.base, self.open, self.places = bytearray(), 0, is_open, {}


class Item:
  """A word. `members` are (type, name, initializer) of its struct members. `names` are the names that an error may
  report. `size` is set if it is the same for every record."""
  size = None
  computed = ()

  def __init__(self):
    self.members, self.names = [], []

  def draw(self, r, v):
    """Draws values for its members."""

  def show(self, v):
    return ""


class Codec:
  """Encoder and decoder of a number. `dec` reads it from an Input; a floating-point value is represented by its bits."""

  def __init__(self, ctype, enc, dec, draw, size=None, show=str, wire=None):
    self.ctype, self.enc, self.dec, self.draw, self.size, self.show = ctype, enc, dec, draw, size, show
    self.wire = wire  # the wire type, if it has a name
    self.bits = 64 if size is None else 8 * size


def order_of(big):
  return "big" if big else "little"


def integer(ctype, size, signed, big):
  top = 1 << 8 * size
  low = -top // 2 if signed else 0

  def draw(r):
    return r.choice([r.randint(0, 3), r.randint(low, low + top - 1), low, low + top - 1])
  return Codec(ctype, lambda v: v.to_bytes(size, order_of(big), signed=signed),
               lambda i: int.from_bytes(i.take(size), order_of(big), signed=signed), draw, size)


def boolean(accepts_all):
  def read(i):
    byte = i.take(1)[0]
    if byte > 1 and not accepts_all:
      i.refuse()
    return int(byte != 0)
  return Codec("bool", lambda v: bytes([v]), read, lambda r: r.randint(0, 1), 1)


def floating(ctype, size, big):
  def show(bits):
    v = struct.unpack("<f" if size == 4 else "<d", bits.to_bytes(size, "little"))[0]
    return "nan" if v != v else "0x%x" % bits
  c = integer(ctype, size, False, big)
  return Codec(ctype, c.enc, c.dec, c.draw, size, show)


def float16(brain, big):
  def show(bits):
    if brain:
      wide = bits << 16
    else:
      v = struct.unpack("<e", bits.to_bytes(2, "little"))[0]
      wide = int.from_bytes(struct.pack("<f", v), "little")
    v = struct.unpack("<f", wide.to_bytes(4, "little"))[0]
    return "nan" if v != v else "0x%x" % wide
  c = integer("float", 2, False, big)
  return Codec("float", c.enc, c.dec, c.draw, 2, show)


def uint128(big):
  c = integer("wire::uint128", 16, False, big)
  c.show = lambda v: "%d:%d" % (v & (1 << 64) - 1, v >> 64)
  return c


def both_orders(ctype, size, signed):
  def dec(i):
    little = int.from_bytes(i.take(size), "little", signed=signed)
    if int.from_bytes(i.take(size), "big", signed=signed) != little:
      i.refuse("malformed")
    return little
  return Codec(ctype, lambda v: v.to_bytes(size, "little", signed=signed) + v.to_bytes(
      size, "big", signed=signed), dec, integer(ctype, size, signed, False).draw, 2 * size)


def groups(v):
  """Returns the groups of 7 bits of `v`, least significant first."""
  out = [v & 0x7f]
  while v >> 7:
    v >>= 7
    out.append(v & 0x7f)
  return out


def marked(low_first):
  return bytes([g | 0x80 for g in low_first[:-1]] + [low_first[-1]])


def read_groups(i, bits):
  most, out = (bits + 6) // 7, []
  while True:
    out.append(i.take(1)[0])
    if out[-1] < 0x80:
      return [g & 0x7f for g in out]
    if len(out) == most:
      i.refuse("malformed")
      return [g & 0x7f for g in out]


def varint(kind, ctype, bits):
  signed = kind in ("sleb128", "zigzag")

  def uleb(i):
    v = sum(g << 7 * n for n, g in enumerate(read_groups(i, bits)))
    if v >> bits:
      i.refuse("malformed")
    return v

  def enc(v):
    if kind == "leb128":
      return marked(groups(v))
    if kind == "zigzag":
      return marked(groups(v << 1 if v >= 0 else (-v << 1) - 1))
    if kind == "vlq":
      g = groups(v)[::-1]
      return bytes([x | 0x80 for x in g[:-1]] + [g[-1]])
    n = 1
    while not -(1 << 7 * n - 1) <= v < 1 << 7 * n - 1:
      n += 1
    v &= (1 << 7 * n) - 1
    return marked([v >> 7 * k & 0x7f for k in range(n)])

  def dec(i):
    if kind == "leb128":
      return uleb(i)
    if kind == "zigzag":
      u = uleb(i)
      return u >> 1 if u % 2 == 0 else -(u + 1 >> 1)
    if kind == "vlq":
      v, n = 0, 0
      while True:
        b = i.take(1)[0]
        n += 1
        if n > (bits + 6) // 7 or v >> bits - 7:
          i.refuse("malformed")
          return 0
        v = v << 7 | b & 0x7f
        if b < 0x80:
          return v
    g = read_groups(i, bits)
    v = sum(x << 7 * n for n, x in enumerate(g))
    if g[-1] & 0x40:
      v -= 1 << 7 * len(g)
    if not -(1 << bits - 1) <= v < 1 << bits - 1:
      i.refuse("malformed")
    return v
  wire = {"leb128": "uleb128_of", "sleb128": "sleb128_of", "zigzag": "zigzag_of", "vlq": "vlq_of"}[kind]
  codec = Codec(ctype, enc, dec, integer(ctype, bits // 8, signed, False).draw, None,
                wire="wire::%s<%s>" % (wire, ctype))
  codec.bits = bits
  return codec


def leb_in_bytes(ctype, bits, n, signed):
  """Returns the codec of a LEB128 number of exactly `n` bytes."""
  least = -(1 << min(7 * n, bits) - 1) if signed else 0
  most = least + (1 << min(7 * n, bits)) - 1

  def enc(v):
    if not least <= v <= most:
      raise Refused("does_not_fit")
    return bytes((v >> 7 * k & 0x7f) | (0x80 if k + 1 < n else 0) for k in range(n))

  def dec(i):
    raw = i.take(n)
    v = sum((g & 0x7f) << 7 * k for k, g in enumerate(raw))
    if signed and raw[-1] & 0x40:
      v -= 1 << 7 * n
    if [g >> 7 for g in raw] != [1] * (n - 1) + [0] or not least <= v <= most:
      i.refuse("malformed")
    return v
  codec = Codec(ctype, enc, dec, lambda r: r.choice([0, 1, least, most, r.randint(least, most)]), n,
                wire="wire::%sleb128_of<%s, %d>" % ("s" if signed else "u", ctype, n))
  codec.bits = min(7 * n, bits)
  return codec


def digits(ctype, bits, n, base, how):
  width = n - (how == "zeros_nul")
  alphabet = "0123456789abcdef"[:base]

  def enc(v):
    text = ""
    while v or not text:
      text, v = alphabet[v % base] + text, v // base
    if len(text) > width:
      raise Refused("does_not_fit")
    text = {"zeros_nul": text.rjust(width, "0") + "\0", "zeros": text.rjust(width, "0"),
            "left": text.ljust(width), "right": text.rjust(width)}[how]
    return text.encode()

  def dec(i):
    found = re.fullmatch(rb" *([%s]*)[ \0]*" % alphabet.encode(), i.take(n), re.IGNORECASE)
    v = 0
    if found is None:
      i.refuse("malformed")
    elif found[1]:
      v = int(found[1], base)
    if v >> bits:
      i.refuse("malformed")
    return v
  most = min(base ** width, 1 << bits) - 1
  return Codec(ctype, enc, dec, lambda r: r.choice([0, most, r.randint(0, most), min(most, 9)]), n)


def digits_until(ctype, bits, base, end):
  signed = "uint" not in ctype
  alphabet = "0123456789abcdef"[:base]

  def text_of(v):
    text, rest = "", abs(v)
    while rest or not text:
      text, rest = alphabet[rest % base] + text, rest // base
    return "-" + text if v < 0 else text

  def dec(i):
    text = ""
    while True:
      c = chr(i.take(1)[0])
      if c == end:
        break
      text += c
      # The library stops at the first character that cannot be part of a number.
      if not re.fullmatch("-?" if signed and len(text) == 1 and c == "-" else "-?[%s]+" % alphabet, text):
        i.refuse("malformed")
    low = -(1 << bits - 1) if signed else 0
    if not re.fullmatch("-?[%s]+" % alphabet, text) or not low <= int(text, base) < low + (1 << bits) or \
        text_of(int(text, base)) != text:
      i.refuse("malformed")
      return 0
    return int(text, base)
  codec = Codec(ctype, lambda v: (text_of(v) + end).encode(), dec, integer(ctype, bits // 8, signed, False).draw, None)
  codec.bits = bits
  return codec


class Scalar(Item):
  """A member that is one number. `word` is its C++ form with %s for the member. Values are drawn from `domain`.
  Decoding refuses values that are not `allowed`, and encoding writes `constant`."""

  def __init__(self, name, word, codec, allowed=None, constant=None, domain=None):
    super().__init__()
    self.name, self.word, self.codec = name, word % ("&S::" + name), codec
    self.allowed, self.constant, self.domain = allowed, constant, domain
    self.members, self.names, self.size = [(codec.ctype, name, "{}")], [name], codec.size

  def cpp(self):
    return self.word

  def draw(self, r, v):
    v[self.name] = self.codec.draw(r) if self.domain is None else r.choice(self.domain)

  def read(self, i, v):
    begin = i.pos
    v[self.name] = self.codec.dec(i)
    if self.allowed and not self.allowed(v[self.name]):
      i.refuse()
    i.places[self.name] = (begin, i.pos)

  def write(self, o, v):
    begin = len(o.out)
    value = v.get(self.name, 0) if self.constant is None else self.constant
    if self.allowed and self.constant is None and not self.allowed(value):
      raise Refused("invalid_value")
    o.out += self.codec.enc(value)
    o.places[self.name] = (begin, len(o.out))

  def show(self, v):
    return "%s=%s " % (self.name, self.codec.show(v.get(self.name, 0)))


class Computed(Scalar):
  """A number that encoding computes with `of(v, places, bytes)`: from the members, the places or the bytes, depending
  on `stage`."""

  def __init__(self, name, word, codec, stage, of):
    super().__init__(name, word, codec)
    self.stage, self.of, self.computed = stage, of, (self,)


class Delta(Scalar):
  """An integer that is stored as its difference from the value of `base`, modulo the range of its type, in `codec`.
  `like` is the codec of the member's own type, and `signed` the sign of the stored number."""

  def __init__(self, name, word, codec, like, signed, base):
    super().__init__(name, word, codec)
    self.like, self.signed, self.base = like, signed, base
    self.members = [(like.ctype, name, "{}")]

  @staticmethod
  def wrapped(n, bits, signed):
    n %= 1 << bits
    return n - (1 << bits) if signed and n >> bits - 1 else n

  def value(self, v, difference):
    return self.wrapped(self.base.value(v) + difference, self.like.bits, "uint" not in self.like.ctype)

  def draw(self, r, v):
    v[self.name] = self.value(v, self.codec.draw(r))

  def read(self, i, v):
    begin = i.pos
    v[self.name] = self.value(v, self.codec.dec(i))
    i.places[self.name] = (begin, i.pos)

  def write(self, o, v):
    begin = len(o.out)
    difference = v.get(self.name, 0) - self.base.value(v)
    stored = self.wrapped(difference, self.codec.bits, self.signed)
    if (stored - difference) % (1 << self.like.bits):
      raise Refused("does_not_fit")
    o.out += self.codec.enc(stored)
    o.places[self.name] = (begin, len(o.out))


class Literal(Item):
  def __init__(self, text):
    super().__init__()
    self.text, self.size, self.names = text, len(text), ["(literal)"]

  def cpp(self):
    return 'wire::literal<"%s">' % self.text

  def read(self, i, v):
    if i.take(self.size) != self.text.encode():
      i.refuse()

  def write(self, o, v):
    o.out += self.text.encode()


class Padding(Item):
  def __init__(self, n):
    super().__init__()
    self.size, self.names = n, ["(padding)"]

  def cpp(self):
    return "wire::padding<%d>" % self.size

  def read(self, i, v):
    i.take(self.size)

  def write(self, o, v):
    o.out += bytes(self.size)


class Reserved(Padding):
  def __init__(self, n):
    super().__init__(n)
    self.names = ["(reserved)"]

  def cpp(self):
    return "wire::reserved<%d>" % self.size

  def read(self, i, v):
    if i.take(self.size) != bytes(self.size):
      i.refuse()


class Align(Item):
  def __init__(self, n, fill, from_part):
    super().__init__()
    self.n, self.fill, self.from_part, self.names = n, fill, from_part, ["(padding)"]

  def cpp(self):
    return "wire::align<%d, wire::from_%s, %d>" % (self.n, "part" if self.from_part else "record", self.fill)

  def read(self, i, v):
    i.take(-(i.pos - (i.base if self.from_part else i.record)) % self.n)

  def write(self, o, v):
    o.out += bytes([self.fill]) * (-(len(o.out) - (o.base if self.from_part else 0)) % self.n)


class Silent(Item):
  """A member without bytes. `more` are further arguments of its word."""
  more = ""

  def __init__(self, word, ctype, name, value):
    super().__init__()
    self.word, self.name, self.value, self.size = word, name, value, 0
    self.members = [(ctype, name, " = %d" % value)]
    self.names = ["(padding)"]  # for a part that begins with padding

  def cpp(self):
    return "wire::%s<&S::%s%s>" % (self.word, self.name, self.more)

  def draw(self, r, v):
    v.setdefault(self.name, self.value)

  def read(self, i, v):
    v.setdefault(self.name, self.value)

  def write(self, o, v):
    pass


class Slices(Item):
  """Bits of a word of type `codec`, most significant first. Each slice is (width, name or None, whether it is a bool,
  constant or None)."""

  def __init__(self, codec, wire, from_low, slices):
    super().__init__()
    self.codec, self.wire, self.from_low, self.slices = codec, wire, from_low, slices
    self.size = codec.size
    self.members = [("bool" if b else "std::uint16_t", n, "{}") for _, n, b, _ in slices if n]
    self.names = ["unused", "reserved"] + [n for _, n, _, _ in slices if n]
    self.domains = {}

  def cpp(self):
    each = []
    for width, name, _, constant in self.slices:
      if name:
        each.append("wire::bits<&S::%s, %d>" % (name, width))
      elif constant is not None:
        each.append("wire::constant_bits<%d, %d>" % (width, constant))
      else:
        each.append("wire::unused_bits<%d>" % width)
    if self.from_low:
      each.reverse()
    return "wire::%s<%s, %s>" % ("bits_from_low" if self.from_low else "bit_slices", self.wire,
                                 ", ".join(each))

  def draw(self, r, v):
    for width, name, is_bool, _ in self.slices:
      if name:
        v[name] = r.randint(0, 1 if is_bool else (1 << width) - 1)
        if name in self.domains:
          v[name] = r.choice(self.domains[name])

  def read(self, i, v):
    begin, at = i.pos, self.codec.bits
    word = self.codec.dec(i)
    for width, name, is_bool, constant in self.slices:
      at -= width
      x = word >> at & (1 << width) - 1
      if name:
        v[name] = int(x != 0) if is_bool else x
        i.places[name] = (begin, i.pos)
      elif constant is not None and x != constant:
        i.refuse()

  def write(self, o, v):
    begin, word = len(o.out), 0
    for width, name, _, constant in self.slices:
      word = word << width | (v.get(name, 0) if name else constant or 0)
    o.out += self.codec.enc(word)
    for _, name, _, _ in self.slices:
      if name:
        o.places[name] = (begin, len(o.out))

  def show(self, v):
    return "".join("%s=%d " % (n, v.get(n, 0)) for _, n, _, _ in self.slices if n)
