# trace_index when it is killed, or when two of them index the same trace.
import os
import signal
import struct
import subprocess
import sys
import time
import unittest

import support
from support import PROGRAMS, ProgramTest, file_bytes, run

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'query'))
import reader  # noqa: E402

RECORD = struct.Struct('<Q2B2B4B2Q4Q')


def records(begin, end):
    """Returns ChampSim records, each of which stores to another line."""
    return b''.join(RECORD.pack(0x401000 + n % 1000 * 4, 0, 0, 1, 0, 2, 0, 0, 0, 0x10000 + n * 64, 0, 0x601000, 0, 0, 0)
                    for n in range(begin, end))


@unittest.skipUnless(os.path.isdir('/proc/self/fd'), 'needs the open files of a process')
class Interrupted(ProgramTest):
    def setUp(self):
        super().setUp()
        self.trace = os.path.join(self.folder, 'trace.champsim')
        self.index = self.trace + '.tcidx'

    def append(self, begin, end):
        with open(self.trace, 'ab') as f:
            f.write(records(begin, end))

    def start_in_the_middle(self):
        """Starts trace_index, and stops it while it writes the index."""
        while True:
            p = subprocess.Popen([PROGRAMS['trace_index'], self.trace], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            while p.poll() is None and not self.writes_in_the_folder(p.pid):
                time.sleep(0.0002)
            if p.poll() is None:
                p.send_signal(signal.SIGSTOP)
                _, status = os.waitpid(p.pid, os.WUNTRACED)
                if os.WIFSTOPPED(status):
                    return p
            p.communicate()

    def writes_in_the_folder(self, process):
        folder = '/proc/%d/fd' % process
        try:
            names = [os.readlink(os.path.join(folder, n)) for n in os.listdir(folder)]
        except OSError:  # the process has closed the file, or has ended
            return False
        return any(os.path.dirname(n) == os.path.realpath(self.folder) and n not in (self.trace, self.index)
                   for n in names)

    def finish(self, process):
        process.send_signal(signal.SIGCONT)
        said, errors = process.communicate()
        self.assertEqual((process.returncode, errors), (0, b''))
        return said

    def kill(self, process):
        process.kill()
        process.communicate()
        self.assertEqual(process.returncode, -signal.SIGKILL)

    def check_index(self, end):
        """Checks that the index has the stores of the first `end` records, and that nothing else is in the folder."""
        self.assertEqual(sorted(os.listdir(self.folder)), ['trace.champsim', 'trace.champsim.tcidx'])
        index = reader.Index(file_bytes(self.index))
        self.assertEqual((index.instructions, index.trace_size), (end, end * RECORD.size))
        self.assertEqual([(p.granule, p.instruction) for p in index.postings(reader.WRITES)],
                         [(0x10000 // 64 + n, n) for n in range(end)])

    def test_a_killed_program_leaves_no_half_index(self):
        self.append(0, 60000)
        self.kill(self.start_in_the_middle())
        self.assertFalse(os.path.exists(self.index))
        self.assertEqual(run('trace_index', self.trace).returncode, 0)
        self.check_index(60000)

    def test_a_killed_program_leaves_the_index_before(self):
        self.append(0, 40000)
        self.assertEqual(run('trace_index', self.trace).returncode, 0)
        earlier = file_bytes(self.index)
        self.append(40000, 60000)
        self.kill(self.start_in_the_middle())
        self.assertEqual(file_bytes(self.index), earlier)
        r = run('trace_index', self.trace)
        self.assertEqual((r.returncode, r.stderr), (0, b''))
        self.assertIn(b'the last 20001 of them', r.stdout)
        self.check_index(60000)

    def test_two_programs_index_a_trace_at_once(self):
        self.append(0, 40000)
        for begin, end in ((40000, 50000), (50000, 60000)):  # without and with an index before
            self.append(begin, end)
            first = self.start_in_the_middle()
            second = self.start_in_the_middle()
            self.finish(second)
            self.check_index(end)
            written = file_bytes(self.index)
            self.finish(first)
            self.check_index(end)
            self.assertEqual(file_bytes(self.index), written)


if __name__ == '__main__':
    support.main()
