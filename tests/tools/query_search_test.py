# trace_query's questions about values (strings, find-value, constants), compared with a search in Python through the
# bytes that the instructions of a trace read and write.
import collections
import json
import os
import random
import struct

import constants_model
import support
import x64dbg_model
from support import SED, ProgramTest, content, needs, run
from x64dbg_program import Access, X64dbgProgram

THREADS = os.path.join(os.path.dirname(SED), 'threads3_64.trace64.xz')
WORK = os.path.join(os.path.dirname(SED), 'work32.trace32.xz')


def accesses_of(path):
    """Returns the accesses of an x64dbg trace. The kinds and sizes are those of trace_view, which x64dbg_test.py
    compares with an independent list; the bytes are those of the trace."""
    rows = [json.loads(line) for line in run('trace_view', path, '--json').stdout.splitlines()]
    found = []
    blocks = x64dbg_model.Trace(content(path)).blocks
    for b, row in zip(blocks, rows, strict=True):
        word = 8 if b['arch'] == 'x64' else 4
        for kind in ('read', 'write'):
            for (a, old, new), m in zip(b['memory'], row['memory'], strict=True):
                if m['kind'] not in (kind, 'read_write'):
                    continue
                value = (old if kind == 'read' or new is None else new).to_bytes(word, 'little')[:m['size']]
                last = found[-1] if found else None
                if last and (last.index, last.written, last.address + len(last.bytes)) == (b['index'], kind == 'write', a):
                    found[-1] = last._replace(bytes=last.bytes + value)  # of one wide operand
                else:
                    found.append(Access(b['index'], b['ip'], b['thread'], a, value, kind == 'write'))
    return found


def is_text(c):
    n = ord(c)
    if n < 0xa0:
        return c in '\t\n\r' or 0x20 <= n < 0x7f
    hidden = ((0xad, 0xad), (0x61c, 0x61c), (0x180e, 0x180e), (0x200b, 0x200f), (0x2028, 0x202e), (0x2060, 0x206f),
              (0xfeff, 0xfeff), (0xfff9, 0xfffb), (0xe0000, 0xe007f))
    return not any(a <= n <= b for a, b in hidden)


class Texts:
    """Model of strings: what memory contains, and which bytes were set since their text was found."""

    def __init__(self, least):
        self.least, self.memory, self.fresh, self.setter, self.found = least, {}, set(), {}, {}

    def utf8_at(self, a):
        for size in (1, 2, 3, 4):
            part = [self.memory.get(a + i) for i in range(size)]
            if None in part:
                return None
            try:
                c = bytes(part).decode()
            except UnicodeDecodeError:
                continue
            return (a, a + size, c) if is_text(c) else None
        return None

    def utf16_at(self, a):
        low, high = self.memory.get(a), self.memory.get(a + 1)
        if low is None or high is None or low | high << 8 > 0x52f or not is_text(chr(low | high << 8)):
            return None
        return a, a + 2, chr(low | high << 8)

    def around(self, a):
        for at, sizes in ((self.utf16_at, (2,)), (self.utf8_at, (1, 2, 3, 4))):
            for back in range(max(sizes)):
                c = at(a - back)
                if c is None or c[1] <= a:
                    continue
                text = [c]
                while before := next((b for s in sizes if (b := at(text[0][0] - s)) and b[1] == text[0][0]), None):
                    text.insert(0, before)
                while after := at(text[-1][1]):
                    text.append(after)
                if len(text) >= self.least:
                    self.keep(text, 'utf-16' if sizes == (2,) else 'utf-8')
                if len(sizes) > 1:
                    break

    def keep(self, text, encoding):
        places = range(text[0][0], text[-1][1])
        if self.fresh.isdisjoint(places):
            return
        self.fresh.difference_update(places)
        key = text[0][0], encoding, ''.join(c for _, _, c in text)
        self.found.setdefault(key, (*min(self.setter[a] for a in places), max(self.setter[a] for a in places)[0]))

    def add(self, access):
        for i, b in enumerate(access.bytes):
            a = access.address + i
            if a in self.fresh and self.memory[a] != b:
                self.around(a)
        for i, b in enumerate(access.bytes):
            a = access.address + i
            same = self.memory.get(a) == b
            if not same or a not in self.fresh:
                self.setter[a] = access.index, access.ip
            if not same:
                self.memory[a] = b
                self.fresh.add(a)

    def result(self):
        for a in sorted(self.fresh):
            if a in self.fresh:
                self.around(a)
        rows = [{'index': first, 'ip': hex(ip), 'last': last, 'address': hex(a), 'encoding': e, 'text': t}
                for (a, e, t), (first, ip, last) in self.found.items()]
        return sorted(rows, key=lambda r: (r['index'], int(r['address'], 0), r['encoding'] != 'utf-8', r['text'].encode()))


def texts_of(accesses, least=5):
    texts = Texts(least)
    for a in accesses:
        texts.add(a)
    return texts.result()


def patterns_of(number):
    """Returns (bytes, order, whether only a whole value counts) of each width."""
    found = []
    for size in (1, 2, 4, 8):
        try:
            little = number.to_bytes(size, 'little', signed=number < 0)
        except OverflowError:
            continue
        found.append((little, None if size == 1 else 'little', size < 4))
        if little != little[::-1]:
            found.append((little[::-1], 'big', size < 4))
    return found


def places_in(value, wanted):
    """Returns the widest matches in a value as (offset, pattern)."""
    found = [(i, n) for n, (b, _, whole) in enumerate(wanted) for i in range(len(value) - len(b) + 1)
             if value[i:i + len(b)] == b and (not whole or len(b) == len(value))]
    return [(i, n) for i, n in found if not any(hides(wanted, i, n, j, m) for j, m in found)]


def hides(wanted, i, n, j, m):
    """Returns True if the match of pattern m at j is a wider form of the same number."""
    (b, order, _), (c, wide, _) = wanted[n], wanted[m]
    return order != 'bytes' and len(c) > len(b) and (
        (order in (None, 'little') and wide == 'little' and i == j) or
        (order in (None, 'big') and wide == 'big' and i + len(b) == j + len(c)))


def values_in(accesses, wanted):
    """Returns the matches in memory: in the bytes of an access, or completed by them."""
    memory, found = {}, []
    for access in accesses:
        at, n = access.address, len(access.bytes)
        changed = {at + i for i, b in enumerate(access.bytes) if memory.get(at + i) != b}
        memory.update((at + i, b) for i, b in enumerate(access.bytes))
        rows = []
        for k, (b, order, whole) in enumerate(wanted):
            if whole:
                if access.bytes == b:
                    rows.append((at, k, False))
                continue
            for a in range(at - len(b) + 1, at + n):
                inside = a >= at and a + len(b) <= at + n
                if not inside and changed.isdisjoint(range(a, a + len(b))):
                    continue
                if all(memory.get(a + i) == v for i, v in enumerate(b)):
                    rows.append((a, k, not inside))
        rows = [r for r in rows if not any(hides(wanted, r[0], r[1], q[0], q[1]) for q in rows)]
        found += [{'index': access.index, 'ip': hex(access.ip), 'thread': access.thread, 'address': hex(a),
                   'after': access.written, 'size': len(wanted[k][0]),
                   'order': None if wanted[k][1] == 'bytes' else wanted[k][1], 'several': several}
                  for a, k, several in sorted(rows)]
    return found


class QueryTest(ProgramTest):
    def rows(self, path, *arguments):
        r = run('trace_query', path, '--json', *map(str, arguments))
        self.assertEqual((r.returncode, r.stderr), (0 if r.stdout else 1, b''))
        return [json.loads(line) for line in r.stdout.splitlines()]

    def trace_of(self, program):
        path = self.write('made.trace64', program.trace)
        self.assertEqual(len(x64dbg_model.Trace(program.trace).blocks), program.count)
        return path


@needs('simdjson', 'zydis')
class Strings(QueryTest):
    def check(self, program, least=5):
        rows = self.rows(self.trace_of(program), 'strings', *(() if least == 5 else ('--length', least)))
        self.assertEqual(rows, texts_of(program.accesses, least))
        return [(r['address'], r['encoding'], r['text']) for r in rows]

    def test_text_that_is_written_byte_by_byte(self):
        p = X64dbgProgram()
        secret = bytes(c ^ 0x7a for c in b'a`cbedgfihkjm') + b'\0'
        for i, c in enumerate(secret):
            p.read(0x402000 + i, 1, bytes([c]))
            p.write(0x403000 + i, bytes([c ^ 0x7a]))
        self.assertEqual(self.check(p), [('0x403000', 'utf-8', 'a`cbedgfihkjmz')])
        out = run('trace_query', self.path('made.trace64'), 'strings').stdout.decode()
        self.assertEqual(out, '[     1] 0x0000000000401002 | 0x403000 | "a`cbedgfihkjmz"\n')

    def test_text_that_replaces_text(self):
        p = X64dbgProgram()
        for text in (b'hello', b'world', b'in place'):
            for i, c in enumerate(text):
                p.write(0x5000 + i, bytes([c]))
        for i, c in enumerate(b'in place'):
            p.read(0x5000 + i, 1)
            p.write(0x5000 + i, bytes([c]).upper())
        self.assertEqual([t for _, _, t in self.check(p)], ['hello', 'world', 'in place', 'IN PLACE'])

    def test_encodings(self):
        p = X64dbgProgram()
        for i, b in enumerate('naïve – ключ 鍵'.encode()):
            p.read(0x6000 + i, 1, bytes([b]))
        for i, b in enumerate('wide ключ'.encode('utf-16-le') + b'\0\0'):
            p.write(0x7001 + i, bytes([b]))
        p.read(0x8000, 16, 'in ÄÖÜ\0\0'.encode('utf-16-le'))
        p.read(0x9000, 16, b'quote "\\\t\r\n\x1b[31')
        self.assertEqual([t for _, _, t in self.check(p)],
                         ['naïve – ключ 鍵', 'wide ключ', 'in ÄÖÜ', 'quote "\\\t\r\n'])
        r = run('trace_query', self.path('made.trace64'), 'strings', '-m', '4')
        self.assertIn(b'"quote \\"\\\\\\t\\r\\n"', r.stdout)
        self.assertIn('0x7001 | utf-16 "wide ключ"'.encode(), r.stdout)

    def test_parts_of_any_size_and_of_several_threads(self):
        p = X64dbgProgram()
        text = b'The quick brown fox jumps over the lazy dog, twice'
        for i in range(0, 48, 16):
            p.read(0x5003 + i, 16, text[i:i + 16])
        for i in range(40, -1, -4):
            p.write(0x6001 + i, text[i:i + 4], thread=4 + i // 4 % 2)
        for i in range(0, 35, 7):  # they overlap
            p.read(0x7000 + i, 8, text[i:i + 8])
        self.assertEqual([t for _, _, t in self.check(p)], [text[:48].decode(), text[:44].decode(), text[:36].decode()])

    def test_random_accesses(self):
        rng = random.Random(4)
        for least in (1, 3, 5):
            p = X64dbgProgram()
            for _ in range(1500):
                size = rng.choice((1, 1, 1, 2, 4, 8, 16))
                value = b''.join(rng.choice((b'a', b'B', b' ', b'\0', b'\n', b'\xc3', b'\xa4', b'\x04', b'\x7f', 'é'.encode(),
                                             b'x\0')) for _ in range(size))[:size]
                address = 0x5000 + rng.randrange(60)
                if rng.random() < .5:
                    p.write(address, value)
                else:
                    p.read(address, size, value if rng.random() < .3 else None)
            self.assertGreater(len(self.check(p, least)), 20)

    @needs('xz')
    def test_samples(self):
        for path, least in ((THREADS, 4), (WORK, 5)):
            rows = self.rows(path, 'strings', '--length', least)
            self.assertEqual(rows, texts_of(accesses_of(path), least))
            self.assertGreater(len(rows), 3)
            self.assertEqual(self.rows(path, 'strings', '--length', least, '-m', 2), rows[:2])

    @needs('xz')
    def test_traces_without_values(self):
        r = run('trace_query', SED, 'strings')
        self.assertEqual((r.returncode, r.stdout), (2, b''))
        self.assertIn(b'memory_values', r.stderr)
        self.assertEqual(run('trace_query', SED, 'accesses', '1', '--length', '5').returncode, 2)


@needs('simdjson', 'zydis')
class FindValue(QueryTest):
    def memory_rows(self, path, operand):
        return [r for r in self.rows(path, 'find-value', '--', operand) if 'address' in r]

    def test_numbers_in_memory(self):
        rng = random.Random(6)
        number = 0x12345678
        parts = [number.to_bytes(8, 'little'), number.to_bytes(4, 'big'), bytes(8), b'\x78\x56', b'\x34\x12\0\0']
        p = X64dbgProgram()
        for _ in range(1200):
            stream = b''.join(rng.choice(parts) for _ in range(8))
            size = rng.choice((1, 2, 4, 8, 16))
            start = rng.randrange(len(stream) - size)
            address = 0x5000 + rng.randrange(40)
            if rng.random() < .7:
                p.write(address, stream[start:start + size], thread=rng.choice((4, 5)))
            else:
                p.read(address, size, thread=rng.choice((4, 5)))
        path = self.trace_of(p)
        for operand, value in (('0x12345678', number), ('305419896', number), ('0x1234', 0x1234), ('0x78', 0x78), ('0', 0),
                               ('-1', -1), ('0x123456780000', 0x123456780000)):
            expected = values_in(p.accesses, patterns_of(value))
            self.assertEqual(self.memory_rows(path, operand), expected, operand)
            if value in (number, 0x1234, 0):
                self.assertGreater(len({(r['size'], r['order'], r['several']) for r in expected}), 2)
        wanted = [(number.to_bytes(4, 'little'), 'little', False), (number.to_bytes(4, 'big'), 'big', False)]
        self.assertEqual(self.memory_rows(path, '0x12345678:4'), values_in(p.accesses, wanted))

    def test_text_and_bytes(self):
        p = X64dbgProgram()
        for i, b in enumerate('the key, '.encode() + 'the key'.encode('utf-16-le')):
            p.write(0x5001 + i, bytes([b]))
        p.read(0x5000, 16)
        path = self.trace_of(p)
        wanted = [(b'the key', 'bytes', False), ('the key'.encode('utf-16-le'), 'bytes', False)]
        expected = values_in(p.accesses, wanted)
        self.assertEqual([(r['index'], r['address'], r['size'], r['several']) for r in expected],
                         [(6, '0x5001', 7, True), (22, '0x500a', 14, True), (23, '0x5001', 7, False)])
        for operand in ('text:the key', '"the key"'):
            self.assertEqual(self.rows(path, 'find-value', operand), expected)
        self.assertEqual(self.rows(path, 'find-value', 'hex:' + b'the key'.hex()), values_in(p.accesses, wanted[:1]))
        self.assertEqual(run('trace_query', path, 'find-value', 'text:the key', '-m', '1').stdout,
                         b'[     6] 0x000000000040100c | 0x5001 written | 7 bytes, from several accesses\n')

    def test_registers(self):
        p = X64dbgProgram()
        for value in (0x12345678, 0x7856341200000000, 5, 0x55667788_12345678):
            p.set_rax(value)
        path = self.trace_of(p)
        rows = [(r['index'], r['register'], r['offset'], r['size'], r['order'], r['after'])
                for r in self.rows(path, 'find-value', '0x12345678')]
        self.assertEqual(rows, [(0, 'rax', 0, 8, 'little', True), (2, 'rax', 0, 8, 'big', True),
                                (6, 'rax', 0, 4, 'little', True)])
        rows = [(r['index'], r['register'], r['size']) for r in self.rows(path, 'find-value', '5')]
        self.assertEqual(rows, [(4, 'rax', 8)])

    @needs('xz')
    def test_samples(self):
        for path in (THREADS, WORK):
            accesses = accesses_of(path)
            counts = collections.Counter(a.bytes for a in accesses if len(a.bytes) >= 4)
            for value, _ in random.Random(8).sample(counts.most_common(40), 4):
                n = int.from_bytes(value, 'little')
                self.assertEqual(self.memory_rows(path, hex(n)), values_in(accesses, patterns_of(n)), hex(n))

    def test_wrong_operands(self):
        path = self.trace_of_one()
        for operand in ('x', '', 'hex:1', 'text:', '0x100:1', '1:3', '0x1' + '0' * 16):
            r = run('trace_query', path, 'find-value', operand)
            self.assertEqual((r.returncode, r.stdout), (2, b''), operand)
            self.assertIn(b'expected', r.stderr)

    def trace_of_one(self):
        p = X64dbgProgram()
        p.read(0x5000, 8)
        return self.trace_of(p)


@needs('simdjson', 'zydis')
class Constants(QueryTest):
    tables = constants_model.all_tables()

    def found(self, program, where='address'):
        rows = self.rows(self.trace_of(program), 'constants')
        return {(r['algorithm'], r['name'], r['order'], r[where]): (r['index'], r['entries'], r['of'], r['times'])
                for r in rows if where in r}

    def test_each_table(self):
        for order in ('little', 'big'):
            p, expected = X64dbgProgram(), {}
            for k, ((algorithm, name), (size, values)) in enumerate(self.tables.items()):
                if size == 1 and order == 'big':
                    continue
                base = 0x100000 + k * 0x2003
                first = p.count
                for i, v in enumerate(values):
                    p.read(base + i * size, size, v.to_bytes(size, order))
                expected[algorithm, name, order, hex(base)] = first, len(values), values
            found = self.found(p)
            self.assertEqual(set(found), set(expected))
            for key, (first, n, values) in expected.items():
                index, entries, of, times = found[key]
                self.assertEqual(of, n, key)
                # Small entries do not count.
                weak = [v for v in values if v < 1 << 16 or v & 0xffff == 0 or v >> 16 & 0xffff == 0xffff or
                        v & 0xffff == 0xffff]
                size = self.tables[key[:2]][0]
                if size != 4:
                    weak = [v for v in values if v >> 32 == 0] if size == 8 else [v for v in values if v == 0]
                self.assertLessEqual(n - len(weak), entries, key)
                self.assertLessEqual(entries, times, key)
                self.assertTrue(first <= index <= first + len(weak), key)

    def test_entries_in_any_order(self):
        rng = random.Random(9)
        box = self.tables['AES', 'S-box'][1]
        crc = self.tables['CRC-32', 'table, lowest bit first'][1]
        p = X64dbgProgram()
        p.put(0x5000, bytes(box))
        p.put(0x6001, struct.pack('<256I', *crc))
        state = list(range(256))  # of RC4: its bytes change, so each place would be a table for some of them
        used = {0x5000: [], 0x6001: []}
        for _ in range(600):
            i, j = rng.randrange(256), rng.randrange(256)
            state[i], state[j] = state[j], state[i]
            p.write(0x7000 + i, bytes([state[i]]))
            p.write(0x7000 + j, bytes([state[j]]))
            n = rng.randrange(100)
            if rng.random() < .5:
                used[0x5000].append((p.count, box[n]))
                p.read(0x5000 + n, 1)
            else:
                used[0x6001].append((p.count, crc[n]))
                p.read(0x6001 + 4 * n, 4)
        expected = {}
        for base, key in ((0x5000, ('AES', 'S-box', 'little', '0x5000')),
                          (0x6001, ('CRC-32', 'table, lowest bit first', 'little', '0x6001'))):
            seen = [(n, v) for n, v in used[base] if v]
            expected[key] = seen[0][0], len({v for _, v in seen}), 256, len(seen)
        self.assertEqual(self.found(p), expected)

    def test_registers(self):
        p = X64dbgProgram()
        for n in range(3):
            for v in self.tables['SHA-256, BLAKE2s', 'initial value'][1][:4]:
                p.set_rax(v)
        p.set_rax(0x9e3779b9)
        p.set_rax(self.tables['SHA-512, BLAKE2b', 'initial value'][1][0])
        self.assertEqual(self.found(p, 'register'),
                         {('SHA-256, BLAKE2s', 'initial value', 'little', 'rax'): (0, 4, 8, 12),
                          ('TEA, RC5, Serpent', 'golden ratio', 'little', 'rax'): (24, 1, 1, 1)})

    def test_other_values_are_no_tables(self):
        rng = random.Random(10)
        p = X64dbgProgram()
        for _ in range(4000):
            size = rng.choice((1, 1, 1, 2, 4, 8, 16))
            p.write(0x5000 + rng.randrange(300), bytes(rng.choice((0, 1, 2, 65, 128, 255, rng.randrange(256)))
                                                       for _ in range(size)))
        text = bytes(range(65, 91)) + bytes(60)
        for i in range(len(text)):
            p.read(0x9000 + i, 1, text[i:i + 1])
        self.assertEqual(self.found(p), {})

    @needs('xz')
    def test_samples_use_none(self):
        for path in (THREADS, WORK):
            self.assertEqual([r for r in self.rows(path, 'constants') if 'address' in r], [])


if __name__ == '__main__':
    support.main()
