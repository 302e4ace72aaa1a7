# SIGKILL at any moment leaves either the whole output or what was there before. Where unnamed
# files exist, nothing else remains; elsewhere, the next run removes the leftovers.
import collections
import json
import os
import shutil
import signal
import subprocess
import tempfile
import time

import faults
import support
from support import content, file_bytes

# System calls that change a file system, and the end of the process.
CALLS = ['openat', 'mkdir', 'write', 'pwrite64', 'fsync', 'linkat', 'rename', 'unlink', 'unlinkat',
         'rmdir', 'close', 'exit_group']
UNNAMED = 'O_TMPFILE'
NEVER = 60000  # more calls than any run makes


def has_unnamed_files():
    """Returns True if the file system of temporary files supports unnamed files that can get a name."""
    try:
        os.close(os.open(tempfile.gettempdir(), os.O_TMPFILE | os.O_WRONLY))
    except (AttributeError, OSError):
        return False
    return os.path.exists('/proc/self/fd')


UNNAMED_FILES = has_unnamed_files()


class Strace:
    """Shared code of the tests: counts system calls, and kills the program before one of them."""

    def traced(self, job, folder, *options, **more):
        """Returns (name, number) of the job's system calls. The number counts calls of the same name. The list
        begins with the first call about temporary files."""
        log = os.path.join(self.folder, 'log')
        subprocess.run(['strace', '-qq', '-o', log, *options, *job.command(folder)],
                       stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL, timeout=120, **more)
        found, counts, begun = [], collections.Counter(), False
        with open(log) as f:
            for line in f:
                name = line.split('(')[0]
                counts[name] += 1
                begun |= faults.TEMPORARY in line or UNNAMED in line
                if begun and name in CALLS:
                    found.append((name, counts[name]))
        return found

    def require_strace(self):
        if not shutil.which('strace') or subprocess.run(
                ['strace', '-qq', '-e', 'inject=close:retval=0:when=9999', 'true'],
                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode != 0:
            self.skipTest('needs strace, and the right to trace')


class Killed(Strace, faults.FaultTest):
    def check(self, job, folder, before, about):
        """Returns True if the output exists."""
        there = self.check_all_or_nothing(job, folder, before, about)
        if not there:
            self.assertEqual(faults.tree(folder), before, (job.name, about))
        return there

    def check_run_after(self, job, folder):
        if job.out == 'folder' and os.path.exists(os.path.join(folder, job.out)):
            return
        done = job.run(folder)
        self.assertEqual(done.returncode, 0, (job.name, done.stderr))
        self.assertEqual(faults.tree(folder), self.whole[job])
        self.assertEqual(faults.temporaries(folder), [], job.name)

    def check_left(self, job, folder, call):
        """Checks leftovers. With unnamed files, a leftover may exist only directly before a rename."""
        left = faults.temporaries(folder)
        self.assertLessEqual(len(left), 1, (job.name, call))
        if UNNAMED_FILES and job.out in self.whole[job] and call != 'rename':
            self.assertEqual(left, [], (job.name, call))

    def test_no_trace_beside_metadata_of_another(self):
        self.require_strace()
        names = ('o.data', 'o.json')
        old, new = ([file_bytes(faults.sample('rapidbin/%s.%s' % (n, end)))
                     for end in ('data', 'json')] for n in ('r250', 'r6000'))
        for job in [j for j in self.jobs if j.out == 'o.data']:
            new[1] = self.whole[job]['o.json']
            seen = set()
            for call in ('rename', 'unlink', 'fsync'):
                for n in range(1, 9):
                    with tempfile.TemporaryDirectory() as folder:
                        for name, data in zip(names, old):
                            with open(os.path.join(folder, name), 'wb') as f:
                                f.write(data)
                        self.traced(job, folder, '-e', 'trace=' + call, '-e',
                                    'inject=%s:signal=SIGKILL:when=%d' % (call, n))
                        now = faults.tree(folder)
                        self.assertIn(now['o.data'], (old[0], new[0]), (call, n))
                        is_new = now['o.data'] == new[0]
                        if 'o.json' in now:
                            self.assertEqual(now['o.json'], (new if is_new else old)[1], (call, n))
                        seen.add((is_new, 'o.json' in now))
            self.assertEqual(seen, {(False, True), (False, False), (True, False), (True, True)})

    def test_before_each_system_call(self):
        self.require_strace()
        kills = 0
        for job in self.jobs:
            with tempfile.TemporaryDirectory() as folder:
                calls = self.traced(job, folder, '-e', 'trace=' + ','.join(CALLS))
                self.assertEqual(faults.tree(folder), self.whole[job])
            # All calls at the end, where files receive their names, and some of the others.
            for i, (name, n) in enumerate(calls):
                if i % max(1, len(calls) // 5) != 0 and i < len(calls) - 7:
                    continue
                with tempfile.TemporaryDirectory() as folder:
                    before = self.put_old(job, folder) if i % 2 and job.out != 'folder' else {}
                    self.traced(job, folder, '-e', 'trace=' + name, '-e',
                                'inject=%s:signal=SIGKILL:when=%d' % (name, n))
                    there = self.check(job, folder, before, (name, n))
                    self.check_left(job, folder, name)
                    kills += 1
                    if i == 0:
                        self.assertFalse(there, job.name)
                    if name == 'exit_group':
                        self.assertTrue(there, job.name)
                    if i % 5 == 0 or faults.temporaries(folder):
                        self.check_run_after(job, folder)
            self.assertEqual(calls[-1][0], 'exit_group')
        print(kills, 'kills', end=' ')

    def test_at_times(self):
        """Kills without strace, with a trace that is large enough to interrupt writing."""
        large = os.path.join(self.folder, 'large')
        with open(large, 'wb') as f:
            for _ in range(8):
                f.write(content(support.WORK))
        job = faults.Job('trace_convert', [large, 'OUT'], 'o.trace')
        self.whole[job] = {'o.trace': content(support.WORK) * 8}
        kills = 0
        for n in range(48):
            with tempfile.TemporaryDirectory() as folder:
                before = self.put_old(job, folder) if n % 2 else {}
                p = subprocess.Popen(job.command(folder), stderr=subprocess.DEVNULL)
                # Kill at once, then after a number of bytes and a delay, both increasing with
                # n.
                while n >= 8 and p.poll() is None and self.written(p, folder) < (n - 8) * 800000:
                    continue
                time.sleep(0.0005 * (n % 8))
                p.send_signal(signal.SIGKILL)
                kills += p.wait() == -signal.SIGKILL
                self.check(job, folder, before, n)
                if not before:
                    self.check_left(job, folder, 'any')
                if n % 8 == 0:
                    self.check_run_after(job, folder)
        self.assertGreater(kills, 24)

    def test_closed_pipe(self):
        """Tests that a temporary file is removed if the reader of a pipe has gone."""
        for text in (False, True):
            nobody, pipe = os.pipe()
            os.close(nobody)
            p = subprocess.run([support.PROGRAMS['trace_convert'], faults.sample('rapidbin/r6000.data'),
                                '-', '--to=' + ('std' if text else 'rapidbin')], stdout=pipe,
                               stderr=subprocess.PIPE, env=dict(os.environ, TMPDIR=self.folder))
            os.close(pipe)
            self.assertEqual((p.returncode, p.stderr), (-signal.SIGPIPE, b''))
            self.assertEqual(os.listdir(self.folder), [])

    def test_nobody_reads_the_notes(self):
        for job in [j for j in self.jobs if j.out == 'r.trace32']:
            nobody, pipe = os.pipe()
            os.close(nobody)
            p = subprocess.run(job.command(self.folder), stderr=pipe)
            os.close(pipe)
            self.assertEqual((p.returncode, faults.tree(self.folder)), (0, self.whole[job]))

    @staticmethod
    def written(p, folder):
        """Returns the size of the temporary file, which may have no name."""
        try:
            named = sum(os.path.getsize(os.path.join(folder, n)) for n in faults.temporaries(folder))
            opened = '/proc/%d/fd' % p.pid
            sizes = {(s.st_dev, s.st_ino): s.st_size
                     for s in (os.stat(os.path.join(opened, n)) for n in os.listdir(opened))
                     if s.st_nlink == 0}
            return named + sum(sizes.values())
        except (FileNotFoundError, PermissionError):
            return 1 << 60


class Leftovers(Strace, faults.FaultTest):
    """Tests outputs that need named temporary files: a file system without O_TMPFILE, and folders anywhere."""

    def setUp(self):
        super().setUp()
        self.require_strace()
        self.raw = content(support.WORK)[:64 * 2000]
        self.log = os.path.join(self.top, 'log of ' + self.id())

    def unnamed_at(self, *arguments):
        """Returns the numbers of the openat() calls that request an unnamed file."""
        subprocess.run(['strace', '-qq', '-o', self.log, '-e', 'trace=openat',
                        support.PROGRAMS['trace_convert'], *arguments], input=self.raw,
                       stdout=subprocess.DEVNULL, check=True)
        with open(self.log) as f:
            return [i + 1 for i, line in enumerate(f) if UNNAMED in line]

    def start(self, out, *more, when):
        """Starts trace_convert with standard input and without O_TMPFILE. Returns its process id and the strace
        process."""
        p = subprocess.Popen(['strace', '-qq', '-o', self.log, '-e',
                              'inject=openat:error=EOPNOTSUPP:when=%d' % when,
                              support.PROGRAMS['trace_convert'], '-', out, *more],
                             stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        for close in (p.stdin.close, p.stderr.close, p.wait, p.kill):
            self.addCleanup(close)
        p.stdin.write(self.raw)
        p.stdin.flush()
        while not faults.temporaries(self.folder):
            self.assertIsNone(p.poll())
        with open('/proc/%d/task/%d/children' % (p.pid, p.pid)) as f:
            return int(f.read().split()[0]), p

    def run_again(self, out, *more):
        done = subprocess.run([support.PROGRAMS['trace_convert'], '-', out, *more], input=self.raw,
                              stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_files(self):
        out = os.path.join(self.folder, 'o.trace')
        at = self.unnamed_at('-', out)
        self.assertEqual(len(at), 1 if UNNAMED_FILES else len(at))
        os.remove(out)
        when = at[0] if at else NEVER
        # A run with a named temporary file succeeds.
        pid, p = self.start(out, when=when)
        self.assertEqual(len(faults.temporaries(self.folder)), 1)
        p.stdin.close()
        self.assertEqual(p.wait(), 0)
        self.assertEqual(faults.tree(self.folder), {'o.trace': self.raw})
        self.assertEqual(faults.temporaries(self.folder), [])
        # The next writer of the same output removes what a killed writer left. Other writers
        # do not.
        pid, p = self.start(out, when=when)
        os.kill(pid, signal.SIGKILL)
        p.wait()
        left = faults.temporaries(self.folder)
        self.assertEqual(len(left), 1)
        self.run_again(os.path.join(self.folder, 'other.trace'))
        self.assertEqual(faults.temporaries(self.folder), left)
        self.run_again(out)
        self.assertEqual(faults.temporaries(self.folder), [])

    def test_writers_that_live(self):
        """Tests several concurrent writers. The last writer to finish determines the file."""
        out = os.path.join(self.folder, 'o.trace')
        at = self.unnamed_at('-', out)
        os.remove(out)
        pid, p = self.start(out, when=at[0] if at else NEVER)
        left = faults.temporaries(self.folder)
        for n in range(3):
            self.run_again(out)
            self.assertEqual(faults.temporaries(self.folder), left)
        p.stdin.write(self.raw)
        p.stdin.close()
        self.assertEqual(p.wait(), 0)
        self.assertEqual(faults.tree(self.folder), {'o.trace': self.raw * 2})
        self.assertEqual(faults.temporaries(self.folder), [])

    def test_folders(self):
        if not {'simdjson', 'zydis'} <= support.PARTS:
            self.skipTest('needs simdjson and Zydis')
        self.raw = file_bytes(self.inputs['trace32'])
        out = os.path.join(self.folder, 'folder')
        half, self.raw = self.raw[1200000:], self.raw[:1200000]  # more than the lookahead
        pid, p = self.start(out, '--to=umtracer', when=NEVER)
        dead = faults.temporaries(self.folder)
        os.kill(pid, signal.SIGKILL)
        p.wait()
        self.assertEqual(faults.temporaries(self.folder), dead)
        # Another run removes the dead writer's folder, but leaves the folder of a living
        # writer alone.
        pid, p = self.start(out, '--to=umtracer', when=NEVER)
        while set(faults.temporaries(self.folder)) & set(dead) or not faults.temporaries(self.folder):
            self.assertIsNone(p.poll())
        living = faults.temporaries(self.folder)
        self.raw += half
        self.run_again(out, '--to=umtracer')
        self.assertEqual(faults.temporaries(self.folder), living)
        shutil.rmtree(out)
        p.stdin.write(half)
        p.stdin.close()
        self.assertEqual(p.wait(), 0)
        self.assertEqual(faults.temporaries(self.folder), [])
        self.assertIn('folder/exec.vtable', faults.tree(self.folder))


class KilledRecording(Strace, faults.RecordingTest):
    def test_before_each_system_call(self):
        self.require_strace()
        temporary = os.path.join(self.top, 'temporary')
        os.mkdir(temporary)
        more = {'env': dict(os.environ, TMPDIR=temporary)}
        for out in ('o.trace', 'o.trace64'):
            job = self.recording(out)
            places = out + '.maps.json'  # written once the trace exists
            with tempfile.TemporaryDirectory() as folder:
                calls = self.traced(job, folder, '-e', 'trace=' + ','.join(CALLS), **more)
                self.assertEqual(sorted(os.listdir(folder)), [out, places])
            self.assertEqual(os.listdir(temporary), [])
            seen = []
            # The first calls, and all calls at the end, where files receive their names.
            for i, (name, n) in enumerate(calls[:3] + calls[-20:]):
                with tempfile.TemporaryDirectory() as folder:
                    before = {out: b'old'} if i % 2 else {}
                    if before:
                        with open(os.path.join(folder, out), 'wb') as f:
                            f.write(b'old')
                    self.traced(job, folder, '-e', 'trace=' + name, '-e',
                                'inject=%s:signal=SIGKILL:when=%d' % (name, n), **more)
                    now = faults.tree(folder)
                    seen.append(now != before)
                    if now != before:
                        self.assertIn(sorted(now), ([out], [out, places]), (out, name, n))
                        self.check_sound(os.path.join(folder, out))
                        if places in now:
                            json.loads(now[places])
                    self.assertEqual(job.run(folder, **more).returncode, 0)
                    self.check_sound(os.path.join(folder, out))
                left = os.listdir(temporary)
                self.assertLessEqual(len(left), 1, (out, name, n))
                for other in left:
                    self.assertRegex(other, r'^\.tracecodec-\w+$')
                    shutil.rmtree(os.path.join(temporary, other))
            self.assertEqual((seen[0], seen[-1]), (False, True), out)

    def check_sound(self, path):
        done = subprocess.run([support.PROGRAMS['trace_check'], path], stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT)
        self.assertEqual(done.returncode, 0, done.stdout[:1000])

    def test_what_it_records_ends(self):
        p = subprocess.Popen([support.PROGRAMS['trace_record'], '-t', 'all', '-o',
                              os.path.join(self.folder, 'o.trace64'), '--', 'sleep', '100'],
                             stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.addCleanup(p.wait)
        self.addCleanup(p.kill)
        if not os.path.exists('/proc/self/task/%d/children' % os.getpid()):
            self.skipTest('the system does not tell children')
        children = ''
        while not children or not faults.is_writing(p.pid, self.folder):
            self.assertIsNone(p.poll())
            with open('/proc/%d/task/%d/children' % (p.pid, p.pid)) as f:
                children = f.read()
        p.kill()
        p.wait()
        # The program may be an orphan, and a zombie until it is reaped.
        until = time.monotonic() + 20
        while self.runs(int(children)):
            self.assertLess(time.monotonic(), until, 'what was recorded goes on')
            time.sleep(0.01)
        self.assertEqual(faults.tree(self.folder), {})

    @staticmethod
    def runs(pid):
        try:
            with open('/proc/%d/stat' % pid) as f:
                return f.read().rsplit(')', 1)[1].split()[0] not in 'ZX'
        except OSError:
            return False


if __name__ == '__main__':
    faults.main()
