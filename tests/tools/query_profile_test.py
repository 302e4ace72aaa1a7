# trace_query's questions about loops and the use of memory, compared with simple counts in Python.
import collections
import json
import os

import support
from support import SED, WORK, ProgramTest, content, needs, pack, records, run
from x64dbg_program import X64dbgProgram

LINE, PAGE = 6, 12


def lines_of(r):
    """Returns the lines of a record's accesses, reads first. ChampSim stores no sizes."""
    return [a >> LINE for a in r['source_memory'] + r['destination_memory'] if a]


def bucket(n):
    """Returns the first number of the power of two that contains n."""
    return 1 << n.bit_length() - 1 if n else 0


def reuse(trace):
    """Returns the histograms of distances and times, by definition: the number of different lines between."""
    accesses = [(n, line) for n, r in enumerate(trace) for line in lines_of(r)]
    distances, times, first = collections.Counter(), collections.Counter(), 0
    for i, (n, line) in enumerate(accesses):
        j = next((j for j in range(i - 1, -1, -1) if accesses[j][1] == line), None)
        if j is None:
            first += 1
        else:
            distances[bucket(len({other for _, other in accesses[j + 1:i]}))] += 1
            times[bucket(n - accesses[j][0])] += 1
    return len(accesses), first, distances, times


class Function:
    def __init__(self, begin=0):
        self.begin, self.open = begin, []  # of [head, iterations]


def median(trips):
    """Returns the lower median, rounded down to as many bits as 64 different numbers allow, and if it is exact."""
    for bits in (64, 4, 3, 2, 1):
        rounded = sorted(n >> max(n.bit_length() - bits, 0) << max(n.bit_length() - bits, 0) for n in trips)
        if len(set(rounded)) <= 64:
            return {'median': rounded[(len(trips) - 1) // 2], 'median_exact': bits == 64}


def loops(trace):
    """Returns the loops by their definition in the documentation."""
    found, last, now, callers, enters = {}, {}, Function(), [], False

    def end(function, left):
        while len(function.open) > left:
            head, iterations = function.open.pop()
            found[head]['entries'] += 1
            found[head]['trips'].append(iterations)

    for n, r in enumerate(trace):
        ip = r['ip']
        if enters:
            now.begin, enters = ip, False
        while now.open and not now.open[-1][0] <= ip <= last[now.open[-1][0]]:
            end(now, len(now.open) - 1)
        kind = support.branch_class(r)
        if not support.branch_taken(r, kind) or n + 1 == len(trace):
            continue
        target = trace[n + 1]['ip']
        if kind in ('direct_call', 'indirect_call'):
            callers.append((ip, now))
            now, enters = Function(), True
        elif kind == 'return':
            # Without sizes, the instruction after the call is up to 15 bytes after its beginning.
            at = next((i for i in range(len(callers) - 1, -1, -1) if 0 < target - callers[i][0] <= 15), None)
            if at is not None:
                for _, function in callers[at + 1:] + [(0, now)]:
                    end(function, 0)
                now = callers[at][1]
                del callers[at:]
        elif kind in ('conditional', 'direct_jump') and now.begin <= target <= ip:
            heads = [head for head, _ in now.open]
            if target in heads:
                end(now, heads.index(target) + 1)
                now.open[-1][1] += 1
            else:
                while now.open and now.open[-1][0] > target:
                    end(now, len(now.open) - 1)
                loop = found.setdefault(target, {'entries': 0, 'trips': [], 'index': n, 'depth': 0, 'outer': None})
                if len(now.open) > loop['depth']:
                    loop['depth'], loop['outer'] = len(now.open), hex(now.open[-1][0])
                now.open.append([target, 2])
            last[target] = max(ip, last.get(target, 0))
    for function in [now] + [f for _, f in callers]:
        end(function, 0)
    rows = [{'address': hex(head), 'last': hex(last[head]), 'iterations': sum(x['trips']), 'entries': x['entries'],
             'fewest': min(x['trips']), 'most': max(x['trips']), **median(x['trips']), 'depth': x['depth'], 'outer': x['outer'],
             'index': x['index']} for head, x in found.items()]
    return sorted(rows, key=lambda x: (-x['iterations'], int(x['address'], 0)))


def counted(keys):
    """Returns the ten most frequent numbers and their counts."""
    return sorted(collections.Counter(keys).items(), key=lambda x: (-x[1], x[0]))[:10]


class Profile(ProgramTest):
    def rows(self, path, *arguments):
        r = run('trace_query', path, *map(str, arguments), '--json')
        self.assertEqual((r.returncode, r.stderr), (0 if r.stdout else 1, b''))
        return [json.loads(line) for line in r.stdout.splitlines()]

    @needs('xz')
    def test_loops(self):
        for path in (SED, WORK):
            trace = records(content(path))
            expected = loops(trace)
            self.assertGreater(len(expected), 20)
            self.assertTrue(any(x['depth'] for x in expected))
            self.assertEqual(self.rows(path, 'loops'), expected)
            self.assertEqual(self.rows(path, 'loops', '-m', 3), expected[:3])
            self.assertEqual(self.rows(path, 'loops', '--after', 10000, '--before', 13000),
                             [dict(x, index=x['index'] + 10000) for x in loops(trace[10000:13001][:3000])])

    def test_nested_loops(self):
        plain = {'ip': 0, 'is_branch': 0, 'branch_taken': 0, 'destination_registers': [0, 0],
                 'source_registers': [0] * 4, 'destination_memory': [0, 0], 'source_memory': [0] * 4}
        branch = dict(plain, is_branch=1, destination_registers=[26, 0], source_registers=[26, 25, 0, 0])
        trace = []
        for _ in range(4):
            trace.append(dict(plain, ip=0x1000))
            for inner in range(3):
                trace.append(dict(plain, ip=0x1004, destination_registers=[25, 0]))
                trace.append(dict(branch, ip=0x1008, branch_taken=int(inner != 2)))
            trace.append(dict(branch, ip=0x100c, branch_taken=1))
        trace[-1]['branch_taken'] = 0
        trace.append(dict(plain, ip=0x1010))
        path = self.write('nested', b''.join(map(pack, trace)))
        expected = [{'address': '0x1004', 'last': '0x1008', 'iterations': 12, 'entries': 4, 'fewest': 3, 'most': 3,
                     'median': 3, 'median_exact': True,
                     'depth': 1, 'outer': '0x1000', 'index': 2},
                    {'address': '0x1000', 'last': '0x100c', 'iterations': 4, 'entries': 1, 'fewest': 4, 'most': 4,
                     'median': 4, 'median_exact': True,
                     'depth': 0, 'outer': None, 'index': 7}]
        self.assertEqual(loops(trace), expected)
        self.assertEqual(self.rows(path, 'loops', '--format', 'champsim'), expected)
        out = run('trace_query', path, 'loops', '--format', 'champsim').stdout.decode().splitlines()
        self.assertEqual(out[1].split(), ['12', '4', '3', '3', '3.0', '3', '0x1004-0x1008', 'in', '0x1000'])

    def test_medians_of_many_numbers(self):
        plain = {'ip': 0, 'is_branch': 0, 'branch_taken': 0, 'destination_registers': [0, 0],
                 'source_registers': [0] * 4, 'destination_memory': [0, 0], 'source_memory': [0] * 4}
        branch = dict(plain, is_branch=1, destination_registers=[26, 0], source_registers=[26, 25, 0, 0])
        for counts in (range(2, 66), range(2, 67), [2 + n * n for n in range(70)], [5, 2, 9, 4], [3, 2]):
            trace = []
            for count in counts:
                trace.append(dict(plain, ip=0x1000))
                for turn in range(count):
                    trace.append(dict(plain, ip=0x2000, destination_registers=[25, 0]))
                    trace.append(dict(branch, ip=0x2004, branch_taken=int(turn != count - 1)))
            path = self.write('many', b''.join(map(pack, trace)))
            self.assertEqual([(x['median'], x['median_exact']) for x in self.rows(path, 'loops', '--format', 'champsim')],
                             [tuple(median(counts).values())], counts)

    @needs('simdjson', 'zydis')
    def test_loops_of_threads(self):
        p = X64dbgProgram()
        turns = {4: 5, 8: 3}  # iterations
        left = {t: [(0x401000, '90'), (0x401001, '75fd')] * n + [(0x401003, '90')] for t, n in turns.items()}
        while any(left.values()):
            for thread in sorted(left):
                if left[thread]:
                    p.ip, code = left[thread].pop(0)
                    p.instruction(code, {}, thread=thread)
        rows = self.rows(self.write('threads.trace64', p.trace), 'loops')
        self.assertEqual(rows, [{'address': '0x401000', 'last': '0x401001', 'iterations': 8, 'entries': 2, 'fewest': 3,
                                 'median': 3, 'median_exact': True, 'most': 5, 'depth': 0, 'outer': None, 'index': 2}])

    @needs('xz')
    def test_working_sets(self):
        for path, window in ((SED, 7000), (WORK, 50000), (SED, 1)):
            trace = records(content(path))[:2000 if window == 1 else None]
            rows = []
            for first in list(range(0, len(trace), window)) + [None]:
                part = trace if first is None else trace[first:first + window]
                data = {line for r in part for line in lines_of(r)}
                rows.append({'index': first or 0, 'instructions': len(part), 'data_lines': len(data),
                             'data_pages': len({line >> PAGE - LINE for line in data}),
                             'code_lines': len({r['ip'] >> LINE for r in part}), 'exact': True,
                             'whole': first is None})
            end = () if window != 1 else ('--before', 2000)
            self.assertEqual(self.rows(path, 'working-set', '--window', window, *end), rows)
            self.assertEqual(self.rows(path, 'working-set', *end), rows[-1:])

    @needs('xz')
    def test_reuse(self):
        for path in (SED, WORK):
            count, first, distances, times = reuse(records(content(path))[:4000])
            *rows, last = self.rows(path, 'reuse', '--before', 4000)
            self.assertEqual(last, {'accesses': count, 'first': first, 'far': 0, 'exact': True})
            for r in rows:
                self.assertEqual(r['to'], 2 * r['from'] - 1 if r['from'] else 0)
            self.assertEqual({r['from']: r['distances'] for r in rows if r['distances']}, distances)
            self.assertEqual({r['from']: r['times'] for r in rows if r['times']}, times)

    @needs('xz')
    def test_hot(self):
        trace = records(content(SED))
        rows = self.rows(SED, 'hot')
        ips = [(int(r['address'], 0), r['executions']) for r in rows if r['kind'] == 'instruction']
        self.assertEqual(ips, counted(r['ip'] for r in trace))
        lines = [(int(r['address'], 0) >> LINE, r['reads'] + r['writes']) for r in rows if r['kind'] == 'line']
        self.assertEqual(lines, counted(line for r in trace for line in lines_of(r)))
        written = collections.Counter(a >> LINE for r in trace for a in r['destination_memory'] if a)
        self.assertEqual([r['writes'] for r in rows if r['kind'] == 'line'], [written[line] for line, _ in lines])
        # A block begins after each branch, whether it is taken or not.
        own, runs, block = collections.Counter(), collections.Counter(), None
        for r in trace:
            if block is None:
                block = r['ip']
                runs[block] += 1
            own[block] += 1
            if support.branch_class(r) != 'not_branch':
                block = None
        best = sorted(own.items(), key=lambda x: (-x[1], x[0]))[:10]
        self.assertEqual([(int(r['address'], 0), r['instructions'], r['executions'])
                          for r in rows if r['kind'] == 'block'], [(b, n, runs[b]) for b, n in best])
        self.assertEqual(len(self.rows(SED, 'hot', '-m', 2)), 6)

    def test_hot_of_traces_with_sizes_and_without_code(self):
        path = os.path.join(os.path.dirname(SED), 'listed', 'sum.lackey')
        with open(path) as f:
            ips = [int(line[3:].split(',')[0], 16) for line in f if line.startswith('I')]
        rows = self.rows(path, 'hot')
        self.assertEqual([(int(r['address'], 0), r['executions']) for r in rows if r['kind'] == 'instruction'],
                         counted(ips))
        self.assertTrue(any(r['kind'] == 'block' for r in rows))

    @needs('xz')
    def test_options(self):
        for arguments in (('loops', '--window', '5'), ('working-set', '--window', '0'), ('hot', '--length', '5'),
                          ('reuse', '-m', '1')):
            r = run('trace_query', SED, *arguments)
            self.assertEqual((r.returncode, r.stdout), (2, b''), arguments)
        r = run('trace_query', SED, 'reuse', '--before', '0')
        self.assertEqual(r.returncode, 1)


if __name__ == '__main__':
    support.main()
