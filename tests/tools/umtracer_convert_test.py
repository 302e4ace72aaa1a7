# trace_convert from x64dbg to UMTracer: Python reads the folder according to the
# specification, and compares it with its own reading of the x64dbg trace.
import os
import signal
import stat
import struct
import subprocess
import time

import support
from support import content, file_bytes, records
from x64dbg_model import Trace, delta, header, snapshot


def data(name):
    return os.path.join(os.path.dirname(support.SED), name + '.xz')


WORK, THREADS, LEGACY = (data(n) for n in ('work32.trace32', 'threads3_64.trace64',
                                           'threads3_64_legacybug.trace64'))
FILES = ['address_space.itable', 'context_map.itable', 'exec.offsets', 'exec.prev_next.column',
         'exec.vtable', 'ins.itable', 'module.itable', 'syscall.offsets', 'syscall.vtable',
         'thread.itable', 'trace.xml']


class Folder:
    """Reader of an instruction trace, according to sections 6, 7 and 10 of the specification."""

    def __init__(self, path):
        assert sorted(os.listdir(path)) == FILES, os.listdir(path)
        exec_table, ins, threads, offsets, links = (
            file_bytes(os.path.join(path, n)) for n in
            ('exec.vtable', 'ins.itable', 'thread.itable', 'exec.offsets', 'exec.prev_next.column'))
        self.xml = file_bytes(os.path.join(path, 'trace.xml')).decode()
        self.version, self.count = struct.unpack_from('<i4xq', exec_table)
        assert len(offsets) == 8 * (self.count + 1)
        offsets = [o for o, in struct.iter_unpack('<q', offsets)]
        self.links = list(struct.iter_unpack('<qq', links))
        self.win_tids = [r[1] for r in self.rows(threads, '<iiQqqq')]
        rows = self.rows(ins, '<qBBBxiQ15sxqq8x')
        self.records = []
        for start, end in zip(offsets, offsets[1:]):
            thread, kind, flags = struct.unpack_from('<iBB', exec_table, start)
            r = {'thread': self.win_tids[thread], 'type': kind, 'flags': flags}
            if kind == 0:
                row = rows[struct.unpack_from('<q', exec_table, start + 6)[0]]
                r['ip'], r['opcode'] = row[5], row[6][:row[3]].hex()
                assert row[2] == flags & 1 and row[4] == -1
            r['size'] = end - start
            self.records.append(r)

    @staticmethod
    def rows(raw, form):
        count, size, at = struct.unpack_from('<8xqqq', raw)
        return [struct.unpack_from(form, raw, at + i * size) for i in range(count)]


class Convert(support.ProgramTest):
    program = 'trace_convert'

    def tool(self, *args, code=0):
        """Returns the standard error of a run that ends with `code`."""
        r = self.run_program(*args)
        self.assertEqual(r.returncode, code, (args, r.stderr))
        return r.stderr.decode()

    def check(self, path, blocks):
        """Checks that the folder contains these instructions, and each thread's begin before its first
        instruction."""
        got, want, begun = Folder(path), [], set()
        for b in blocks:
            if b['thread'] not in begun:
                want.append((b['thread'], 1, None, None))
            begun.add(b['thread'])
            want.append((b['thread'], 0, b['ip'], b['opcode']))
        self.assertEqual([(r['thread'], r['type'], r.get('ip'), r.get('opcode'))
                          for r in got.records], want)
        self.assertEqual(got.version, 1)
        last = {}
        for i, r in enumerate(got.records):
            self.assertEqual(got.links[i][0], last.get(r['thread'], -1))
            if r['thread'] in last:
                self.assertEqual(got.links[last[r['thread']]][1], i)
            last[r['thread']] = i
        for i in last.values():
            self.assertEqual(got.links[i][1], -1)
        return got

    def test_whole_traces(self):
        for source, name, bits in ((WORK, 'w', 32), (THREADS, 't/', 64)):
            out = self.path(name)
            self.assertEqual(self.tool('--to', 'umtracer', source, out), '')
            trace = Trace(content(source))
            got = self.check(out, trace.blocks)
            self.assertTrue(all(r['flags'] & 1 == (bits == 64) for r in got.records))
            self.assertIn('<Bitness>%d</Bitness>' % bits, got.xml)
            self.assertIn('<CommandLine>%s</CommandLine>' % trace.header['path'], got.xml)

    def test_the_way_through_the_folder_is_the_direct_one(self):
        for source in (WORK, THREADS):
            direct, folder, back = (self.path(n) for n in ('a.trace', 'f', 'b.trace'))
            os.mkdir(folder)  # an empty folder selects the format
            self.tool(source, direct)
            self.tool(source, folder)
            self.tool(folder, back)
            # The effects of a thread's last instruction are unknown, and so is the address of
            # its store.
            threads = [b['thread'] for b in Trace(content(source)).blocks]
            last = {t: i for i, t in enumerate(threads)}
            for i, (a, b) in enumerate(zip(records(file_bytes(direct)), records(file_bytes(back)),
                                           strict=True)):
                if i in last.values():
                    a, b = (dict(r, destination_memory=None) for r in (a, b))
                self.assertEqual(a, b, i)
            for f in FILES:
                os.remove(os.path.join(folder, f))
            os.rmdir(folder)

    def test_parts(self):
        blocks = Trace(content(THREADS)).blocks
        one = [b for b in blocks if b['thread'] == 6708]
        for n, (options, want) in enumerate((
                (['--skip', '600', '--limit', '1000'], blocks[600:1600]),
                (['--thread', '6708'], one),
                (['--thread', '6708', '--skip', '9', '--limit', '9'], one[9:18]))):
            out = self.path(str(n) + '/')
            self.tool(*options, THREADS, out)
            self.check(out, want)

    def test_repair(self):
        out = self.path('r/')
        self.assertIn('record 5', self.tool(LEGACY, out, code=1))
        self.assertFalse(os.path.exists(out))
        told = self.tool('--repair', '--verbose', LEGACY, out)
        self.assertTrue(told.endswith('\ntrace_convert: note: 174 places mended\n'), told[-80:])
        self.check(out, Trace(content(THREADS)).blocks)

    def test_damaged_traces(self):
        raw = content(WORK)
        trace = Trace(raw)
        cut = self.write('cut.trace32', raw[:trace.ends[999] + 7])
        out = self.path('d/')
        self.bad(1, cut, out, about=b'record 1000')
        self.assertEqual(sorted(os.listdir(self.folder)), ['cut.trace32'])
        self.bad(1, '--keep-whole', cut, out, about=b'record 1000')
        self.check(out, trace.blocks[:1000])

    def test_what_is_in_the_way(self):
        taken, file = self.path('taken'), self.write('file', b'x')
        os.mkdir(taken)
        self.write('taken/mine', b'1')
        self.bad(1, WORK, taken, about=b'not an empty folder')
        self.bad(1, '--to', 'umtracer', WORK, file, about=b'is not a folder')
        self.bad(1, WORK, self.path('no/such/'), about=b'No such file')
        self.bad(1, '--limit', '0', WORK, self.path('none/'), about=b'no records are left')
        self.assertEqual(sorted(os.listdir(self.folder)), ['file', 'taken'])
        self.assertEqual(os.listdir(taken), ['mine'])

    def test_options_that_a_folder_has_no_use_for(self):
        out = self.path('o/')
        names = self.write('names.h', b'enum { XED_CATEGORY_AVX = 1 };')
        for options, about in ((['--codec', 'xz'], b'--codec'),
                               (['--snapshots', '9'], b'--snapshots'),
                               (['--dialect', 'rapid'], b'--dialect'),
                               (['--renumber'], b'--renumber'),
                               (['--names', names], b'--names'),
                               (['--mode', 'raw', '--to', 'umtracer'], b'--mode'),
                               (['--variable', '3'], b'--variable'),
                               (['--metadata', 'x.json'], b'--metadata')):
            self.bad(2, *options, WORK, out, about=about)
        self.bad(2, '--to', 'umtracer', WORK, '-', about=b'folder')
        self.bad(2, '--to', 'umtracer', support.WORK, out, about=b'cannot be written')
        self.assertEqual(sorted(os.listdir(self.folder)), ['names.h'])

    def test_unusual_headers_and_threads(self):
        path = self.write('h.trace64', header(path='a\x01b<&>') + snapshot() + delta())
        out = self.path('h/')
        self.tool(path, out)
        self.assertNotIn('CommandLine', Folder(out).xml)
        path = self.write('i.trace64', header(path='C:\\a & b.exe') + snapshot() + delta())
        self.tool(path, self.path('i/'))
        self.assertIn('<CommandLine>C:\\a &amp; b.exe<', Folder(self.path('i')).xml)

    def test_an_interrupted_run_leaves_nothing(self):
        fifo, out = self.path('fifo'), self.path('out/')
        os.mkfifo(fifo)
        self.assertTrue(stat.S_ISFIFO(os.stat(fifo).st_mode))
        p = subprocess.Popen([support.PROGRAMS['trace_convert'], fifo, out],
                             stderr=subprocess.PIPE)
        with open(fifo, 'wb') as f:
            f.write(header() + snapshot())
            block = delta()
            for _ in range(20):
                f.write(block * 10000)
            f.flush()
            time.sleep(0.2)
            p.send_signal(signal.SIGINT)
        self.assertEqual(p.stderr.read(), b'trace_convert: interrupted\n')
        p.stderr.close()
        self.assertEqual(p.wait(timeout=60), -signal.SIGINT)
        self.assertEqual(os.listdir(self.folder), ['fifo'])

    def test_help_names_the_folder(self):
        self.assertIn(b'If OUT is an empty folder', b' '.join(self.good('--help').split()))


if __name__ == '__main__':
    support.main()
