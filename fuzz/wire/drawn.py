"""Random numbers in descriptions, and the counts and conditions that depend on them."""
import model
from model import Codec, Computed, Literal, Scalar, Slices
from parts import ByteOrder

UNSIGNED = [("std::uint8_t", 1), ("std::uint16_t", 2), ("std::uint32_t", 4), ("std::uint64_t", 8)]
SIGNED = [("std::int8_t", 1), ("std::int16_t", 2), ("std::int32_t", 4), ("std::int64_t", 8)]
SMALL = [0, 1, 2, 3]


class Expr:
  """A count, size, condition or tag: as C++ code, and as a Python function of a record's values."""

  def __init__(self, cpp, value):
    self.cpp, self.value = cpp, value

  def number(self, v):
    n = self.value(v)
    return n if n >= 0 else 1 << 60


class Drawn:
  """One struct and its codec. `prefix` makes its names unique. `depth` is the number of enclosing records."""

  def __init__(self, r, prefix, depth=0):
    self.r, self.prefix, self.depth = r, prefix, depth
    self.big = ByteOrder(r.random() < 0.4)
    self.before, self.functions, self.lambdas = [], [], []
    self.n = self.records = 0
    self.usable = []  # numbers read so far, on which counts and conditions may depend
    self.taken = set()  # numbers whose values are already determined
    self.ends = []  # members that every record has, in encoded order
    self.sums = 0

  def full(self):
    """True if the struct is large enough. Each further item costs compilation time."""
    return self.n > (14 if self.depth == 0 else 5)

  def name(self):
    self.n += 1
    return "m%d" % (self.n - 1)

  # Functions.
  def function(self, body, kind):
    """Adds a function; `body` uses the record as `s`."""
    n = "f%d" % (len(self.functions) + len(self.lambdas))
    if self.r.random() < 0.5:
      self.functions.append("constexpr %s %s() const { [[maybe_unused]] const auto& s = *this; return %s;"
                            " }" % (kind, n, body))
      return "&S::" + n
    self.lambdas.append("inline constexpr auto %s_%s = []([[maybe_unused]] const %s& s) -> %s { return %s; };" % (
        self.prefix, n, self.prefix, kind, body))
    return "%s_%s" % (self.prefix, n)

  def plain(self, kinds=None):
    """Returns a member whose values may be chosen freely, or None."""
    free = [a for a in self.usable if a not in self.taken and (kinds is None or kinds(a))]
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
    """Returns a small number, to be used as a count."""
    r = self.r
    if r.random() < 0.1:
      n = r.randint(0, 3)
      return Expr(str(n), lambda v: n)
    if not self.usable:
      return Expr(self.function("2", "unsigned"), lambda v: 2)
    m = self.plain(lambda a: not self.is_bool(a))
    if m and r.random() < 0.6:
      self.use(m, SMALL)
      return Expr("&S::" + m, lambda v: v.get(m, 0))
    m = r.choice(self.usable)
    how = r.choice(["(%s & 3)", "(%s & 1) * 2", "(%s & 3) + 1"])
    python = {"(%s & 3)": lambda x: x & 3, "(%s & 1) * 2": lambda x: (x & 1) * 2,
              "(%s & 3) + 1": lambda x: (x & 3) + 1}[how]
    body = how % ("static_cast<std::int64_t>(s.%s)" % m)
    return Expr(self.function(body, r.choice(["std::int64_t", "std::uint64_t"])),
               lambda v: python(v.get(m, 0)))

  def condition(self):
    r = self.r
    if not self.usable:
      return Expr(self.function("true", "bool"), lambda v: True)
    m = r.choice(self.usable)
    if r.random() < 0.4 and not self.is_enum(m):
      return Expr("&S::" + m, lambda v: v.get(m, 0) != 0)
    bit = r.choice([1, 2, 4])
    return Expr(self.function("(static_cast<std::int64_t>(s.%s) & %d) != 0" % (m, bit), "bool"),
               lambda v: v.get(m, 0) & bit != 0)

  def is_enum(self, name):
    owner = self.owner[name]
    return isinstance(owner, Scalar) and owner.codec.ctype in ("small", "wide")

  def is_bool(self, name):
    return ("bool", name, "{}") in self.owner[name].members

  # Numbers.
  def scalar(self, word, codec, usable=True, **more):
    x = Scalar(self.name(), word, codec, **more)
    self.owner[x.name] = x
    if usable:
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
    k = r.randint(0, 8)
    if k == 8:
      ctype, size = r.choice(UNSIGNED + SIGNED)
      n, signed = r.randint(1, (8 * size + 6) // 7), "uint" not in ctype
      return self.scalar("wire::%sleb128<%%s, %d>" % ("s" if signed else "", n),
                         model.leb_in_bytes(ctype, 8 * size, n, signed))
    if k == 0:
      if self.r.random() < 0.5:
        return self.scalar("wire::field<%s, wire::nonzero<>>", model.boolean(True))
      return self.scalar("wire::field<%s>", model.boolean(False))
    if k == 1:
      return self.scalar("wire::field<%s>", model.uint128(big), usable=False)
    if k == 2:
      ctype, size = r.choice([("float", 4), ("double", 8)])
      return self.scalar("wire::field<%s>", model.floating(ctype, size, big), usable=False)
    if k == 3:
      brain = r.random() < 0.5
      return self.scalar("wire::bfloat16<%s>" if brain else "wire::float16<%s>",
                         model.float16(brain, big), usable=False)
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

  def digits_until(self):
    ctype, size = self.r.choice(UNSIGNED + SIGNED)
    base, end = self.r.choice([2, 8, 10, 16]), self.r.choice([" ", ",", "x"])
    return self.scalar("wire::digits_until<%%s, %d, '%s'>" % (base, end),
                       model.digits_until(ctype, 8 * size, base, end))

  def delta(self):
    """Draws a number that is stored relative to an earlier one."""
    r = self.r
    ctype, size = r.choice(UNSIGNED + SIGNED)
    signed, stored = r.random() < 0.6, r.choice([n for _, n in UNSIGNED if n <= size])
    number = (SIGNED if signed else UNSIGNED)[[n for _, n in UNSIGNED].index(stored)][0]
    k = r.random()
    if k < 0.3:
      signed, more, codec = True, "", model.varint("zigzag", SIGNED[[n for _, n in SIGNED].index(size)][0], 8 * size)
    elif k < 0.6:
      codec = model.varint("sleb128" if signed else r.choice(["leb128", "vlq"]), number, 8 * stored)
      more = ", " + codec.wire
    else:
      codec, more = model.integer(number, stored, signed, self.big), ", " + number
    m = r.choice(self.usable)
    x = model.Delta(self.name(), "wire::delta<%%s, &S::%s%s>" % (m, more), codec,
                    model.integer(ctype, size, False, False), signed, Expr("", lambda v: v.get(m, 0)))
    self.owner[x.name] = x
    self.fresh.append(x.name)
    self.taken.add(x.name)
    return x

  def array(self):
    n = self.r.randint(1, 4)
    one = model.integer("", 2, False, self.big)

    def dec(i):
      return [one.dec(i) for _ in range(n)]
    return self.scalar("wire::field<%s>", Codec(
        "std::array<std::uint16_t, %d>" % n,
        lambda v: b"".join(one.enc(x) for x in (v or [0] * n)), dec,
        lambda r: [one.draw(r) for _ in range(n)], 2 * n,
        lambda v: "[%s]" % ",".join(str(x) for x in (v or [0] * n))), usable=False)

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
      if r.random() < 0.4:
        texts = [list(text.encode()), list(text[::-1].lower().encode())]
        return self.scalar('wire::one_of<%%s, "%s", "%s">' % (text, text[::-1].lower()), codec, usable=False,
                           allowed=lambda v: v in texts, domain=texts)
      return self.scalar('wire::constant<%%s, "%s">' % text, codec, usable=False,
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
    k = r.random()
    if k < 0.2 and size > 1:
      big, wire = not big, "wire::scalar<%s, wire::order::%s>" % (wire, model.order_of(not self.big))
    codec = model.integer("", size, False, big)
    if 0.2 <= k < 0.4 and not self.fixed:
      codec = model.varint(r.choice(["leb128", "vlq"]), wire, 8 * size)
      wire = codec.wire
    elif 0.4 <= k < 0.5:
      size = 3
      codec, wire = model.integer("", size, False, big), "wire::integer_of<std::uint32_t, 3, wire::order::%s>" % (
          model.order_of(big))
    left, each = 8 * size, []
    while left:
      k = r.random()
      is_bool = 0.4 <= k < 0.6
      width = 1 if is_bool else min(left, r.randint(1, 16))
      left -= width
      if k < 0.15 and each:
        each.append((width, None, False, None))
      elif k < 0.3 and each:
        each.append((width, None, False, r.choice([0, (1 << width) - 1])))
      else:
        each.append((width, self.name(), is_bool, None))
    x = Slices(codec, wire, r.random() < 0.5, each)
    for width, name, _, _ in each:
      if name:
        self.owner[name] = x
        self.fresh.append(name)
        if width < 2:
          self.taken.add(name)
    return x
