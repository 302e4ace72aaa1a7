# trace_record --engine qemu: for deterministic programs, it records the same instructions,
# addresses and branches as single steps. Also tests recordings of threads, child processes and
# parts.
import gzip
import json
import lzma
import os
import re
import shutil
import signal
import socket
import struct
import subprocess
import sys
import time

import support
import x64dbg_model
from support import records

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'tracepack'))
import reader as tracepack  # noqa: E402

START = r'''
typedef unsigned long word;
long call(long n, long a, long b, long c, long d) {
#ifdef __x86_64__
  register long r10 __asm__("r10") = d;
  long r;
  __asm__ volatile("syscall" : "=a"(r) : "a"(n), "D"(a), "S"(b), "d"(c), "r"(r10) : "rcx", "r11", "memory");
#else
  long r;
  __asm__ volatile("int $0x80" : "=a"(r) : "a"(n), "b"(a), "c"(b), "d"(c), "S"(d) : "memory");
#endif
  return r;
}
int run(void);
#ifdef __x86_64__
__asm__(".globl _start\n_start:\n  push %rax\n  pop %rax\n  call run\n  mov %eax, %edi\n  mov $60, %eax\n  syscall\n");
#else
__asm__(".globl _start\n_start:\n  push %eax\n  pop %eax\n  call run\n  mov %eax, %ebx\n  mov $1, %eax\n  int $0x80\n");
#endif
'''

# Freestanding programs: no library adapts itself to the processor.
PROGRAMS = {
    'loops and recursion': r'''
static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
int run(void) { int s = 0; for (int i = 0; i < 9; ++i) s += fib(i); return s; }
''',
    'indirect calls': r'''
static int add(int a) { return a + 3; }
static int twice(int a) { return 2 * a; }
int (*volatile all[2])(int) = {add, twice};
int run(void) { int s = 0; for (int i = 0; i < 20; ++i) s = all[i % 3 == 0](s) & 1023; return s & 127; }
''',
    'switch tables': r'''
volatile int what[] = {0, 5, 3, 1, 4, 2, 9, 6, 7, 3};
int run(void) {
  int s = 0;
  for (int i = 0; i < 10; ++i)
    switch (what[i]) {
      case 0: s += 7; break;
      case 1: s ^= 3; break;
      case 2: s *= 5; break;
      case 3: s -= 2; break;
      case 4: s += s; break;
      case 5: s |= 16; break;
      case 6: s &= 63; break;
      default: s += 1;
    }
  return s & 127;
}
''',
    'repeated instructions': r'''
char a[300], b[300];
int run(void) {
  for (int n = 0; n < 4; ++n) {
    void *to = a, *from = b; long count = n * 3;
    __asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(count) :: "memory");
    to = a; count = n;
    __asm__ volatile("rep stosl" : "+D"(to), "+c"(count) : "a"(n) : "memory");
    to = a; from = b; count = n * 2;
    __asm__ volatile("repe cmpsb" : "+D"(to), "+S"(from), "+c"(count) :: "memory", "cc");
    to = b + 7 - n; count = 9; b[7] = 1;
    __asm__ volatile("repne scasb" : "+D"(to), "+c"(count) : "a"(1) : "memory", "cc");
    from = b; count = n;
    __asm__ volatile("rep lodsw" : "+S"(from), "+c"(count) :: "eax", "memory");
  }
  return a[0];
}
''',
    'setjmp': r'''
static void* place[5];
__attribute__((noinline)) static void deep(int n) { if (n) deep(n - 1); else __builtin_longjmp(place, 1); }
int run(void) {
  volatile int n = 0;
  if (__builtin_setjmp(place) != 0) { if (++n == 3) return n; }
  deep(n + 2);
  return 0;
}
''',
    'code that changes': r'''
__attribute__((aligned(64))) unsigned char code[64] __attribute__((section(".text")));
__asm__(".text\n");
int run(void) {
  int s = 0;
  volatile unsigned char* c = code;
  for (int i = 0; i < 5; ++i) {
    c[0] = 0xb8; c[1] = (unsigned char)(i + 1); c[2] = c[3] = c[4] = 0; c[5] = 0xc3;
    s += ((int (*)(void))(word)code)();
  }
  return s;
}
''',
    'code that changes what comes next': r'''
int run(void) {
  int s = 0;
  for (int i = 0; i < 4; ++i)
    __asm__ volatile("lea 1f(%%rip), %%rax\n  incb 1(%%rax)\n 1: mov $5, %%ecx\n  add %%ecx, %0\n"
                     : "+r"(s) :: "rax", "rcx", "memory", "cc");
  return s;
}
''',
    'vectors': r'''
typedef float v4 __attribute__((vector_size(16)));
v4 a = {1, 2, 3, 4}, b[3];
double d = 2;
int run(void) {
  for (int i = 0; i < 3; ++i) b[i] = a * a + (v4){(float)i, 1, 2, 3};
  __asm__ volatile("movaps %0, %%xmm3\n movlps %%xmm3, 8+%1\n movss %%xmm3, %1\n movdqu 3+%1, %%xmm4\n"
                   "cvtsi2sd %%rsp, %%xmm5\n sqrtsd %2, %%xmm5\n maxps %0, %%xmm3\n"
                   : : "m"(a), "m"(b[1]), "m"(d) : "xmm3", "xmm4", "xmm5", "memory");
  return (int)b[2][3];
}
''',
    'instructions that two pages share': r'''
word n, m;
int run(void) {
  __asm__ volatile(".set at, 0\n .rept 11\n  jmp 2f\n .balign 4096\n .skip 4096 - 17 - at\n"
                   "2: incq n(%%rip)\n  movb $7, m(%%rip)\n 1: movl $0x55443322, m(%%rip)\n"
                   "  xchg %%rax, %%rax\n .set at, at + 1\n .endr\n" ::: "memory", "cc");
  return (int)n;
}
''',
    'x87': r'''
double a = 1.5, b;
long double wide;
char state[512] __attribute__((aligned(64)));
int n = 3;
int run(void) {
  __asm__ volatile("fldl %1\n fimull %2\n fld %%st(0)\n fstpl %0\n fstpt %3\n fldt %3\n fldpi\n faddp\n"
                   "fcomip %%st(0), %%st\n fnstenv %4\n fnsave %4\n frstor %4\n fxsave %4\n fxrstor %4\n fninit\n"
                   : "=m"(b) : "m"(a), "m"(n), "m"(wide), "m"(state) : "memory", "cc");
  return (int)b;
}
''',
    'what else accesses memory': r'''
word m[8] = {1, 2, 3, 4}; word* p = m; char table[256];
static void f(void) {}
void (*volatile g)(void) = f;
int run(void) {
  __asm__ volatile("lock incq %0\n lock cmpxchgq %%rcx, %0\n xchgq %%rax, %0\n lock xaddq %%rax, %0\n"
                   "push %0\n pop %1\n pushfq\n popfq\n btsq $70, %0\n"
                   "push %%rbp\n mov %%rsp, %%rbp\n push %%rax\n enter $16, $0\n leave\n enter $16, $2\n leave\n"
                   "pop %%rax\n pop %%rbp\n lea table(%%rip), %%rbx\n xlat\n"
                   "mov $77, %%ecx\n btq %%rcx, %0\n nopl 8(%%rax)\n prefetcht0 %0\n"
                   "lock cmpxchg16b 16+%0\n call *g(%%rip)\n jmp *1f(%%rip)\n 1: .quad 2f\n 2:\n"
                   "adcq %%rcx, %1\n lea %1, %%rbx\n shldq $3, %%rcx, (%%rbx)\n mulq %1\n divq %2\n"
                   : "+m"(m[0]), "+m"(m[4]) : "m"(m[3]) : "rax", "rbx", "rcx", "rdx", "memory", "cc");
  return 0;
}
''',
    'signals': r'''
struct action { void (*handler)(int); word flags; void (*restorer)(void); word mask; };
void back(void);
__asm__("back:\n  mov $15, %eax\n  syscall\n");
volatile int seen; volatile word* volatile where;
static word here;
static void handler(int s) { seen += s; where = &here; }
int run(void) {
  struct action a = {handler, 0x04000000, back, 0};
  call(13, 10, (long)&a, 0, 8);
  call(13, 8, (long)&a, 0, 8);
  call(13, 11, (long)&a, 0, 8);
  long self = call(39, 0, 0, 0, 0);
  for (int i = 0; i < 3; ++i) call(62, self, 10, 0, 0);
  return seen;
}
''',
    'a fault that ends it': r'''
volatile int* volatile where = (int*)8;
int run(void) { int s = 1; for (int i = 0; i < 5; ++i) s *= 3; *where = s; return s; }
''',
    'an instruction that is none': r'''
int run(void) { for (volatile int i = 0; i < 5; ++i) continue; __builtin_trap(); }
''',
    'a division by zero': r'''
volatile int zero;
int run(void) { return 5 / zero; }
''',
}
STACK = 1 << 20
INCLUDE = os.path.join(os.path.dirname(os.path.abspath(__file__)), '../../include')
# (QEMU 7.2 also accesses the byte before the operand of a shld or shrd with an immediate
# count, if the operand's address is relative to rip.)

THREADS = r'''
#include <pthread.h>
volatile int n[4];
__attribute__((noipa)) void once(int i) { ++n[i]; }
static void* work(void* p) { for (int k = 0; k < 3000; ++k) once((int)(long)p); return p; }
int main(void) {
  pthread_t t[3];
  for (long i = 0; i < 3; ++i) pthread_create(&t[i], 0, work, (void*)i);
  for (int i = 0; i < 3; ++i) pthread_join(t[i], 0);
  return n[0] + n[1] + n[2] == 9000 ? 0 : 1;
}
'''

# Each thread begins before the previous one has ended.
MANY = r'''
#include <pthread.h>
#include <semaphore.h>
#define MOST 4200
static volatile int n;
static sem_t go[2];
__attribute__((noipa)) void once(void) { __atomic_fetch_add(&n, 1, __ATOMIC_SEQ_CST); }
static void* work(void* p) { once(); sem_wait(p); return 0; }
int main(void) {
  pthread_t t[2];
  for (int i = 0; i < MOST; ++i) {
    sem_init(&go[i % 2], 0, 0);
    pthread_create(&t[i % 2], 0, work, &go[i % 2]);
    if (i == 0) continue;
    sem_post(&go[(i + 1) % 2]);
    pthread_join(t[(i + 1) % 2], 0);
  }
  sem_post(&go[(MOST - 1) % 2]);
  pthread_join(t[(MOST - 1) % 2], 0);
  return n == MOST ? 0 : 1;
}
'''

# Loads a plugin in the same way as QEMU, with the interface version in the argument. Prints
# the plugin's own version and the result of the installation.
HOST = r'''
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
struct info { const char* name; struct { int min, cur; } version; _Bool system; int more[2]; };
#ifdef FIRST
int qemu_plugin_n_vcpus(void) { return 1; }
#endif
void qemu_plugin_register_vcpu_syscall_cb(unsigned long long id, void* f) { puts("told of system calls"); }
void qemu_plugin_register_vcpu_tb_trans_cb(unsigned long long id, void* f) {}
int main(int argc, char** argv) {
  void* const plugin = dlopen(argv[1], RTLD_LAZY);
  if (plugin == NULL) return fputs(dlerror(), stderr), 1;
  struct info of = {"x86_64", {1, atoi(argv[2])}, 0, {0}};
  char* arguments[] = {"socket="};
  int (*install)(unsigned long long, struct info*, int, char**) =
      (int (*)(unsigned long long, struct info*, int, char**))dlsym(plugin, "qemu_plugin_install");
  printf("for version %d\n", *(int*)dlsym(plugin, "qemu_plugin_version"));
  printf("installed: %d\n", install(7, &of, 1, arguments));
  return 0;
}
'''

# Three threads without a library. Each computes fib of its argument plus 5 and writes the
# result to a pipe.
OWN_THREADS = r'''
char stacks[3][4096] __attribute__((aligned(16)));
int ends[2];
static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
__attribute__((used, noreturn)) void work(long n) {
  char all = (char)fib((int)n + 5);
  call(1, ends[1], (long)&all, 1, 0);
  for (;;) call(60, 0, 0, 0, 0);
}
/* The kernel sets the word at `runs` to the thread's number, and to 0 at its end. */
long begin(void* stack, long n, int* runs);
__asm__("begin:\n  push %rbx\n  mov %rsi, %rbx\n  mov %rdi, %rsi\n  mov %rdx, %r10\n  mov $0x350f00, %edi\n"
        "  xor %r8d, %r8d\n  mov $56, %eax\n  syscall\n  test %rax, %rax\n  jnz 1f\n  mov %rbx, %rdi\n  call work\n"
        "1: pop %rbx\n  ret\n");
int runs[3];
long numbers[3];
int run(void) {
  char got;
  int sum = 0;
  call(22, (long)ends, 0, 0, 0);
  for (int i = 0; i < 3; ++i) numbers[i] = begin(stacks[i] + 4096, i, &runs[i]);
  for (int i = 0; i < 3; ++i) {
    call(0, ends[0], (long)&got, 1, 0);
    sum += got;
  }
  /* Once each, whether it still runs or not. */
  for (int i = 0; i < 3; ++i) call(202, (long)&runs[i], 0, numbers[i], 0);
  return sum == 5 + 8 + 13 ? 0 : 1;
}
'''

# Overwrites the memory in which it is recorded. The argument selects the places and the
# values.
OVERWRITES = r'''
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
int main(int c, char** v) {
  unsigned long next = strtoul(v[1], 0, 0), from[2], size[2];
  unsigned found = 0;
  char line[512];
  snprintf(line, sizeof line, "/proc/self/task/%d/maps", (int)getpid());  /* of the emulator, too */
  FILE* const maps = fopen(line, "r");
  while (maps != 0 && fgets(line, sizeof line, maps) != 0 && found < 2) {
    unsigned long end;
    if (strstr(line, "memfd:tracecodec") == 0 || sscanf(line, "%lx-%lx", &from[found], &end) != 2) continue;
    size[found] = end - from[found];
    ++found;
  }
  const int memory = open("/proc/self/mem", O_RDWR);
  if (found == 0 || memory < 0) return 9;
  for (unsigned i = 0; i < 3000; ++i) {
    unsigned long random[2];
    for (int k = 0; k < 2; ++k) random[k] = (next = next * 6364136223846793005UL + 1442695040888963407UL) >> 20;
    const unsigned m = i % 8 == 7 ? found - 1 : 0;
    unsigned long span = i % 2 ? 2200 : 1200000;
    if (span > size[m]) span = size[m];
    const unsigned value = random[1] % 4 == 0 ? random[1] >> 2 & 255 : random[1] >> 5;
    if (pwrite(memory, &value, sizeof value, from[m] + random[0] % (span / 4) * 4) != sizeof value) return 8;
    if (i % 16 == 0)
      for (volatile int k = 0; k < 20000; ++k) continue;
  }
  return 0;
}
'''

CHILDREN = r'''
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>
int main(int c, char** v) {
  if (c > 1 && v[1][0] == 'x') { puts("child"); return 0; }
  if (fork() == 0) { execl(v[0], v[0], "x", (char*)0); _exit(1); }
  int status;
  wait(&status);
  puts("parent");
  return WEXITSTATUS(status);
}
'''

# Program for any processor: 25 calls of fib for n = 6, through a pointer; a loop with 6
# passes; a sum in memory.
CROSS = r'''
#include <tracecodec/roi.h>
volatile int n;
static int (*volatile f)(int);
__attribute__((noipa)) int fib(int k) { return k < 2 ? k : fib(k - 1) + fib(k - 2); }
double d = 1.5;
int main(void) {
  f = fib;
  TRACECODEC_ROI_BEGIN();
  int s = f(6);
  for (int i = 0; i < 6; ++i) {
    d *= 1.25;
    __atomic_fetch_add(&n, 1, __ATOMIC_SEQ_CST);
  }
  TRACECODEC_ROI_END();
  return s == 8 ? 0 : 1;
}
'''

PART = r'''
#include <tracecodec/roi.h>
volatile int n;
__attribute__((noipa)) void inside(void) { n += 1; }
__attribute__((noipa)) void outside(void) { n += 2; }
int main(void) {
  for (int i = 0; i < 3; ++i) {
    outside();
    TRACECODEC_ROI_BEGIN();
    inside();
    TRACECODEC_ROI_END();
  }
  return 0;
}
'''


def symbol(program, name):
    """Returns the address of a function."""
    said = subprocess.run(['nm', program], stdout=subprocess.PIPE, check=True).stdout.decode()
    for line in said.splitlines():
        if line.split()[1:] in (['T', name], ['t', name]):
            return int(line.split()[0], 16)
    raise KeyError(name)


def variables(program):
    said = subprocess.run(['nm', program], stdout=subprocess.PIPE, check=True).stdout.decode()
    return {line.split()[2]: int(line.split()[0], 16) for line in said.splitlines()
            if line.split()[1] in 'BDSG'}


class Image:
    """Code at addresses of an ELF file, from its segments and from the lengths that objdump prints. If `each` is
    set, objdump is called for each instruction, because data lie between instructions."""

    def __init__(self, program, objdump='objdump', each=False):
        raw = support.file_bytes(program)
        if raw[4] == 2:
            at, size, count = struct.unpack_from('<Q14xHH', raw, 32)
            form, order = '<IIQQQQ', lambda kind, _, offset, address, __, n: (kind, address, offset, n)
        else:
            at, size, count = struct.unpack_from('<I10xHH', raw, 28)
            form, order = '<IIIII', lambda kind, offset, address, __, n: (kind, address, offset, n)
        self.parts = []
        for n in range(count):
            kind, address, offset, bytes_there = order(*struct.unpack_from(form, raw, at + n * size))
            if kind == 1:  # PT_LOAD
                self.parts.append((address, raw[offset:offset + bytes_there]))
        self.command = [objdump, '-d', '-w', program]
        self.each = each
        self.lengths, self.texts, self.asked = {}, {}, {}
        if not each:
            self.disassemble()

    def disassemble(self, *part):
        said = subprocess.run([*self.command, *part], stdout=subprocess.PIPE, check=True).stdout.decode()
        for line in said.splitlines():
            found = re.match(r' *([0-9a-f]+):\t((?:[0-9a-f]{2,8} )+) *\t(.*)', line)
            if found:
                ip = int(found[1], 16)
                self.lengths[ip] = len(found[2].replace(' ', '')) // 2
                self.texts[ip] = found[3]

    def length(self, ip):
        if ip not in self.asked:
            if self.each:
                self.disassemble('--start-address=%d' % ip, '--stop-address=%d' % (ip + 16))
            self.asked[ip] = self.lengths[ip]
        return self.asked[ip]

    def code(self, ip):
        for address, content in self.parts:
            if address <= ip < address + len(content):
                return content[ip - address:ip - address + self.length(ip)]
        raise KeyError(hex(ip))


def relative(all_of_it):
    """Returns records with stack addresses relative to the beginning of the stack, which the first instruction, a
    push, reveals."""
    top = all_of_it[0]['destination_memory'][0]
    assert top != 0
    place = lambda a: a - top if top - STACK < a < top + STACK else a
    return [{**r, 'destination_memory': [m and place(m) for m in r['destination_memory']],
             'source_memory': [m and place(m) for m in r['source_memory']]} for r in all_of_it]


def qemu_version():
    said = subprocess.run(['qemu-x86_64', '--version'], stdout=subprocess.PIPE, check=True).stdout
    return int(re.search(rb'version (\d+)', said)[1])


class Qemu(support.RecordingTest):
    program = 'trace_record'

    def setUp(self):
        super().setUp()
        if shutil.which('qemu-x86_64') is None:
            self.skipTest('qemu-x86_64 is not installed')

    def engine(self, engine, *arguments, layout='champsim', name='t', code=None):
        """Returns the records and the messages."""
        out = self.path('%s.%s' % (name, layout))
        said = self.record(out, '--engine', engine, *arguments, code=code)
        return records(support.file_bytes(out), layout), said

    def freestanding(self, source, *more):
        return self.program_of(START + source, '-O1', '-nostdlib', '-static', '-no-pie', '-fno-pie',
                               '-ffreestanding', '-fno-stack-protector', '-fno-builtin', '-Wl,-N', *more)

    def same_as_single_steps(self, name, *options):
        program = self.freestanding(PROGRAMS[name], *options)
        alone = subprocess.run([program], check=False).returncode
        code = alone if alone >= 0 else 128 - alone
        steps, said = self.engine('ptrace', '-t', 'all', '--', program, code=code)
        got, said_by_qemu = self.engine('qemu', '-t', 'all', '--', program, code=code)
        steps, got = relative(steps), relative(got)
        self.assertEqual([hex(r['ip']) for r in got], [hex(r['ip']) for r in steps])
        if name == 'signals':
            # The kernel chooses the position of a signal frame.
            for r in steps + got:
                r['destination_memory'] = [m for m in r['destination_memory'] if m > STACK]
                r['source_memory'] = [m for m in r['source_memory'] if m > STACK]
        if name == 'x87' and qemu_version() >= 9:
            # QEMU does not report the accesses of 80-bit numbers and of the whole x87 state.
            for a, b in zip(steps, got):
                if not any(b['destination_memory'] + b['source_memory']):
                    a.update({k: b[k] for k in ('destination_memory', 'source_memory')})
        for a, b in zip(steps, got):
            self.assertEqual(b, a, hex(a['ip']))
        clipped = lambda text: [line for line in text.splitlines() if 'more operands' in line]
        self.assertEqual(clipped(said_by_qemu), clipped(said))
        r = support.run('trace_check', self.path('t.champsim'))
        self.assertEqual(r.returncode, 0, r.stdout)

    def test_the_same_as_single_steps(self):
        for name in PROGRAMS:
            with self.subTest(name):
                self.same_as_single_steps(name)

    def test_the_same_of_32_bits(self):
        try:
            subprocess.run([self.freestanding('int run(void) { return 0; }', '-m32')], check=True)
        except OSError:
            self.skipTest('this kernel runs no program of 32 bits')
        for name in ('loops and recursion', 'indirect calls', 'switch tables', 'repeated instructions', 'setjmp',
                     'code that changes', 'a fault that ends it', 'an instruction that is none', 'a division by zero'):
            with self.subTest(name):
                self.same_as_single_steps(name, '-m32')

    def test_32_bits(self):
        program = self.freestanding(PROGRAMS['loops and recursion'] + 'char more[9];', '-m32')
        got, _ = self.engine('qemu', '-t', 'all', '--', program)
        steps = [line.split()[-1] for line in self.calls_of(program, got)]
        # fib(0) to fib(8) call themselves 2 * fib(n + 1) - 2 times.
        self.assertEqual(len(steps), sum((1, 1, 3, 5, 9, 15, 25, 41, 67)))

    def calls_of(self, program, got):
        """Returns the lines of a disassembly with calls of fib, each as often as it was executed."""
        code = subprocess.run(['objdump', '-d', program], stdout=subprocess.PIPE, check=True).stdout.decode()
        calls = {int(line.split(':')[0], 16): line for line in code.splitlines()
                 if '\tcall' in line and '<fib' in line}
        return [calls[r['ip']] for r in got if r['ip'] in calls]

    def test_parts(self):
        program = self.freestanding(PROGRAMS['indirect calls'])
        every, _ = self.engine('qemu', '-t', 'all', '--', program)
        some, said = self.engine('qemu', '-s', '50', '-t', '40', '--', program)
        self.assertEqual(some, every[50:90])
        self.assertIn(': 40 instructions of 1 thread, after 50 that were skipped\n', said)
        some, _ = self.engine('qemu', '-s', '10', '--every', '30', '--length', '7', '-t', 'all', '--', program)
        self.assertEqual(some, [r for at in range(10, len(every), 30) for r in every[at:at + 7]])
        r = self.run_program('-o', self.path('none.champsim'), '--engine', 'qemu', '-s', '100000', '--', program)
        self.assertEqual(r.returncode, 125)
        self.assertIn(b'not written: the program ended after %d instructions' % len(every), r.stderr)
        self.assertFalse(os.path.exists(self.path('none.champsim')))
        # Recordings that begin, or end, at the third execution of an address.
        ips = [r['ip'] for r in every]
        repeated = next(ip for ip in ips if ips.count(ip) == 20)
        third = [n for n, ip in enumerate(ips) if ip == repeated][2]
        some, _ = self.engine('qemu', '--start-at', hex(repeated) + ':3', '-t', 'all', '--', program)
        self.assertEqual(some, every[third:])
        some, _ = self.engine('qemu', '--stop-at', '%d:3' % repeated, '-t', 'all', '--', program)
        self.assertEqual(some, every[:third])

    def test_slow_outputs_get_the_same(self):
        """Tests slow outputs. The program waits while records are compressed, and continues after the last record."""
        program = self.freestanding('int run(void) { volatile int s = 0; for (int i = 0; i < 20000; ++i) s += i; '
                                    'return 0; }')
        every, _ = self.engine('qemu', '-t', 'all', '--', program)
        for codec in support.CODECS & {'xz', 'gzip'}:
            out = self.path('s.champsim.' + {'xz': 'xz', 'gzip': 'gz'}[codec])
            self.record(out, '-t', '40000', '--', program)
            raw = support.file_bytes(out)
            self.assertEqual(records(lzma.decompress(raw) if codec == 'xz' else gzip.decompress(raw)),
                             every[:40000])

    @support.needs('zstd')
    def test_packed(self):
        """Tests a recording in tracepack, which also describes the recorded program."""
        program = self.freestanding(PROGRAMS['indirect calls'])
        every, _ = self.engine('qemu', '-t', 'all', '--', program)
        for level in 'fast', 'high':
            out = self.path('s.tpack')
            self.run_program('-o', out, '-t', 'all', '--level', level, '--', program)
            raw = support.run('trace_convert', out, '-').stdout
            self.assertEqual(records(raw), every)
            about = json.loads(support.run('trace_view', '--about', '--json', out).stdout)
            self.assertEqual((about['program'], about['records']), (program, len(every)))
            self.assertIn('trace_record', about['recorder'])
        for name, *more in (('s.tpack.xz',), ('s.champsim', '--no-code'), ('s.champsim', '--about', 'comment=x')):
            r = self.run_program('-o', self.path(name), *more, '--', program)
            self.assertEqual(r.returncode, 125, name)

    @support.needs('zstd')
    def test_packed_without_code(self):
        """Tests both engines, and the message about the missing code."""
        program = self.freestanding(PROGRAMS['indirect calls'])
        for engine in 'qemu', 'ptrace':
            pack, got, known = self.packed('--no-code', '--about', 'comment=no code', '--', program, engine=engine)
            self.assertEqual((pack.about.properties & 7, pack.about.comment), (1, 'no code'))
            self.assertEqual(pack.about.program, program)
            self.assertEqual([p.branch_class for p in known], [support.branch_class(r) for r in got])
            self.assertEqual({(p.length, p.code) for p in known}, {(None, None)})

    def packed(self, *arguments, engine='qemu', name='p.tpack', code=None):
        """Records a program, and returns the pack, its records, and the properties of their instructions."""
        self.record(self.path(name), '--engine', engine, '-t', 'all', *arguments, code=code)
        return self.unpacked(name)

    def unpacked(self, name):
        pack = tracepack.read(self.path(name))
        layout = 'cloudsuite' if pack.about.kind == 1 else 'champsim'
        got = records(pack.content, layout)
        self.assertEqual(len(pack.properties), len(got))
        return pack, got, pack.properties

    @support.needs('zstd')
    def test_code_of_packed_records(self):
        """Tests that code equals the bytes of the program's file, and that classes equal the format's rules and
        single steps."""
        for name in ('indirect calls', 'switch tables', 'repeated instructions', 'vectors', 'x87',
                     'instructions that two pages share', 'what else accesses memory', 'a division by zero'):
            with self.subTest(name):
                program = self.freestanding(PROGRAMS[name])
                code = 136 if name == 'a division by zero' else None
                image = Image(program, each=True)
                pack, got, known = self.packed('--', program, code=code)
                self.assertEqual(pack.about.properties, 0x17)
                for r, p in zip(got, known):
                    self.assertEqual((p.code, p.length), (image.code(r['ip']), image.length(r['ip'])), hex(r['ip']))
                    self.assertEqual(p.branch_class, support.branch_class(r), hex(r['ip']))
                steps, _, known_by_steps = self.packed('--', program, engine='ptrace', code=code)
                self.assertEqual(steps.about.properties, 0x17)
                self.assertEqual(known, known_by_steps)
                plain, _ = self.engine('qemu', '-t', 'all', '--', program, code=code)
                self.assertEqual(got, plain)

    @support.needs('zstd')
    def test_code_of_32_bits(self):
        program = self.freestanding(PROGRAMS['loops and recursion'], '-m32')
        image = Image(program)
        pack, got, known = self.packed('--', program)
        self.assertEqual(pack.about.properties, 0x27)
        for r, p in zip(got, known):
            self.assertEqual((p.code, p.branch_class), (image.code(r['ip']), support.branch_class(r)), hex(r['ip']))

    @support.needs('zstd')
    def test_code_that_changes(self):
        """Tests that each execution has the code at the time of its execution."""
        program = self.freestanding(PROGRAMS['code that changes'])
        _, got, known = self.packed('--', program)
        at = symbol(program, 'code')
        self.assertEqual([p.code.hex() for r, p in zip(got, known) if r['ip'] == at],
                         ['b8%02x000000' % n for n in range(1, 6)])
        self.assertEqual(known, self.packed('--', program, engine='ptrace')[2])
        program = self.freestanding(PROGRAMS['code that changes what comes next'])
        _, _, known = self.packed('--', program)
        self.assertEqual([p.code.hex() for p in known if p.code[:1] == b'\xb9'],
                         ['b9%02x000000' % n for n in range(6, 10)])
        # A thousand codes at one address, repeatedly, while other threads run.
        program = self.freestanding(r'''
__attribute__((aligned(64))) unsigned char code[64] __attribute__((section(".text")));
__asm__(".text\n");
int run(void) {
  volatile unsigned char* c = code;
  c[0] = 0xb8; c[5] = 0xc3;
  for (int i = 0; i < 3000; ++i) {
    *(volatile int*)(c + 1) = i % 1000;
    if (((int (*)(void))(word)code)() != i % 1000) return 1;
  }
  return 0;
}
''')
        _, got, known = self.packed('--', program, code=0)
        at = symbol(program, 'code')
        self.assertEqual([p.code for r, p in zip(got, known) if r['ip'] == at],
                         [b'\xb8' + struct.pack('<I', n % 1000) for n in range(3000)])

    @support.needs('zstd')
    def test_code_of_threads_and_children(self):
        program = self.program_of(THREADS.replace('int main(void) {', r'''
            #include <sys/wait.h>
            #include <unistd.h>
            int main(void) {
              if (fork() == 0) { once(3); _exit(0); }
              wait(0);'''), '-O1', '-pthread', '-static')
        image = Image(program)
        self.packed('--threads', '--follow-forks', '--', program)
        names = sorted(f for f in os.listdir(self.folder) if f.endswith('.tpack'))
        self.assertEqual(names, ['p.process2.tpack', 'p.thread2.tpack', 'p.thread3.tpack', 'p.thread4.tpack', 'p.tpack'])
        for name in names:
            _, got, known = self.unpacked(name)
            self.assertEqual(symbol(program, 'once') in [r['ip'] for r in got], name != 'p.tpack')
            for r, p in zip(got, known):
                self.assertEqual(p.code, image.code(r['ip']), hex(r['ip']))
        pack, got, known = self.packed('--format', 'cloudsuite', '--', program)
        self.assertEqual((pack.about.kind, len({tuple(r['asid']) for r in got})), (1, 4))
        for r, p in zip(got, known):
            self.assertEqual((p.code, p.branch_class), (image.code(r['ip']), support.branch_class(r)), hex(r['ip']))

    @support.needs('zstd')
    def test_code_of_what_a_program_becomes(self):
        """Tests a program that executes a program for another processor. A pack contains the code of one
        processor, and only classes for another."""
        other = self.cross('aarch64', 'int main(void) { return 5; }')
        image = Image(other, 'aarch64-linux-gnu-objdump')
        program = self.freestanding('char* volatile none;\n'
                                    'int run(void) { char* a[] = {"%s", 0}; call(59, (long)a[0], (long)a, (long)&none, 0);'
                                    ' return 1; }' % other)
        pack, got, known = self.packed('--', program, code=5)
        self.assertEqual(pack.about.properties, 0x17)
        before = next(n for n, p in enumerate(known) if p.code == b'\x0f\x05') + 1
        self.assertTrue(all(p.length for p in known[:before]))
        self.assertGreater(len(known), before + 1000)
        self.assertEqual({(p.length, bool(p.code)) for p in known[before:]}, {(None, False)})
        self.assertIn('direct_call', [p.branch_class for p in known[before:]])
        self.assertTrue(all(r['ip'] in image.lengths for r in got[before:]))

    @support.needs('zstd', 'zydis')
    def test_disassembly_of_what_was_recorded(self):
        program = self.freestanding(PROGRAMS['loops and recursion'])
        self.packed('--', program)
        lines = support.run('trace_view', '-c', '-n', 'all', self.path('p.tpack')).stdout.decode().splitlines()
        image = Image(program)
        for line in lines:
            ip = int(line.split('] ')[1].split()[0], 16)
            word = image.texts[ip].split()[0]
            same = {'ret': 'ret', 'call': 'call', 'jg': 'jnle', 'jle': 'jle', 'push': 'push', 'syscall': 'syscall'}
            if word in same:
                self.assertRegex(line, r'\| %s\b' % same[word])
        self.assertRegex(support.run('trace_view', '--about', self.path('p.tpack')).stdout.decode(),
                         r'properties +classes, lengths, code\n +processor +x86_64\n')

    def test_memory_stays_the_same(self):
        """Tests that memory does not grow with the number of instructions that wait for a slow output. Measures
        both processes at the end of the program."""
        if 'gzip' not in support.CODECS or not self.lives_within('-v 3000000'):
            self.skipTest('needs gzip, and no sanitizer, which has memory of its own')
        peaks = []
        for turns in (30, 500):
            line = 'i=0; while [ $i -lt %d ]; do i=$((i+1)); done; cat /proc/$PPID/status /proc/$$/status' % turns
            r = self.run_program('-o', self.path('m.champsim.gz'), '-t', 'all', '--', '/bin/sh', '-c', line)
            self.assertEqual(r.returncode, 0, r.stderr)
            peaks.append([int(n) << 10 for n in re.findall(rb'VmHWM:\s+(\d+) kB', r.stdout)])
        bytes_of_records = 64 * int(r.stderr.split(b' instructions')[0].split()[-1])
        self.assertGreater(bytes_of_records, 64 << 20)
        for few, many in zip(*peaks, strict=True):
            self.assertLess(many - few, 24 << 20)

    @staticmethod
    def limited(limit, *arguments):
        return subprocess.run(['/bin/bash', '-c', 'ulimit %s; exec "$@"' % limit, 'sh', support.PROGRAMS['trace_record'],
                               *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)

    def lives_within(self, limit):
        """Returns True if trace_record starts within the limit. With a sanitizer it needs terabytes of address
        space."""
        return self.limited(limit, '--version').returncode == 0

    def test_limits_of_the_shell(self):
        """Tests limits. Less memory is shared if a limit requires it, and a limit that is too low is named."""
        out = self.path('l.champsim')
        for limit, code, words in (('-f 500000', 0, b''), ('-v 3000000', 0, b''),
                                   ('-f 1000', 125, b'shared memory of 345 MiB (ulimit -f): '), ('-n 8', 125, b'(ulimit -n)')):
            # A sanitizer also needs file descriptors.
            if not self.lives_within(limit) or (limit.startswith('-n') and not self.lives_within('-v 3000000')):
                continue
            r = self.limited(limit, '-o', out, '--engine', 'qemu', '-t', '10', '--', '/bin/true')
            self.assertEqual(r.returncode, code, (limit, r.stderr))
            self.assertIn(words, r.stderr)

    def test_benchmarks(self):
        """Tests the output of the benchmarks, with small inputs."""
        program = self.freestanding('int run(void) { for (volatile int i = 0; i < 300; ++i) continue; return 0; }')
        bench = os.path.join(INCLUDE, '..', 'bench')
        run = lambda *line: subprocess.run([sys.executable, *line], stdout=subprocess.PIPE, check=True,
                                           cwd=self.folder).stdout.decode()
        rows = run(os.path.join(bench, 'recording.py'), support.PROGRAMS['trace_record'], program).splitlines()
        self.assertRegex(rows[0], r'^\d+ instructions$')
        self.assertEqual(len(rows), 11)
        for row in rows[2:]:
            self.assertRegex(row, r'  [\d.]+ +[\d.]+$')
        if shutil.which('sed') is not None and {'xz', 'zstd'} <= support.CODECS:
            rows = run(os.path.join(bench, 'recording.py'), '--programs', '--limit', '10000',
                       support.PROGRAMS['trace_record'], 'sed').splitlines()
            self.assertEqual(len(rows), 3)
            self.assertRegex(rows[2], r'^\| `sed` \| [\d,]+ \| \d+ (\| [\d.e+]+ ){5}\|$')
        if 'frontend_sim' in support.PROGRAMS and shutil.which('awk') is not None and 'zstd' in support.CODECS:
            os.mkdir(self.path('traces'))
            rows = run(os.path.join(bench, 'ten_programs.py'), '--limit', '20000', '--only', 'awk', '--folder', 'traces',
                       *(support.PROGRAMS[name] for name in ('trace_record', 'trace_check', 'frontend_sim')))
            self.assertIn('| `awk` | 1 | 20,000 | ', rows)
            self.assertEqual(os.listdir(self.path('traces')), [])

    def python_with_numpy(self):
        python = '/usr/bin/python3'
        if subprocess.run([python, '-c', 'import numpy'], stderr=subprocess.DEVNULL, check=False).returncode != 0:
            self.skipTest('needs NumPy')
        return python

    def test_samples(self):
        python = self.python_with_numpy()
        # 400 passes of one loop, then 200 of another: intervals of 1000 instructions, and a
        # short one.
        program = self.freestanding('volatile int n; int run(void) { for (int i = 0; i < 400; ++i) n += i; '
                                    'for (int i = 0; i < 200; ++i) { n ^= 3; n *= 5; } return 7; }')
        every, _ = self.engine('qemu', '-t', 'all', '--', program)
        r = subprocess.run([python, os.path.join(INCLUDE, '..', 'examples', 'tutorial', 'simpoints.py'), '--trace-record',
                            support.PROGRAMS['trace_record'], '--interval', '1000', '-o', self.path('s.champsim'), '--',
                            program], stdout=subprocess.PIPE, check=True)
        points = [line.split() for line in r.stdout.decode().splitlines()[1:]]
        self.assertGreater(len(points), 1)
        self.assertAlmostEqual(sum(float(weight) for weight, _, _ in points), 1, 3)
        for _, interval, out in points:
            at = int(interval) * 1000
            self.assertEqual(records(support.file_bytes(out)), every[at:at + 1000])
        # The man page and completions are made from this text.
        said = subprocess.run([python, os.path.join(INCLUDE, '..', 'examples', 'tutorial', 'simpoints.py'), '--help'],
                              stdout=subprocess.PIPE, check=True).stdout.decode()
        for option in ('-o', '--interval', '--points', '--trace-record', '--version', '-h,--help'):
            self.assertRegex(said.partition('\nOptions:\n')[2], r'(?m)^  %s( [A-Z]+)? +[A-Z]' % option)
        # A name that does not suit a trace of samples is refused before the program runs.
        for name in ('s.tar.x', 's.trace64'):
            r = subprocess.run([python, os.path.join(INCLUDE, '..', 'examples', 'tutorial', 'simpoints.py'), '--trace-record',
                                support.PROGRAMS['trace_record'], '-o', self.path(name), '--', 'touch', self.path('ran')],
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
            self.assertEqual((r.returncode, r.stdout), (1, b''), r.stderr)
            self.assertFalse(os.path.exists(self.path('ran')))
        # The weight of a short interval is in proportion to its length.
        weights = subprocess.run([python, '-c', 'import numpy, simpoints; print(simpoints.chosen(numpy.array([[0.] * 15, [1.] '
                                  '* 15]), numpy.array([300., 100.]), 2))'], stdout=subprocess.PIPE, check=True,
                                 cwd=os.path.join(INCLUDE, '..', 'examples', 'tutorial')).stdout.decode()
        self.assertEqual([float(w) for w in re.findall(r'0\.\d+', weights)], [0.75, 0.25])

    def test_samples_run_in_the_same_environment(self):
        """Tests that the program's environment is unchanged. In the C locale, Python adds or changes LC_CTYPE only
        for itself."""
        python = self.python_with_numpy()
        program = self.program_of(r'''
            #include <stdio.h>
            int main(int c, char** v, char** all) {
              FILE* const to = fopen(v[1], "w");
              for (; *all != 0; ++all) fprintf(to, "%s%c", *all, 0);
              return fclose(to);
            }''')
        for given in ({'LANG': 'C', 'B': '2', 'A': '1 = \n'}, {'LC_CTYPE': 'C'}, {'LC_ALL': 'POSIX', 'EMPTY': ''}, {}):
            given = {'PATH': os.environ['PATH'], **given}
            subprocess.run([python, os.path.join(INCLUDE, '..', 'examples', 'tutorial', 'simpoints.py'), '--trace-record',
                            support.PROGRAMS['trace_record'], '--interval', '10000', '--points', '1', '-o',
                            self.path('s.champsim'), '--', program, self.path('environment')], env=given,
                           stdout=subprocess.DEVNULL, check=True)
            with open(self.path('environment'), newline='') as f:
                self.assertEqual(sorted(f.read().split('\0')[:-1]), sorted('%s=%s' % pair for pair in given.items()))

    def test_few_instructions_at_a_time(self):
        program = self.program_of(PART, '-O1', '-I', INCLUDE)
        every, _ = self.engine('qemu', '--markers', '-t', 'all', '--', program)
        some, _ = self.engine('qemu', '--markers', '-t', str(len(every) - 5), '--', program)
        self.assertEqual(some, every[:-5])

    @support.needs('libdw')
    def test_functions(self):
        program = self.freestanding(PROGRAMS['indirect calls'])
        every, _ = self.engine('qemu', '-t', 'all', '--', program)
        first = [r['ip'] for r in every].index(symbol(program, 'add'))
        some, _ = self.engine('qemu', '--start-at', 'add', '-t', '100', '--', program)
        self.assertEqual(some, every[first:first + 100])
        r = self.run_program('-o', self.path('n.champsim'), '--start-at', 'nothing', '--', program)
        self.assertEqual(r.returncode, 125, r.stderr)

    def test_markers(self):
        program = self.program_of(PART, '-O1', '-I', INCLUDE)
        at = lambda name: symbol(program, name) & 0xfff
        got, _ = self.engine('qemu', '--markers', '-t', 'all', '--', program)
        ips = [r['ip'] & 0xfff for r in got]
        self.assertEqual(ips.count(at('inside')), 3)
        self.assertEqual(ips.count(at('outside')), 0)
        self.assertLess(len(got), 60)

    def test_children_count_places_by_themselves(self):
        program = self.program_of(r'''
            #include <sys/wait.h>
            #include <unistd.h>
            volatile int n;
            __attribute__((noipa)) void f(void) { ++n; }
            int main(void) {
              f();
              f();
              const int child = fork();
              for (int i = 0; i < 5; ++i) f();
              if (child != 0) wait(0);
              _exit(0);
            }''', '-O1', '-static')
        f = symbol(program, 'f')
        count = lambda name: [r['ip'] for r in records(support.file_bytes(self.path(name)))].count(f)
        self.engine('qemu', '--start-at', hex(f) + ':3', '--follow-forks', '-t', 'all', '--', program)
        self.assertEqual((count('t.champsim'), count('t.process2.champsim')), (5, 3))
        self.engine('qemu', '--stop-at', hex(f) + ':4', '--follow-forks', '-t', 'all', '--', program)
        self.assertEqual((count('t.champsim'), count('t.process2.champsim')), (3, 3))

    def test_markers_behind_the_limit(self):
        """Tests that a child begins inside or outside the markers like its parent, whether the parent was still
        recorded or not."""
        program = self.program_of(r'''
            #include <sys/wait.h>
            #include <tracecodec/roi.h>
            #include <unistd.h>
            static void work(int n) { for (volatile int i = 0; i < n; ++i) continue; }
            int main(void) {
              TRACECODEC_ROI_BEGIN();
              work(1000);
              if (fork() == 0) { work(50); _exit(0); }
              wait(0);
              TRACECODEC_ROI_END();
              if (fork() == 0) { work(1000); _exit(0); }
              wait(0);
              return 0;
            }''', '-O1', '-static', '-I', INCLUDE)
        self.engine('qemu', '--markers', '--follow-forks', '-t', '500', '--', program)
        traces = {f: os.path.getsize(self.path(f)) // 64 for f in os.listdir(self.folder) if f.endswith('.champsim')}
        self.assertEqual(sorted(traces), ['t.champsim', 't.process2.champsim'])
        self.assertEqual(traces['t.champsim'], 500)

    @support.needs('simdjson', 'zydis')
    def test_the_same_threads_as_single_steps(self):
        """Tests threads that are deterministic, because the first thread waits for the others only in the kernel.
        The program is not linked with -N, because QEMU 7.2 sometimes crashes if stacks share a page with code."""
        program = self.freestanding(OWN_THREADS, '-Wl,--no-omagic')
        self.record(self.path('t.trace64'), '-t', 'all', '--', program, code=0)
        steps = {}
        for b in x64dbg_model.Trace(support.file_bytes(self.path('t.trace64'))).blocks:
            steps.setdefault(b['thread'], []).append(hex(b['ip']))
        self.engine('qemu', '--threads', '-t', 'all', '--', program, code=0)
        got = [[hex(r['ip']) for r in records(support.file_bytes(self.path(f)))]
               for f in sorted(os.listdir(self.folder)) if f.endswith('.champsim')]
        self.assertEqual(len(got), 4)
        self.assertEqual(got[0], steps.pop(min(steps)))
        self.assertEqual(sorted(got[1:]), sorted(steps.values()))

    def test_threads(self):
        program = self.program_of(THREADS, '-O1', '-pthread', '-static')
        once = symbol(program, 'once')
        got, said = self.engine('qemu', '-t', 'all', '--', program)
        self.assertIn(' of 4 threads\n', said)
        self.assertEqual([r['ip'] for r in got].count(once), 9000)
        self.engine('qemu', '--threads', '-t', 'all', '--', program)
        for n in (2, 3, 4):
            raw = support.file_bytes(self.path('t.thread%d.champsim' % n))
            self.assertEqual([r['ip'] for r in records(raw)].count(once), 3000)
        wide, _ = self.engine('qemu', '-t', 'all', '--', program, layout='cloudsuite')
        self.assertEqual(len({tuple(r['asid']) for r in wide}), 4)
        for thread in {tuple(r['asid']) for r in wide}:
            self.assertIn([r['ip'] for r in wide if tuple(r['asid']) == thread].count(once), (0, 3000))

    def test_thousands_of_threads(self):
        """Tests thousands of threads. QEMU increases its numbers while threads overlap, and at most 4,096 can
        exist at once."""
        program = self.program_of(MANY, '-O1', '-pthread', '-static')
        said = self.record(self.path('t.champsim'), '-t', 'all', '--', program)
        self.assertIn(' of 4201 threads\n', said)
        self.assertNotIn('exit status', said)
        once = struct.pack('<Q', symbol(program, 'once'))
        raw = support.file_bytes(self.path('t.champsim'))
        self.assertEqual(sum(raw[at:at + 8] == once for at in range(0, len(raw), 64)), 4200)

    def test_children_of_what_has_reached_its_limit(self):
        """Tests that each process has its own limit."""
        line = 'i=0; while [ $i -lt 300 ]; do i=$((i+1)); done; /bin/echo x; /bin/echo y; exec /bin/echo z'
        r = self.run_program('-o', self.path('a.champsim'), '--follow-forks', '-t', '1000', '--', '/bin/sh', '-c', line)
        self.assertEqual((r.returncode, r.stdout), (0, b'x\ny\nz\n'), r.stderr)
        sizes = {f: os.path.getsize(self.path(f)) // 64 for f in os.listdir(self.folder) if f.endswith('.champsim')}
        self.assertEqual(sizes, {'a.champsim': 1000, 'a.process2.champsim': 1000, 'a.process3.champsim': 1000})
        self.assertNotIn(b'not recorded', r.stderr)

    def test_a_child_whose_parent_has_ended(self):
        """Tests that the child is recorded, whichever of the two processes reaches the recorder first."""
        program = self.freestanding('int run(void) { if (call(57, 0, 0, 0, 0) == 0) '
                                    'for (volatile int i = 0; i < 100; ++i) continue; return 0; }')
        for n in range(8):
            out = self.path('%d.champsim' % n)
            self.record(out, '--follow-forks', '-t', 'all', '--', program)
            self.assertGreater(os.path.getsize(self.path('%d.process2.champsim' % n)), 64 * 300)

    def test_other_processors_programs_that_are_not_recorded(self):
        """Tests programs that the kernel cannot run. QEMU runs them after a limit, and in children that are not
        followed."""
        program = self.cross('aarch64', r'''
            #include <stdio.h>
            #include <unistd.h>
            int main(int c, char** v) {
              puts("other");
              fflush(stdout);
              if (c > 1) execv(v[0], (char*[]){v[0], 0});
              return 5;
            }''')
        for limit in ('1000', 'all'):
            r = self.run_program('-o', self.path('a.champsim'), '-t', limit, '--', '/bin/sh', '-c',
                                 '%s; exec %s again' % (program, program))
            self.assertEqual((r.returncode, r.stdout), (5, b'other\nother\nother\n'), r.stderr)

    def test_children_and_what_a_program_becomes(self):
        program = self.program_of(CHILDREN)
        r = self.run_program('-o', self.path('a.champsim.gz'), '--engine', 'qemu', '-t', 'all', '--', program)
        self.assertEqual((r.returncode, r.stdout), (0, b'child\nparent\n'), r.stderr)
        self.assertIn(b'note: the program started 1 child process, which is not recorded\n', r.stderr)
        self.assertNotIn('a.process2.champsim.gz', os.listdir(self.folder))
        r = self.run_program('-o', self.path('b.champsim'), '--follow-forks', '-t', 'all', '--', program)
        self.assertEqual((r.returncode, r.stdout), (0, b'child\nparent\n'), r.stderr)
        child = records(support.file_bytes(self.path('b.process2.champsim')))
        self.assertIn(b'b.process2.champsim: %d instructions of a child process\n' % len(child), r.stderr)
        self.assertGreater(len(child), 10000)
        self.assertIn(b'b.process2.champsim: the program was replaced by another one (exec)', r.stderr)
        r = self.run_program('-q', '-o', self.path('b.champsim'), '--follow-forks', '-t', 'all', '--', program)
        self.assertEqual((r.returncode, r.stderr), (0, b''))
        # A program that closes files that it has not opened, and continues.
        program = self.program_of('''
            #include <unistd.h>
            int main(void) {
              for (int i = 3; i < 1024; ++i) close(i);
              if (fork() == 0) { for (volatile int i = 0; i < 100000; ++i); return 0; }
              for (volatile int i = 0; i < 100000; ++i);
              return 0;
            }''', '-O1')
        for more in ([], ['--follow-forks']):
            said = self.record(self.path('d.champsim'), '-t', 'all', *more, '--', program)
            self.assertGreater(int(said.split(' instructions')[0].split()[-1]), 300000, said)
        # A script, and the program that it executes.
        script = self.path('script')
        with open(script, 'w') as f:
            f.write('#!/bin/sh\nexec /bin/echo "$0" "$1"\n')
        os.chmod(script, 0o755)
        r = self.run_program('-o', self.path('c.champsim'), '-t', 'all', '--', script, 'x y')
        self.assertEqual((r.returncode, r.stdout), (0, script.encode() + b' x y\n'), r.stderr)

    def cross(self, name, text):
        compiler = name + '-linux-gnu-gcc'
        if shutil.which('qemu-' + name) is None or shutil.which(compiler) is None:
            self.skipTest('needs qemu-%s and %s' % (name, compiler))
        source, program = self.path('p.c'), self.path('p')
        with open(source, 'w') as f:
            f.write(text)
        subprocess.run([compiler, '-O1', '-static', '-I', INCLUDE, source, '-o', program], check=True)
        return program

    def other_processor(self, name):
        program = self.cross(name, CROSS)
        got, said = self.engine('qemu', '--markers', '-t', 'all', '--', program)
        self.assertNotIn('exit status', said)
        fib = symbol(program, 'fib')
        self.assertEqual([r['ip'] for r in got].count(fib), 25)
        kinds = [support.branch_class(r) for r in got]
        self.assertEqual(kinds.count('indirect_call'), 1)
        self.assertGreaterEqual(kinds.count('direct_call'), 24)
        self.assertEqual(kinds.count('return'), kinds.count('direct_call') + 1)
        for a, b in zip(got, got[1:]):
            # An instruction that is not a taken branch is followed by the next one in memory.
            if not a['is_branch'] or not a['branch_taken']:
                self.assertIn(b['ip'] - a['ip'], (2, 4))
        # n and d are read and written six times each, and the stack pointer has its reserved
        # number.
        for variable in ('n', 'd'):
            at = variables(program)[variable]
            reads = [r for r in got if at in r['source_memory']]
            writes = [r for r in got if at in r['destination_memory']]
            self.assertEqual((len(reads), len(writes)), (6, 6), variable)
        self.assertTrue(any(6 in r['source_registers'] and r['destination_memory'][0] for r in got))
        if 'zstd' not in support.CODECS:
            return
        pack, again, known = self.packed('--markers', '--', program)
        self.assertEqual([r['ip'] for r in again], [r['ip'] for r in got])
        self.assertEqual([r['source_registers'] for r in again], [r['source_registers'] for r in got])
        self.assertEqual(pack.about.properties, {'aarch64': 0x37, 'riscv64': 0x47}[name])
        # objdump prints AArch64's code as numbers, while the trace stores their bytes, the
        # lowest first.
        image = Image(program, name + '-linux-gnu-objdump')
        for r, p in zip(again, known):
            self.assertEqual(p.code, image.code(r['ip']), hex(r['ip']))
            self.assertEqual(p.branch_class, support.branch_class(r), hex(r['ip']))

    def test_aarch64(self):
        self.other_processor('aarch64')

    def test_riscv64(self):
        self.other_processor('riscv64')

    def test_input_output_and_the_end(self):
        out = self.path('a.champsim')
        p = subprocess.run([support.PROGRAMS['trace_record'], '-q', '-o', out, '-t', 'all', '--', 'sort'],
                           input=b'b\na\n', stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=120)
        self.assertEqual((p.returncode, p.stdout, p.stderr), (0, b'a\nb\n', b''))
        # The exit status is the program's, for either engine, and even if the recording ends
        # first.
        for body, code, note in (('return 3;', 3, 'exit status was 3'),
                                 ('call(62, call(39, 0, 0, 0, 0), 9, 0, 0); return 0;', 137, 'ended by signal 9')):
            program = self.freestanding('int run(void) { %s }' % body)
            for engine in ('qemu', 'ptrace'):
                for limit in ('2', 'all'):
                    said = self.record(out, '--engine', engine, '-t', limit, '--', program, code=code)
                    # After the limit, the program may end before or after the report.
                    if limit == 'all':
                        self.assertIn(note, said)

    def test_it_says_which_engine(self):
        out, true = self.path('a.champsim'), ['-t', '5', '--', '/bin/true']
        for arguments, words in ((['-o', out], b'note: recorded by qemu-x86_64 (--engine qemu)'),
                                 (['-o', out, '--engine', 'qemu'], b'(--engine qemu), as requested'),
                                 (['-o', out, '--engine', 'ptrace'], b'note: recorded by single steps (--engine ptrace), as requested'),
                                 (['-o', self.path('a.trace64')], b'(--engine ptrace), which also provide the registers and memory')):
            self.assertIn(words, self.run_program(*arguments, *true).stderr)
            self.assertEqual(self.run_program('-q', *arguments, *true).stderr, b'')
        # QEMU is not installed, or it rejects plugins of this version.
        r = self.run_program('-o', out, *true, env={**os.environ, 'PATH': self.folder})
        self.assertIn(b'recorded by single steps (--engine ptrace), which is slow: qemu-x86_64 is not installed (Debian: qemu-user)',
                      r.stderr)
        with open(self.path('qemu-x86_64'), 'w') as f:
            f.write('#!/bin/sh\necho this version is too old >&2\nexit 1\n')
        os.chmod(self.path('qemu-x86_64'), 0o755)
        r = self.run_program('-o', out, *true, env={**os.environ, 'PATH': self.folder})
        self.assertIn(b'which is slow: ', r.stderr)
        self.assertIn(b'this QEMU has no plugins', r.stderr)
        # No other engine supports a program for another processor.
        other = self.path('other')
        with open(other, 'wb') as f:
            f.write(b'\x7fELF\2\1\1'.ljust(16, b'\0') + struct.pack('<HH', 2, 183).ljust(240, b'\0'))  # AArch64
        os.chmod(other, 0o755)
        r = self.run_program('-o', out, '--', other, env={**os.environ, 'PATH': self.folder})
        self.assertEqual(r.returncode, 125)
        self.assertIn(b'qemu-aarch64 is not installed', r.stderr)
        self.assertNotIn(b'single steps', r.stderr)
        for options in (['--engine', 'ptrace', '-o', out], ['-o', self.path('a.trace64')]):
            r = self.run_program(*options, '--', other)
            self.assertEqual(r.returncode, 125)
            self.assertIn(b'other: built for aarch64: only --engine qemu runs it', r.stderr)
        # A file whose first line does not name an interpreter is not run by a shell.
        with open(other, 'w') as f:
            f.write('echo done\n')
        for engine in ('qemu', 'ptrace'):
            r = self.run_program('--engine', engine, '-o', out, '--', other)
            self.assertEqual((r.returncode, r.stdout), (125, b''))
            self.assertIn(b'Exec format error', r.stderr)
        # A name without a slash is searched in PATH, not in the current folder.
        with open(other, 'w') as f:
            f.write('#!/bin/sh\necho here\n')
        for engine in ('qemu', 'ptrace'):
            r = subprocess.run([os.path.abspath(support.PROGRAMS['trace_record']), '--engine', engine, '-o', out, '--',
                                'other'], cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            self.assertEqual((r.returncode, r.stdout), (125, b''))
            self.assertIn(b'No such file', r.stderr)

    def test_a_plugin_of_another_build(self):
        """Tests that a plugin of another build is refused by its first message, which contains its version and the
        size of the shared memory."""
        with open(self.path('qemu-x86_64'), 'w') as f:
            f.write('#!%s\nimport socket, struct, sys\n'
                    's = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)\n'
                    "s.connect('\\0' + sys.argv[4].partition('socket=')[2])\n"
                    "s.send(struct.pack('<IIQQ', 4, 1, 0, 0))\n"
                    "sys.stderr.write('answer: %%d bytes\\n' %% len(s.recv(9)))\n" % sys.executable)
        os.chmod(self.path('qemu-x86_64'), 0o755)
        r = self.run_program('-o', self.path('a.champsim'), '--engine', 'qemu', '--', '/bin/true',
                             env={**os.environ, 'PATH': self.folder})
        self.assertEqual(r.returncode, 125)
        self.assertIn(b'answer: 0 bytes\n', r.stderr)
        self.assertIn(b'did not load', r.stderr)

    def test_names_that_others_have(self):
        """Tests that nobody can predict the recorder's socket name. Sockets bound to likely names do not prevent a
        recording."""
        def bind():
            for n in range(4):
                taken = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
                taken.bind('\0tracecodec-%d-%d' % (os.getpid(), n))
                os.set_inheritable(taken.detach(), True)
        r = self.run_program('-o', self.path('a.champsim'), '--engine', 'qemu', '--', '/bin/true', preexec_fn=bind)
        self.assertEqual(r.returncode, 0, r.stderr)
        with open(self.path('qemu-x86_64'), 'w') as f:
            f.write('#!%s\nimport sys\nprint(sys.argv[4].partition("socket=")[2])\n' % sys.executable)
        os.chmod(self.path('qemu-x86_64'), 0o755)
        names = [self.run_program('-o', self.path('b.champsim'), '--engine', 'qemu', '--', '/bin/true',
                                  env={**os.environ, 'PATH': self.folder}).stdout for _ in range(2)]
        for name in names:
            self.assertRegex(name, rb'^tracecodec-[0-9a-f]{32}\n$')
        self.assertNotEqual(*names)

    def test_a_program_that_overwrites_what_is_shared(self):
        """Tests that the recorder ends, whatever is in the shared memory: with an error or with the program's
        status."""
        program = self.program_of(OVERWRITES)
        out = self.path('a.champsim')
        said = b''
        for start in (1, 5, 6, 12, 19, 20):
            r = self.run_program('-o', out, '--engine', 'qemu', '-t', 'all', '--', program, str(start))
            self.assertNotIn(r.returncode, (8, 9), r.stderr)
            self.assertNotIn(b'runtime error', r.stderr)
            if r.returncode == 125:
                self.assertFalse(os.path.exists(out))
            said += r.stderr
            if os.path.exists(out):
                os.remove(out)
        self.assertIn(b'the program overwrote the shared memory of the recording (', said)

    def test_an_output_that_cannot_be_written(self):
        """Tests that the program ends if the output cannot be written, even after the limit, when it is no longer
        recorded."""
        program = self.program_of('#include <unistd.h>\nint main(void) { alarm(300); for (;;) pause(); }', '-static')
        for engine in ('qemu', 'ptrace'):
            for limit in ('100', '1000', '5000'):
                # This call returns once nobody holds the pipe any more, so the program must
                # have ended, too.
                r = self.run_program('-o', '/dev/full', '--format', 'champsim', '--engine', engine, '-t', limit, '--',
                                     program)
                if b'does not permit ptrace' in r.stderr:
                    continue
                self.assertEqual((r.returncode, r.stdout), (125, b''), (engine, limit, r.stderr))
                self.assertIn(b'No space left on device', r.stderr)

    def test_what_was_never_come_to(self):
        """Tests that the reason is reported and nothing is written."""
        program = self.program_of('volatile int n; __attribute__((noipa)) void once(void) { ++n; }'
                                  'int main(void) { for (int i = 0; i < 5; ++i) once(); return 0; }')
        out = self.path('none.champsim')
        for options, why in ((['--start-at', 'once:99'], b'no --start-at was reached (often enough'),
                             (['--start-at', 'once:3', '--stop-at', 'once:2'], b'and before a --stop-at)'),
                             (['--start-at', '0x1159'], b'no --start-at was reached'),
                             (['--markers'], b'no begin marker was executed'),
                             (['-s', '9999999'], b'the program ended after ')):
            r = self.run_program('-o', out, '--engine', 'qemu', *options, '--', program)
            self.assertEqual(r.returncode, 125, options)
            self.assertIn(b'not written: ', r.stderr)
            self.assertIn(why, r.stderr)
            self.assertFalse(os.path.exists(out))
        for place in ('main:0', 'main:', ':3', ''):
            r = self.run_program('-o', out, '--start-at', place, '--', program)
            self.assertEqual(r.returncode, 125)
            self.assertIn(b'a function or an address', r.stderr)

    def test_vectors_that_cannot_be(self):
        out = self.path('a.champsim')
        for path in (out, os.path.join(self.folder, '.', 'a.champsim'), self.path('a.champsim.maps.json')):
            r = self.run_program('-o', out, '-t', 'all', '--bbv', path, '--', '/bin/true')
            self.assertEqual(r.returncode, 125)
            self.assertIn(b'is the same file as', r.stderr)
        for trace, vectors in (('a.champsim', './a.champsim'), (out, 'a.champsim'), ('new/../a.champsim', out)):
            r = subprocess.run([os.path.abspath(support.PROGRAMS['trace_record']), '-o', trace, '-t', 'all', '--bbv', vectors,
                                '--', '/bin/true'], cwd=self.folder, stderr=subprocess.PIPE)
            self.assertEqual(r.returncode, 125)
            self.assertIn(b'is the same file as', r.stderr)
        self.assertFalse(os.path.exists(out))
        r = self.run_program('-o', out, '--bbv', self.path('a.bb'), '--', '/bin/true')
        self.assertEqual(r.returncode, 125)
        self.assertIn(b'--limit 1000000 is less than an --interval of 10000000', r.stderr)

    def test_versions_of_the_interface(self):
        plugin = os.path.join(os.path.dirname(os.path.realpath(support.PROGRAMS['trace_record'])), 'tracecodec-qemu.so')
        for flags, wanted, version, installed in ((['-DFIRST'], 1, 1, True), ([], 2, 2, True), ([], 2, 6, True),
                                                  ([], 2, 7, False)):
            host = self.program_of(HOST, '-rdynamic', *flags)
            r = subprocess.run([host, plugin, str(version)], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            self.assertEqual(r.stdout.decode().splitlines(), [
                'for version %d' % wanted, *['told of system calls'] * installed, 'installed: %d' % (0 if installed else -1)],
                r.stderr)
            self.assertEqual(b'newer than the supported versions' in r.stderr, not installed)

    def test_a_parent_that_ignores_ends(self):
        """Tests a parent that ignores SIGCHLD. The program's status is still reported, and the program ignores the
        same signals as without the recorder."""
        program = self.program_of(r'''
            #include <signal.h>
            #include <stdio.h>
            int main(void) {
              puts(signal(SIGCHLD, SIG_DFL) == SIG_IGN ? "ignored" : "not ignored");
              return 3;
            }''')
        for engine in ('qemu', 'ptrace'):
            for at_end, words in ((signal.SIG_IGN, b'ignored\n'), (signal.SIG_DFL, b'not ignored\n')):
                r = subprocess.run([support.PROGRAMS['trace_record'], '-o', self.path('a.champsim'), '--engine', engine,
                                    '-t', '100', '--', program], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   timeout=120, check=False, preexec_fn=lambda: signal.signal(signal.SIGCHLD, at_end))
                if b'does not permit ptrace' in r.stderr:
                    continue
                self.assertEqual((r.returncode, r.stdout), (3, words), r.stderr)

    def test_a_recorder_that_is_killed_behind_the_limit(self):
        """Tests that the program continues, whichever thread has reached the limit."""
        program = self.program_of(r'''
            #include <pthread.h>
            #include <unistd.h>
            __attribute__((noipa)) static void work(void) {
              for (volatile int i = 0; i < 100000; ++i) continue;
            }
            static void* run(void* p) {
              usleep(300000);  // until the main thread waits, and holds no part of the 10,000 instructions
              work();
              return p;
            }
            int main(void) {
              pthread_t t;
              pthread_create(&t, 0, run, 0);
              pthread_join(t, 0);
              for (int i = 0; i < 100; ++i) {
                usleep(10000);
                if (write(1, "x", 1) != 1) return 1;
              }
              return 0;
            }''', '-O1', '-pthread', '-static')
        p = subprocess.Popen([support.PROGRAMS['trace_record'], '-o', self.path('a.champsim'), '--start-at',
                              hex(symbol(program, 'work')), '-t', '10000', '--', program], stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE)
        with p:
            self.assertIn(b': 10000 instructions of ', p.stderr.readline())
            p.stdout.read(3)
            p.kill()
            self.assertEqual(len(p.stdout.read()), 97)

    def test_more_threads_than_there_is_room_for(self):
        """Tests that too many threads end a recording, but not a program that is no longer recorded."""
        program = self.program_of(r'''
            #include <pthread.h>
            #include <unistd.h>
            #define MOST 300
            static pthread_barrier_t all;
            static void* work(void* p) {
              if (p != 0) pthread_barrier_wait(p);
              for (volatile int i = 0; i < 3000; ++i) continue;
              return p;
            }
            __attribute__((noipa)) void second(void) {}
            int main(void) {
              pthread_t t[MOST];
              pthread_barrier_init(&all, 0, 1);
              pthread_create(&t[0], 0, work, &all);
              pthread_join(t[0], 0);
              second();
              pthread_barrier_init(&all, 0, MOST);
              for (int i = 0; i < MOST; ++i)
                if (pthread_create(&t[i], 0, work, &all) != 0) return 1;
              for (int i = 0; i < MOST; ++i) pthread_join(t[i], 0);
              if (fork() == 0) _exit(0);
              return 5;
            }''', '-O1', '-pthread', '-static')
        out = self.path('m.champsim')
        r = self.limited('-f 500000', '-o', out, '--engine', 'qemu', '-t', 'all', '--', program)
        self.assertEqual(r.returncode, 125, r.stderr)
        self.assertIn(b'the program has more than 256 threads at once, the most with ulimit -v or ulimit -f\n', r.stderr)
        self.assertFalse(os.path.exists(out))
        r = self.limited('-f 500000', '-o', out, '--engine', 'qemu', '-t', 'all', '--stop-at',
                         hex(symbol(program, 'second')), '--', program)
        self.assertEqual(r.returncode, 5, r.stderr)

    def test_ended_by_a_signal(self):
        program = self.program_of('#include <unistd.h>\nint main(void) { for (;;) if (write(1, "x", 1) != 1) return 1; }')
        for number in (signal.SIGINT, signal.SIGTERM):
            out = self.path('a.champsim')
            p = subprocess.Popen([support.PROGRAMS['trace_record'], '-o', out, '-t', 'all', '--', program],
                                 stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                 preexec_fn=lambda: signal.signal(number, signal.SIG_DFL))
            with p:
                self.addCleanup(p.kill)
                p.stdout.read(1)
                p.send_signal(number)
                p.stdout.read()
                said = p.stderr.read().decode()
            self.assertEqual(p.returncode, -number, said)
            self.assertIn('note: signal %d ended the recording, and the program\n' % number, said)
            self.assertGreater(len(records(support.file_bytes(out))), 1000)

    def test_a_recorder_that_is_killed(self):
        """Tests that the program ends with the recorder, and that no file remains."""
        pid = self.path('pid')
        p = subprocess.Popen([support.PROGRAMS['trace_record'], '-o', self.path('a.champsim'), '-t', 'all',
                              '--', '/bin/sh', '-c', 'echo $$ > %s; echo; exec sleep 100' % pid],
                             stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        with p:
            p.stdout.read(1)
            p.kill()
        with open(pid) as f:
            self.wait_for_end_of(int(f.read()))
        self.assertFalse(os.path.exists(self.path('a.champsim')))
        # A followed child process of which nothing has been recorded yet.
        p = subprocess.Popen([support.PROGRAMS['trace_record'], '-o', self.path('a.champsim'), '-s', str(1 << 50),
                              '--follow-forks', '--', '/bin/sh', '-c', 'while :; do :; done & echo $!; wait'],
                             stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        with p:
            child = int(p.stdout.readline())
            self.addCleanup(self.end, child)
            p.kill()
        self.wait_for_end_of(child)

    @staticmethod
    def end(number):
        try:
            os.kill(number, signal.SIGKILL)
        except ProcessLookupError:
            pass

    def wait_for_end_of(self, number):
        until = time.monotonic() + 20
        while True:
            try:
                with open('/proc/%d/stat' % number) as f:
                    if f.read().rsplit(')', 1)[1].split()[0] in 'ZX':
                        return
            except OSError:
                return
            self.assertLess(time.monotonic(), until, 'it goes on')
            time.sleep(0.01)

    def test_what_cannot_be(self):
        for arguments in (['--engine', 'qemu', '-o', self.path('a.trace64')],
                          ['--engine', 'ptrace', '--threads', '-o', self.path('a.champsim')],
                          ['--every', '9', '-o', self.path('a.champsim')],
                          ['--interval', '9', '-o', self.path('a.champsim')],
                          ['--every', '9', '--length', '10', '-o', self.path('a.champsim')],
                          ['--start-at', ':3', '-o', self.path('a.champsim')],
                          ['--threads', '-o', '/dev/null']):
            r = self.run_program(*arguments, '--', '/bin/true')
            self.assertEqual((r.returncode, r.stdout), (125, b''), r.stderr)
        for program in (self.path('missing'), '/', '/etc/passwd'):
            r = self.run_program('--engine', 'qemu', '-o', self.path('a.champsim'), '--', program)
            self.assertEqual(r.returncode, 125, r.stderr)
        self.assertEqual([f for f in os.listdir(self.folder) if f.startswith('a.')], [])


if __name__ == '__main__':
    support.main()
