# trace_record --engine ptrace: recordings of small programs whose every instruction is known,
# and of real programs. Python reads the traces according to the format's description.
import errno
import os
import signal
import subprocess
import time

import support
from support import records
from x64dbg_model import Trace

# 14 steps, including a store, a push, a call, a copy of three bytes and a copy of no bytes.
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

# Prints "x" once it runs, and continues until it is killed.
STUBBORN = r'''
#include <signal.h>
#include <unistd.h>
int main(void) {
  signal(SIGINT, SIG_IGN);
  signal(SIGTERM, SIG_IGN);
  signal(SIGHUP, SIG_IGN);
  if (write(1, "x", 1) != 1) return 1;
  for (;;) WAIT;
}
'''

# SIGTRAP in a program that handles, blocks or ignores it. The exit status identifies the
# failed check.
TRAPS = r'''
#define _GNU_SOURCE
#include <signal.h>
#include <unistd.h>
#include <stdint.h>
#include <sys/wait.h>
static volatile int traps, others, code;
static void on_trap(int s, siginfo_t* i, void* c) { (void)s; (void)c; code = i->si_code; ++traps; }
static void on_other(int s) { (void)s; ++others; }
static void handle(void (*f)(int, siginfo_t*, void*)) {
  struct sigaction a = {.sa_flags = SA_SIGINFO};
  a.sa_sigaction = f;
  sigaction(SIGTRAP, &a, 0);
}
int main(void) {
  sigset_t all, none, before, pending;
  sigfillset(&all); sigemptyset(&none);
  handle(on_trap);
  for (int i = 0; i < 3; ++i) __asm__ volatile("int3");
  if (traps != 3 || code != SI_KERNEL) return 1;
  raise(SIGTRAP);
  if (traps != 4 || code != SI_TKILL) return 3;
  sigprocmask(SIG_BLOCK, &all, &before);
  if (sigismember(&before, SIGTRAP)) return 4;
  kill(getpid(), SIGTRAP);
  for (volatile int i = 0; i < 9; ++i) continue;
  sigprocmask(SIG_BLOCK, &none, &before);
  if (!sigismember(&before, SIGTRAP) || traps != 4) return 5;
  sigpending(&pending);
  if (!sigismember(&pending, SIGTRAP)) return 6;
  sigprocmask(SIG_SETMASK, &none, 0);
  if (traps != 5 || code != SI_USER) return 7;
  signal(SIGUSR1, on_other);
  sigprocmask(SIG_BLOCK, &all, 0);
  raise(SIGUSR1);
  sigsuspend(&none);
  if (others != 1) return 8;
  sigprocmask(SIG_BLOCK, &none, &before);
  if (!sigismember(&before, SIGTRAP) || !sigismember(&before, SIGUSR1)) return 9;
  sigprocmask(SIG_SETMASK, &none, 0);
  __asm__ volatile("int3");
  if (traps != 6) return 10;
  unsigned long flags;
  __asm__ volatile("pushfq; pop %0" : "=r"(flags));
  if (flags & 0x100) return 11;
  __asm__ volatile("push %0; popfq" : : "r"(flags) : "cc");
  if (traps != 6) return 12;
  signal(SIGTRAP, SIG_IGN);
  raise(SIGTRAP);
  int status;
  if (fork() == 0) { signal(SIGTRAP, SIG_DFL); raise(SIGTRAP); _exit(0); }
  wait(&status);
  if (!WIFSIGNALED(status) || WTERMSIG(status) != SIGTRAP) return 14;
  return 0;
}
'''

# int3 kills a program that blocks SIGTRAP, whatever handler it has.
BLOCKED = r'''
#include <signal.h>
static void never(int s) { (void)s; }
int main(void) {
  sigset_t all;
  sigfillset(&all);
  signal(SIGTRAP, never);
  sigprocmask(SIG_BLOCK, &all, 0);
  __asm__ volatile("int3");
  return 3;
}
'''

CHILDREN = r'''
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
int main(void) {
  for (int i = 0; i < 2; ++i)
    if (fork() == 0) _exit(0);
  if (vfork() == 0) _exit(0);
  while (wait(0) > 0) continue;
  return 0;
}
'''

# Pushes and pops flags, while it is recorded and afterwards; then prints "x".
FLAGS = r'''
.globl _start
_start:
  pushfq
  popfq
  nop
  nop
  movb $120, -1(%rsp)
  lea -1(%rsp), %rsi
  mov $1, %edi
  mov $1, %edx
  mov $1, %eax
  syscall
  mov $60, %eax
  xor %edi, %edi
  syscall
'''

# Takes another path if addresses or texts differ.
READS_MAPS = r'''
#include <stdio.h>
#include <string.h>
int main(void) {
  char line[512];
  size_t n = 0;
  FILE* f = fopen("/proc/self/maps", "r");
  while (fgets(line, sizeof line, f)) n += strlen(line);
  return n == 0;
}
'''

# Single-steps a program that begins in the state of a recorded one: no random addresses, its
# arguments at a lower multiple of 64 KiB, random bytes 0. Prints each instruction pointer.
STEPS = r'''
#define _GNU_SOURCE
#include <elf.h>
#include <stdio.h>
#include <sys/personality.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>
static unsigned long block[8192];
int main(int c, char** v) {
  int status, lists = 0;
  size_t n = 0, first = 0;
  struct user_regs_struct r;
  pid_t p = fork();
  if (c < 2) return 2;
  if (p == 0) {
    personality(personality(0xFFFFFFFF) | ADDR_NO_RANDOMIZE);
    ptrace(PTRACE_TRACEME, 0, 0, 0);
    execv(v[1], v + 1);
    _exit(127);
  }
  waitpid(p, &status, 0);
  ptrace(PTRACE_GETREGS, p, 0, &r);
  for (;;) {
    block[n] = ptrace(PTRACE_PEEKDATA, p, r.rsp + 8 * n, 0);
    ++n;
    if (lists < 2) {
      lists += n > 1 && block[n - 1] == 0;
      first = n;
    } else if ((n - first) % 2 == 0) {
      if (block[n - 2] == AT_NULL) break;
      for (int i = 0; i < 2 && block[n - 2] == AT_RANDOM; ++i)
        ptrace(PTRACE_POKEDATA, p, block[n - 1] + 8 * i, 0);
    }
  }
  unsigned long sp = (r.rsp - 8 * n) & ~0xFFFFul;
  struct iovec from = {block, 8 * n}, to = {(void*)sp, 8 * n};
  process_vm_writev(p, &from, 1, &to, 1, 0);
  r.rsp = sp;
  ptrace(PTRACE_SETREGS, p, 0, &r);
  do {
    ptrace(PTRACE_GETREGS, p, 0, &r);
    printf("%llx\n", r.rip);
    ptrace(PTRACE_SINGLESTEP, p, 0, 0);
    waitpid(p, &status, 0);
  } while (WIFSTOPPED(status));
  return 0;
}
'''


def processes(argument):
    """Returns the ids of processes with this last argument."""
    found = []
    for pid in os.listdir('/proc'):
        try:
            with open('/proc/%s/cmdline' % pid, 'rb') as f:
                if f.read().split(b'\0')[-2:] == [argument.encode(), b'']:
                    found.append(pid)
        except OSError:
            pass
    return found


def waits_in_a_call(p, call):
    """Waits until the process has been in this system call for a while."""
    calm, until = 0, time.monotonic() + 60
    while calm < 20 and p.poll() is None and time.monotonic() < until:
        try:
            with open('/proc/%d/syscall' % p.pid) as f:
                calm = calm + 1 if f.read().split()[0] == call else 0
        except OSError:
            return time.sleep(2)  # the system does not provide this
        time.sleep(0.01)


def runs(program):
    """Returns True if the kernel can execute the program."""
    try:
        subprocess.run([program], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, check=False)
    except OSError as e:
        return e.errno != errno.ENOEXEC
    return True


class Record(support.RecordingTest):
    program = 'trace_record'

    def record(self, out, *arguments, **more):
        return super().record(out, '--engine', 'ptrace', *arguments, **more)

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
        # Three steps copy one byte each; the fourth begins with count 0.
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
        # Each change of flow is a taken branch. Other taken branches can only be jumps to the
        # next instruction.
        self.assertLess(abs(len(taken) - jumps), 10)
        self.assertTrue(jumps > 1000)

    def test_threads(self):
        program = self.program_of(THREADS, '-pthread')
        out = self.path('a.trace64')
        said = self.record(out, '-t', 'all', '--', program)
        self.assertIn(' of 4 threads\n', said)
        self.assertNotIn('status', said)  # a status would mean that the sum was wrong
        self.sound(out)
        last, wrong = {}, 0
        for b in Trace(support.file_bytes(out)).blocks:
            before = last.get(b['thread'])
            if before and before['opcode'] in ('90', 'c9', '55'):
                wrong += b['ip'] != before['ip'] + 1
            last[b['thread']] = b
        self.assertEqual((len(last), wrong), (4, 0))
        # Records do not contain a thread, and packed records do not either.
        notes = {}
        for name in ['b.champsim'] + ['b.tpack'] * ('zstd' in support.CODECS):
            said = support.run('trace_convert', out, self.path(name)).stderr.decode().splitlines()
            notes[name] = [line.partition('note: ')[2] for line in said if 'the thread changes' in line]
            self.assertEqual(len(notes[name]), 1)
        self.assertEqual(len(set(map(tuple, notes.values()))), 1)

    def test_signals_are_delivered(self):
        program = self.program_of(SIGNALS)
        out = self.path('a.trace64')
        self.assertIn("exit status was 7", self.record(out, '-t', 'all', '--', program, code=7))
        self.sound(out)

    def test_32_bits(self):
        program = self.program_of(SIGNALS, '-m32', '-static', '-isystem',
                                  '/usr/include/x86_64-linux-gnu')
        if not runs(program):
            self.skipTest('this kernel runs no program of 32 bits')
        out = self.path('a.trace32')
        self.assertIn("exit status was 7", self.record(out, '-t', 'all', '--', program, code=7))
        self.sound(out)
        self.assertEqual(Trace(support.file_bytes(out)).arch, 'x86')
        r = self.run_program('-o', self.path('b.trace64'), '--', program)
        self.assertEqual(r.returncode, 125)
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

    def test_skip_counts_what_ends_the_program(self):
        program = self.program_of(KNOWN, '-nostdlib', '-static', '-no-pie', suffix='.s')
        out = self.path('a.trace64')
        self.record(out, '-t', 'all', '--', program)
        all_of_it = len(Trace(support.file_bytes(out)).blocks)
        os.remove(out)
        r = self.run_program('--engine', 'ptrace', '-s', '1000', '-t', 'all', '-o', out, '--', program)
        self.assertEqual(r.returncode, 125)
        self.assertIn(b'the program ended after %d instructions' % all_of_it, r.stderr)
        self.assertFalse(os.path.exists(out))

    def test_a_path_that_is_no_utf8(self):
        program = self.program_of(KNOWN, '-nostdlib', '-static', '-no-pie', suffix='.s')
        odd = os.fsencode(self.path('')) + b'caf\xe9-\xc3\xa9'
        os.rename(program, odd)
        for name in ('a.trace64', 'a.champsimtrace'):
            self.record(self.path(name), '-t', 'all', '--', odd)
            self.assertTrue(os.path.exists(self.path(name)))
        self.assertEqual(Trace(support.file_bytes(self.path('a.trace64'))).header['path'],
                         self.path('') + 'caf\ufffd-\xe9')

    def test_ended_by_a_signal_it_keeps_what_was_recorded(self):
        for number, name, wait in ((signal.SIGINT, 'a.trace64', 'pause()'),
                                   (signal.SIGTERM, 'b.trace64', 'continue'),
                                   (signal.SIGHUP, 'c.champsimtrace', 'pause()')):
            program = self.program_of(STUBBORN.replace('WAIT', wait), '-static')
            temporary = self.path('temporary')
            os.makedirs(temporary, exist_ok=True)
            p = subprocess.Popen(
                [support.PROGRAMS['trace_record'], '--engine', 'ptrace', '-o', self.path(name), '-t', 'all', '--', program],
                stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                env=dict(os.environ, TMPDIR=temporary),
                # The tests may be run by a process that ignores a signal.
                preexec_fn=lambda: signal.signal(number, signal.SIG_DFL))
            with p:
                self.addCleanup(p.kill)
                there = p.stdout.read(1) == b'x'
                p.send_signal(number)
                said = p.stderr.read().decode()
            if 'does not permit ptrace' in said:
                self.skipTest(said.strip())
            self.assertTrue(there, said)
            self.assertEqual(p.returncode, -number, said)
            self.assertIn('note: signal %d ended the recording, and the program\n' % number, said)
            self.assertFalse(processes(program))
            self.assertEqual(os.listdir(temporary), [])
            r = support.run('trace_check', self.path(name))
            self.assertEqual(r.returncode, 0, r.stdout)
            self.assertIn(b' 0 errors', r.stdout)
            raw = support.file_bytes(self.path(name))
            n = len(Trace(raw).blocks) if name.endswith('64') else len(records(raw))
            self.assertIn(': %d instructions of 1 thread\n' % n, said)
            self.assertGreater(n, 1000)

    def test_two_signals_leave_no_trace_without_a_record(self):
        program = self.program_of(STUBBORN.replace('WAIT', 'continue'), '-static')
        out = self.path('a.champsimtrace')
        p = subprocess.Popen([support.PROGRAMS['trace_record'], '--engine', 'ptrace', '-o', out, '-t', 'all', '--', program],
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        with p:
            self.addCleanup(p.kill)
            p.stdout.read(1)
            p.send_signal(signal.SIGTERM)
            p.send_signal(signal.SIGTERM)
            said = p.stderr.read().decode()
        if 'does not permit ptrace' in said:
            self.skipTest(said.strip())
        self.assertEqual(p.returncode, -signal.SIGTERM, said)
        # Timing decides how much was recorded.
        self.assertEqual(os.path.exists(out), 'not written' not in said, said)
        if os.path.exists(out):
            self.assertGreater(os.path.getsize(out), 0, said)

    def test_ended_before_it_records_it_leaves_nothing(self):
        program = self.program_of(STUBBORN.replace('WAIT', 'pause()'), '-static')
        p = subprocess.Popen(
            [support.PROGRAMS['trace_record'], '--engine', 'ptrace', '-o', self.path('a.trace64'), '-s', '1000000000', '--',
             program], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        with p:
            self.addCleanup(p.kill)
            p.stdout.read(1)
            p.send_signal(signal.SIGTERM)
            said = p.stderr.read().decode()
        if 'does not permit ptrace' in said:
            self.skipTest(said.strip())
        self.assertEqual(p.returncode, -signal.SIGTERM, said)
        self.assertIn('not written: signal 15 ended it after ', said)
        self.assertFalse([f for f in os.listdir(self.folder) if f.startswith(('a.', '.'))])

    def test_a_pipe_that_nobody_reads(self):
        program = self.program_of(STUBBORN.replace('WAIT', 'continue'), '-static')
        for name in ('a.trace64', 'a.champsimtrace'):
            os.mkfifo(self.path(name))
            # A wait for a process that opens the pipe ends with one signal. A wait for a
            # reader needs one more.
            for opened, number in ((False, signal.SIGINT), (False, signal.SIGTERM), (True, signal.SIGHUP)):
                r = os.open(self.path(name), os.O_RDONLY | os.O_NONBLOCK) if opened else -1
                p = subprocess.Popen(
                    [support.PROGRAMS['trace_record'], '--engine', 'ptrace', '-o', self.path(name), '-t', 'all', '--', program],
                    stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                    preexec_fn=lambda: signal.signal(number, signal.SIG_DFL))
                with p:
                    self.addCleanup(p.kill)
                    if opened:
                        # ChampSim records are written after the whole recording.
                        if name.endswith('64'):
                            waits_in_a_call(p, '1')
                        else:
                            p.stdout.read(1)
                        p.send_signal(number)
                    waits_in_a_call(p, '1' if opened else '257')
                    p.send_signal(number)
                    said = p.stderr.read().decode()
                if opened:
                    os.close(r)
                if 'does not permit ptrace' in said:
                    self.skipTest(said.strip())
                self.assertEqual((p.returncode, said), (-number, 'trace_record: interrupted\n'))
        self.assertFalse(processes(program))

    def test_sigtrap_is_the_programs(self):
        for source, alone in ((TRAPS, 0), (BLOCKED, -signal.SIGTRAP)):
            program = self.program_of(source, '-static')
            self.assertEqual(subprocess.run([program], timeout=60).returncode, alone)
            out = self.path('a.trace64')
            said = self.record(out, '-t', 'all', '--', program, code=128 - alone if alone else 0)
            self.assertNotIn('exit status', said)
            self.assertEqual('ended by signal 5' in said, alone != 0, said)
            self.sound(out)

    def test_pushed_flags_are_the_programs(self):
        program = self.program_of(FLAGS, '-nostdlib', '-static', '-no-pie', suffix='.s')
        out = self.path('a.trace64')
        for count in ('all', '3'):
            r = self.run_program('-o', out, '-t', count, '--', program)
            self.assertEqual((r.returncode, r.stdout), (0, b'x'), r.stderr)
        trap_flag = 1 << 8
        self.assertEqual(Trace(support.file_bytes(out)).blocks[0]['memory'][0][2] & trap_flag, 0)

    def test_children_are_told(self):
        said = self.record(self.path('a.trace64'), '-t', 'all', '--',
                           self.program_of(CHILDREN, '-static'))
        self.assertIn('note: the program started 3 child processes, which are not recorded\n', said)

    def test_each_step_is_there(self):
        stepper = self.path('stepper')
        os.rename(self.program_of(STEPS), stepper)
        program = self.program_of(READS_MAPS, '-static')
        out = self.path('a.champsimtrace')
        self.record(out, '-t', 'all', '--', program)
        steps = subprocess.run([stepper, program], stdout=subprocess.PIPE, timeout=120).stdout
        self.assertEqual([r['ip'] for r in records(support.file_bytes(out))],
                         [int(ip, 16) for ip in steps.split()])

    def test_what_cannot_be(self):
        out = self.path('a.trace64')
        self.record(out, '--', self.path('missing'), code=125)
        self.record(self.path('no/such/a.trace64'), '--', '/bin/true', code=125)
        self.assertIn('ended after 14 instr', self.record(
            out, '-s', '99', '--', self.program_of(KNOWN, '-nostdlib', '-static', '-no-pie',
                                                   suffix='.s'), code=125))
        for arguments in ([], ['-o', '-', '--', '/bin/true'], ['-o', 'a.bz2', '--', '/bin/true'],
                          ['-t', '0', '-o', out, '--', '/bin/true'],
                          *(['-o', self.path('a' + ending), '--', '/bin/true']
                            for ending in ('.csv', '.jsonl.xz', '.json', '.txt', '.data', '.std',
                                            '.log', '.7z', '.tgz', '.CSV'))):
            self.assertEqual(self.run_program(*arguments).returncode, 125)
        self.assertEqual([f for f in os.listdir(self.folder) if f.startswith(('a.', '.'))], [])


if __name__ == '__main__':
    support.main()
