# Writing of drmemtrace traces: copies, parts, conversions and recordings. An independent reader,
# tests/drmemtrace/read_drmemtrace.py, checks each file; the instructions come from tests/drmemtrace/make_drmemtrace.py,
# from records that this file makes, and from the traces of tests/data.
import hashlib
import os
import random
import shutil
import struct
import subprocess
import sys

import support
from support import ProgramTest, content, file_bytes, needs, run

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'drmemtrace'))
import make_drmemtrace as made  # noqa: E402
import read_drmemtrace as reading  # noqa: E402

IP, SP, FLAGS = 26, 6, 25
# Shapes of branches by which ChampSim derives the class: registers written and read.
SHAPES = {made.DIRECT_JUMP: ([IP], []), made.INDIRECT_JUMP: ([IP], [9]), made.TAKEN: ([IP], [IP, FLAGS]),
          made.UNTAKEN: ([IP], [IP, FLAGS]), made.DIRECT_CALL: ([IP, SP], [IP, SP]),
          made.INDIRECT_CALL: ([IP, SP], [IP, SP, 9]), made.RETURN: ([IP, SP], [SP])}
# Numbers of registers in synthetic encodings that differ from ChampSim's, as the page lists them.
NUMBERS = {6: 254, 26: 255, 254: 6, 255: 25, 1: 26}


def champsim(pc, branch=0, taken=0, written=(), read=(), writes=(), reads=()):
    def slots(values, n):
        return (list(values) + [0] * n)[:n]
    return struct.pack('<QBB2B4B2Q4Q', pc, branch, taken, *slots(written, 2), *slots(read, 4), *slots(writes, 2),
                       *slots(reads, 4))


def random_program(count, seed):
    """Returns ChampSim's records of a program, and for each: address, type, length, accesses, target and registers."""
    pick = random.Random(seed)
    lengths, kinds, out, wanted = {}, {}, [], []
    pc, stack = 0x400000, []
    others = [r for r in range(1, 256) if r not in (IP, SP, FLAGS)]
    for _ in range(count):
        length = lengths.setdefault(pc, pick.randint(1, 15))
        kind = kinds.setdefault(pc, pick.choice([made.INSTR] * 6 + list(SHAPES)))
        if kind == made.RETURN and not stack:
            kind = made.INSTR
        if kind in (made.TAKEN, made.UNTAKEN):
            kind = pick.choice([made.TAKEN, made.UNTAKEN])
        after = pc + length
        target = after
        if kind == made.RETURN:
            target = stack.pop()
        elif kind not in (made.INSTR, made.UNTAKEN):
            target = 0x400000 + 0x40 * pick.randrange(60)
            if kind in (made.DIRECT_CALL, made.INDIRECT_CALL):
                stack.append(after)
        if kind == made.INSTR:
            written = pick.sample(others + [SP, FLAGS], pick.randint(0, 2))
            read = pick.sample(others + [SP, FLAGS, IP], pick.randint(0, 4))
        else:
            written, read = SHAPES[kind]
        writes = [pick.randint(1, 1 << 47) for _ in range(pick.randint(0, 2))]
        reads = [pick.randint(1, 1 << 47) for _ in range(pick.randint(0, 4))]
        out.append(champsim(pc, kind != made.INSTR, kind not in (made.INSTR, made.UNTAKEN), written, read, writes, reads))
        wanted.append((pc, kind, length, [(False, a) for a in reads] + [(True, a) for a in writes], target, written, read))
        pc = target
    return b''.join(out), wanted


class Writing(ProgramTest):
    def convert(self, source, name, *options, note=None):
        to = self.path(name)
        r = run('trace_convert', source, to, *options)
        self.assertEqual(r.returncode, 0, r.stderr)
        if note is not None:
            self.assertEqual(support.text(r.stderr), note)
        if 'trace_check' in support.PROGRAMS:
            c = run('trace_check', to)
            self.assertIn(b' 0 errors, 0 warnings, 0 notes', c.stdout, (name, options, c.stdout[:2000]))
        return to

    def names(self):
        return (['a.drmemtrace.zip'] if 'zip' in support.CODECS else []) + ['a.drmemtrace', 'a.drmemtrace.gz']


class Copies(Writing):
    def setUp(self):
        super().setUp()
        self.steps = list(made.program(20))
        self.chunks = made.records(self.steps, 70, chunk=100)

    def compare(self, trace, steps):
        self.assertEqual([(i.pc, i.code, i.accesses) for i in trace.instructions],
                         [(s.pc, s.code, list(s.accesses)) for s in steps])
        self.assertEqual([i.type for i in trace.instructions],
                         [s.type if s.fetched else made.NO_FETCH for s in steps])

    @needs('zip')
    def test_a_copy_has_the_same_records(self):
        source = self.write('made.trace.zip', made.zipped(self.chunks))
        copy = self.convert(source, 'a.drmemtrace.zip', note=b'')
        self.assertEqual(reading.contents(copy), [b''.join(c) for c in self.chunks])
        again = self.convert(copy, 'b.drmemtrace.zip')
        self.assertEqual(file_bytes(again), file_bytes(copy))
        r = run('trace_convert', source, self.path('c.trace.zip'), '--to', 'drmemtrace')
        self.assertEqual((r.returncode, file_bytes(self.path('c.trace.zip'))), (0, file_bytes(copy)))

    def test_containers(self):
        source = self.write('made.trace', made.content(self.chunks))
        flat = [r for n, c in enumerate(self.chunks)
                for r in (c[3 if n else 0:] if n + 1 == len(self.chunks) else c[3 if n else 0:-1])]
        for name in self.names():
            copy = self.convert(source, name, note=b'')
            self.compare(reading.read(copy), self.steps)
            if not name.endswith('zip'):
                self.assertEqual(reading.contents(copy), [b''.join(flat)])

    @needs('zip')
    def test_chunks_are_made(self):
        whole = made.records(self.steps, 70)[0]
        chunk = made.record(made.MARKER, made.CHUNK_INSTR_COUNT, 30)
        source = self.write('made.trace', b''.join(whole[:6] + [chunk] + whole[6:]))
        trace = reading.read(self.convert(source, 'a.drmemtrace.zip'))
        fetched = sum(s.fetched for s in self.steps)
        self.assertEqual((trace.members, trace.chunk_size), (-(-fetched // 30), 30))
        self.compare(trace, self.steps)
        # The usual chunk has ten million instructions.
        trace = reading.read(self.convert(self.write('made.trace', b''.join(whole)), 'a.drmemtrace.zip'))
        self.assertEqual((trace.members, trace.chunk_size), (1, 10000000))

    def test_parts(self):
        source = self.write('made.trace', made.content(self.chunks))
        for skip, count in ((0, 1), (0, 57), (1, 1), (17, 111), (100, 99), (len(self.steps) - 1, 5), (40, 1000)):
            for name in self.names():
                copy = self.convert(source, name, '--skip', str(skip), '-n', str(count), note=b'')
                self.compare(reading.read(copy), self.steps[skip:skip + count])
        parts = []
        for n in range(3):
            parts += reading.read(self.convert(source, 'a.drmemtrace', '--shard', '%d/3' % n)).instructions
        self.assertEqual([i.pc for i in parts], [s.pc for s in self.steps])
        r = run('trace_convert', source, self.path('none.drmemtrace'), '--skip', '1000')
        self.assertEqual((r.returncode, os.path.exists(self.path('none.drmemtrace'))), (1, False))

    def test_other_kinds(self):
        for version, filetype, narrow, encode in (
                (4, made.X86_64 | made.ENCODINGS, False, None),
                (7, made.X86_64 | made.ENCODINGS | made.REGDEPS, False, made.synthetic),
                (7, made.X86_64, False, None), (1, 0, False, None)):
            whole = made.records(self.steps, 72, version=version, filetype=filetype, narrow=narrow, encode=encode)
            source = self.write('made.trace', made.content(whole))
            self.assertEqual(reading.contents(self.convert(source, 'a.drmemtrace')), [made.content(whole)])
            part = reading.read(self.convert(source, 'b.drmemtrace', '--skip', '30', '-n', '90'))
            self.assertEqual([(i.pc, i.accesses) for i in part.instructions],
                             [(s.pc, list(s.accesses)) for s in self.steps[30:120]])

    def test_folders(self):
        os.mkdir(self.path('f'))
        steps = {70: self.steps, 80: list(made.program(12)), 90: list(made.program(3))}
        for thread, some in steps.items():
            self.write('f/x.%d.1.trace' % thread, made.content(made.records(some, thread, 1000 + thread)))
        for thread, some in steps.items():
            for order in ('thread', 'time'):
                for name in self.names():
                    self.compare(reading.read(self.convert(self.path('f'), name, '--thread', str(thread), '--order', order)),
                                 some)
                part = self.convert(self.path('f'), 'p.drmemtrace', '--thread', str(thread), '--order', order,
                                    '--skip', '11', '-n', '9')
                self.compare(reading.read(part), some[11:20])
        for order in ('thread', 'time'):
            trace = reading.read(self.convert(self.path('f'), 'all.drmemtrace', '--order', order))
            self.assertEqual(trace.filetype & reading.CORE_SHARDED, reading.CORE_SHARDED)
            for thread, some in steps.items():
                self.assertEqual([(i.pc, i.code) for i in trace.instructions if i.thread == thread],
                                 [(s.pc, s.code) for s in some])

    def test_a_damaged_trace(self):
        whole = made.content(self.chunks)
        cut = self.write('cut.trace', whole[:len(whole) // 2 + 5])
        r = run('trace_convert', cut, self.path('a.drmemtrace'))
        self.assertEqual((r.returncode, os.path.exists(self.path('a.drmemtrace'))), (1, False))
        r = run('trace_convert', '--keep-whole', cut, self.path('a.drmemtrace'))
        self.assertEqual(r.returncode, 1)
        trace = reading.read(self.path('a.drmemtrace'))
        self.assertGreater(len(trace.instructions), len(self.steps) // 3)

    def test_refused_options(self):
        source = self.write('made.trace', made.content(self.chunks))
        for name, *options in (('a.drmemtrace', '--extra-accesses', 'drop'), ('a.tpack', '--to', 'drmemtrace'),
                               ('a.champsim.zip',), ('a.jsonl.zip',), ('a.drmemtrace.lz4',), ('a.zip', '--to', 'champsim')):
            r = run('trace_convert', source, self.path(name), *options)
            self.assertEqual((r.returncode, os.path.exists(self.path(name))), (2, False), (name, r.stderr))


class Folders(Writing):
    """Folders with a file for each thread."""
    THREADS = (70, 80, 90)

    def setUp(self):
        super().setUp()
        os.mkdir(self.path('f'))
        self.steps = {thread: list(made.program(n)) for thread, n in zip(self.THREADS, (20, 12, 3))}

    def split(self, source, *options, name='out/'):
        """Returns the traces of the folder `name`, by thread, in the order of their names."""
        folder = self.path(name)
        shutil.rmtree(folder, ignore_errors=True)
        self.convert(source, name, *options)
        traces = {}
        for one in sorted(os.listdir(folder)):
            trace = reading.read(os.path.join(folder, one))
            self.assertEqual(trace.filetype & reading.CORE_SHARDED, 0)
            threads = {i.thread for i in trace.instructions}
            self.assertEqual(len(threads), 1)
            self.assertEqual(one.split('.')[2], '%d' % min(threads))
            traces[min(threads)] = trace
        return traces

    def compare(self, trace, steps):
        self.assertEqual([(i.pc, i.code, i.accesses) for i in trace.instructions],
                         [(s.pc, s.code, list(s.accesses)) for s in steps])

    def same_order(self, a, b, *options):
        """Checks that two traces have the same instructions in the same order, as ChampSim's records."""
        found = []
        for source in (a, b):
            r = run('trace_convert', source, self.path('x.champsim'), *options)
            self.assertEqual(r.returncode, 0, r.stderr)
            found.append(file_bytes(self.path('x.champsim')))
        self.assertEqual(*found)

    def threads(self):
        for thread, some in self.steps.items():
            self.write('f/x.%d.1.trace' % thread, made.content(made.records(some, thread, 1000 + thread)))
        return self.path('f')

    def test_threads(self):
        source = self.threads()
        for order in ('thread', 'time'):
            traces = self.split(source, '--order', order)
            self.assertEqual(list(traces), list(self.THREADS))
            for thread, some in self.steps.items():
                self.compare(traces[thread], some)
                self.assertEqual(traces[thread].filetype, made.X86_64 | made.ENCODINGS | made.SYSCALL_NUMBERS)
            for read in ('thread', 'time'):
                self.same_order(source, self.path('out'), '--order', read)
        traces = self.split(source, '--thread', '80')
        self.assertEqual(list(traces), [80])
        self.compare(traces[80], self.steps[80])
        # An existing folder is also a folder; its content is not replaced.
        os.mkdir(self.path('there'))
        self.convert(source, 'there', '--codec', 'none')
        self.assertEqual(sorted(os.listdir(self.path('there'))),
                         ['drmemtrace.%06d.%d.trace' % (n + 1, t) for n, t in enumerate(self.THREADS)])
        r = run('trace_convert', source, self.path('there'))
        self.assertEqual(r.returncode, 1, r.stderr)

    def test_parts(self):
        source = self.threads()
        first, second = len(self.steps[70]), len(self.steps[80])
        traces = self.split(source, '--skip', str(first - 7), '-n', '30')
        self.assertEqual(list(traces), [70, 80])
        self.compare(traces[70], self.steps[70][-7:])
        self.compare(traces[80], self.steps[80][:23])
        traces = self.split(source, '--skip', str(first + second))
        self.assertEqual(list(traces), [90])
        self.compare(traces[90], self.steps[90])
        count = sum(map(len, self.steps.values()))
        shards = [self.split(source, '--shard', '%d/2' % n) for n in range(2)]
        self.assertEqual(sum(len(t.instructions) for s in shards for t in s.values()), count)

    def test_one_file(self):
        both = self.path('both.drmemtrace')
        self.assertEqual(run('trace_convert', self.threads(), both, '--order', 'time').returncode, 0)
        traces = self.split(both)
        for thread, some in self.steps.items():
            self.compare(traces[thread], some)
        self.same_order(both, self.path('out'), '--thread', '70')

    def test_cores(self):
        """Threads that begin on a core and continue on another one, where no file contains their encodings."""
        a, b, c = self.steps.values()
        parts = [[(70, a[:100], 1000, False), (80, b[50:], 3000, True), (90, c, None, True)],
                 [(80, b[:50], 2000, False), (70, a[100:], 4000, True)]]
        for n, records in enumerate(made.cores(parts)):
            self.write('f/drmemtrace.core.%06d.trace' % n, b''.join(records))
        traces = self.split(self.path('f'), '--order', 'time')
        self.assertEqual(list(traces), list(self.THREADS))
        for thread, some in self.steps.items():
            self.compare(traces[thread], some)
            self.assertEqual(traces[thread].filetype, made.X86_64 | made.ENCODINGS)
            self.assertEqual(traces[thread].markers[made.CORE_IDLE], 0)
        self.assertEqual([t.markers[made.TIMESTAMP] for t in traces.values()], [2, 2, 1])
        for thread in self.THREADS:
            self.same_order(self.path('f'), self.path('out'), '--order', 'time', '--thread', str(thread))
        # The schedule that record_filter writes has the first thread of each core.
        counts = [sum(i.fetched for i in some) for some in (a[:100], b[:50])]
        entries = struct.pack('<16Q', 70, 1000, 0, 0, 80, 2000, 1, 0, 70, 3000, 0, counts[0], 80, 4000, 1, counts[1])
        self.write('f/serial_schedule.bin', entries)
        self.same_order(self.path('f'), self.path('out'), '--order', 'time', '--thread', '70')
        for order in ('time', 'schedule'):
            r = run('trace_convert', self.path('f'), self.path('%s.champsim' % order), '--order', order)
            self.assertEqual(r.returncode, 0, r.stderr)
            if 'trace_check' in support.PROGRAMS:
                r = run('trace_check', self.path('f'), '--order', order)
                self.assertIn(b' 0 errors, 0 warnings, 0 notes', r.stdout)
        self.assertEqual(file_bytes(self.path('time.champsim')), file_bytes(self.path('schedule.champsim')))
        # The file of the first core after that of the second one.
        self.write('f/serial_schedule.bin', entries[32:64] + entries[96:] + entries[:32] + entries[64:96])
        r = run('trace_convert', self.path('f'), self.path('other.champsim'), '--order', 'schedule')
        self.assertEqual(r.returncode, 0, r.stderr)
        ips = [r[0] for r in struct.iter_unpack('<Q56x', file_bytes(self.path('other.champsim')))]
        wanted = [s.pc for part in (b[:50], a[100:], a[:100], b[50:], c) for s in part]
        self.assertEqual([ip for n, ip in enumerate(ips) if n == 0 or ip != ips[n - 1]],
                         [ip for n, ip in enumerate(wanted) if n == 0 or ip != wanted[n - 1]])
        self.write('f/serial_schedule.bin', struct.pack('<4Q', 71, 1000, 0, 0))
        r = run('trace_convert', self.path('f'), self.path('other.champsim'), '--order', 'schedule')
        self.assertEqual(r.returncode, 1)
        self.assertIn(b'is not in the schedule', r.stderr)

    @needs('zip', 'zydis')
    def test_a_sample_of_cores(self):
        """DynamoRIO's sample of cores contains the threads of its sample of threads."""
        samples = os.path.join(os.environ.get('TRACECODEC_SAMPLES', 'TRACECODEC_SAMPLES'), 'industry', 'drmemtrace')
        cores, threads = (os.path.join(samples, 'drmemtrace.threadsig%s.x64.tracedir' % part)
                          for part in ('-core-sharded', ''))
        if not os.path.isdir(cores):
            self.skipTest('TRACECODEC_SAMPLES names no folder with ' + os.path.basename(cores))

        def executed(folder):
            found = {}
            for name in os.listdir(folder):
                if not name.endswith('.trace.zip'):
                    continue
                hashed, thread = hashlib.sha256(), None
                for record in struct.iter_unpack('<HHQ', b''.join(reading.contents(os.path.join(folder, name)))):
                    if record[0] == made.THREAD:
                        thread = record[2]
                    if record[0] in reading.FETCHED | {made.NO_FETCH, made.READ, made.WRITE} or \
                            record[:2] == (made.MARKER, made.BRANCH_TARGET):
                        hashed.update(struct.pack('<HHQ', *record))
                self.assertNotIn(thread, found)
                found[thread] = hashed.hexdigest()
            return found
        self.convert(cores, 'out/', '--order', 'time')
        self.assertEqual(executed(self.path('out')), executed(threads))

    @needs('xz', 'simdjson', 'zydis')
    def test_other_formats(self):
        data = os.path.dirname(support.SED)
        for name in ('threads3_64.trace64.xz', 'work32.trace32.xz'):
            source = os.path.join(data, name)
            traces = self.split(source, '--to', 'drmemtrace')
            whole = reading.read(self.convert(source, 'a.drmemtrace'))
            for thread, trace in traces.items():
                self.assertEqual([i for i in whole.instructions if i.thread == thread], trace.instructions)
            self.same_order(self.path('a.drmemtrace'), self.path('out'), '--order', 'time')

    def test_a_trace_without_threads(self):
        traces = self.split(support.SED, '--to', 'drmemtrace')
        self.assertEqual([len(t.instructions) for t in traces.values()], [len(content(support.SED)) // 64])


class Conversions(Writing):
    def test_from_champsim(self):
        records, wanted = random_program(3000, 1)
        source = self.write('x.champsim', records)
        for name in self.names():
            copy = self.convert(source, name)
            trace = reading.read(copy)
            self.assertEqual((trace.version, trace.filetype), (7, made.REGDEPS | made.ENCODINGS))
            self.assertEqual(len(trace.instructions), len(wanted))
            for n, (i, (pc, kind, length, accesses, target, written, read)) in enumerate(zip(trace.instructions, wanted)):
                self.assertEqual((i.pc, i.type, [a[:2] for a in i.accesses]), (pc, kind, accesses), n)
                if kind in (made.INSTR, made.UNTAKEN) and n + 1 != len(wanted):
                    self.assertEqual(i.size, length)
                if kind in made.INDIRECT and n + 1 != len(wanted):
                    self.assertEqual(i.target, target)
                self.assertEqual({s for _, _, s in i.accesses} - {1}, set())
                to, of, sets, uses = reading.registers(i.code)
                self.assertEqual((sets, uses), (FLAGS in written, FLAGS in read), n)
                if kind == made.INSTR:
                    self.assertEqual((to, of), ([NUMBERS.get(r, r) for r in written if r != FLAGS],
                                                [NUMBERS.get(r, r) for r in read if r != FLAGS]), n)
            # And back: the same records, up to the order of registers.
            back = self.convert(copy, 'back.champsim')
            form = struct.Struct('<QBB2B4B2Q4Q')
            for a, b in zip(form.iter_unpack(file_bytes(back)), form.iter_unpack(records)):
                self.assertEqual((a[:3], a[9:]), (b[:3], b[9:]))
                self.assertEqual((set(a[3:5]), set(a[5:9])), (set(b[3:5]), set(b[5:9])))

    def test_from_champsim_again_and_again(self):
        """Iterations of rep string instructions, gaps, and an indirect branch at the end."""
        rep = [champsim(0x1000, reads=[0x10 + n], writes=[0x90 + n]) for n in range(5)]
        source = self.write('x.champsim', b''.join(
            rep + [champsim(0x1002), champsim(0x5000), champsim(0x5004, 1, 1, [IP], [9])]))
        trace = reading.read(self.convert(
            source, 'a.drmemtrace', '--format', 'champsim',
            note=b'trace_convert: note: 2 instructions of unknown length, written as 1\n'
            b'trace_convert: note: 10 memory operands of unknown size, written as 1\n'
            b'trace_convert: note: 1 indirect branch of unknown target, written as if the next instruction in memory follows\n'
            b'trace_convert: note: 1 place where an instruction does not lead to the next one: a marker window_id is there\n'))
        self.assertEqual([(i.type, i.size) for i in trace.instructions],
                         [(made.INSTR, 2)] + [(made.NO_FETCH, 2)] * 4 + [(made.INSTR, 1), (made.INSTR, 4),
                                                                         (made.INDIRECT_JUMP, 1)])
        self.assertEqual(trace.instructions[-1].target, 0x5005)
        self.assertEqual(trace.markers[reading.WINDOW_ID], 1)

    def test_samples(self):
        for sample in (support.SED, support.WORK):
            records = content(sample)
            trace = reading.read(self.convert(sample, self.names()[0]))
            form = struct.Struct('<QBB2B4B2Q4Q')
            self.assertEqual([i.pc for i in trace.instructions], [r[0] for r in form.iter_unpack(records)])
            self.assertEqual([sorted(a for _, a, _ in i.accesses) for i in trace.instructions],
                             [sorted(a for a in r[9:] if a) for r in form.iter_unpack(records)])
            back = file_bytes(self.convert(self.path(self.names()[0]), 'back.champsim'))
            same = 0
            for a, b in zip(form.iter_unpack(back), form.iter_unpack(records)):
                self.assertEqual(a[:3], b[:3])
                same += (set(a[3:5]), set(a[5:9])) == (set(b[3:5]), set(b[5:9]))
            self.assertEqual(same * form.size, len(records))

    @needs('xz', 'simdjson', 'zydis')
    def test_from_x64dbg(self):
        data = os.path.dirname(support.SED)
        for name, filetype in (('threads3_64.trace64.xz', 0x40), ('work32.trace32.xz', 0x20)):
            source = os.path.join(data, name)
            copy = self.convert(source, self.names()[0])
            trace = reading.read(copy)
            self.assertEqual(trace.filetype, filetype | made.ENCODINGS | reading.CORE_SHARDED)
            self.assertEqual(trace.markers[made.TIMESTAMP], trace.markers[made.CPU_ID])
            for to in ('champsim', 'lackey'):
                a = file_bytes(self.convert_to(source, 'a.' + to))
                self.assertEqual(a, file_bytes(self.convert_to(copy, 'b.' + to)), (name, to))

    def convert_to(self, source, name):
        r = run('trace_convert', source, self.path(name))
        self.assertEqual(r.returncode, 0, r.stderr)
        return self.path(name)


class Recordings(Writing):
    SOURCE = r'''
    #include <pthread.h>
    #include <string.h>
    #include <signal.h>
    static char from[200], to[200];
    static void handler(int n) { to[n] = 1; }
    static int (*volatile call)(int);
    static int twice(int n) { return 2 * n; }
    static void* work(void* a) { for (int n = 0; n < 50; ++n) to[n] ^= (char)call(n); return a; }
    int main(void) {
      pthread_t t;
      call = twice;
      signal(SIGUSR1, handler);
      pthread_create(&t, 0, work, 0);
      memcpy(to, from, sizeof to);
      __asm__ volatile("rep movsb" : : "S"(from), "D"(to), "c"(37) : "memory");
      raise(SIGUSR1);
      pthread_join(t, 0);
      return 0;
    }'''

    def setUp(self):
        super().setUp()
        if 'trace_record' not in support.PROGRAMS or not shutil.which('cc', path=support.NATIVE['PATH']):
            self.skipTest('needs trace_record and a compiler')
        self.program = self.path('p')
        source = self.write('p.c', self.SOURCE.encode())
        subprocess.run(['cc', '-O1', '-static', '-pthread', '-o', self.program, source], check=True, env=support.NATIVE)

    def record(self, engine, out, *options):
        r = run('trace_record', '--engine', engine, '-o', self.path(out), *options, '--', self.program)
        self.assertEqual(r.returncode, 0, r.stderr)
        return self.path(out), support.text(r.stderr)

    def check(self, path):
        if 'trace_check' in support.PROGRAMS:
            c = run('trace_check', path)
            self.assertIn(b' 0 errors, 0 warnings, 0 notes', c.stdout, c.stdout[:3000])
        return reading.read(path)

    def engines(self):
        return ['ptrace'] + ['qemu'] * (shutil.which('qemu-x86_64') is not None)

    def test_recordings(self):
        for engine in self.engines():
            for name in self.names()[:1]:
                path, said = self.record(engine, name, '-t', 'all')
                trace = self.check(path)
                self.assertEqual(trace.filetype, made.X86_64 | made.ENCODINGS | reading.CORE_SHARDED)
                self.assertEqual(len({i.thread for i in trace.instructions}), 2, engine)
                self.assertIn(b'%d instructions' % len(trace.instructions), said.replace(b',', b''))
                self.assertGreaterEqual(trace.markers[reading.WINDOW_ID], 1)  # the signal handler
                self.assertIn(b'a marker window_id is there', said)
                # 37 iterations of rep movsb, each with its accesses.
                moves = [i for i in trace.instructions if i.code == b'\xf3\xa4']
                ends = [n for n, i in enumerate(moves) if i.type != made.NO_FETCH] + [len(moves)]
                runs = [moves[a:b] for a, b in zip(ends, ends[1:])]
                mine = [r for r in runs if sum(len(i.accesses) == 2 for i in r) == 37]
                self.assertEqual(len(mine), 1, (engine, [len(r) for r in runs]))
                self.assertEqual({s for i in mine[0] for _, _, s in i.accesses}, {1})
                calls = [i for i in trace.instructions if i.type == made.DIRECT_CALL]
                self.assertGreater(len(calls), 10)
                self.assertEqual({tuple(a[::2] for a in i.accesses) for i in calls}, {((True, 8),)})

    def test_records_are_those_of_champsim(self):
        for engine in self.engines():
            path, _ = self.record(engine, self.names()[0], '-s', '100', '-t', '4000')
            trace = self.check(path)
            plain, _ = self.record(engine, 'x.champsim', '-s', '100', '-t', '4000')
            form = struct.Struct('<QBB2B4B2Q4Q')
            wanted = [(r[0], r[1], sorted(a for a in r[9:] if a)) for r in form.iter_unpack(file_bytes(plain))]
            self.assertEqual([(i.pc, int(i.type not in (made.INSTR, made.NO_FETCH)), sorted(a for _, a, _ in i.accesses))
                              for i in trace.instructions], wanted)

    def test_a_file_for_each_thread(self):
        if 'qemu' not in self.engines():
            self.skipTest('needs QEMU')
        self.record('qemu', 'x.drmemtrace', '-t', 'all', '--threads', '-q')
        traces = [self.check(self.path(name)) for name in ('x.drmemtrace', 'x.thread2.drmemtrace')]
        for t in traces:
            self.assertEqual(t.filetype, made.X86_64 | made.ENCODINGS)
        self.assertEqual(len({i.thread for t in traces for i in t.instructions}), 2)

    def test_refused(self):
        for name, *options in (('x.tpack', '--format', 'drmemtrace'), ('x.champsim.zip',), ('x.drmemtrace.lz4',)):
            r = run('trace_record', '-o', self.path(name), *options, '--', self.program)
            self.assertEqual((r.returncode, os.path.exists(self.path(name))), (125, False), r.stderr)


if __name__ == '__main__':
    support.main()
