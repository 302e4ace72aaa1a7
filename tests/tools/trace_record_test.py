# trace_record: what it records of small programs whose every instruction is known, and of real ones.
# Python reads the traces by the format's description.
import os
import signal
import subprocess
import time

import support
from support import records
from x64dbg_model import Trace

# 14 steps: among them a store, a push, a call, a copy of three bytes and one of none.
KNOWN = r'''
.globl _start
.data
word: .quad 0x1122334455667788
from: .ascii "abc"
to:   .ascii "xyzw"
.text
_start:
  lea word(%rip), %rbx
  movl $0x0a0b0c0d, (%rbx)
  push %rbx
  call next
next:
  lea from(%rip), %rsi
  lea to(%rip), %rdi
  mov $3, %ecx
  rep movsb
  rep movsb
  mov $60, %eax
  xor %edi, %edi
  syscall
'''

THREADS = r'''
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int sum;
static void* add(void* p) {
  for (int i = 0; i < 50; ++i) {
    pthread_mutex_lock(&m);
    sum += i;
    pthread_mutex_unlock(&m);
  }
  return p;
}
int main(void) {
  pthread_t t[3];
  for (int i = 0; i < 3; ++i) pthread_create(&t[i], 0, add, 0);
  for (int i = 0; i < 3; ++i) pthread_join(t[i], 0);
  return sum == 3 * 50 * 49 / 2 ? 0 : 1;
}
'''

SIGNALS = r'''
#include <signal.h>
static volatile int n;
static void count(int s) { n += s == SIGUSR1; }
int main(void) {
  signal(SIGUSR1, count);
  for (int i = 0; i < 5; ++i) raise(SIGUSR1);
  return n == 5 ? 7 : 1;
}
'''


def processes(argument):
    """Ids of the processes whose last argument this is."""
    found = []
    for pid in os.listdir('/proc'):
        try:
            with open('/proc/%s/cmdline' % pid, 'rb') as f:
                if f.read().split(b'\0')[-2:] == [argument.encode(), b'']:
                    found.append(pid)
        except OSError:
            pass
    return found


def asleep(argument):
    """Whether the traced one of these processes waits for its time, in clock_nanosleep."""
    for pid in processes(argument):
        try:
            with open('/proc/%s/stat' % pid) as f, open('/proc/%s/syscall' % pid) as call:
                if f.read().rsplit(')', 1)[1].split()[0] == 'S' and call.read().startswith('230 '):
                    return True
        except OSError:
            pass
    return False


class Record(support.RecordingTest):
    program = 'trace_record'

    def sound(self, path):
        r = support.run('trace_check', path)
        self.assertEqual(r.returncode, 0, r.stdout)
        self.assertIn(b' 0 errors, 0 warnings', r.stdout)
        self.assertNotIn(b'cip-missing', r.stdout)

    def test_every_instruction_and_what_it_does(self):
        program = self.program_of(KNOWN, '-nostdlib', '-static', '-no-pie', suffix='.s')
        out = self.path('a.trace64')
        said = self.record(out, '-t', 'all', '--', program)
        self.assertIn('14 instructions of 1 thread\n', said)
        self.sound(out)
        trace = Trace(support.file_bytes(out))
        self.assertEqual(trace.header['arch'], 'x64')
        self.assertEqual(trace.header['path'], program)
        b = trace.blocks
        ops = [x['opcode'] for x in b]
        self.assertEqual([ops[1], ops[2], ops[3]], ['c7030d0c0b0a', '53', 'e800000000'])
        self.assertEqual(ops[6:],
                         ['b903000000'] + ['f3a4'] * 4 + ['b83c000000', '31ff', '0f05'])
        names = dict(rax=0, rcx=1, rbx=3, rsp=4, rsi=6, rdi=7, rip=16)
        at = lambda i, r: b[i]['state'][names[r]]
        word = at(1, 'rbx')
        self.assertEqual(b[1]['memory'],
                         [(word, 0x1122334455667788, 0x112233440a0b0c0d)])
        top = at(2, 'rsp')
        self.assertEqual([(m[0], m[2]) for m in b[2]['memory']], [(top - 8, word)])
        self.assertEqual([(m[0], m[2]) for m in b[3]['memory']], [(top - 16, at(4, 'rip'))])
        self.assertEqual(at(4, 'rsp'), top - 16)
        # Three steps copy a byte each; the fourth is entered with count 0.
        self.assertEqual([at(i, 'rcx') for i in range(7, 11)], [3, 2, 1, 0])
        for i, letter in zip(range(7, 10), b'abc'):
            source, target = b[i]['memory']
            self.assertEqual((source[0], target[0]), (at(i, 'rsi'), at(i, 'rdi')))
            self.assertEqual((source[1] & 255, target[2] & 255), (letter, letter))
        self.assertTrue(all(new is None for _, _, new in b[10]['memory']))
        self.assertEqual(at(13, 'rax'), 60)

    def test_path_and_memory_of_a_real_program(self):
        out = self.path('a.trace64')
        self.record(out, '-t', '20000', '--', '/bin/true')
        self.sound(out)
        blocks = Trace(support.file_bytes(out)).blocks
        self.assertEqual(len(blocks), 20000)
        self.assertEqual([b['index'] for b in blocks if len(b['registers']) == 172],
                         list(range(0, 20000, 512)))
        jumps = 0
        for a, b in zip(blocks, blocks[1:]):
            behind = a['ip'] + len(a['opcode']) // 2
            jumps += b['ip'] not in (behind, a['ip'])
        rows = support.run('trace_view', '-c', '-n', 'all', out).stdout.decode().splitlines()
        taken = [i for i, r in enumerate(rows[:-1]) if ' | BR(T)' in r]
        # What goes elsewhere is a taken branch, and nothing else is but a jump to the next one.
        self.assertLess(abs(len(taken) - jumps), 10)
        self.assertTrue(jumps > 1000)

    def test_threads(self):
        program = self.program_of(THREADS, '-pthread')
        out = self.path('a.trace64')
        said = self.record(out, '-t', 'all', '--', program)
        self.assertIn(' of 4 threads\n', said)
        self.assertNotIn('status', said)  # the sum was right
        self.sound(out)
        last, wrong = {}, 0
        for b in Trace(support.file_bytes(out)).blocks:
            before = last.get(b['thread'])
            if before and before['opcode'] in ('90', 'c9', '55'):
                wrong += b['ip'] != before['ip'] + 1
            last[b['thread']] = b
        self.assertEqual((len(last), wrong), (4, 0))

    def test_signals_are_delivered(self):
        program = self.program_of(SIGNALS)
        out = self.path('a.trace64')
        self.assertIn("exit status was 7", self.record(out, '-t', 'all', '--', program))
        self.sound(out)

    def test_32_bits(self):
        program = self.program_of(SIGNALS, '-m32', '-static', '-isystem',
                                  '/usr/include/x86_64-linux-gnu')
        out = self.path('a.trace32')
        self.assertIn("exit status was 7", self.record(out, '-t', 'all', '--', program))
        self.sound(out)
        self.assertEqual(Trace(support.file_bytes(out)).arch, 'x86')
        r = self.run_program('-o', self.path('b.trace64'), '--', program)
        self.assertEqual(r.returncode, 2)
        self.assertFalse(os.path.exists(self.path('b.trace64')))

    def test_skip_and_count_in_both_formats(self):
        program = self.program_of(KNOWN, '-nostdlib', '-static', '-no-pie', suffix='.s')
        out = self.path('a.trace64')
        self.record(out, '-s', '2', '-t', '3', '--', program)
        self.assertEqual([b['opcode'][:2] for b in Trace(support.file_bytes(out)).blocks],
                         ['53', 'e8', '48'])
        plain = self.path('a.champsimtrace')
        self.record(plain, '-s', '2', '-t', '3', '--', program)
        got = records(support.file_bytes(plain))
        self.assertEqual([support.branch_class(r) for r in got],
                         ['not_branch', 'direct_call', 'not_branch'])
        self.assertEqual(got[1]['ip'], got[0]['ip'] + 1)
        self.assertEqual(len([m for m in got[0]['destination_memory'] if m]), 1)

    def test_a_path_that_is_no_utf8(self):
        program = self.program_of(KNOWN, '-nostdlib', '-static', '-no-pie', suffix='.s')
        odd = os.fsencode(self.path('')) + b'caf\xe9-\xc3\xa9'
        os.rename(program, odd)
        for name in ('a.trace64', 'a.champsimtrace'):
            self.record(self.path(name), '-t', 'all', '--', odd)
            self.assertTrue(os.path.exists(self.path(name)))
        self.assertEqual(Trace(support.file_bytes(self.path('a.trace64'))).header['path'],
                         self.path('') + 'caf\ufffd-\xe9')

    def test_ended_by_a_signal_it_leaves_nothing(self):
        for number, name in ((signal.SIGTERM, 'a.trace64'), (signal.SIGHUP, 'a.champsimtrace')):
            seconds = '60.%d' % os.getpid()
            p = subprocess.Popen(
                [support.PROGRAMS['trace_record'], '-o', self.path(name), '-t', 'all', '--', 'sleep',
                 seconds], stderr=subprocess.PIPE, env=dict(os.environ, TMPDIR=self.folder),
                # Whoever runs the tests may ignore a signal, and so would the program.
                preexec_fn=lambda: signal.signal(number, signal.SIG_DFL))
            with p:
                for _ in range(50):  # until it sleeps
                    time.sleep(0.1)
                    if p.poll() is not None or asleep(seconds):
                        break
                self.assertTrue(p.poll() is not None or os.listdir(self.folder) != [])
                p.send_signal(number)
                said = p.stderr.read().decode()
            if p.returncode == 3:
                self.skipTest(said.strip())
            self.assertEqual((p.returncode, said), (1, 'trace_record: interrupted\n'))
            self.assertEqual(os.listdir(self.folder), [])
            self.assertFalse(processes(seconds))

    def test_what_cannot_be(self):
        out = self.path('a.trace64')
        self.record(out, '--', self.path('missing'), code=1)
        self.record(self.path('no/such/a.trace64'), '--', '/bin/true', code=1)
        self.assertIn('ended after 13 instr', self.record(
            out, '-s', '99', '--', self.program_of(KNOWN, '-nostdlib', '-static', '-no-pie',
                                                   suffix='.s'), code=1))
        for arguments in ([], ['-o', '-', '--', '/bin/true'], ['-o', 'a.bz2', '--', '/bin/true'],
                          *(['-o', self.path('a' + ending), '--', '/bin/true']
                            for ending in ('.csv', '.jsonl.xz', '.json', '.txt', '.data', '.std',
                                            '.log', '.7z', '.tgz', '.CSV', '.cloudsuite'))):
            self.assertEqual(self.run_program(*arguments).returncode, 2)
        self.assertEqual([f for f in os.listdir(self.folder) if f.startswith(('a.', '.'))], [])


if __name__ == '__main__':
    support.main()
