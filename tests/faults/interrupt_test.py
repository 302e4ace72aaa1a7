# The first signal that should end a program also ends it while it waits for input or for a
# reader of its output. No temporary file remains, and the program dies by the signal, so that
# a shell's loop ends.
import os
import signal
import subprocess
import time

import faults
import support
from faults import PROGRAMS
from support import content, file_bytes

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
NAMES = {signal.SIGINT: 'INT', signal.SIGTERM: 'TERM', signal.SIGHUP: 'HUP'}


class Interrupt(faults.FaultTest):
    def start(self, program, *arguments, **more):
        more.setdefault('stdin', subprocess.DEVNULL)
        p = subprocess.Popen([PROGRAMS[program], *arguments], stdout=more.pop('stdout', subprocess.DEVNULL),
                             stderr=subprocess.PIPE, **more)
        self.addCleanup(p.stderr.close)
        self.addCleanup(p.wait)
        self.addCleanup(p.kill)
        return p

    def wait_until_it_waits(self, p):
        """Waits until the process sleeps and has used no processor time for a while."""
        calm, before = 0, None
        until = time.monotonic() + 60
        while calm < 5:
            self.assertIsNone(p.poll(), p.stderr.read() if p.poll() is not None else '')
            self.assertLess(time.monotonic(), until)
            with open('/proc/%d/stat' % p.pid) as f:
                fields = f.read().rsplit(')', 1)[1].split()
            now = fields[11:13]
            with open('/proc/%d/status' % p.pid) as f:
                caught = 'SigCgt:\t0000000000000000' not in f.read()
            calm = calm + 1 if fields[0] == 'S' and now == before and caught else 0
            before = now
            time.sleep(0.01)

    def check_ends(self, p, number, about, left=()):
        p.send_signal(number)
        began = time.monotonic()
        status = p.wait(timeout=60)
        self.assertEqual(status, -number, (*about, p.stderr.read()))
        self.assertLess(time.monotonic() - began, 30, about)
        self.assertEqual(sorted(os.listdir(self.folder)), sorted(left), about)

    def writers(self, path):
        """Returns the arguments for each program that writes a file OUT from `path`."""
        out = [('trace_convert', (path, 'OUT.trace')), ('trace_report', (path, 'OUT.html')),
               ('trace_convert', (path, 'OUT', '--to=csv')),
               ('trace_convert', (path, 'OUT', '--to=champsim', '--codec=gzip'))]
        return [(p, a) for p, a in out if p in PROGRAMS
                and ('--codec=gzip' not in a or 'gzip' in support.CODECS)]

    def command(self, arguments):
        return [a.replace('OUT', os.path.join(self.folder, 'o')) for a in arguments]

    def test_standard_input(self):
        half = content(support.WORK)[:64 * 500]
        for number in SIGNALS:
            for program, arguments in self.writers('-'):
                for sent in (b'', half):
                    r, w = os.pipe()
                    p = self.start(program, *self.command(arguments), stdin=r)
                    os.close(r)
                    os.write(w, sent)
                    self.wait_until_it_waits(p)
                    self.check_ends(p, number, (program, arguments, number, len(sent)))
                    os.close(w)

    def test_fifo_as_input(self):
        fifo = os.path.join(self.top, 'fifo in')
        os.mkfifo(fifo)
        for number in SIGNALS:
            for program, arguments in self.writers(fifo):
                p = self.start(program, *self.command(arguments))
                self.wait_until_it_waits(p)  # in open()
                self.check_ends(p, number, (program, arguments, number, 'open'))
                p = self.start(program, *self.command(arguments))
                w = os.open(fifo, os.O_WRONLY)
                self.wait_until_it_waits(p)  # in read()
                self.check_ends(p, number, (program, arguments, number, 'read'))
                os.close(w)

    def test_fifo_as_output(self):
        fifo = os.path.join(self.top, 'fifo out')
        os.mkfifo(fifo)
        for number in SIGNALS:
            for program, arguments in self.writers(self.inputs['champsim']):
                line = [fifo if a.startswith('OUT') else a for a in arguments]
                if program == 'trace_convert' and not any(a.startswith('--to') for a in line):
                    line.append('--to=champsim')
                p = self.start(program, *line)
                self.wait_until_it_waits(p)  # in open()
                self.check_ends(p, number, (program, arguments, number, 'open'))
                if program == 'trace_report' or '--codec=gzip' in line:
                    continue  # the output fits in a pipe
                p = self.start(program, *line)
                r = os.open(fifo, os.O_RDONLY)
                self.wait_until_it_waits(p)  # in write()
                self.check_ends(p, number, (program, arguments, number, 'write'))
                os.close(r)

    def test_standard_output(self):
        for number in SIGNALS:
            r, w = os.pipe()
            p = self.start('trace_convert', self.inputs['champsim'], '-', stdout=w)
            self.wait_until_it_waits(p)
            self.check_ends(p, number, ('standard output', number))
            os.close(w)
            os.close(r)

    def test_what_was_there_stays(self):
        """Tests that existing files remain, also if the whole part of a damaged trace would be kept."""
        old = os.path.join(self.folder, 'o.trace')
        for more in ((), ('--keep-whole',)):
            with open(old, 'wb') as f:
                f.write(b'old')
            r, w = os.pipe()
            p = self.start('trace_convert', '-', old, *more, stdin=r)
            os.close(r)
            os.write(w, content(support.WORK)[:64 * 500])
            self.wait_until_it_waits(p)
            self.check_ends(p, signal.SIGTERM, ('old', *more), ['o.trace'])
            os.close(w)
            self.assertEqual(file_bytes(old), b'old')

    def test_folders(self):
        if not {'simdjson', 'zydis'} <= support.PARTS:
            self.skipTest('needs simdjson and Zydis')
        raw = file_bytes(self.inputs['trace32'])
        r, w = os.pipe()
        p = self.start('trace_convert', '-', os.path.join(self.folder, 'folder'), '--to=umtracer',
                       stdin=r)
        os.close(r)
        os.write(w, raw)  # enough for the header and the lookahead
        self.wait_until_it_waits(p)
        self.assertEqual(len(faults.temporaries(self.folder)), 1)
        self.check_ends(p, signal.SIGINT, ('folder',))
        os.close(w)

    def test_programs_with_nothing_to_clean_up(self):
        for number in SIGNALS:
            for program, more in (('trace_view', ()), ('trace_check', ()), ('frontend_sim', ()),
                                  ('trace_find', ('--branch', 'conditional'))):
                if program not in PROGRAMS:
                    continue
                r, w = os.pipe()
                p = self.start(program, '-', *more, stdin=r)
                os.close(r)
                time.sleep(0.2)
                self.check_ends(p, number, (program, number))
                os.close(w)

    def test_ignored_signals_stay_ignored(self):
        for number in SIGNALS:
            r, w = os.pipe()
            p = self.start('trace_convert', '-', os.path.join(self.folder, 'o.trace'), stdin=r,
                           preexec_fn=lambda: signal.signal(number, signal.SIG_IGN))
            os.close(r)
            os.write(w, content(support.WORK)[:64 * 500])
            self.wait_until_it_waits(p)
            p.send_signal(number)
            time.sleep(0.3)
            self.assertIsNone(p.poll())
            os.close(w)
            self.assertEqual((p.wait(timeout=60), p.stderr.read()), (0, b''))
            self.assertEqual(file_bytes(os.path.join(self.folder, 'o.trace')),
                             content(support.WORK)[:64 * 500])
            os.remove(os.path.join(self.folder, 'o.trace'))

    def test_a_loop_of_a_shell(self):
        """Tests Ctrl-C, which reaches all processes of a terminal. bash ends its loop only if the program dies by
        the signal."""
        if not os.path.exists('/bin/bash'):
            self.skipTest('no bash')
        fifo = os.path.join(self.folder, 'fifo')
        os.mkfifo(fifo)
        p = subprocess.Popen(
            ['/bin/bash', '-c', 'for n in 1 2 3; do echo $n; "$0" "$1" "$2"; done',
             PROGRAMS['trace_convert'], fifo, os.path.join(self.folder, 'o.trace')],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            start_new_session=True)
        self.addCleanup(p.stdout.close)
        w = os.open(fifo, os.O_WRONLY)
        time.sleep(0.3)
        os.killpg(p.pid, signal.SIGINT)
        self.assertEqual(p.stdout.read(), b'1\n')
        self.assertEqual(p.wait(timeout=60), -signal.SIGINT)
        os.close(w)
        self.assertEqual(os.listdir(self.folder), ['fifo'])

    def test_at_any_moment(self):
        """Tests signals at any moment, also between the check for a stop and the wait."""
        half = content(support.WORK)[:64 * 2000]
        for n in range(60):
            r, w = os.pipe()
            os.set_blocking(w, False)
            p = self.start('trace_convert', '-', os.path.join(self.folder, 'o.trace'), stdin=r)
            os.close(r)
            try:
                os.write(w, half)
            except BlockingIOError:
                pass
            time.sleep(0.0005 * n)
            self.check_ends(p, SIGNALS[n % 3], ('moment', n))
            os.close(w)


if __name__ == '__main__':
    faults.main()
