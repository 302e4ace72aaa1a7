# trace_find: compares its matches with a search in Python, in the rows of trace_view or in the
# trace.
import collections
import functools
import json
import os
import struct

import support
import x86_model
from support import SED, WORK, content, records
from x64dbg_model import Trace, header, snapshot


def sample(name):
    return os.path.join(os.path.dirname(SED), name)


def lines(raw):
    return raw.decode().splitlines()


def number(n):
    """Returns a word of 32 bits as little-endian bytes."""
    return struct.pack('<I', n if isinstance(n, int) else int(n, 0))


class Registers:
    """Words of REGDUMP before each block's instruction. Word 4 is the stack pointer."""

    NAMES = ['eax', 'ecx', 'edx', 'ebx', 'esp', 'ebp', 'esi', 'edi']

    def __init__(self, blocks):
        self.all, now = [], [0] * 8
        for b in blocks:
            for w, name in enumerate(self.NAMES):
                if name in b['registers']:
                    now[w] = int(b['registers'][name], 0)
            self.all.append(now[:])


def runs(memory):
    """Returns runs of adjacent 32-bit words of a block: address, contents before and after, whether they changed."""
    found = []
    for m in memory:
        at, old, new = int(m['address'], 0), number(m['old']), m['new']
        if not found or found[-1][0] + len(found[-1][1]) != at:
            found.append([at, b'', b'', False])
        found[-1][1] += old
        found[-1][2] += old if new is None else number(new)
        found[-1][3] |= new is not None
    return found


def pushes(opcode):
    """Returns True for push, pusha, pushf, call and enter of 32-bit code."""
    code = bytes.fromhex(opcode).lstrip(b'\x66\x67\xf0\xf2\xf3\x2e\x36\x3e\x26\x64\x65')
    if code[0] == 0xFF:
        return code[1] >> 3 & 7 in (2, 3, 6)
    return 0x50 <= code[0] < 0x58 or code[0] in (0x60, 0x68, 0x6A, 0x9C, 0xC8, 0xE8)


def holds(b, registers, pattern):
    """Returns True if memory contains the bytes before or after the instruction. x64dbg's old values below the
    stack pointer of a push are wrong and are ignored."""
    csp, push = registers[4], pushes(b['opcode'])
    for at, before, after, changed in runs(b['memory']):
        if pattern in after and (changed or push and at < csp):
            return True
        first = -1
        while (first := before.find(pattern, first + 1)) != -1:
            here = range(at + first, at + first + len(pattern))
            if not push or not any(csp - 132 <= a < csp for a in here):
                return True
    return False


@functools.lru_cache
def threads64():
    """Returns the blocks of threads3_64, and the ChampSim records of the same run, which were made with Valgrind
    and Capstone."""
    blocks = Trace(content(sample('threads3_64.trace64.xz'))).blocks
    for b in blocks:
        b['rsp'] = b.pop('state')[4]  # the rest is large
    return blocks, records(content(sample('threads3_64.champsimtrace.xz')))


def accesses(b, r):
    """Returns the accesses of an instruction: address, number of bytes, whether it writes."""
    width = x86_model.width(b['opcode'])
    return [(a, width, write) for key, write in (('source_memory', False),
                                                 ('destination_memory', True)) for a in r[key] if a]


def contents(b, r):
    """Yields the memory that an instruction accesses: address, bytes, whether they are the bytes after the
    instruction. Written memory is also returned as it is after the instruction."""
    pieces = []
    for at, old, new in b['memory']:
        if not pieces or pieces[-1][0] + len(pieces[-1][1]) != at:
            pieces.append([at, b'', b''])
        pieces[-1][1] += struct.pack('<Q', old)
        pieces[-1][2] += struct.pack('<Q', old if new is None else new)
    for at, before, after in pieces:
        yield at, before, False
        if any(at <= a < at + len(after) for a in r['destination_memory']):
            yield at, after, True


def wrong_before(b, r):
    """Returns the addresses for which x64dbg's old value of a push is wrong. It records the value at rsp instead."""
    below = b['rsp'] - 8
    moves = 6 in r['destination_registers'] and below in r['destination_memory']
    return range(below, below + 8) if moves else range(0)


def holds64(b, r, pattern, which=(False, True)):
    """Returns True if memory contains the bytes before or after the instruction."""
    wrong = wrong_before(b, r)
    for at, known, after in contents(b, r):
        first = -1
        while after in which and (first := known.find(pattern, first + 1)) != -1:
            if after or not any(at + first + k in wrong for k in range(len(pattern))):
                return True
    return False


class Find(support.ProgramTest):
    program = 'trace_find'

    def found(self, *args, code=0):
        """Returns the indexes of the matches."""
        r = self.run_program(*args)
        self.assertEqual((r.returncode, r.stderr), (code, b''), args)
        return [int(s[1:s.index(']')]) for s in lines(r.stdout)]

    def check(self, expected, *args):
        self.assertGreater(len(expected), 0, args)
        self.assertEqual(self.found(*args), expected, args)
        r = self.run_program('--count', *args)
        self.assertEqual(int(r.stdout), len(expected), args)

    def json_of(self, *args):
        r = support.run('trace_view', '--json', *args)
        self.assertEqual(r.returncode, 0, r.stderr)
        return [json.loads(s) for s in lines(r.stdout)]

    def test_records(self):
        rs = records(content(SED))
        self.check([i for i, r in enumerate(rs) if r['ip'] == rs[7]['ip']], '--ip',
                   hex(rs[7]['ip']), SED)
        first = rs[100]['ip']
        self.check([i for i, r in enumerate(rs) if first <= r['ip'] < first + 64], '--ip',
                   '%d+64' % first, SED)
        self.check([i for i, r in enumerate(rs) if first <= r['ip'] <= first + 64], '--ip',
                   '%#x-%#x' % (first, first + 64), SED)
        for option, keys in (('--reads', ['source_memory']), ('--writes', ['destination_memory']),
                             ('--memory', ['source_memory', 'destination_memory'])):
            address = next(r[keys[0]][0] for r in rs[5000:] if r[keys[0]][0])
            near = range(address - 64, address + 64)
            self.check([i for i, r in enumerate(rs)
                        if any(a in near for k in keys for a in r[k] if a)],
                       option, '%d+128' % near[0], SED)
        kinds = [support.branch_class(r) for r in rs]
        self.check([i for i, k in enumerate(kinds) if k == 'return'], '--branch', 'return', SED)
        self.check([i for i, k in enumerate(kinds)
                    if k == 'conditional' and not support.branch_taken(rs[i], k)],
                   '--branch', 'conditional', '--not-taken', SED)
        returns = [i for i, k in enumerate(kinds) if k == 'return']
        self.check([i for i, k in enumerate(kinds) if k in ('return', 'direct_call')], '--branch',
                   'return', '--branch', 'direct_call', SED)
        self.assertEqual(self.found('--branch', 'return', '-m', '3', '--skip', '1000', SED),
                         [i for i in returns if i >= 1000][:3])

    @support.needs('simdjson', 'zydis', 'xz')
    def test_x64dbg(self):
        path = sample('work32.trace32.xz')
        blocks = self.json_of('-n', '5000', path)
        rows = lines(support.run('trace_view', '-c', '-n', '5000', path).stdout)
        some = ('--limit', '5000', path)

        def check(expected, *args):
            self.check(expected, *args, *some)

        check([b['index'] for b in blocks if b['opcode'].startswith('89')], '--opcode', '89')
        names = [r.split(' | ')[2].split()[0] for r in rows]
        for name in ('push', 'PUSH', 'jz'):
            check([i for i, n in enumerate(names) if n == name.lower()], '--mnemonic', name)
        # Synonyms from Intel's table of conditions.
        for name, zydis in (('je', 'jz'), ('JNE', 'jnz'), ('jc', 'jb'), ('jnae', 'jb'), ('jnc', 'jnb'),
                            ('jae', 'jnb'), ('ja', 'jnbe'), ('jna', 'jbe'), ('sal', 'shl')):
            if zydis in names:
                check([i for i, n in enumerate(names) if n == zydis], '--mnemonic', name)
        check([i for i, n in enumerate(names) if n == 'rep'], '--mnemonic', 'Rep')
        state = Registers(blocks)
        # Patterns may cross neighbouring words. Stale words are not contents of memory.
        word = next(m['old'] for b in blocks for m in b['memory'] if int(m['old'], 0) > 0xFFFFFF)
        two = next(b['memory'] for b in blocks
                   if len(b['memory']) > 1 and len(runs(b['memory'])) == 1 and
                   int(b['memory'][1]['old'], 0))
        stale = next(m['old'] for b, r in zip(blocks, state.all) for m in b['memory']
                     if b['opcode'] == '56' and int(m['old'], 0) not in (0, r[6]))
        for pattern in (number(word), runs(two)[0][1][2:6], number(stale)):
            check([b['index'] for b, r in zip(blocks, state.all) if holds(b, r, pattern)],
                  '--bytes', pattern.hex())
        # push esi stores at the address in esp, even if the value is already there.
        pushes = [(b['index'], r[4] - 4, r[6], b['memory'][0]['new'])
                  for b, r in zip(blocks, state.all) if b['opcode'] == '56']
        same = [p for p in pushes if p[3] is None]
        self.assertIn(273, [p[0] for p in same])
        for _, address, value, _ in (same[0], next(p for p in pushes if p[3])):
            check([p[0] for p in pushes if p[1:3] == (address, value)], '--opcode', '56',
                  '--writes', '%d+4' % address, '--bytes', number(value).hex())
        # A number as a debugger shows it: memory stores its lowest byte first.
        shown = struct.pack('>I', int(word, 0))
        r = self.run_program('--bytes', shown.hex(), *some)
        self.assertEqual((r.returncode, r.stdout), (1, b''))
        self.assertIn(b'with these bytes in reverse', r.stderr)
        self.assertIn(b'--value 0x' + shown.hex().encode(), r.stderr)
        after = Registers(self.json_of('-n', '5001', path)).all[1:]
        for value in (word, '%d' % int(word, 0), '%s:4' % word):
            pattern, n = number(word), int(word, 0)
            gets = [n in new and old != new and any(a == n != b for a, b in zip(new, old))
                    for old, new in zip(state.all, after)]
            check([i for i, b in enumerate(blocks)
                   if holds(b, state.all[i], pattern) or gets[i] or (i == 0 and n in state.all[0])],
                  '--value', value)
        # A register without a value finds the instructions that change it.
        for w, name in ((0, 'eax'), (4, 'ESP')):
            check([i for i, (old, new) in enumerate(zip(state.all, after)) if old[w] != new[w]],
                  '--register', name)
        # Without another criterion, a register value finds where the register gets the value; with
        # another criterion, where the register has it.
        for name, w, v in (('eax', 0, 1), ('EAX', 0, 1), ('esi', 6, state.all[2000][6])):
            had = [None] + [r[w] for r in state.all]
            check([i for i, r in enumerate(state.all) if r[w] == v and had[i] != v],
                  '--register', '%s=%#x' % (name, v))
            for i in [i for i, r in enumerate(state.all) if r[w] == v][:4]:
                ip = blocks[i]['ip']
                check([i for i, r in enumerate(state.all) if r[w] == v and blocks[i]['ip'] == ip],
                      '--register', '%s=%#x' % (name, v), '--ip', ip)
        # Negative numbers, with as many bits as the register.
        high = next(r[0] for r in state.all if r[0] >> 31)
        low = next(r[0] & 0xff for r in state.all if r[0] & 0x80)
        for name, bits, v in (('eax', 32, high), ('al', 8, low)):
            check(self.found('--register', '%s=%d' % (name, v), *some),
                  '--register', '%s=%d' % (name, v - (1 << bits)))
        self.bad(2, '--register', 'al=-129', path, about=b"'al' has 8 bits")
        self.assertEqual([r[0] for r in state.all[863:865]], [1, 1])
        self.assertIn(864, self.found('--register', 'eax=1', '--ip', '0x4b2e8b7', path))
        switches = self.found('--thread-switch', sample('threads3_64.trace64.xz'))
        threads = [b['thread'] for b in self.json_of(sample('threads3_64.trace64.xz'))]
        self.assertEqual(switches, [i for i in range(1, len(threads))
                                    if threads[i] != threads[i - 1]])
        r = self.run_program('--json', '--opcode', '89', '-m', '2', path)
        self.assertEqual([json.loads(s) for s in lines(r.stdout)],
                         [b for b in blocks if b['opcode'].startswith('89')][:2])

    @support.needs('simdjson', 'zydis', 'xz')
    def test_x64dbg_64_code(self):
        path, (blocks, _) = sample('threads3_64.trace64.xz'), threads64()
        for code in ('4889', 'f3 48 AB', 'c5', blocks[20000]['opcode']):
            plain = code.replace(' ', '').lower()
            self.check([b['index'] for b in blocks if b['opcode'].startswith(plain)],
                       '--opcode', code, path)
        for name in x86_model.NAMES:
            expected = [b['index'] for b in blocks if x86_model.called(b['opcode'], name)]
            self.assertGreater(len(expected), 10, name)
            self.assertEqual(self.found('--mnemonic', name, path), expected, name)

    @support.needs('simdjson', 'zydis', 'xz')
    def test_x64dbg_64_accesses(self):
        path, (blocks, rs) = sample('threads3_64.trace64.xz'), threads64()
        touched = [accesses(b, r) for b, r in zip(blocks, rs, strict=True)]

        def compare(option, first, last, which):
            expected = [i for i, all in enumerate(touched)
                        if any(write in which and at <= last and first < at + width
                               for at, width, write in all)]
            self.assertEqual(self.found(option, '%#x-%#x' % (first, last), path,
                                        code=0 if expected else 1), expected, (option, first))
            return expected

        # The last byte of operands of each width, and the byte after it.
        for option, writes in (('--reads', False), ('--writes', True)):
            for width in (1, 2, 4, 8, 16, 32):
                i, end = next((i, at + width) for i, all in enumerate(touched[5000:], 5000)
                              for at, w, write in all if (w, write) == (width, writes))
                self.assertIn(i, compare(option, end - 1, end - 1, [writes]))
                self.assertNotIn(i, compare(option, end, end, [writes]))
        # Many addresses at once. Some instructions only read them, and others only write them.
        page = blocks[0]['rsp'] & -4096
        read, written, both = (compare(option, page, page + 4095, which) for option, which in (
            ('--reads', [False]), ('--writes', [True]), ('--memory', [False, True])))
        self.assertGreater(min(len(both) - len(read), len(both) - len(written)), 100)

    @support.needs('simdjson', 'zydis', 'xz')
    def test_x64dbg_64_bytes(self):
        path, (blocks, rs) = sample('threads3_64.trace64.xz'), threads64()
        both = [(b, r) for b, r in zip(blocks, rs, strict=True) if b['memory']]

        def expected(pattern):
            return [b['index'] for b, r in both if holds64(b, r, pattern)]

        # A store of two words, and a pattern across both; a changed word; a part of a word.
        wide = next(after for b, r in both if x86_model.width(b['opcode']) == 16
                    for _, after, written in contents(b, r)
                    if written and len(after) == 16 and after[8])
        i, (at, old, new) = next((b['index'], m) for b, r in both for m in b['memory']
                                 if m[2] and m[0] in r['source_memory'] and
                                 m[0] in r['destination_memory'] and min(m[1:]) > 255)
        patterns = [struct.pack('<Q', v) for v in (old, new)]
        for pattern in (wide[1:10], *patterns, patterns[1][:2]):
            self.check(expected(pattern), '--bytes', pattern.hex(), path)
        # An incorrect old value of a push is not found.
        pushed, pattern = next((b['index'], struct.pack('<Q', m[1])) for b, r in both
                               for m in b['memory']
                               if m[0] in wrong_before(b, r) and m[1] and m[2])
        self.check(expected(pattern), '--bytes', pattern.hex(), path)
        self.assertNotIn(pushed, expected(pattern))
        # With an address, the pattern is searched in the contents before, or in what is
        # written.
        for pattern in patterns:
            for option, write in (('--reads', False), ('--writes', True)):
                found = [b['index'] for b, r in both
                         if any(a <= at < a + n and w == write for a, n, w in accesses(b, r)) and
                         holds64(b, r, pattern, [write])]
                self.check(found, option, str(at), '--bytes', pattern.hex(), path)
                self.assertEqual(i in found, pattern == patterns[write])

    @support.needs('simdjson', 'zydis', 'xz')
    def test_parts(self):
        trace = sample('threads3_64.trace64.xz')
        blocks = self.json_of('-n', '3000', trace)
        value = next(b['registers']['rax'] for b in blocks[100:] if 'rax' in b['registers'])
        for args in (['--thread-switch', trace], ['--register', 'rax=' + value, trace],
                     ['--register', 'rax=' + value, '--ip', '0-18446744073709551615', trace],
                     ['--mnemonic', 'call', trace], ['--branch', 'return', SED],
                     ['--ip', '0-0x48c199a', '--taken', SED]):
            whole = self.found(*args)
            self.assertGreater(len(whole), 2, args)
            for n in (2, 7):
                parts = [self.run_program('--shard', '%d/%d' % (i, n), *args) for i in range(n)]
                self.assertEqual([int(s[1:s.index(']')]) for r in parts for s in lines(r.stdout)],
                                 whole, args)
            middle = whole[len(whole) // 2]
            self.assertEqual(self.found('--skip', str(middle), *args),
                             [i for i in whole if i >= middle], args)
            self.assertEqual(self.found('--skip', str(middle + 1), '--limit', '5000', *args,
                                        code=0 if middle != whole[-1] else 1),
                             [i for i in whole if middle < i <= middle + 5000], args)
        # Matches are found before the damage, which is not read once -m is reached.
        cut = self.write('cut', content(WORK)[:6390])
        self.assertEqual(self.found('-m', '99', '--ip', '0-18446744073709551615', cut),
                         list(range(99)))

    @support.needs('zydis', 'xz')
    def test_umtracer_values(self):
        for name in ('plain64', 'plain32'):
            path = sample('umtracer/' + name)
            tables = [json.loads(s) for s in lines(content(path + '.expected.jsonl.xz'))]
            rows = {t['id']: t for t in tables if t['t'] == 'ins'}
            steps = [(t['id'], rows[t['ins']], t['slots']) for t in tables
                     if t['t'] == 'exec' and t['type'] == 0]
            names = {t['id']: t['name'] for t in tables if t['t'] == 'reg'}
            for code in {row['code'][:4] for _, row, _ in steps[:20]}:
                self.check([i for i, row, _ in steps if row['code'].startswith(code)],
                           '--opcode', code, path)

            texts = [(i, row['asm'].split()) for i, row, _ in steps]
            prefixes = ('lock', 'rep', 'repne')
            for word in {w for _, words in texts for w in words[:2]} & {*prefixes, 'movsb', 'xadd'}:
                self.check([i for i, words in texts if word == words[0] or
                            words[0] in prefixes and word == words[1]], '--mnemonic', word, path)

            def has(row, slots, register, value):
                return any(s[0] == register and address is None and known and
                           bytes.fromhex(known)[:8] == value
                           for s, (address, known) in zip(row['dec']['slots'], slots))
            told = [(s[0], bytes.fromhex(known)[:8]) for _, row, slots in steps[:8]
                    for s, (address, known) in zip(row['dec']['slots'], slots)
                    if address is None and known and s[0] in names]
            for register, value in set(told):
                self.check([i for i, row, slots in steps if has(row, slots, register, value)],
                           '--register', '%s=%#x' % (names[register].lower(),
                                                     int.from_bytes(value, 'little')), path)
            for register, value in [t for t in set(told) if len(t[1]) == 8 and t[1][7] >> 7]:
                self.check([i for i, row, slots in steps if has(row, slots, register, value)],
                           '--register', '%s=%d' % (names[register], int.from_bytes(
                               value, 'little', signed=True)), path)
            memory = [[(k >= row['dec']['fa'], k < row['dec']['fo'], int(address, 0),
                        bytes.fromhex(known)) for k, (address, known) in enumerate(slots)
                       if address is not None] for _, row, slots in steps]
            some = [m for all in memory for m in all if len(m[3]) >= 4]
            for _, _, _, known in some[:3] + some[-3:]:
                self.check([s[0] for s, all in zip(steps, memory)
                            if any(known[1:4] in m[3] for m in all)],
                           '--bytes', known[1:4].hex(), path)
            for option, which in (('--writes', 0), ('--reads', 1)):
                for at in [m[2] + 1 for m in some if m[which]][:4]:
                    self.check([s[0] for s, all in zip(steps, memory)
                                if any(m[which] and m[2] <= at < m[2] + len(m[3]) for m in all)],
                               option, str(at), path)
        r = self.run_program('--register', 'nosuch=1', path)
        self.assertEqual((r.returncode, r.stdout), (2, b''))
        self.assertIn(b"no register 'nosuch'", r.stderr)

    @support.needs('zydis')
    def test_umtracer_thread_switches(self):
        for name in ('plain32', 'plain64', 'awkward32', 'awkward64'):
            path = sample('umtracer/' + name)
            tables = [json.loads(s) for s in lines(content(path + '.expected.jsonl.xz'))]
            codes = {t['id']: t['code'] for t in tables if t['t'] == 'ins'}
            # The instructions of all records; records of other threads may lie in between.
            steps = [(t['id'], t['tid'], codes[t['ins']]) for t in tables
                     if t['t'] == 'exec' and t['type'] == 0]
            switches = [b for a, b in zip(steps, steps[1:]) if a[1] != b[1]]
            self.check([i for i, _, _ in switches], '--thread-switch', path)
            code = switches[0][2][:2]
            self.check([i for i, _, c in switches if c.startswith(code)],
                       '--thread-switch', '--opcode', code, path)
            at = steps.index(switches[9])
            for skip in (at, at + 1):
                self.check([i for i, _, _ in switches if i >= steps[skip][0]],
                           '--thread-switch', '--skip', str(skip), path)
            self.assertEqual(self.found('--thread-switch', '--thread', '2', path, code=1), [])

    @support.needs('zydis')
    def test_umtracer(self):
        path = sample('umtracer/plain64')
        rows = [(int(s[1:s.index(']')]), s) for s in lines(
            support.run('trace_view', '-c', '-n', 'all', path).stdout) if 'Disasm' in s]
        for name in ('add', 'mov', 'MOV'):
            self.check([i for i, s in rows if ' Disasm %s ' % name.lower() in s],
                       '--mnemonic', name, path)
        records = self.json_of(path)
        at = next(r for r in records if r.get('Address'))
        self.check([r['ID'] for r in records if r.get('Address') == at['Address']], '--ip',
                   str(int(str(at['Address']), 0)), path)

    def test_rapidbin(self):
        path = sample('rapidbin/r250.data')
        rows = lines(support.run('trace_view', '-c', '-n', 'all', path).stdout)
        threads = [r.split(' | ')[1] for r in rows]
        self.check([i for i in range(1, len(rows)) if threads[i] != threads[i - 1]],
                   '--thread-switch', path)
        self.check([i for i, t in enumerate(threads) if t == 'T[1]'], '--thread', '1', path)
        for suffix in ('data', 'std'):
            for args in (('--branch', 'return'), ('--branch', 'not_branch'), ('--taken',),
                         ('--not-taken', '--count')):
                trace = sample('rapidbin/r250.' + suffix)
                r = self.run_program(*args, trace)
                self.assertEqual((r.returncode, r.stdout), (2, b''), args)
                self.assertIn(b'a trace of this format has no branches', r.stderr)

    @support.needs('simdjson', 'zydis')
    def test_operations(self):
        path = sample('rapidbin/r250.data')
        events = [json.loads(r) for r in content(sample('rapidbin/r250.dump.jsonl.xz'))
                  .splitlines()[1:]]
        codes = ['acquire', 'release', 'read', 'write', 'fork', 'join', 'begin', 'end', 'request',
                 'branch']
        for names in (['acquire'], ['fork', 'join'], ['Write', 'write', 'REQUEST']):
            wanted = {codes.index(n.lower()) for n in names}
            self.check([e['i'] for e in events if e['code'] in wanted],
                       *(a for n in names for a in ('--operation', n)), path)
        self.check([e['i'] for e in events if e['code'] == 2 and e['thread'] == 1], '--thread', '1',
                   '--operation', 'read', path)
        self.assertEqual(self.run_program('--operation', 'begin', path).returncode, 1)
        r = self.run_program('--operation', 'lock', path)
        self.assertEqual(r.returncode, 2)
        self.assertIn(b'acquire, release', r.stderr)
        r = self.run_program('--operation', 'read', WORK)
        self.assertEqual((r.returncode, r.stdout), (2, b''))
        self.assertIn(b'no operations', r.stderr)

    def counts(self, *args):
        r = self.run_program('--json', *args)
        self.assertEqual((r.returncode, r.stderr), (0, b''), args)
        return [tuple(json.loads(s).values()) for s in lines(r.stdout)]

    @staticmethod
    def most_frequent(values, number=lambda v: v, shown=lambda v: v):
        """Returns (value, count) pairs, most frequent first. Equal counts are ordered by value."""
        count = collections.Counter(values)
        return [(shown(v), n) for v, n in sorted(count.items(), key=lambda p: (-p[1], number(p[0])))]

    @support.needs('simdjson', 'zydis')
    def test_counts_by_a_field(self):
        all_of_it = records(content(WORK))
        kinds = [support.branch_class(r) for r in all_of_it]
        order = ['direct_jump', 'indirect', 'conditional', 'direct_call', 'indirect_call', 'return',
                 'other', 'not_branch']
        self.assertEqual(self.counts('--count-by', 'ip', WORK),
                         self.most_frequent((r['ip'] for r in all_of_it), shown=hex))
        self.assertEqual(self.counts('--count-by', 'ip', '--branch', 'return', '-m', '3', WORK),
                         self.most_frequent((r['ip'] for r, k in zip(all_of_it, kinds)
                                             if k == 'return'), shown=hex)[:3])
        self.assertEqual(self.counts('--count-by', 'class', WORK),
                         self.most_frequent(kinds, order.index))
        self.assertEqual(self.counts('--count-by', 'address', WORK),
                         self.most_frequent((a for r in all_of_it for key in
                                             ('source_memory', 'destination_memory')
                                             for a in r[key] if a), shown=hex))
        threads = sample('threads3_64.trace64.xz')
        self.assertEqual(self.counts('--count-by', 'thread', threads),
                         self.most_frequent(b['thread'] for b in threads64()[0]))
        events = [json.loads(r) for r in content(sample('rapidbin/r250.dump.jsonl.xz'))
                  .splitlines()[1:]]
        path = sample('rapidbin/r250.data')
        self.assertEqual(self.counts('--count-by', 'location', path),
                         self.most_frequent(e['loc'] for e in events))
        codes = ['acquire', 'release', 'read', 'write', 'fork', 'join', 'begin', 'end', 'request',
                 'branch']
        self.assertEqual(self.counts('--count-by', 'operation', path),
                         self.most_frequent((e['code'] for e in events), shown=lambda c: codes[c]))
        text = lines(self.run_program('--count-by', 'class', '-m', '2', WORK).stdout)
        self.assertEqual(text, ['%15s  %s' % (format(n, ','), k) for k, n in
                                self.most_frequent(kinds, order.index)[:2]])
        self.assertEqual(self.run_program('--count-by', 'ip', '--ip', '1', WORK).returncode, 1)
        for by, trace in (('class', path), ('target', path), ('operation', WORK), ('location', WORK),
                          ('thread', WORK), ('color', WORK)):
            r = self.run_program('--count-by', by, trace)
            self.assertEqual((r.returncode, r.stdout), (2, b''), by)

    def test_the_last_ones(self):
        returns = [i for i, r in enumerate(records(content(WORK)))
                   if support.branch_class(r) == 'return']
        for args, n in ((['--last', '7'], 7), (['--last'], 1), (['--last', '1000000'], len(returns))):
            # The option may precede the trace: the argument after it is not a number.
            self.assertEqual(self.found('--branch', 'return', *args, WORK), returns[-n:])
        self.assertEqual(self.found('--last', '2', '--limit', '500', '--branch', 'return', WORK),
                         [i for i in returns if i < 500][-2:])
        for args in (['--last', '0'], ['--last', '1000001'], ['--last', '2', '-m', '3'],
                     ['--last', '2', '--count'], ['--count', '--count-by', 'ip'],
                     ['-c', '--json'], ['--detail', '--count']):
            r = self.run_program(*args, WORK)
            self.assertEqual((r.returncode, r.stdout), (2, b''), args)
        # Matches before an error are printed.
        r = self.run_program('--last', '2', '-', stdin=content(WORK)[:64 * 9 + 5])
        self.assertEqual([s[:8] for s in lines(r.stdout)], ['[     7]', '[     8]'])
        self.assertEqual(r.returncode, 2)

    @support.needs('simdjson', 'zydis')
    def test_texts(self):
        def block(n, memory):
            """Returns an instruction that reads these bytes, 8 per access, without changing them."""
            words = [memory[i:i + 8].ljust(8, b'\0') for i in range(0, len(memory), 8)]
            return (bytes([0, 1, len(words), 2]) + b'\x8b\x00' + bytes([16]) +
                    struct.pack('<Q', 0x2000 + n) + b'\1' * len(words) +
                    b''.join(struct.pack('<Q', 0x8000 + 8 * i) for i in range(len(words))) +
                    b''.join(words))
        texts = [b'abls -l\0', b'nothing ', 'ls -l'.encode('utf-16-le'), b'l\0s ', b'....l' + b's..',
                 'déjà 🔍'.encode(), 'xdéjà 🔍'.encode('utf-16-le'), 'déjà'.encode('latin-1')]
        path = self.write('t.trace64', header() + snapshot() +
                          b''.join(block(n, t) for n, t in enumerate(texts)))
        for text in ('ls', 'ls -l', 'déjà 🔍', 'déjà', 'no', '\t'):
            wanted = [n + 1 for n, t in enumerate(texts)
                      if text.encode() in t or text.encode('utf-16-le') in t]
            self.assertEqual(self.found('--text', text, path, code=0 if wanted else 1), wanted, text)
        # All criteria must hold.
        self.assertEqual(self.found('--text', 'ls', '--bytes', '2d', path), [1, 3])
        if not support.WINDOWS:
            self.assertEqual(self.found('--text', b'd\xe9j', path), [8])
        for args in (['--text', '', path], ['--text', 'a', WORK]):
            self.assertEqual(self.run_program(*args).returncode, 2)

    @support.needs('simdjson', 'zydis')
    def test_views(self):
        for trace in (WORK, sample('work32.trace32.xz'), sample('rapidbin/r250.data'),
                      sample('umtracer/plain64')):
            for mine, theirs in (([], ['-c']), (['-c'], ['-c']), (['--detail'], []),
                                 (['--json'], ['--json'])):
                r = self.run_program(*mine, '-m', '3', trace)
                self.assertEqual(r.returncode, 0, r.stderr)
                # trace_view also shows UMTracer's records that are not instructions.
                skip = ['--skip', '1'] if trace.endswith('plain64') else []
                want = support.run('trace_view', *theirs, *skip, '-n', '3', trace)
                self.assertEqual(r.stdout, want.stdout, (trace, mine))

    @support.needs('simdjson')
    def test_rapidbin_widths(self):
        path = sample('rapidbin/r250.data')
        rows = self.json_of(path)
        for option, which in (('--writes', 'write'), ('--reads', 'read')):
            touched = [(r['index'], int(r['address'], 0), r['access_width']) for r in rows
                       if r['operation'] == which and 'access_width' in r]
            _, address, width = next(t for t in touched if t[2] > 1)
            for at in range(address - 1, address + width + 1):
                expected = [i for i, a, w in touched if a <= at < a + w]
                self.assertEqual(self.found(option, str(at), path, code=0 if expected else 1),
                                 expected)

    def test_std(self):
        path = sample('rapidbin/r250.std')
        threads = [s.split('|')[0][1:] for s in lines(content(path))]
        self.check([i for i in range(1, len(threads)) if threads[i] != threads[i - 1]],
                   '--thread-switch', path)

    def test_cloudsuite(self):
        some = records(content(SED))[:300]
        raw = b''.join(support.as_cloudsuite([r], [1 + i // 7 % 3, 9])
                       for i, r in enumerate(some))
        path = self.write('spaces', raw)
        self.check(list(range(7, 300, 7)), '--thread-switch', '--format', 'cloudsuite', path)
        self.check([i for i, r in enumerate(some) if r['ip'] == some[7]['ip'] and i % 7 == 0 and i],
                   '--ip', hex(some[7]['ip']), '--thread-switch', '--format', 'cloudsuite', path)

    @support.needs('simdjson', 'zydis', 'xz')
    def test_unknown_names(self):
        path = sample('work32.trace32.xz')
        for args, about in ((('--register', 'nosuch=1'), b"no register 'nosuch'"),
                            (('--register', 'rax=1'), b"no register 'rax'"),
                            (('--count', '--register', 'r8=1', '--skip', '99999999'), b"'r8'"),
                            (('--mnemonic', 'jq'), b"no mnemonic 'jq'"),
                            (('--metadata', 'm'), b'an x64dbg trace has no metadata')):
            r = self.run_program(*args, path)
            self.assertEqual((r.returncode, r.stdout), (2, b''), args)
            self.assertIn(about, r.stderr, args)

    def test_several_threads(self):
        raw = b''.join(support.as_cloudsuite([r], [1, 9]) for r in records(content(SED))[:300])
        traces = [(self.write('t.cloudsuite', raw), ()), (SED, ()), (sample('umtracer/plain64'), ('zydis',)),
                  (sample('threads3_64.trace64.xz'), ('simdjson', 'zydis', 'xz'))]
        for path, parts in traces:
            if not set(parts) <= support.PARTS | support.CODECS:
                continue
            r = self.run_program('--thread', '1', '--thread', '2', '--count', path)
            self.assertEqual((r.returncode, r.stdout), (2, b''), path)
            self.assertIn(b'only RapidBin traces accept several threads (--thread)', r.stderr)
            self.assertNotIn(b'events', r.stderr)

    def test_status_and_errors(self):
        self.assertEqual(self.found('--ip', '1', SED, code=1), [])
        cut = self.write('cut', content(WORK)[:6390])
        for args, about in (((self.path('missing'),), b'No such file'), ((), b'required'),
                            (('--ip', 'x', SED), b'--ip'), (('--ip', '9-8', SED), b'--ip'),
                            (('--memory', '5+0', SED), b'--memory'),
                            (('--opcode', '9', SED), b'--opcode'),
                            (('--register', 'eax', SED), b'no values of registers'),
                            (('--register', '=1', SED), b'--register'),
                            (('--value', '1:3', SED), b'--value: expected VALUE[:SIZE]'),
                            (('--value', '0x100:1', SED), b'--value: expected VALUE[:SIZE]'),
                            (('--value', '1', SED), b'no contents of memory'),
                            (('--branch', 'jump', SED), b'--branch'),
                            (('--branch', 'jz', SED),
                             b'expected one of conditional, direct_jump, indirect, direct_call, '
                             b"indirect_call, return, other or not_branch, got 'jz'"),
                            (('--ip', '4b2c2a0', SED), b'in hexadecimal with 0x, got'),
                            (('--memory', '4b2c2a0+8', SED), b'in hexadecimal with 0x, got'),
                            (('--reads', '1-ff', SED), b'in hexadecimal with 0x, got'),
                            (('--writes', 'ff', SED), b'in hexadecimal with 0x, got'),
                            (('--register', 'eax=ff', SED), b'in hexadecimal with 0x, got'),
                            (('--thread-switch', SED), b'a trace of this format has no threads'),
                            (('--opcode', '90', SED), b'has no code'),
                            (('--opcode', '0x90', SED), b'two digits for each byte, without 0x'),
                            (('--bytes', '9', SED), b'two digits for each byte, without 0x'),
                            (('--bytes', '90', SED), b'no contents of memory'),
                            (('--register', 'eax=1', SED), b'no values of registers'),
                            (('--reads', '1', '--writes', '1', SED), b'excludes'),
                            (('--taken', '--not-taken', SED), b'excludes'),
                            (('--shard', '2/2', SED), b'--shard')):
            r = self.run_program(*args)
            self.assertEqual(r.returncode, 2, (args, r.stderr))
            self.assertIn(about, r.stderr, args)
            self.assertEqual((r.stdout, r.stderr.count(b'\n')), (b'', 1), args)
        # The intact records are searched.
        r = self.run_program('--count', '--ip', '0-18446744073709551615', cut)
        self.assertEqual((r.returncode, r.stdout), (2, b'99\n'))
        self.assertIn(b'record 99', r.stderr)

    def test_full_disk(self):
        for args in ((), ('--count',), ('--json',)):
            self.check_full_disk('--ip', '0-18446744073709551615', *args, SED, code=2)


if __name__ == '__main__':
    support.main()
