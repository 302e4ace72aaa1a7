# Readers for the forms that trace_view --layout prints for Kaitai and ImHex. They implement
# the necessary parts of these languages according to Kaitai's user guide and ImHex's
# documentation. They do not use the library.
import ast
import functools
import re
import struct


# Kaitai: a parser of .ksy files, which become mappings, and a reader that interprets them.
def scalar(value):
    value = value.strip()
    if value.startswith('['):
        return [scalar(v) for v in value[1:-1].split(',') if v.strip()]
    return value


def parse_yaml(text):
    """Parses the necessary part of YAML: indented mappings, lists and scalars, with comments."""
    lines = []
    for line in text.splitlines():
        line = line.split('#')[0].rstrip()
        if line.strip():
            lines.append((len(line) - len(line.lstrip()), line.strip()))

    def block(i, indent):
        if lines[i][1].startswith('- '):
            items = []
            while i < len(lines) and lines[i][0] == indent and lines[i][1].startswith('- '):
                if ':' not in lines[i][1]:
                    items.append(lines[i][1][2:])
                    i += 1
                    continue
                lines[i] = (indent + 2, lines[i][1][2:])
                item, i = block(i, indent + 2)
                items.append(item)
            return items, i
        mapping = {}
        while i < len(lines) and lines[i][0] == indent and not lines[i][1].startswith('- '):
            key, colon, value = lines[i][1].partition(':')
            assert colon and key not in mapping, lines[i]
            i += 1
            if value.strip():
                mapping[key] = scalar(value)
            elif i < len(lines) and lines[i][0] > indent:
                mapping[key], i = block(i, lines[i][0])
            else:
                mapping[key] = None
        return mapping, i

    result, end = block(0, 0)
    assert end == len(lines), lines[end]
    return result


class Stream:
    """Kaitai's _io: bytes and a position."""

    def __init__(self, raw):
        self.raw, self.pos = raw, 0

    @property
    def eof(self):
        return self.pos >= len(self.raw)

    def take(self, n):
        assert 0 <= n <= len(self.raw) - self.pos, (n, self.pos, len(self.raw))
        self.pos += n
        return self.raw[self.pos - n:self.pos]


class Struct:
    """Record with fields, and with instances that are computed on first use."""

    def __init__(self, kaitai, type, io, parent, parameters=()):
        self._kaitai, self._type, self._io, self._parent = kaitai, type, io, parent
        self._values = dict(parameters)

    def __getattr__(self, name):
        values = self.__dict__['_values']
        if name not in values:
            instance = (self._type.get('instances') or {}).get(name)
            if instance is None:
                raise AttributeError(name)
            values[name] = self._kaitai.instance(instance, self)
        return values[name]

    def plain(self):
        for name in self._type.get('instances') or {}:
            getattr(self, name)
        return {n: plain(v) for n, v in self._values.items()}


class Vlq:
    """vlq_base128_le and vlq_base128_be of Kaitai's library."""

    def __init__(self, io, little):
        groups = []
        while not groups or groups[-1] & 0x80:
            groups += io.take(1)
        for b in groups if not little else reversed(groups):
            self.value = getattr(self, 'value', 0) << 7 | b & 0x7f
        top = 1 << 7 * len(groups)
        self.value_signed = self.value - top if 2 * self.value >= top else self.value


def plain(v):
    if isinstance(v, Struct):
        return v.plain()
    if isinstance(v, list):
        return [plain(x) for x in v]
    if isinstance(v, bytes):
        return list(v)
    return v.value if isinstance(v, Vlq) else v


@functools.cache
def compiled(expression):
    return compile(expression, expression, 'eval')


class Names(dict):
    """Names that an expression of a record may use."""

    def __init__(self, record, others):
        super().__init__(others, _io=record._io, _parent=record._parent)
        self.record = record

    def __missing__(self, name):
        return getattr(self.record, name)


@functools.cache
def number(type):
    """Returns the struct format of Kaitai's number type, or None for other types."""
    simple = re.fullmatch('([usf])([1248])(le|be)?', type)
    if not simple:
        return None
    kind, size, order = simple.groups()
    assert (size == '1') == (order is None), type
    code = {'u': dict(zip('1248', 'BHIQ')), 's': dict(zip('1248', 'bhiq')),
            'f': {'4': 'f', '8': 'd'}}[kind][size]
    return struct.Struct(('>' if order == 'be' else '<') + code)


class Kaitai:
    KEYS = {'id', 'type', 'size', 'size-eos', 'terminator', 'pad-right', 'contents', 'encoding',
            'repeat', 'repeat-expr', 'repeat-until', 'if', 'valid', 'pos', 'value'}

    def __init__(self, text):
        self.root = parse_yaml(text)
        self.types = self.root['types']

    def check(self):
        """Checks that names and types are valid in Kaitai."""
        assert re.fullmatch('[a-z][a-z0-9_]*', self.root['meta']['id'])
        for name, one in self.types.items():
            instances = one.get('instances') or {}
            ids = [f['id'] for f in one['seq']] + list(instances)
            assert len(set(ids)) == len(ids), (name, ids)
            for id in ids + [name]:
                assert re.fullmatch('[a-z][a-z0-9_]*', id), id
            for f in one['seq'] + list(instances.values()):
                assert set(f) <= self.KEYS, f
                self.check_type(f.get('type'))
                for key in ('size', 'if', 'repeat-expr', 'repeat-until', 'value'):
                    if key in f:
                        ast.parse(f[key], mode='eval')

    def check_type(self, type):
        if type is None or type in ('str', 'vlq_base128_le', 'vlq_base128_be'):
            imports = self.root['meta'].get('imports', [])
            assert type in (None, 'str') or '/common/' + type in imports, type
        elif isinstance(type, dict):
            for case in type['cases'].values():
                self.check_type(case)
        else:
            assert re.fullmatch(r'[us]1|[us][248][lb]e|f[48][lb]e|b\d+[lb]e', type) or \
                type.partition('(')[0] in self.types, type

    def value(self, expression, record, **others):
        if expression.isdigit():
            return int(expression)
        return eval(compiled(expression), {'__builtins__': {}}, Names(record, others))

    def instance(self, field, record):
        if 'if' in field and not self.value(field['if'], record):
            return None
        if 'value' in field:
            return self.value(field['value'], record)
        io = record._io
        before, io.pos = io.pos, self.value(field['pos'], record)
        result = self.field(field, record)
        io.pos = before
        return result

    # Reads one value with the type and size of a field.
    def one(self, field, record, index):
        io = record._io
        type = field.get('type')
        if isinstance(type, dict):
            tag = str(self.value(type['switch-on'], record))
            type = type['cases'].get(tag, type['cases'].get('_'))
        if 'contents' in field:
            wanted = bytes(map(int, field['contents'])) if isinstance(field['contents'], list) \
                else field['contents'].encode()
            got = io.take(len(wanted))
            assert got == wanted, (got, wanted)
            return got
        if 'terminator' in field:
            end = io.raw.index(int(field['terminator']), io.pos)
            got = io.take(end - io.pos)
            io.take(1)
            return got
        if 'size' in field or 'size-eos' in field:
            n = self.value(field['size'], record) if 'size' in field else len(io.raw) - io.pos
            got = io.take(n)
            if 'pad-right' in field:
                got = got.rstrip(bytes([int(field['pad-right'])]))
            if type == 'str':
                return got.decode(field['encoding'])
            if type is None:
                return got
            io = Stream(got)
        simple = number(type)
        if simple:
            return simple.unpack(io.take(simple.size))[0]
        bits = re.fullmatch(r'b(\d+)(le|be)', type)
        if bits:
            return int.from_bytes(io.take(int(bits[1]) // 8),
                                  'big' if bits[2] == 'be' else 'little')
        if type.startswith('vlq_base128_'):
            return Vlq(io, type.endswith('le'))
        name, _, arguments = type.partition('(')
        given = [self.value(a, record, _index=index) for a in arguments.rstrip(')').split(',') if a]
        names = [p['id'] for p in self.types[name].get('params', [])]
        return self.read(name, io, record, dict(zip(names, given, strict=True)))

    def valid(self, field, value, record):
        valid = field.get('valid')
        if valid is None:
            return
        if not isinstance(valid, dict):
            assert value == self.value(valid, record), (field, value)
            return
        for key, wanted in valid.items():
            good = {'min': lambda: int(wanted) <= value, 'max': lambda: value <= int(wanted),
                    'any-of': lambda: value in map(int, wanted)}[key]()
            assert good, (field, value)

    def field(self, field, record):
        how = field.get('repeat')
        if how is None:
            value = self.one(field, record, None)
            self.valid(field, value, record)
            return value
        values = []
        if how == 'expr':
            for i in range(self.value(field['repeat-expr'], record)):
                values.append(self.one(field, record, i))
        elif how == 'eos':
            while not record._io.eof:
                values.append(self.one(field, record, len(values)))
        else:
            assert how == 'until', how
            while not values or not self.value(field['repeat-until'], record, _=values[-1]):
                values.append(self.one(field, record, len(values)))
        for v in values:
            self.valid(field, v, record)
        return values

    def seq(self, seq, record):
        for f in seq:
            if 'if' in f and not self.value(f['if'], record):
                continue
            record._values[f['id']] = self.field(f, record)

    def read(self, type, io, parent=None, parameters=()):
        record = Struct(self, self.types[type], io, parent, parameters)
        self.seq(self.types[type]['seq'], record)
        return record

    def file(self, raw):
        record = Struct(self, {}, Stream(raw), None)
        self.seq(self.root['seq'], record)
        assert record._io.eof
        return record.plain()

    def whole(self, type, raw):
        """Returns the values of a file that consists of one record."""
        record = self.read(type, Stream(raw))
        result = record.plain()
        assert record._io.eof
        return result


# ImHex: the structs of a pattern file, and the placements at its end.
class ImHex:
    FIELD = re.compile(r'(?:(le|be) )?([\w:]+) (\w+)(?:\[(.+)\])?;')
    CODES = {'u8': 'B', 's8': 'b', 'u16': 'H', 's16': 'h', 'u32': 'I', 's32': 'i', 'u64': 'Q',
             's64': 'q', 'float': 'f', 'double': 'd', 'char': 'B'}
    WIDE = {'u24': 3, 'u48': 6, 'u128': 16}

    def __init__(self, text):
        text = re.sub(r'//.*', '', text)
        self.structs, self.placed = {}, []
        name, body = None, []
        for line in filter(None, map(str.strip, text.splitlines())):
            begins = re.fullmatch(r'struct (\w+) \{', line)
            if begins:
                name, body = begins[1], []
            elif line == '};':
                self.structs[name], rest = self.block(body, 0)
                assert rest == len(body)
                self.check(self.structs[name])
                name = None
            elif name:
                body.append(line)
            elif not line.startswith('import '):
                self.placed.append(line)

    def block(self, lines, i):
        """Returns the statements of a block: lines, and (condition, statements)."""
        statements = []
        while i < len(lines) and lines[i] != '}':
            condition = re.fullmatch(r'if \((.*)\) \{', lines[i])
            if condition:
                inner, end = self.block(lines, i + 1)
                assert lines[end] == '}'
                statements.append((condition[1], inner))
                i = end
            else:
                statements.append(lines[i])
            i += 1
        return statements, i

    def check(self, statements):
        """Checks that types are defined before their use."""
        for s in statements:
            if isinstance(s, tuple):
                self.check(s[1])
            elif not s.startswith('padding[') and not re.fullmatch(r'u64 \w+ = .*;', s):
                type = self.FIELD.fullmatch(s)[2]
                assert type in self.CODES or type in self.WIDE or type in self.structs or \
                    type in ('type::uLEB128', 'type::sLEB128'), s

    @functools.cache
    def code(self, expression):
        e = expression.replace('std::mem::eof()', 'EOF').replace('addressof(this)', 'THIS')
        e = e.replace('std::mem::Endian::Big', '"big"').replace('std::mem::Endian::Little', '"little"')
        e = e.replace('std::mem::read_unsigned', 'READ').replace('$', 'HERE')
        e = e.replace('&&', ' and ').replace('||', ' or ').replace('!=', 'NE')
        e = e.replace('!', ' not ').replace('NE', '!=').strip()
        return compile(e, expression, 'eval')

    def value(self, expression, raw, at, begin, values):
        if expression.isdigit():
            return int(expression)
        return eval(self.code(expression), {'__builtins__': {}}, {
            **values, 'EOF': at >= len(raw), 'THIS': begin, 'HERE': at,
            'READ': lambda p, n, order='little': int.from_bytes(raw[p:p + n], order)})

    def one(self, order, type, raw, at):
        if type in self.structs:
            return self.read(type, raw, at)
        if type.startswith('type::'):
            value = shift = 0
            while True:
                b = raw[at]
                value |= (b & 0x7f) << shift
                at, shift = at + 1, shift + 7
                if b < 0x80:
                    break
            if type.endswith('sLEB128') and b & 0x40:
                value -= 1 << shift
            return value, at
        if type in self.WIDE:
            n = self.WIDE[type]
            return int.from_bytes(raw[at:at + n], 'big' if order == 'be' else 'little'), at + n
        form = ('>' if order == 'be' else '<') + self.CODES[type]
        return struct.unpack_from(form, raw, at)[0], at + struct.calcsize(form)

    def run(self, statements, raw, at, begin, values):
        for s in statements:
            evaluate = lambda e: self.value(e, raw, at, begin, values)
            if isinstance(s, tuple):
                if evaluate(s[0]):
                    at = self.run(s[1], raw, at, begin, values)
                continue
            local = re.fullmatch(r'u64 (\w+) = (.*);', s)
            if local:
                values[local[1]] = evaluate(local[2])
                continue
            gap = re.fullmatch(r'padding\[(.+)\];', s)
            order, type, id, count = (None, 'u8', None, gap[1]) if gap \
                else self.FIELD.fullmatch(s).groups()
            if count is None:
                values[id], at = self.one(order, type, raw, at)
                continue
            loop = re.fullmatch(r'while\((.*)\)', count)
            n = None if loop else evaluate(count)
            all = []
            while evaluate(loop[1]) if loop else len(all) < n:
                v, at = self.one(order, type, raw, at)
                all.append(v)
            if not gap:
                values[id] = all
        return at

    def read(self, name, raw, at):
        values = {}
        at = self.run(self.structs[name], raw, at, at, values)
        return values, at

    def whole(self, name, raw):
        values, at = self.read(name, raw, 0)
        assert at == len(raw)
        return values

    def file(self, raw):
        """Returns the struct at offset 0, if it exists, and the records."""
        begin, at = None, 0
        *first, last = self.placed
        if first:
            begin, at = self.read(re.fullmatch(r'(\w+) begin @ 0;', first[0])[1], raw, 0)
        name = re.fullmatch(r'(\w+) records\[while\(!std::mem::eof\(\)\)\] @ .+;', last)[1]
        records = []
        while at < len(raw):
            record, at = self.read(name, raw, at)
            records.append(record)
        return begin, records
