"""Writes the seeds of each target to fuzz/corpus: parts of tests/data, and handmade inputs.

It runs the programs zstd and lz4. Run it from the project's folder.
"""
import bz2
import gzip
import lzma
import pathlib
import re
import struct
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.append("tests/io")
import make_containers  # noqa: E402

DATA = pathlib.Path("tests/data")
CORPUS = pathlib.Path("fuzz/corpus")


def put(target, name, content):
  folder = CORPUS / target
  folder.mkdir(parents=True, exist_ok=True)
  (folder / name).write_bytes(content)


def unpacked(name):
  return lzma.decompress((DATA / name).read_bytes())


def records(rows, size):
  """Returns ChampSim or CloudSuite records, from rows of ip, is_branch, taken, destination, source."""
  out = b""
  for ip, branch, taken, destination, source in rows:
    out += struct.pack("<QBB4s4s" if size == 96 else "<QBB2s4s", ip, branch, taken, destination,
                       source).ljust(size, b"\0")
  return out


def champsim():
  rows = [(0x401000, 0, 0, b"\1", b"\2"), (0x401004, 1, 1, b"\x1a", b"\x19\x1a"),
          (0x401100, 1, 1, b"\x1a\6", b"\x1a\6"), (0x401200, 0, 0, b"\3", b"\4"),
          (0x401203, 1, 1, b"\x1a\6", b"\6")]
  standard, cloudsuite = records(rows, 64), records(rows, 96)
  sample = unpacked("sed64.champsimtrace.xz")[:64 * 12]
  put("champsim_records", "standard", standard[:64])
  put("champsim_records", "cloudsuite", cloudsuite[:96])
  put("champsim_records", "sample", sample)
  put("champsim_records", "short", standard[:10])
  put("champsim_reader", "standard", b"\0" + standard)
  put("champsim_reader", "mapped", b"\x0e" + sample)
  put("champsim_reader", "cloudsuite", b"\1" + cloudsuite)
  put("champsim_reader", "cut", b"\2" + standard[:100])
  put("champsim_reader", "empty", b"\0")
  return standard, cloudsuite


def gdb():
  session = ["qSupported:swbreak+;xmlRegisters=i386", "?", "g", "p10", "m9000,10", "Z2,9000,1", "c", "bc", "z2,9000,1",
             "Z0,402000,1", "vCont;s:1;c", "vCont;c", "bs", "qRcmd," + b"origin rax".hex(), "qRcmd," + b"goto 3".hex(),
             "qXfer:features:read:target.xml:0,100", "qXfer:libraries:read::0,1000", "qfThreadInfo", "Hg1", "D"]
  put("gdb_packets", "packets", b"\1" + "\n".join(session).encode())
  put("gdb_packets", "monitor", b"\3" + "\n".join("qRcmd," + c.encode().hex() for c in (
      "help", "where", "last-write 0x9000", "next-read 0x9008+8", "last-set rbx", "origin 0x9008+8")).encode())
  raw = b"".join(b"$%s#%02x" % (p.encode(), sum(p.encode()) & 255) for p in session)
  put("gdb_packets", "connection", b"\0" + raw)
  put("gdb_packets", "damaged", b"\2+++$g$?#3f-$m9000,ffff#00\3$X1,1:}#77")


def header(arch, more=""):
  json = '{"ver":1,"arch":"%s","compression":""%s}' % (arch, more)
  return b"TRAC" + struct.pack("<I", len(json)) + json.encode()


def snapshot(words, size):
  values = b"".join((0x1000 + i).to_bytes(size, "little") for i in range(words))
  return bytes([0, words, 0, 0x81]) + struct.pack("<I", 0x1234) + b"\x90" + bytes(words) + values


BLOCKS = {
    # mov eax, [...]: changes word 0 and cip; reads 0x2000, which contains 7.
    "read": "00020102 8b00 000f 5500000000000000 0010400000000000 01 0020000000000000"
            "0700000000000000",
    # Thread 0x5678: a write that changes 0x2000 from 7 to 9, and a read of 0x3000.
    "write": "00010283 78560000 480301 10 0210400000000000 0001 0020000000000000 0030000000000000"
             "0700000000000000 0100000000000000 0900000000000000",
    "user": "8003000000 aabbcc",
    "plain": "00010001 c3 10 0510400000000000",
    # A thread id without its flag, which repair recognises as a defect.
    "defect": "00010001 bc9a0000 c3 10 0610400000000000",
}


def x64dbg():
  blocks = {name: bytes.fromhex(text) for name, text in BLOCKS.items()}
  x64 = header("x64") + snapshot(172, 8)
  small = x64 + blocks["read"] + blocks["write"] + blocks["user"] + blocks["plain"] * 2
  defect = (x64 + blocks["read"] + blocks["write"] + blocks["defect"] + blocks["plain"] +
            blocks["plain"])
  no_snapshot = header("x64", ',"path":"C:\\\\a.exe","hash":"0x1A"') + blocks["plain"] * 3
  x86 = header("x86") + snapshot(216, 4) + bytes.fromhex("00010001 c3 68 05104000")
  sample32 = unpacked("work32.trace32.xz")[:2600]
  sample64 = unpacked("threads3_64_legacybug.trace64.xz")[:5200]
  for name, block in blocks.items():
    put("x64dbg_blocks", name, b"\0" + block)
  put("x64dbg_blocks", "defect_ended", b"\2" + blocks["defect"] + blocks["plain"])
  put("x64dbg_blocks", "x86", b"\1" + bytes.fromhex("00010001 c3 68 05104000"))
  for target in "x64dbg_reader", "x64dbg_repair":
    put(target, "small", b"\1" + small)
    put(target, "defect", b"\2" + defect)
    put(target, "no_snapshot", b"\4" + no_snapshot)
    put(target, "x86", b"\x0d" + x86)
    put(target, "sample32", b"\1" + sample32)
    put(target, "sample64", b"\3" + sample64)
    put(target, "cut", b"\0" + small[:-5])
  # Memory queries run on real traces, and in the second half of a trace with two snapshots.
  again = header("x64") + (small[len(header("x64")):] + blocks["plain"] * 6) * 2
  for how in 1, 3, 5:
    put("x64dbg_reader", "twice%d" % how, bytes([how << 3 | how & 1]) + again)
    put("x64dbg_reader", "asked32_%d" % how, bytes([how << 3 | 1]) + sample32)
    put("x64dbg_reader", "asked64_%d" % how, bytes([how << 3 | 3]) + sample64)
  # Seeds for all writer modes, and for seeking or memory queries.
  for how in range(1, 6):
    put("x64dbg_reader", "small%d" % how, bytes([how << 3 | how & 1]) + small)
  prefix = struct.pack("<4sIQqQQQQQQ", b"TCXI", 2, 0, 0, 0, 100, 1000, 2, 0, 0)
  entries = struct.pack("<QQII", 10, 0, 7, 1) + struct.pack("<QQII", 500, 50, 0, 0)
  put("x64dbg_index", "two", b"\3" + prefix + entries)
  put("x64dbg_index", "growing", b"\x0b" + prefix + entries)
  put("x64dbg_index", "repaired", b"\7" + prefix[:56] + struct.pack("<QQ", 1, 0) + entries)
  put("x64dbg_index", "unchecked", b"\1" + prefix + entries)
  return small


def described_file():
  """Writes seeds for the invented formats of tests/file/support.hpp."""
  front = lambda n: b"HTR1" + struct.pack("<Hq", 2, n)
  steps = b"".join(struct.pack("<QHB", 0x1000 + 3 * i, i % 5, i % 3) for i in range(3))
  lines = b"".join(struct.pack("<H", len(t)) + t + b"\1" for t in (b"hello", b"", b"AB"))
  back = struct.pack("<I4s", 42, b"END!")
  put("described_file", "steps", b"\x11" + front(3) + steps)
  put("described_file", "more", b"\x08" + front(2) + steps)
  put("described_file", "trailer", b"\x0b" + front(3) + steps + back)
  put("described_file", "lines", b"\x0c" + front(3) + lines)
  put("described_file", "plain", b"\x0f" + lines + back)
  put("described_file", "long", b"\x0e" + struct.pack("<H", 2000) + bytes(2001) + lines + back)


def file_ends():
  """Writes seeds for file_ends.cpp: files with an end mark, and parts at the end of a file."""
  put_end = lambda name, kind, raw, more=0: put("file_ends", name, bytes([more << 4 | kind << 1]) + raw)
  line = lambda text, mark=0: struct.pack("<H", len(text)) + text + bytes([mark])
  lines = line(b"hi") + line(b"") + line(b"END", 1)
  back = struct.pack("<I4s", 42, b"END!")
  front = lambda n: b"HTR1" + struct.pack("<Hq", 2, n)
  steps = b"".join(struct.pack("<QHB", 0x1000 + 3 * i, i % 5, i % 3) for i in range(3))
  last = struct.pack("<QHB", 1, 2, 9)
  put_end("lines", 0, lines, 1)
  put_end("no_mark", 0, lines[:8])
  put_end("cut_text", 0, lines[:12])
  put_end("after_the_mark", 0, lines + lines)
  put_end("too_long", 0, line(b"a") + line(bytes(1200)) + lines)
  put_end("too_long_and_cut", 0, struct.pack("<H", 60000) + bytes(5000))
  put_end("long_tail", 0, lines + bytes(70000))
  put_end("trailer", 1, lines + back, 2)
  put_end("trailer_without_mark", 1, lines[:8] + back)
  put_end("trailer_cut", 1, lines + back[:6])
  put_end("trailer_and_more", 1, lines[:8] + back + b"abc")
  put_end("between", 1, lines + b"abc" + back)
  put_end("steps", 2, steps + last, 1)
  put_end("steps_cut", 2, steps + last[:9])
  put_end("steps_after", 2, steps + last + steps[:5])
  put_end("steps_without_mark", 2, steps)
  put_end("counted", 3, front(3) + lines)
  put_end("counted_less", 3, front(2) + lines)
  put_end("counted_more", 3, front(5) + lines)
  put_end("counted_cut", 3, front(3) + lines[:11])
  put_end("counted_header", 3, front(3)[:9])
  end = lambda comment, length: struct.pack("<IHHHHIIH", 0x06054b50, 0, 0, 2, 2, 94, 67, length) + comment
  put_end("zip", 4, b"PK\3\4" + bytes(60) + end(b"two files", 9))
  put_end("zip_in_comment", 4, bytes(9) + end(b"PK\5\6 not the end", 16))
  put_end("zip_twice", 4, end(end(b"", 0), 22))
  put_end("zip_cut", 4, bytes(9) + end(b"two file", 9))
  put_end("zip_too_far", 5, end(b"two files", 9), 14)
  put_end("zip_near", 5, end(b"two files", 9), 15)
  put_end("trailer_at_end", 6, lines + back)
  put_end("trailer_before_end", 6, lines + back + b"\0")
  put_end("trailer_too_far", 7, back, 7)


def inner_records():
  """Writes seeds for inner_records.cpp: boxes and nodes, inside one another up to and beyond the limits."""
  put_inner = lambda name, how, raw: put("inner_records", name, bytes([how]) + raw)
  box = lambda kind, inside: bytes([kind]) + struct.pack("<H", len(inside)) + inside
  def nest(depth, innermost, around):
    return around(nest(depth - 1, innermost, around)) if depth else innermost
  text, within = box(1, b"text"), lambda inside: box(0, inside)
  put_inner("boxes", 3, within(text + within(text + text) + within(b"")))
  put_inner("boxes_deep", 3, nest(4, text, within))
  put_inner("boxes_too_deep", 3, nest(5, text, within))
  put_inner("boxes_far_too_deep", 1, nest(600, b"", within))
  put_inner("boxes_empty", 3, b"")
  put_inner("box_longer_than_its_box", 3, within(b"\1\x09\0abc") + text)
  put_inner("box_of_another_kind", 3, within(text + box(7, b"abc")))
  number, name, end = b"\0\xac\2", b"\x23abc", b"\xe0!"
  some = lambda *inside: bytes([2 << 5 | len(inside)]) + b"".join(inside)
  up_to_end = lambda *inside: b"\x60" + b"".join(inside) + end
  put_inner("nodes", 2, some(number, name, up_to_end(number, some()), end))
  put_inner("nodes_deep", 2, nest(3, number, some))
  put_inner("nodes_too_deep", 2, nest(4, number, some))
  put_inner("nodes_up_to_end", 2, nest(2, name, up_to_end))
  put_inner("nodes_without_end", 2, b"\x60" + number + up_to_end(name))
  put_inner("node_count_too_large", 2, b"\x5f" + number + name)
  put_inner("node_number_too_large", 2, some(b"\0\xff\xff\x04"))
  put_inner("boxes_in_nodes", 2, nest(3, b"\x82" + nest(2, text, within) + text, some))
  put_inner("boxes_too_deep_in_nodes", 2, nest(3, b"\x81" + nest(4, text, within), some))


def cvp():
  """Writes seeds of the traces that tests/cvp/make_cvp.py makes."""
  sys.path.insert(0, str(DATA.parent / "cvp"))
  import make_cvp
  made = list(make_cvp.Program(54).run(420))
  for newer in False, True:
    for k in range(4):
      part = b"".join(make_cvp.encode(i, newer) for i in made[k * 100:k * 100 + 40])
      put("cvp_reader", "%s%d" % ("cbp2025_" if newer else "cvp1_", k), bytes([newer | k << 1]) + part)
  return part


def stf():
  """Writes seeds of the traces that tests/stf/make_stf.py makes."""
  sys.path.insert(0, str(DATA.parent / "stf"))
  import make_stf
  for k, features in enumerate((0x80024, 0x24, 0x80020, 0x80024)):
    program = make_stf.Program(k, features)
    made = list(program.run(30))
    stream = program.header() + b"".join(i.data for i in made)
    put("stf_reader", str(k), bytes([k & 1 | k << 2]) + stream)
  put("stf_reader", "zero_vectors", b"\1" + make_stf.header(0, vlen=0) + make_stf.encode(
      ("opcode16", 1), 0, 0))
  for per_chunk in 7, 30:
    put("decompress_zstf", "chunks_%d" % per_chunk, b"\0" + make_stf.zstf(program.header(), made, per_chunk))
  return stream


def drmemtrace():
  """Writes seeds of the traces that tests/drmemtrace/make_drmemtrace.py makes. The target adds the first two records."""
  sys.path.insert(0, str(DATA.parent / "drmemtrace"))
  import make_drmemtrace as made
  steps = list(made.program(3))
  for k, (version, filetype, narrow, encode) in enumerate((
      (7, made.X86_64 | made.ENCODINGS | made.SYSCALL_NUMBERS, False, None), (4, 0, False, None),
      (7, made.X86_64 | made.ENCODINGS | made.REGDEPS, False, made.synthetic),
      (6, made.X86_32 | made.ENCODINGS, True, None))):
    content = made.content(made.records(steps, 5, 1000, 20, version, filetype, narrow, encode))
    put("drmemtrace_reader", "made%d" % k, bytes([narrow | k << 3]) + content[16 if narrow else 24:])
    put("drmemtrace_reader", "mapped%d" % k, bytes([narrow | 6 | k << 3]) + content[16 if narrow else 24:])
  # Schedules of two threads, in turns, one after the other, and with an entry that does not exist.
  turns = [(thread, 100 + 10 * n, thread, 2 * n) for n in range(3) for thread in (6, 5)]
  for name, entries in (("turns", turns), ("blocks", [turns[0], turns[1]]), ("wrong", turns[:-1] + [(5, 121, 5, 4)])):
    put("drmemtrace_schedule", name, b"\6" + b"".join(struct.pack("<4Q", *e) for e in entries))
    put("drmemtrace_schedule", name + "_cpus", b"\7" + b"".join(struct.pack("<4Q", *e) for e in entries))
  return content


def bt9():
  """Writes seeds of BT9 traces: small programs, and a part of the text."""
  sys.path.insert(0, str(DATA.parent / "bt9"))
  import make_bt9
  for k in range(3):
    text = make_bt9.Program(k, 4, 12).text("\r\n" if k == 2 else "\n").encode()
    put("bt9_reader", "small%d" % k, bytes([k]) + text)
  put("bt9_reader", "cut", b"\7" + text[:-9])
  return text


def tarmac():
  """Writes seeds of Tarmac text in all styles, and the forms of lines of tests/tarmac/tarmac_test.cpp."""
  sys.path.insert(0, str(DATA.parent / "tarmac"))
  import make_tarmac
  for k, style in enumerate(("it", "es", "gem5")):
    text = make_tarmac.Program(k, 10).text(style, "\r\n" if k == 2 else "\n").split("\n", 30 if k != 1 else 31)[-1].encode()
    put("tarmac_reader", style, bytes([k]) + text)
    put("tarmac_reader", style + "_cut", bytes([k | 12]) + text[:-9])
  forms = (DATA.parent / "tarmac/tarmac_test.cpp").read_text().split('TEST_CASE("reads every form')[1].split("TEST_CASE")[0]
  lines = [line.encode().decode("unicode_escape") for line in re.findall(r'(?:form)?{"([^"]+)"', forms)]
  put("tarmac_reader", "forms", b"\0" + "\n".join(lines).encode() + b"\n")
  # Three processors that take turns.
  cores = [re.split(r"(?m)^(?=\d+ clk cpu\d I)", make_tarmac.Program(k, 6).text("it").replace(" clk ", " clk cpu%d " % k))[1:]
           for k in range(3)]
  put("tarmac_reader", "cores", bytes([9]) + "".join(one for turn in zip(*cores) for one in turn).encode())
  return text


def tenet():
  """Writes seeds of Tenet's traces: small programs, and a part of the text."""
  sys.path.insert(0, str(DATA.parent / "tenet"))
  import make_tenet
  for k, (dialect, form) in enumerate((("amd64", {}), ("x86", {"merge": True}), ("aarch64", {"newline": "\r\n"}))):
    text = make_tenet.Program(k, 20, dialect).text(**form).encode()
    put("tenet_reader", dialect, bytes([k]) + text)
  put("tenet_reader", "cut", b"\7" + text[:-9])
  return text


def listed():
  """Writes seeds of Lackey, Dinero and ML-DPC traces."""
  lackey = (DATA / "listed/sum.lackey").read_bytes()[:400]
  dinero = b"0 7fff0010\n2 00401000 2402 lui\n1 7FFF0020\r\n4 0\n2 401004\n0 401104"
  mldpc = (DATA / "listed/loads.mldpc").read_bytes()[:200]
  for k, (name, text) in enumerate((("lackey", lackey), ("dinero", dinero), ("mldpc", mldpc))):
    put("listed_reader", name, bytes([k]) + text)
    put("listed_reader", name + "_mapped", bytes([129 + k]) + text)
  return lackey, dinero, mldpc


def rapidbin():
  data = (DATA / "rapidbin/r250.data").read_bytes()
  small = struct.pack(">hiiq", 2, 1, 1, 5)
  for location, decor, operation, thread in ((1, 1, 4, 0), (2, 0, 0, 1), (3, 0, 3, 1),
                                             (4, 0, 1, 1), (5, 1, 5, 0)):
    small += struct.pack(">Q", location << 48 | decor << 14 | operation << 10 | thread)
  put("rapidbin_events", "small", b"\0" + small)
  put("rapidbin_events", "sample", b"\5" + data[:18 + 8 * 60])
  put("rapidbin_events", "unfinished", b"\1" + bytes(18) + small[18:])
  put("rapidbin_events", "tail", b"\0" + small + b"\0\1\2")
  put("record_table", "standard", b"0 8 ip u64 little\n8 1 is_branch u8\n9 1 branch_taken u8\n"
      b"10 2 destination_registers u8[2]\n12 4 source_registers u8[4]\n"
      b"16 16 destination_memory u64[2] little\n32 32 source_memory u64[4] little\n\0" + bytes(range(1, 130)))
  put("record_table", "mixed", b"0 2 a i16 big\n2 3 b u24\n5 1 (padding)\n6 12 bits c u16 big\n"
      b"6 4 bits d u16 big\n8 8 ip u64 big\n16 4 f f32\n20 2 asid u16\n\0" + bytes(range(100)))
  put("record_table", "array_of_nothing", b"0 4 x [4]\n\0" + bytes(8))
  put("program_map", "map", b'''M{"version":1,
"modules":[{"base":"0x400000","size":"0x5000","path":"/bin/ls","build_id":"0f"},
{"base":8388608,"size":4096,"path":"libc.so.6"}],
"symbols":[{"address":"0x401139","size":"0x2e","name":"main"},{"address":4198976,"name":"f"}]}''')
  put("program_map", "nm", b"Slib.a:\n0000000000001139 T main\n                 U puts\n"
      b"0000000000001150 000000000000001f t f(int, char)\n0000000000004010 D data\n")
  put("rapidbin_metadata", "small", b'''{"thread_records":[{"wasm_id":1,"trace_id":0}],
"memory_records":[{"wasm_id":{"address":16,"access_width":4},"trace_id":0},
{"wasm_id":{"address":18,"access_width":8},"trace_id":1}],
"lock_records":[{"wasm_id":99,"trace_id":0}],
"location_records":[{"wasm_id":{"fidx":1,"iidx":2},"trace_id":0}],
"shared_variables":{"0":[0,1],"1":[0,1]}}''')
  put("rapidbin_metadata", "align", b'''{"memory_records":[{"wasm_id":{"address":1,"align":2},
"trace_id":7}]}''')
  sample = (DATA / "rapidbin/r250.json").read_bytes()
  put("rapidbin_metadata", "sample", sample[:600])
  text = (DATA / "rapidbin/r250.std").read_bytes().splitlines(True)
  put("rapidbin_std", "sample", b"\0" + b"".join(text[:40]))
  put("rapidbin_std", "rapid", b"\2" + b"".join(text[40:80]))
  put("rapidbin_std", "names", b"\1main|acq(a lock)|here\r\nmain|w(x)|there\n\nT0|begin|0\n")
  put("rapidbin_std", "broken", b"\4T0|r(V1)|5\nT0|acq|5\nnothing\nT0|w(V99999999999)|1\n"
      b"T1|req(L1)|2\nT1|branch|3\nT1|fork(T2)|4\nT1|end|40000\n")
  put("rapidbin_std", "spellings", b"\0T0|fork(1)|0\nT1|acq(7)|1\nT1|rel(L7)|2\nT1|w(x)|1\n0|w(V0)|a.c:1\n")
  put("rapidbin_std", "log", b"\4# comment\n\n T0 | rd( 0x555556a7eba8 ) | /home/a.c:14 | more\r\n"
      b"T70000|WR(V18446744073709551615)|99999\nT0|unlock(Object@1f)|-1\nT0|wait(m)|3\nT0|dummy|3\n")
  put("rapidbin_std", "strict", b"\x18T0|r(V1)|1|2\nT0|notifyAll(m)|1\nT1024|w(V1)|3\n")
  return small, b"".join(text[:12])


def wasm():
  """Writes modules with a section of names. All sizes fit into one byte."""
  sized = lambda raw: bytes([len(raw)]) + raw
  header = b"\0asm\1\0\0\0"
  section = lambda number, raw: bytes([number]) + sized(raw)
  functions = section(1, b"\3" + b"".join(bytes([i]) + sized(name) for i, name in
                                          ((0, b"main"), (1, b"compute"), (9, b""))))
  names = section(0, sized(b"name") + section(0, sized(b"a.wasm")) + functions + section(2, b"\0"))
  put("wasm_names", "names", header + section(1, b"\1\x60\0\0") + names + section(10, b"\0"))
  put("wasm_names", "padded", header + b"\0\x8e\x80\x80\0" + sized(b"name") + b"\1\x87\0" +
      b"\x81\0\7\3abc")
  put("wasm_names", "stripped", header + section(1, b"\1\x60\0\0"))


def compressed():
  text = b"".join(b"%d\n" % i for i in range(1, 101))
  program = lambda *command, input=text: subprocess.run(command, input=input, check=True,
                                                        stdout=subprocess.PIPE).stdout
  # A small dictionary, because clearing it would take most of the time.
  small = [{"id": lzma.FILTER_LZMA2, "preset": 0, "dict_size": 4096}]
  xz = lambda content, **how: lzma.compress(content, filters=small, **how)
  skippable = bytes.fromhex("502a4d18 02000000 abcd")
  kinds = {
      "xz": [xz(text), xz(text, check=lzma.CHECK_CRC64) + bytes(4), xz(b"", check=lzma.CHECK_NONE)],
      "gzip": [gzip.compress(text, mtime=0), gzip.compress(b"a", 0, mtime=0) * 2],
      "bzip2": [bz2.compress(text, 1), bz2.compress(b"") + bz2.compress(b"a", 1)],
      "zstd": [program("zstd", "-q", "-c"), program("zstd", "-q", "-c", "--check", "-1"),
               skippable + program("zstd", "-q", "-c", "-9")],
      "snappy": [b"".join(chunks) for _, _, chunks in make_containers.SNAPPY],
      "zip": [data for _, _, data in make_containers.ZIPS],
      "lz4": [program("lz4", "-q", "-c"), program("lz4", "-q", "-c", "-BD", "-9"),
              skippable + program("lz4", "-q", "-c", "--no-frame-crc")],
  }
  for kind, all_of in kinds.items():
    for i, content in enumerate(all_of):
      put("decompress_" + kind, "seed%d" % i, b"\3" + content)
    put("decompress_" + kind, "cut", b"\0" + all_of[0][:-9])

  # Files of several blocks or frames, most of which are skipped.
  for threads, check in ("1", "none"), ("2", "none"), ("2", "crc32"):
    blocks = program("xz", "-c", "--lzma2=preset=0,dict=4KiB", "--block-size=64", "-T" + threads,
                     "--check=" + check)
    put("decompress_xz", "blocks_T%s_%s" % (threads, check), b"\xb3" + blocks)
    if check == "crc32":
      put("decompress_xz", "blocks_two_streams", b"\xb3" + blocks + bytes(4) + kinds["xz"][0])
  frames = b"".join(program("zstd", "-q", "-c", "--stream-size=73", input=text[i:i + 73])
                    for i in range(0, len(text), 73))
  put("decompress_zstd", "frames", b"\xb3" + frames)
  return kinds


def umtracer():
  names = ["exec.vtable", "exec.offsets", "exec.prev_next.column", "ins.itable", "module.itable",
           "thread.itable", "context_map.itable", "address_space.itable", "syscall.vtable",
           "syscall.offsets", "trace.xml"]
  tiny, missing = struct.pack("<I", 0xFFFFFFFE), struct.pack("<I", 0xFFFFFFFF)
  seeds = {"tiny": tiny * 11, "no_xml": tiny * 10 + missing}
  for trace, n in ("awkward32", 24), ("plain64", 16):
    files = {name: (DATA / "umtracer" / trace / name).read_bytes() for name in names}
    offsets = files["exec.offsets"][:8 * (n + 1)]
    end = struct.unpack("<Q", offsets[-8:])[0]
    head = files["exec.vtable"]
    files["exec.vtable"] = head[:8] + struct.pack("<Q", n) + head[16:end]
    files["exec.offsets"] = offsets
    files["exec.prev_next.column"] = files["exec.prev_next.column"][:16 * n]
    seeds[trace] = b"".join(struct.pack("<I", len(files[k])) + files[k] for k in names)
  for name, content in seeds.items():
    large = len(content) > 1000
    for choice in (0,) if large else (0, 1, 6, 9):
      put("umtracer_reader", "%s-%x" % (name, choice), content + struct.pack("<I", choice))
    for choice in (1,) if large else (0, 1):
      put("umtracer_copy", "%s-%x" % (name, choice), content + struct.pack("<I", choice))
    for choice in (0x03050001, 0x10070002, 0x00080203):
      if name != "plain64":
        put("umtracer_queries", "%s-%x" % (name, choice), content + struct.pack("<I", choice))
    for table in (0, 10) if large else (0, 6, 9, 10, 12, 14):
      put("umtracer_rows", "%s-%x" % (name, table), content + struct.pack("<I", table))
    for choice in (0, 0x00020101):
      put("umtracer_feed", "%s-%x" % (name, choice), content + struct.pack("<I", choice))
  def register(common, name, offset, size, largest):
    place = struct.pack("<HBBH", offset, size, 0, largest)
    return struct.pack("<H16s", common, name) + place + place
  three = (register(0, b"", 0xFFFF, 0, 0) + register(1, b"rax", 0, 8, 1) +
           register(1, b"EAX", 0, 4, 1))
  put("umtracer_context_map", "three", b"\0" + struct.pack("<HH", 16, 3) + three)
  put("umtracer_context_map", "outside", b"\0" + struct.pack("<HH", 4, 2) + three)
  put("umtracer_context_map", "many", b"\0" + struct.pack("<HH", 4, 513) + three)
  put("umtracer_context_map", "cut", b"\1" + bytes(100))
  for trace in "plain32", "awkward64":
    put("umtracer_xml", trace, (DATA / "umtracer" / trace / "trace.xml").read_bytes())
  old = ("<OS><Name>A &amp; B</Name></OS><App><ProcessID>7</ProcessID></App>"
         "<CPU><HasMMX>1</HasMMX></CPU>")
  put("umtracer_xml", "several", old.encode())
  put("umtracer_xml", "utf16", ("\ufeff" + old).encode("utf-16-le"))
  put("umtracer_xml", "utf16_big", old.encode("utf-16-be"))
  put("umtracer_xml", "latin1",
      b'<?xml version="1.0" encoding="latin1"?><OS><Name>\xe4</Name></OS>')
  put("umtracer_xml", "cdata",
      b"<App><CommandLine> <![CDATA[a<b]]>&#13;&#10;c </CommandLine></App>")
  put("umtracer_names", "header", b"""\1// names
typedef enum {
  XED_ICLASS_INVALID, /* 0 */ XED_ICLASS_ADD = 0x10,
#define NO \\
  1
  XED_ICLASS_SUB, XED_ICLASS_OTHER = 017u, XED_ICLASS_SAME = XED_ICLASS_ADD,
  XED_ICLASS_LAST
} xed_iclass_enum_t;
enum class other : unsigned { A = 1UL, B };
""")
  put("umtracer_names", "list", b"\0A, B = 7,\nC = B, D\n")
  put("umtracer_names", "broken", b"\1enum { XED_ICLASS_A = 99999999999, /* no end")


def crc32c(content):
  crc = 0xFFFFFFFF
  for byte in content:
    crc ^= byte
    for _ in range(8):
      crc = crc >> 1 ^ (0x82F63B78 if crc & 1 else 0)
  return struct.pack("<I", crc ^ 0xFFFFFFFF)


def crafted_packs():
  """Yields packs that contradict themselves or claim large sizes, with correct checksums."""
  def with_crc(content):
    return content + crc32c(content)
  def front(kind, size, table=b""):
    about = struct.pack("<BBHIH", kind, 0, size, 1 << 22, 0xFFFF) + b"\0\0" + bytes([len(table)]) + table + bytes(7)
    return with_crc(struct.pack("<8sHHI4s", b"\x89TPACK\r\n", 1, 0, len(about), crc32c(about))) + about
  def frame(number, base, payload, claimed=None):
    return with_crc(struct.pack("<4sB3xIIIIQQ4s", b"TPF1", 0, number, 64, claimed or len(payload), base, 64 * number, 0,
                                crc32c(payload))) + payload
  def index(at, entries, claimed=None):
    count = claimed or len(entries)
    all_entries = b"".join(struct.pack("<QQI4s", *entry) for entry in entries)
    return (with_crc(struct.pack("<4sI4s", b"TPIX", count, crc32c(all_entries))) + all_entries +
            bytes(24 * 10 if claimed else 0) + with_crc(struct.pack("<QQQQ", at, count, count, 64 * count)) + b"TPND")
  stored = bytes.fromhex("28b52ffd20404500001000000100930016")  # compressed by zstd from 64 zeros
  begin = front(3, 64)
  one = frame(0, 4, stored)
  at = len(begin)
  yield "base_behind", begin + one + index(at + len(one), [(at, 0, 4, crc32c(stored))])
  for name, table in ("table_of_16", b"0 8 ip u64\n8 8 x u64\n"), ("table_of_nothing", b"0 4 x [4]\n"):
    described = front(2, 32, table)
    yield name, described + index(len(described), [])
  yield "side_by_side", begin + b"".join(frame(i, i, b"", 4096) for i in range(40)) + bytes(6000)
  yield "index_over_garbage", begin + bytes(480) + index(at + 480, [(at + 48 * i, 64 * i, i, b"abcd") for i in range(10)])
  yield "index_claims", begin + bytes(96) + index(at + 96, [], 400000000)


def tracepack():
  """Writes seeds from the golden files, which the library's writer created, and inputs that select many cases."""
  for path in sorted((DATA / "tracepack").iterdir()):
    content = path.read_bytes()
    for how in 1, 0x7b:
      put("tracepack_reader", "%s-%x" % (path.stem, how), bytes([how]) + content)
  for name, content in crafted_packs():
    put("tracepack_reader", name, b"\0" + content)
  sample = unpacked("sed64.champsimtrace.xz")[:64 * 24]
  words = bytes((i * 7 + i * i * 5) % 256 for i in range(400))
  for how in (0, 10, 0, 64, 0, 10, 80, 99), (16, 99, 0, 64, 0, 200, 10, 200), (32, 5, 7, 0, 0, 0, 0, 255):
    put("tracepack_round_trip", "sample%d" % how[0], bytes(how) + sample)
  for how in ((8, 7, 0, 0, 0, 10, 90, 99), (25, 20, 0, 0, 0, 100, 3, 3), (42, 9, 7, 11, 0x35, 3, 40, 40),
              (90, 100, 1, 39, 0xff, 255, 70, 1), (3, 1, 0, 10, 0, 77, 128, 128), (10, 1, 0, 250, 2, 0, 255, 0)):
    put("tracepack_round_trip", "words%d" % how[0], bytes(how) + words)


def wire():
  for i in range(12):
    small = bytes((i * 7 + k * k * 5) % 4 for k in range(90))
    put("wire_descriptions", "small%d" % i, bytes([i, 1]) + small)
    put("wire_descriptions", "large%d" % i, bytes([i, 1]) + bytes(b * 61 for b in small))


def query_index():
  # Accesses: granule, mask, steps, repetitions. The last third is damage: place (2 bytes) and value.
  accesses = b"".join(bytes([g, m, t, r]) for g, m, t, r in (
      (1, 255, 1, 63), (1, 1, 2, 63), (7, 128, 0, 63), (1, 16, 3, 63), (255, 3, 1, 5), (9, 1, 200, 0)) * 4)
  damage = bytes(range(3, 3 + len(accesses) // 2))
  for how in (0, 1, 2, 7, 8, 11, 12, 16, 17, 22, 23):
    put("query_index", str(how), bytes([how]) + accesses + damage)


def main():
  standard, cloudsuite = champsim()
  small = x64dbg()
  described_file()
  gdb()
  file_ends()
  inner_records()
  cbp2025 = cvp()
  trace = stf()
  drmem = drmemtrace()
  graph = bt9()
  arm = tarmac()
  arrival = tenet()
  lackey, dinero, mldpc = listed()
  events, text = rapidbin()
  kinds = compressed()
  umtracer()
  tracepack()
  query_index()
  wire()
  wasm()
  for name, content in (("champsim", standard * 3), ("cloudsuite", cloudsuite * 3),
                        ("x64dbg", small),
                        ("cbp2025", cbp2025), ("drmemtrace", drmem), ("stf", trace), ("bt9", graph), ("tarmac", arm), ("tenet", arrival), ("lackey", lackey), ("dinero", dinero), ("mldpc", mldpc), ("rapidbin", events), ("std", text), ("text", b"no trace\n" * 9),
                        ("zstd", kinds["zstd"][0]), ("gzip", gzip.compress(standard, mtime=0)),
                        ("xz", lzma.compress(text))):
    put("feed_open", name, b"\0" + content)
    put("feed_open", name + "_mapped", b"\7" + content)


main()
