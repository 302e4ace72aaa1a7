"""GDB printers for wire::array_view, wire::strided_view, wire::record_view and trace_error.

  (gdb) source /usr/share/tracecodec/gdb/tracecodec_gdb.py

They decode the bytes of a view only from the view's type. They call no function of the program, so they work on
core files. Members that depend on functions of the program are not decoded. Only the members before such a member
are printed.
"""
import itertools

import gdb
import gdb.printing

MOST = 200  # maximum number of elements, the default for GDB's own arrays


class Unknown(Exception):
    """Raised for a wire type that this file does not support."""


def arguments(of):
    """Yields a type's template arguments: types and values."""
    for i in itertools.count():
        try:
            yield of.template_argument(i)
        except RuntimeError:
            return


def template(of):
    """Returns "scalar" for tracecodec::wire::scalar<...>, and None for types outside that namespace."""
    name = (of.strip_typedefs().unqualified().name or "").split("<")[0]
    return name[len("tracecodec::wire::"):] if name.startswith("tracecodec::wire::") else None


def word_of(value):
    """Returns "big" for an enumerator as GDB prints it, in any namespace."""
    return str(value).split("::")[-1]


def name_of(member):
    return str(member).split("::")[-1].rstrip(")")


def split(name):
    """Returns the template arguments in a type's name. GDB itself does not return the arguments of a pack that
    follows other arguments."""
    depth, all_of = 0, [""]
    for c in name[name.index("<") + 1:name.rindex(">")]:
        depth += (c in "<(") - (c in ">)")
        if c == "," and depth == 0:
            all_of.append("")
        else:
            all_of[-1] += c
    return [a.strip() for a in all_of]


def slice_of(name):
    """Returns the member's name, or None, and the number of bits."""
    given = split(name)
    is_member = "::bits<" in name.split("&")[0]
    return (name_of(given[0]) if is_member else None,
            int(given[1 if is_member else 0].rstrip("ul")))


class Policy:
    def __init__(self, order, natural=False, narrow=False):
        self.order, self.natural, self.narrow = order, natural, narrow


class Scalar:
    def __init__(self, of, order):
        self.of, self.order, self.size, self.alignment = of, order, of.sizeof, of.sizeof

    def load(self, raw):
        raw = raw[:self.size]
        if self.of.strip_typedefs().code == gdb.TYPE_CODE_FLT:
            host = "big" if "big" in gdb.execute("show endian", to_string=True) else "little"
            return gdb.Value(raw if self.order == host else raw[::-1], self.of)
        n = int.from_bytes(raw, self.order)
        if self.of.strip_typedefs().code == gdb.TYPE_CODE_BOOL:
            n = int(n != 0)
        return gdb.Value(n).cast(self.of)


class Array:
    def __init__(self, element, n):
        self.element, self.n = element, n
        self.size, self.alignment = element.size * n, element.alignment

    def load(self, raw):
        size = self.element.size
        return "{%s}" % ", ".join(str(self.element.load(raw[i * size:(i + 1) * size]))
                                  for i in range(self.n))


class Record:
    """`members` are names, offsets and wire types; `whole` is true if they are complete."""

    def __init__(self, policy):
        self.policy, self.members, self.whole = policy, [], True
        self.size, self.alignment = 0, 1

    def add(self, name, wire):
        if self.policy.natural:
            self.size += -self.size % wire.alignment
            self.alignment = max(self.alignment, wire.alignment)
        self.members.append((name, self.size, wire))
        self.size += wire.size

    def end(self):
        if self.policy.natural:
            self.size += -self.size % self.alignment
        return self

    def values(self, raw):
        for name, offset, wire in self.members:
            yield name, wire.load(raw[offset:offset + wire.size])

    def load(self, raw):
        return "{%s}" % ", ".join("%s = %s" % member for member in self.values(raw))


class Slices:
    """A word and its slices, most significant first."""

    def __init__(self, word, slices):
        self.word, self.slices = word, slices
        self.size, self.alignment = word.size, word.alignment

    def load(self, raw):
        n, shown, at = int(self.word.load(raw)), [], 8 * self.size
        for name, width in self.slices:
            at -= width
            if name:
                shown.append("%s = %d" % (name, n >> at & ((1 << width) - 1)))
        return "{%s}" % ", ".join(shown)


def inferred(of, policy):
    """Returns the wire type of a member, by the rules of wire/types/engine/infer.hpp."""
    plain = of.strip_typedefs().unqualified()
    if plain.code in (gdb.TYPE_CODE_INT, gdb.TYPE_CODE_CHAR, gdb.TYPE_CODE_BOOL, gdb.TYPE_CODE_ENUM,
                      gdb.TYPE_CODE_FLT):
        return Scalar(of, policy.order)
    if (plain.name or "").startswith("std::array<"):
        element, n = arguments(plain)
        return Array(inferred(element, policy), int(n))
    kind = template(plain)
    if kind == "file_pointer":
        return inferred(plain.template_argument(2), policy)
    if kind == "word":
        return Scalar(gdb.lookup_type("unsigned int" if policy.narrow else "unsigned long long"),
                      policy.order)
    if kind is not None:
        return wire_type(plain)
    if plain.code == gdb.TYPE_CODE_STRUCT:
        return of_struct(plain, policy)
    raise Unknown(str(of))


def of_struct(of, policy):
    record = Record(policy)
    for member in of.fields():
        if not hasattr(member, "bitpos"):  # static
            continue
        record.add(member.name, inferred(member.type, policy))
    return record.end()


FIELDS = {"field": 1, "address_field": 1, "number_field": 1, "constant": 2, "valid": 2, "in_range": 3}


def add_item(record, item):
    kind, given = template(item), list(arguments(item))
    if kind == "padding":
        record.size += int(given[0])
    elif kind == "bit_slices":
        slices = [slice_of(b) for b in split(item.strip_typedefs().name)[1:]]
        record.add("bits", Slices(inferred(given[0], record.policy), slices))
    elif kind in FIELDS or kind == "one_of":
        at = FIELDS.get(kind)
        # The type that the item specifies, or the type of the member.
        of = given[at] if at and at < len(given) else given[0].type.target()
        record.add(name_of(given[0]), inferred(of, record.policy))
    elif kind != "not_on_wire":
        raise Unknown(str(item))


def wire_type(of):
    kind, given = template(of), list(arguments(of.strip_typedefs()))
    if kind == "scalar":
        return Scalar(given[0], word_of(given[1]))
    if kind == "array_of":
        return Array(wire_type(given[0]), int(given[1]))
    if kind != "record":
        raise Unknown(str(of))
    what, order, placement, target = given[:4]
    policy = Policy(word_of(order), word_of(placement) == "natural", word_of(target) == "x86")
    if template(what) != "fields":
        return of_struct(what.strip_typedefs(), policy)
    record = Record(policy)
    try:
        for item in arguments(what.strip_typedefs()):
            add_item(record, item)
    except Unknown:
        record.whole = False
    return record.end()


def bytes_at(pointer, n):
    return gdb.selected_inferior().read_memory(int(pointer), n).tobytes() if n else b""


class Views:
    """Printer for array_view and strided_view."""

    def __init__(self, value):
        self.pointer, self.n, self.wire = value["p_"], int(value["n_"]), None
        try:
            self.wire = wire_type(value.type.strip_typedefs().template_argument(0))
            if getattr(self.wire, "whole", True):
                self.stride = int(value["stride_"]) if self.has_stride(value) else self.wire.size
            else:
                self.wire = None
        except Unknown:
            pass

    @staticmethod
    def has_stride(value):
        return template(value.type) == "strided_view"

    def to_string(self):
        if self.wire:
            return "%d elements" % self.n
        return "%d elements at 0x%x, not decoded" % (self.n, int(self.pointer))

    def children(self):
        for i in range(min(self.n, MOST) if self.wire else 0):
            at = int(self.pointer) + i * self.stride
            yield "[%d]" % i, self.wire.load(bytes_at(at, self.wire.size))
        if self.wire and self.n > MOST:
            yield "...", "%d more" % (self.n - MOST)

    def display_hint(self):
        return "array"


class RecordView:
    def __init__(self, value):
        self.pointer, self.wire = value["p_"], None
        try:
            self.wire = wire_type(value.type.strip_typedefs().template_argument(0))
        except Unknown:
            pass

    def to_string(self):
        return "record at 0x%x%s" % (int(self.pointer), "" if self.wire else ", not decoded")

    def children(self):
        if self.wire:
            yield from self.wire.values(bytes_at(self.pointer, self.wire.size))
            if not self.wire.whole:
                yield "...", "not decoded"


class TraceError:
    """Printer for a trace_error: its message and the parts of its location."""

    def __init__(self, value):
        self.value = value

    def to_string(self):
        # Compilers often write no debug information for std::runtime_error. The object consists of a
        # pointer to the virtual functions, then a pointer to the text.
        chars = gdb.lookup_type("char").pointer()
        if self.value.address is None:
            return "trace_error"
        return self.value.address.cast(chars.pointer())[1].string(errors="replace")

    def children(self):
        yield "code", self.value["code_"]
        where = self.value["where_"]
        for name in ("file", "offset", "record", "field"):
            yield name, where[name]


def printers():
    all_of = gdb.printing.RegexpCollectionPrettyPrinter("tracecodec")
    all_of.add_printer("view", "^tracecodec::wire::(array|strided)_view<.*>$", Views)
    all_of.add_printer("record_view", "^tracecodec::wire::record_view<.*>$", RecordView)
    all_of.add_printer("trace_error", "^tracecodec::trace_error$", TraceError)
    return all_of


gdb.printing.register_pretty_printer(gdb.current_objfile(), printers(), replace=True)
