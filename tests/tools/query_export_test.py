# trace_query export: each file is read by a small reader of its own, and compared with a model that scans the
# bytes of the trace.
import collections
import functools
import gzip
import json
import os
import re
import shutil
import struct
import subprocess

import support
from champsim_records import champsim_record
from support import NATIVE, SED, WINDOWS, ProgramTest, branch_class, branch_taken, content, file_bytes, needs, records
from x64dbg_model import Trace

CALLS = ('direct_call', 'indirect_call')
# `size` is 0 if the trace does not contain it. `target` is the next ip of the thread, or 0.
Step = collections.namedtuple('Step', 'ip size kind taken thread target')


def with_targets(steps):
    """Sets the targets of the taken branches."""
    following, done = {}, []
    for s in reversed(steps):
        done.append(s._replace(target=following.get(s.thread, 0) if s.taken else 0))
        following[s.thread] = s.ip
    return done[::-1]


def champsim_steps(raw):
    steps = []
    for r in records(raw):
        kind = branch_class(r)
        steps.append(Step(r['ip'], 0, 'other' if kind == 'not_branch' and r['is_branch'] else kind,
                          branch_taken(r, kind), 0, 0))
    return with_targets(steps)


def x64dbg_steps(raw):
    """Returns the steps of a trace, with the classes that their opcodes have in Intel's opcode map. System calls
    and other software interrupts are not branches: the next instruction of the thread follows them."""
    kinds = (('e8', 'direct_call'), ('ff(1|5|9|d)[0-7]', 'indirect_call'), ('c[23]', 'return'),
             ('e[9b]', 'direct_jump'), ('ff[26ae][0-7]', 'indirect'), ('7.|0f8.|e[0-3]', 'conditional'))
    steps = []
    trace = Trace(raw)
    prefixes = '^(f[023]|2e|3e|6[4-7]%s)*' % ('|4[0-9a-f]' if trace.arch == 'x64' else '')
    for b in trace.blocks:
        code = re.sub(prefixes, '', b['opcode'])
        kind = next((k for form, k in kinds if re.match(form, code)), 'not_branch')
        steps.append(Step(b['ip'], len(b['opcode']) // 2, kind, kind != 'not_branch', b['thread'], 0))
    return with_targets(steps)


@functools.cache  # several tests need the same steps
def steps_of(path):
    raw = content(path)
    return x64dbg_steps(raw) if raw.startswith(b'TRAC') else champsim_steps(raw)


def by_thread(steps):
    threads = collections.defaultdict(list)
    for s in steps:
        threads[s.thread].append(s)
    return threads.values()


def blocks_of(steps):
    """Returns the executions of each block: {(address of the instructions): n}, and its size by these addresses."""
    executions, sizes = collections.Counter(), {}

    def end(block):
        key = tuple(s.ip for s in block)
        executions[key] += 1
        sizes[key] = key[-1] - key[0] + (block[-1].size or 1)
    for all_of_it in by_thread(steps):
        block = []
        for s in all_of_it:
            if block:
                last = block[-1]
                if s.ip == last.ip and last.kind == 'not_branch':
                    continue  # a repeated instruction
                follows = s.ip - last.ip == last.size if last.size else 0 < s.ip - last.ip <= 15
                if last.kind != 'not_branch' or not follows or len(block) == 1024:
                    end(block)
                    block = []
            block.append(s)
        if block:
            end(block)
    return executions, sizes


def counts_of(steps):
    """Returns the executions of each instruction."""
    counts = collections.Counter()
    for block, n in blocks_of(steps)[0].items():
        for ip in block:
            counts[ip] += n
    return counts


def paths_of(steps):
    """Returns the functions on the stack of each step, as addresses of their first instructions."""
    stacks, paths = {}, []
    for s in steps:
        frames, enters = stacks.setdefault(s.thread, ([(s.ip, None, None)], []))
        if enters:
            frames.append((s.ip, *enters.pop()))
        paths.append(tuple(f[0] for f in frames))
        if s.kind in CALLS and s.taken:
            enters.append((s.ip, s.size))
        elif s.kind == 'return' and s.taken:
            for n in range(len(frames) - 1, 0, -1):
                _, call, size = frames[n]
                if s.target == call + size if size else 0 < s.target - call <= 15:
                    del frames[n:]
                    break
    return paths


def varint(raw, at):
    value = shift = 0
    while True:
        value |= (raw[at] & 127) << shift
        shift += 7
        at += 1
        if raw[at - 1] < 128:
            return value, at


def message(raw):
    """Returns the fields of a protobuf message: {number: [values]}."""
    fields, at = collections.defaultdict(list), 0
    while at < len(raw):
        key, at = varint(raw, at)
        value, at = varint(raw, at)
        assert key & 7 in (0, 2), key
        if key & 7 == 2:
            value, at = raw[at:at + value], at + value
            assert at <= len(raw)
        fields[key >> 3].append(value)
    return fields


def varints(raw):
    values, at = [], 0
    while at < len(raw):
        value, at = varint(raw, at)
        values.append(value)
    return values


class Profile:
    """Profile of pprof, by the numbers of the fields in profile.proto."""

    def __init__(self, raw):
        self.all = message(gzip.decompress(raw))
        self.strings = [s.decode() for s in self.all[6]]
        assert self.strings[0] == ''
        self.types = [self.pair(t) for t in self.all[1]]
        functions = {f[1][0]: self.strings[f[2][0]] for f in map(message, self.all[5])}
        self.mappings = {m[1][0]: (m[2][0], m[3][0], self.strings[m[5][0]], self.strings[m[6][0]])
                         for m in map(message, self.all[3])}
        self.locations = {}
        for x in map(message, self.all[4]):
            line, = map(message, x[4])
            self.locations[x[1][0]] = (functions[line[1][0]], x[3][0], x[2][0])
        self.samples = {}
        for s in map(message, self.all[2]):
            locations, values = varints(s[1][0]), varints(s[2][0])
            path = tuple(self.locations[x][0] for x in reversed(locations))
            assert path not in self.samples
            self.samples[path] = values

    def pair(self, raw):
        m = message(raw)
        return self.strings[m[1][0]], self.strings[m[2][0]]


class Drcov:
    """File of drcov, version 2 with a table of version 2."""

    def __init__(self, raw):
        lines = iter(raw.split(b'\n'))
        assert next(lines) == b'DRCOV VERSION: 2'
        assert next(lines).startswith(b'DRCOV FLAVOR: ')
        count = int(re.fullmatch(rb'Module Table: version 2, count (\d+)', next(lines))[1])
        assert next(lines) == b'Columns: id, base, end, entry, path'
        self.modules = []
        for n in range(count):
            row = re.fullmatch(rb'([ \d]{3,}), 0x([0-9a-f]{16}), 0x([0-9a-f]{16}), 0x([0-9a-f]{16}), (.*)',
                               next(lines))
            assert int(row[1]) == n
            self.modules.append((int(row[2], 16), int(row[3], 16), row[5].decode()))
        table = next(lines)
        blocks = int(re.fullmatch(rb'BB Table: (\d+) bbs', table)[1])
        entries = raw[raw.index(table) + len(table) + 1:]
        assert len(entries) == 8 * blocks
        self.blocks = [(module, start, size) for start, size, module in struct.iter_unpack('<IHH', entries)]


class Export(ProgramTest):
    program = 'trace_query'

    def export(self, trace, form, *options, notes=None):
        """Returns what `form` writes to a file. `notes` are words of the lines on standard error."""
        out = self.path('out')
        if trace.startswith(self.folder):  # records that are not those of a real program
            options = '--format', 'champsim', *options
        r = self.run_program(trace, 'export', form, '-o', out, *options)
        self.assertEqual(r.returncode, 0, r.stderr)
        self.assertEqual(r.stdout, b'')
        if notes is not None:
            self.assertEqual(len(r.stderr.splitlines()), len(notes), r.stderr)
            for words in notes:
                self.assertIn(words, r.stderr)
        raw = file_bytes(out)
        os.remove(out)
        return raw

    def write_map(self, modules, symbols=(), **more):
        """Writes a map of modules (base, size, path) and symbols (address, size, name)."""
        return self.write('maps.json', json.dumps({'version': 1, 'modules': [
            {'base': hex(b), 'size': hex(s), 'path': p, 'build_id': 'ab12'} for b, s, p in modules], 'symbols': [
                {'address': hex(a), 'size': hex(s), 'name': n} for a, s, n in symbols], **more}).encode())

    def traces(self):
        """Yields traces and their steps."""
        yield SED, steps_of(SED)
        if {'simdjson', 'zydis'} <= support.PARTS:
            for name in ('threads3_64.trace64.xz', 'work32.trace32.xz'):
                path = os.path.join(os.path.dirname(SED), name)
                yield path, steps_of(path)

    def odd_calls(self):
        """Returns a trace of recursion, longjmp(), a tail call, and returns that lead to no call."""
        code = [(0x100, 'direct_call'), (0x200, 'direct_call'), (0x200, 'direct_call'), (0x200, 'not_branch'),
                (0x203, 'return'), (0x205, 'return'), (0x205, 'return'), (0x105, 'indirect_call'),
                (0x300, 'direct_call'), (0x400, 'direct_call'), (0x500, 'return'), (0x10a, 'return'),
                (0x600, 'direct_call'), (0x700, 'direct_jump'), (0x800, 'return'), (0x605, 'return'), (0x605, 'other')]
        raw = b''.join(champsim_record(ip, kind, True) for ip, kind in code if kind != 'other')
        return self.write('odd', raw * 4), champsim_steps(raw * 4)

    def call_traces(self):
        yield from self.traces()
        yield self.odd_calls()

    @needs('xz')
    def test_stacks(self):
        for trace, steps in self.call_traces():
            paths = collections.Counter(paths_of(steps))
            self.assertGreater(len(paths), 5)
            named = {tuple(map(hex, path)): n for path, n in paths.items()}
            folded = {}
            for line in self.export(trace, 'folded', notes=()).decode().splitlines():
                stack, n = line.rsplit(' ', 1)
                folded[tuple(stack.split(';'))] = int(n)
            self.assertEqual(folded, named)
            shown = json.loads(self.export(trace, 'speedscope', notes=()))
            names = [f['name'] for f in shown['shared']['frames']]
            profile, = shown['profiles']
            self.assertEqual({tuple(names[i] for i in s): w for s, w in zip(profile['samples'], profile['weights'])},
                             named)
            self.assertEqual((profile['startValue'], profile['endValue']), (0, len(steps)))

    @needs('xz', 'gzip')
    def test_pprof(self):
        for trace, steps in self.call_traces():
            paths = paths_of(steps)
            own = collections.Counter(paths)
            # A path is called when it is longer than the path of the previous step of the thread.
            calls, before = collections.Counter(), {}
            for s, path in zip(steps, paths):
                last, enters = before.get(s.thread, ((), True))
                calls[path] += enters
                before[s.thread] = path, s.kind in CALLS and s.taken
            profile = Profile(self.export(trace, 'pprof', notes=()))
            self.assertEqual(profile.types, [('calls', 'count'), ('instructions', 'count')])
            self.assertEqual(profile.strings[profile.all[14][0]], 'instructions')
            self.assertEqual({p: v for p, v in profile.samples.items() if any(v)},
                             {tuple(map(hex, p)): [calls[p], n] for p, n in own.items()})
            self.assertEqual(profile.mappings, {})
            for name, address, mapping in profile.locations.values():
                self.assertEqual((name, mapping), (hex(address), 0))

    @needs('xz', 'gzip', 'simdjson')
    def test_names_of_modules_and_symbols(self):
        steps = steps_of(SED)
        functions = sorted({f for p in paths_of(steps) for f in p})
        middle = functions[len(functions) // 2] & ~0xfff
        modules = [(0x48a0000, middle - 0x48a0000, '/usr/bin/sed'), (middle, 0x200000, '/usr/lib/libc, 6.so')]
        named = functions[3]
        maps = self.write_map(modules, [(named, 1, 'do_it; now')])

        def name(address):
            if address == named:
                return 'do_it; now'
            base, _, path = modules[address >= middle]
            return os.path.basename(path) + '+' + hex(address - base)
        expected = collections.Counter()
        for path in paths_of(steps):
            expected[tuple(map(name, path))] += 1
        profile = Profile(self.export(SED, 'pprof', '--maps', maps, notes=()))
        self.assertEqual({p: v[1] for p, v in profile.samples.items() if v[1]}, expected)
        self.assertEqual(set(profile.mappings.values()), {(b, b + s, p, 'ab12') for b, s, p in modules})
        for _, address, mapping in profile.locations.values():
            start, limit, _, _ = profile.mappings[mapping]
            self.assertTrue(start <= address < limit)
        folded = self.export(SED, 'folded', '--maps', maps, notes=()).decode()
        self.assertIn('do_it: now', folded)
        self.assertNotIn('do_it; now', folded)
        self.assertIn('do_it; now', self.export(SED, 'chrome', '--maps', maps, notes=()).decode())

    def compare_events(self, raw, steps, depth=1 << 30, first=0):
        """Compares the calls of trace events with the paths of the steps."""
        all_of_them = json.loads(raw)['traceEvents']
        calls = collections.defaultdict(list)
        for e in all_of_them:
            if e['pid'] == 1 and e['ph'] != 'M':
                self.assertEqual(e['ph'], 'X')
                calls[e['tid']].append((e['ts'] - first, e['ts'] - first + e['dur'], int(e['name'], 16)))
        self.assertEqual(max(end for c in calls.values() for _, end, _ in c), len(steps))
        for c in calls.values():
            c.sort(key=lambda call: (-call[0], call[1]))  # the next one is the last one
        stacks = collections.defaultdict(list)
        for n, (s, path) in enumerate(zip(steps, paths_of(steps))):
            stack = stacks[s.thread]
            while stack and stack[-1][1] <= n:
                stack.pop()
            while calls[s.thread] and calls[s.thread][-1][0] <= n:
                stack.append(calls[s.thread].pop())
                self.assertTrue(len(stack) == 1 or stack[-1][1] <= stack[-2][1])
            self.assertEqual(tuple(name for _, _, name in stack), path[:depth], n)
        self.assertFalse(any(calls.values()))
        return all_of_them

    @needs('xz')
    def test_calls_over_time(self):
        for trace, steps in self.call_traces():
            events = self.compare_events(self.export(trace, 'chrome', notes=()), steps)
            threads = {s.thread for s in steps}
            names = {e['tid']: e['args']['name'] for e in events
                     if e['ph'] == 'M' and e['pid'] == 1 and e['name'] == 'thread_name'}
            self.assertEqual(set(names), threads)
            self.assertEqual(len(set(names.values())), len(threads))
            ran = [names[s.thread] for s in steps]
            runs = [e for e in events if e['ph'] == 'X' and e['pid'] == 2]
            self.assertEqual(bool(runs), len(threads) > 1)
            if runs:
                self.assertEqual([e['name'] for e in runs for _ in range(e['dur'])], ran)
                self.assertEqual([e['ts'] for e in runs],
                                 [n for n in range(len(ran)) if n == 0 or ran[n] != ran[n - 1]])
            self.compare_events(self.export(trace, 'chrome', '--depth', '2'), steps, depth=2)

    @needs('xz')
    def test_a_part_of_the_trace(self):
        raw = content(SED)
        steps = champsim_steps(raw[:64 * 30000])[10000:]
        part = ('--after', '10000', '--before', '30000')
        self.compare_events(self.export(SED, 'chrome', *part), steps, first=10000)
        counts = counts_of(steps)
        lines = self.export(SED, 'modoff', *part).decode().splitlines()
        base = min(counts)
        self.assertEqual([int(line.rsplit('+', 1)[1], 16) + base for line in lines], sorted(counts))

    @needs('xz')
    def test_drcov_without_modules(self):
        for trace, steps in self.traces():
            executions, sizes = blocks_of(steps)
            spans = {(key[0], key[0] + sizes[key]) for key in executions}
            first, end = min(s for s, _ in spans), max(e for _, e in spans)
            if end - first >= 1 << 32:
                continue
            cov = Drcov(self.export(trace, 'drcov', notes=(b'%#x to %#x' % (first, end), )))
            (base, limit, path), = cov.modules
            self.assertEqual((base, limit), (first, end))
            self.assertTrue(path)
            self.assertEqual({(base + start, base + start + size) for _, start, size in cov.blocks}, spans)
            self.assertEqual(len(cov.blocks), len(spans))

    def test_distant_code_has_several_modules(self):
        places = [0x1000, 0x1004, 0x7fff00000000, 0x7fff00000002, 0x8000ffffffff, 0x800100000001, 2**64 - 1]
        raw = b''.join(champsim_record(ip, 'not_branch', False) for ip in places) * 10
        trace = self.write('t', raw)
        cov = Drcov(self.export(trace, 'drcov', notes=(b'0x1000 to', b'1 block')))
        self.assertEqual([base for base, _, _ in cov.modules], [0x1000, 0x7fff00000000, 0x8000ffffffff])
        self.assertEqual([path for _, _, path in cov.modules],
                         [trace + '@0x1000', trace + '@0x7fff00000000', trace + '@0x8000ffffffff'])
        self.assertEqual({(cov.modules[m][0] + start, size) for m, start, size in cov.blocks},
                         {(0x1000, 5), (0x7fff00000000, 3), (0x8000ffffffff, 3)})

    @needs('xz', 'simdjson')
    def test_coverage_of_modules(self):
        counts, (executions, sizes) = (f(steps_of(SED)) for f in (counts_of, blocks_of))
        starts = sorted({key[0] for key in executions})
        # A gap between the modules.
        low, high = starts[len(starts) // 3], starts[len(starts) // 2]
        modules = [(0x48a0000, low - 0x48a0000, '/usr/bin/s,+ed'), (high, 0x200000, 'C:\\Windows\\x.dll'),
                   (0x10000000, 0x1000, '/not/executed')]
        maps = self.write_map(modules)

        def module_of(address):
            return next((n for n, (b, s, _) in enumerate(modules) if b <= address < b + s), None)
        outside = len({(key[0], sizes[key]) for key in executions if module_of(key[0]) is None})
        cov = Drcov(self.export(SED, 'drcov', '--maps', maps, notes=(b'%d blocks' % outside, )))
        self.assertEqual(cov.modules, [(b, b + s, p) for b, s, p in modules[:2]])
        expected = set()
        for key in executions:
            n = module_of(key[0])
            if n is not None:
                base, size, _ = modules[n]
                expected.add((n, key[0] - base, min(sizes[key], base + size - key[0])))
        self.assertEqual(set(cov.blocks), expected)

        found = collections.Counter()
        outside = sum(module_of(ip) is None for ip in counts)
        for line in self.export(SED, 'modoff', '--maps', maps, notes=(b'%d instructions' % outside, )).splitlines():
            name, offset = line.decode().rsplit('+', 1)
            found[name, int(offset, 16)] += 1
        names = ('s,+ed', 'x.dll')
        self.assertEqual(found, {(names[n], ip - modules[n][0]): 1 for ip in counts
                                 if (n := module_of(ip)) is not None})

    @needs('xz', 'pugixml', 'zydis')
    def test_modules_of_a_trace_that_lists_them(self):
        folder = os.path.join(os.path.dirname(SED), 'umtracer')
        for name in ('plain32', 'plain64'):
            rows = collections.defaultdict(list)
            for line in content(os.path.join(folder, name + '.expected.jsonl.xz')).splitlines():
                row = json.loads(line)
                rows[row['t']].append(row)
            listed = {(int(m['start'], 16), int(m['end'], 16) + 1, m['win']) for m in rows['module']}
            addresses = {i['id']: int(i['addr'], 16) for i in rows['ins']}
            executed = {addresses[e['ins']] for e in rows['exec'] if e.get('ins') in addresses}
            trace = os.path.join(folder, name)
            cov = Drcov(self.export(trace, 'drcov'))
            self.assertEqual(set(cov.modules),
                             {m for m in listed if any(m[0] <= ip < m[1] for ip in executed)})
            found = {line.rsplit('+', 1)[0] for line in self.export(trace, 'modoff').decode().splitlines()}
            self.assertEqual(found, {path.rsplit('\\', 1)[-1] for _, _, path in cov.modules})

    @needs('xz', 'simdjson')
    def test_instructions_of_another_program(self):
        """A map can be valid only for the part of the trace after exec()."""
        steps = steps_of(SED)
        maps = self.write_map([(0x48a0000, 0x200000, 'sed')], **{'from': 20000})
        lines = self.export(SED, 'modoff', '--maps', maps, notes=(b'before number 20000', )).decode().splitlines()
        self.assertEqual([int(line[4:], 16) + 0x48a0000 for line in lines], sorted(counts_of(steps[20000:])))
        self.export(SED, 'modoff', '--maps', maps, '--after', '20000', notes=())

    @needs('xz')
    def test_simpoint(self):
        for trace, steps in self.traces():
            for interval in (10000, 7777):
                numbers, vectors, begins = {}, [], True
                for n, s in enumerate(steps):
                    if begins:
                        block = numbers.setdefault(s.ip, len(numbers) + 1)
                    begins = s.kind != 'not_branch'
                    if n % interval == 0:
                        vectors.append(collections.Counter())
                    vectors[-1][block] += 1
                found = []
                for line in self.export(trace, 'simpoint', '--interval', str(interval), notes=()).decode().splitlines():
                    self.assertRegex(line, r'^T(:\d+:\d+ )+$')
                    found.append({int(b): int(n) for b, n in re.findall(r':(\d+):(\d+) ', line)})
                self.assertEqual(found, vectors)

    SOURCE = '''\
static int twice(int n) {
  return 2 * n;
}
int never(int n) {
  if (n > 3)
    n = twice(n);
  return n - 1;
}
int main(int argc, char** argv) {
  int sum = 0;
  for (int i = 0; i < argc; ++i) {
    sum += twice(i);
    sum -= argv[i][0];
  }
  return sum;
}
'''

    def program_with_lines(self, *options):
        missing = [p for p in ('cc', 'nm', 'objdump', 'addr2line') if not shutil.which(p, path=NATIVE['PATH'])]
        if missing or WINDOWS:
            self.skipTest('needs ' + ', '.join(missing or ['ELF']))
        source, program = self.write('source.c', self.SOURCE.encode()), self.path('program')
        r = subprocess.run(['cc', '-g', '-O0', *options, source, '-o', program], capture_output=True, env=NATIVE)
        if r.returncode != 0 or file_bytes(program)[:4] != b'\x7fELF':
            self.skipTest('cannot be compiled here')
        return source, program

    def tool(self, *command, stdin=''):
        return subprocess.run(command, input=stdin, check=True, capture_output=True, text=True, env=NATIVE).stdout

    @needs('libdw', 'simdjson')
    def test_lines_of_the_source(self):
        source, program = self.program_with_lines()
        functions = {name: int(address, 16) for address, _, name in
                     (line.split() for line in self.tool('nm', program).splitlines() if len(line.split()) == 3)}
        # The instructions of main() and twice(), each some times.
        code = []
        for name in ('main', 'twice'):
            listing = self.tool('objdump', '-d', '--no-show-raw-insn', '--disassemble=' + name, program)
            code += [int(a, 16) for a in re.findall(r'^ +([0-9a-f]+):\t', listing, re.M)]
        base = 0x555555554000 if min(code) < 0x100000 else 0
        counts = {ip: 1 + n % 7 for n, ip in enumerate(sorted(code))}
        counts[functions['twice']] = 40
        steps = [ip for ip, n in counts.items() for _ in range(n)]
        # All are branches, which end blocks, so that a repeated instruction counts each time.
        trace = self.write('t', b''.join(champsim_record(base + ip, 'direct_jump', True) for ip in steps))
        size = max(functions.values()) + 0x10000
        maps = self.write_map([(base or min(functions.values()), size, program), (1 << 40, 0x1000, '/no/such/file')])

        found, current = {}, None
        for line in self.export(trace, 'lcov', '--maps', maps, notes=()).decode().splitlines():
            kind, _, rest = line.partition(':')
            if kind == 'SF':
                current = found[rest] = collections.defaultdict(list)
            elif kind == 'end_of_record':
                current = None
            elif kind != 'TN':
                current[kind].append(rest.split(','))
        self.assertIn(source, found)
        record = found[source]
        wanted = collections.Counter()
        for address, n in counts.items():
            _, line = self.tool('addr2line', '-e', program, hex(address)).split()[0].rsplit(':', 1)
            wanted[int(line)] = max(wanted[int(line)], n)
        for name, line in re.findall(r'^(source\.c) +(\d+) +0x', self.tool('objdump', '--dwarf=decodedline', program),
                                     re.M):
            wanted.setdefault(int(line), 0)
        self.assertEqual({int(line): int(n) for line, n in record['DA']}, wanted)
        self.assertEqual(wanted[2] > 0, True)
        self.assertEqual([wanted[n] for n in (5, 6, 7)], [0, 0, 0])  # never()
        self.assertEqual((record['LF'], record['LH']),
                         ([[str(len(wanted))]], [[str(sum(n > 0 for n in wanted.values()))]]))
        self.assertEqual(record['FN'], [['1', 'twice'], ['4', 'never'], ['9', 'main']])
        self.assertEqual(record['FNDA'], [['40', 'twice'], ['0', 'never'], [str(counts[functions['main']]), 'main']])
        self.assertEqual((record['FNF'], record['FNH']), ([['3']], [['2']]))

    @needs('libdw', 'simdjson')
    def test_no_lines(self):
        trace = self.write('t', content(SED)[:64 * 1000] if 'xz' in support.CODECS else
                           champsim_record(0x48a8010, 'not_branch', False) * 1000)
        for modules in ([], [(0x48a0000, 0x200000, '/no/such/file')], [(0x48a0000, 0x200000, trace)]):
            args = ('--maps', self.write_map(modules, [(1, 1, 'x')])) if modules else ()
            r = self.run_program(trace, 'export', 'lcov', '-o', self.path('none'), *args)
            self.assertEqual(r.returncode, 2)
            self.assertIn(b'compile the program with -g', r.stderr)
            self.assertEqual(r.stderr.count(b'\n'), 1, r.stderr)
            self.assertFalse(os.path.exists(self.path('none')))

    @needs('xz')
    def test_without_libdw(self):
        if 'libdw' in support.PARTS:
            self.skipTest('the build has libdw')
        self.bad(2, SED, 'export', 'lcov', about=b'TRACECODEC_WITH_LIBDW')

    @needs('xz')
    def test_a_damaged_trace_has_no_output(self):
        cut = self.write('cut', content(SED)[:64 * 3000 + 7])
        for form in ('folded', 'speedscope', 'pprof', 'chrome', 'drcov', 'modoff', 'simpoint'):
            r = self.run_program(cut, 'export', form, '-o', self.path('none'))
            self.assertEqual(r.returncode, 2, r.stderr)
            self.assertIn(b'cut: ', r.stderr)
            self.assertEqual(sorted(os.listdir(self.folder)), ['cut'])

    @needs('xz')
    def test_standard_output(self):
        for form in ('folded', 'chrome', 'drcov', 'modoff', 'simpoint'):
            r = self.run_program(SED, 'export', form)
            self.assertEqual((r.returncode, r.stdout), (0, self.export(SED, form)))
        self.check_closed_pipe(SED, 'export', 'chrome')
        self.check_full_disk(SED, 'export', 'chrome', code=2, about=b'<stdout>')

    @needs('xz')
    def test_binary_forms_are_not_written_to_a_terminal(self):
        if WINDOWS or not hasattr(os, 'openpty'):
            self.skipTest('needs a pseudo-terminal')
        controller, terminal = os.openpty()
        try:
            for form in ('drcov', 'pprof'):
                self.run_terminal(form, terminal)
        finally:
            os.close(controller)
            os.close(terminal)

    def run_terminal(self, form, terminal):
        r = self.run_program(SED, 'export', form, stdout=terminal)
        self.assertEqual(r.returncode, 2)
        self.assertIn(b'not written to a terminal: name a file with --output', r.stderr)

    @needs('xz')
    def test_wrong_command_lines(self):
        for args, said in (((), 'needs one operand'), (('svg', ), "expected one of folded, speedscope"),
                           (('drcov', '--interval', '5'), '--interval is for export simpoint'),
                           (('simpoint', '--interval', '0'), '--interval'),
                           (('folded', '--depth', '5'), '--depth is for the question calls'),
                           (('folded', '--json'), '--json is not for the question export')):
            self.bad(2, SED, 'export', *args, about=said.encode())
        rapidbin = os.path.join(os.path.dirname(SED), 'rapidbin')
        for name in sorted(os.listdir(rapidbin)):
            if name.endswith('.data'):
                self.bad(2, os.path.join(rapidbin, name), 'export', 'drcov', about=b'no addresses of code')
                break


if __name__ == '__main__':
    support.main()
