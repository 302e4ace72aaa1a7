#!/usr/bin/env python3
"""Compiles every header alone, because each must include everything that it needs. If a header has a separate
implementation (impl/NAME.ipp), also compiles the implementation alone. Other headers contribute only their
declarations: this takes a third of the time, and an implementation that another one includes cannot hide a missing
include. Also compiles the declarations of all headers in one file. Every implementation must be in one source file of
src/, next to the folder of the headers.

compile REPORT DEPFILE INCLUDE LIBRARIES SYSTEM COMPILER...: runs during the build, so that it is repeated only
after a header changed. INCLUDE is the folder, and LIBRARIES are the libraries of the build, separated by commas.
Headers that need another library, directly or indirectly, are skipped. SYSTEM is the host's system. check REPORT:
the test. It prints the report and fails if a header does not compile.
"""
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import tempfile

WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wshadow", "-Werror"]


# Headers that need a library.
NEEDS = {**{codec: [f"io/compression/{codec}.hpp"] for codec in ("gzip", "bzip2", "lz4", "snappy")},
         "zstd": ["io/compression/zstd.hpp", "io/compression/zstd_block.hpp", "io/compression/zstf.hpp",
                  *[f"tracepack/{h}.hpp" for h in ("feed", "open", "reader", "rows", "writer", "values")],
                  *[f"tracepack/impl/{h}.hpp" for h in ("ahead_decoder", "frame_ahead", "frames_ahead", "frame_queue",
                                                        "model/encoder", "model_frame")]],
         "zip": ["io/compression/zip.hpp", "io/compression/zip_sink.hpp"],
         "xz": ["io/compression/xz.hpp", "io/compression/impl/xz_index.hpp"],
         "zydis": ["x86/zydis.hpp", "x86/impl/zydis_data_flow.hpp", "x86/impl/zydis_registers.hpp",
                   "x86/impl/zydis_translation.hpp",
                   "x64dbg/feed.hpp", "x64dbg/values.hpp", "x64dbg/feed/values.hpp", "umtracer/feed.hpp",
                   "umtracer/values.hpp", "tracepack/values.hpp"],
         "libdw": ["program/elf_lines.hpp", "program/elf_module.hpp", "program/elf_symbols.hpp"],
         "pugixml": ["umtracer/read_metadata.hpp"],
         "simdjson": ["io/text/json.hpp", "io/text/json_pieces.hpp", "program/read_map.hpp",
                      "rapidbin/read_metadata.hpp"]}


def headers_of(include, libraries, system):
  """Returns the headers that can be included on a system ("windows" or any other name) with these libraries."""
  missing = {f"tracecodec/{h}" for library in NEEDS if library not in libraries
             for h in NEEDS[library]}
  # The implementation of io/os/os.hpp for the other system.
  missing.add(f"tracecodec/io/os/os_{'posix' if system == 'windows' else 'windows'}.hpp")
  root = pathlib.Path(include)
  return sorted({f.relative_to(root).as_posix() for f in root.rglob("*.hpp")} - missing)


INCLUDE = re.compile(r'^#include (?:"(.*)"|<(.*)>)', re.M)


def implementation_of(header):
  path = pathlib.Path(header)
  return path.parent / "impl" / f"{path.stem}.ipp"


def compiled(root, sources):
  """Yields each implementation file, and the number of source files that include it, directly or through other
  implementation files."""
  def included(f):
    for own, other in INCLUDE.findall(f.read_text()):
      yield (f.parent / own if own else root / other).resolve()

  def implementations_in(f, found):
    for other in included(f):
      if other.suffix == ".ipp" and other not in found:
        found.add(other)
        implementations_in(other, found)
    return found

  found = [implementations_in(f, set()) for f in sources.glob("*.cpp")]
  for f in sorted(root.rglob("*.ipp")):
    yield f.relative_to(root).as_posix(), sum(f.resolve() in all_of for all_of in found)


def closures(include, files):
  """Returns {header or implementation: everything that it includes, directly or through headers of this library},
  except other implementations."""
  root, known = pathlib.Path(include), {}

  def of(header):
    if header not in known:
      known[header] = {header}  # headers do not include each other in cycles
      for own, other in INCLUDE.findall((root / header).read_text()):
        name = os.path.normpath(pathlib.Path(header).parent / own) if own else other
        if name.endswith(".ipp"):
          continue
        known[header] |= of(name) if (root / name).exists() else {name}
    return known[header]

  return {f: of(f) for f in files}


def choose_bases(everything, most):
  """Returns {header: an included header that is precompiled}. Chooses the `most` headers that save the most work.
  A precompiled header does not hide a missing include if the compiled header includes it anyway."""
  bases = {}
  for _ in range(most):
    def spared(base):
      n = len(everything[base])
      return sum(max(0, n - len(everything.get(bases.get(h), ())))
                 for h, all_of_it in everything.items() if base in all_of_it and h != base) - 3 * n
    best = max(sorted(everything), key=spared)
    if spared(best) <= 0:
      break
    for h, all_of_it in everything.items():
      if best in all_of_it and h != best:
        if len(everything[best]) > len(everything.get(bases.get(h), ())):
          bases[h] = best
  return bases


def compile_all(report, depfile, include, libraries, system, *compiler):
  have = [c for c in libraries.split(",") if c]
  root, sources = pathlib.Path(include), pathlib.Path(include).parent / "src"
  files = sorted([*root.rglob("*.hpp"), *root.rglob("*.ipp"), *sources.glob("*.cpp")])
  # Depend on the folders, too, because a new header changes them.
  needs = [*files, *{f.parent for f in files}]
  pathlib.Path(depfile).write_text(f"{report}: " + " ".join(str(n) for n in needs) + "\n")
  headers = headers_of(include, have, system)
  macros = [f"-DTRACECODEC_WITH_{codec.upper()}" for codec in have]

  # By default clang instantiates the templates of a precompiled header in each file that includes it.
  is_clang = "clang" in subprocess.run([*compiler, "--version"], capture_output=True, text=True).stdout
  once = ["-Xclang", "-fpch-instantiate-templates"] if is_clang else []
  command = [*compiler, "-std=c++20", *WARNINGS, *macros, "-DTRACECODEC_SEPARATE_COMPILATION", f"-I{include}"]
  implementations = [i.as_posix() for i in map(implementation_of, headers) if (root / i).exists()]
  bases = choose_bases(closures(include, [*headers, *implementations]), 20)

  def run(arguments, source=None):
    return subprocess.run([*command, *arguments], input=source, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True)

  with tempfile.TemporaryDirectory() as folder, \
      concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
    base_files = {base: pathlib.Path(folder) / f"{n}.hpp" for n, base in enumerate(sorted(set(bases.values())))}

    def precompile(base):
      file = base_files[base]
      file.write_text(f"#include <{base}>\n")
      # If this fails, the error appears when the header is compiled like all others.
      run(["-xc++-header", *once, str(file), "-o", f"{file}.gch"])

    def compile_one(name, included):
      before = ["-include", str(base_files[bases[name]])] if name in bases else []
      lines = "".join(f"#include <{h}>\n" for h in included)
      return run([*before, "-fsyntax-only", "-xc++", "-"], lines)

    list(pool.map(precompile, base_files))
    # Each header is included twice; the second time must have no effect. An implementation includes its header.
    jobs = [*((h, [h, h]) for h in headers), *((i, [i]) for i in implementations), ("all of them", headers)]
    names = [name for name, _ in jobs]
    results = list(pool.map(lambda job: compile_one(*job), jobs))
  bad = [(h, r.stdout) for h, r in zip(names, results) if r.returncode != 0]
  bad += [(name, f"is in {n} source files, expected one\n") for name, n in compiled(root, sources)
          if n != 1]
  good = len(names) - len(bad)
  pathlib.Path(report).write_text(f"{good} of {len(names)} files compile alone\n" +
                                  "".join(f"{h}:\n{output}" for h, output in bad))


def check(report):
  text = pathlib.Path(report).read_text()
  print(text, end="")
  good, _, all_of_them = text.split()[:3]
  return 0 if good == all_of_them and int(good) >= 20 else 1


if __name__ == "__main__":
  sys.exit(check(*sys.argv[2:]) if sys.argv[1] == "check" else compile_all(*sys.argv[2:]))
