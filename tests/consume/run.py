#!/usr/bin/env python3
"""Builds consumer.cpp in one of the ways that are available to a user, and runs it on real traces.

Arguments: WAY, the source folder, a build folder whose library is installed, the libraries of the build separated
by commas, and the compiler command. WAY is subproject, pkg-config, cmake or plain, or one of these with -compiled
to use the compiled library. without-NAME is a subproject without an optional dependency, and without-all without
any. wrap, fetch-content and presets build a smaller program, from fetch_content/ or examples/. tutorial and
tutorial-cmake build a copy of examples/tutorial/. c-installed and c-cmake build a C program with libtracecodec,
and c-cmake also tests CMake's installation. headers-install tests installations by meson and CMake that compile
nothing. The exit status is 77 (skipped) if a tool is missing.
"""
import bz2
import gzip
import io
import json
import lzma
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile

OPTIONAL = ["xz", "gzip", "bzip2", "zstd", "lz4", "snappy", "zip", "simdjson", "pugixml", "zydis", "libdw"]
# Compiles the library as one translation unit, which takes CMake a third of the time.
IN_ONE = ["-DCMAKE_UNITY_BUILD=ON", "-DCMAKE_UNITY_BUILD_BATCH_SIZE=0"]
NAMES = ["direct_jump", "indirect", "conditional", "direct_call", "indirect_call", "return",
         "other", "not_branch"]


def run(*command, **options):
  """Runs a command that must succeed, and returns its output."""
  done = subprocess.run([str(c) for c in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                        stdin=subprocess.DEVNULL, text=True, **options)
  if done.returncode != 0:
    sys.exit(f"failed: {' '.join(str(c) for c in command)}\n{done.stdout}")
  return done.stdout


def need(*tools):
  for tool in tools:
    if not shutil.which(tool):
      print(f"{tool} is not installed")
      sys.exit(77)


def champsim_class(record):
  """Returns the class by ChampSim's rules, implemented independently."""
  written, read = record[10:12], record[12:16]
  sp, flags, ip = 6, 25, 26
  other = any(r not in (0, sp, flags, ip) for r in read)
  if ip not in written:
    return 7
  if sp not in read and flags not in read and not other:
    return 0
  if sp not in read and ip not in read and flags not in read:
    return 1
  if sp not in read and ip in read and sp not in written:
    return 2
  if sp in read and ip in read and sp in written and flags not in read:
    return 4 if other else 3
  if sp in read and ip not in read and sp in written:
    return 5
  return 6


def expected(trace):
  mix, misses, counters = [0] * 8, 0, [0] * 1024
  for at in range(0, len(trace), 64):
    record = trace[at:at + 64]
    kind = champsim_class(record)
    mix[kind] += 1
    if NAMES[kind] == "conditional":
      taken, index = record[9] != 0, int.from_bytes(record[:8], "little") % 1024
      misses += (counters[index] >= 2) != taken
      counters[index] = min(3, counters[index] + 1) if taken else max(0, counters[index] - 1)
  return f"instructions {len(trace) // 64}\n" + "".join(
      f"{name} {n}\n" for name, n in zip(NAMES, mix)) + f"misses {misses}\n"


def installed(prefix):
  """Returns the files below a prefix, without the programs, their plugin and their pages."""
  files = {path.relative_to(prefix) for path in prefix.rglob("*") if not path.is_dir()}
  apart = {"bin", "man", "bash-completion", "zsh", "fish"}
  return {file for file in files if not apart & set(file.parts) and file.name != "tracecodec-qemu.so"}


def compare_installed(prefix, others_prefix):
  a, b = installed(prefix), installed(others_prefix)
  if a != b:
    sys.exit(f"only in {prefix}: {sorted(map(str, a - b))}, only in {others_prefix}: {sorted(map(str, b - a))}")
  if pathlib.Path("include/tracecodec.hpp") not in a:
    sys.exit(f"{prefix} has no headers")
  folders = {file.parent for file in a if file.suffix == ".pc"}
  if len(folders) != 1:
    sys.exit(f"files of pkg-config are in {folders}")


def expect_nothing_compiled(build):
  objects = [path for suffix in ("o", "a", "so*") for path in build.rglob(f"*.{suffix}")]
  if objects:
    sys.exit(f"compiled for an installation of headers: {objects}")


class Build:
  def __init__(self, source, built, folder, libraries, compiler):
    self.source, self.built, self.folder, self.compiler = source, built, folder, compiler
    self.libraries = libraries
    self.here = source / "tests" / "consume"
    self.environment = dict(os.environ, CXX=" ".join(compiler))

  def built_option(self, name):
    options = json.loads(run("meson", "introspect", "--buildoptions", self.built))
    return next(o["value"] for o in options if o["name"] == name)

  def install(self):
    """Installs the build below another folder than its prefix, from which it must also be usable. Returns the
    folder that contains include/."""
    need("meson", "ninja")
    staged = self.folder / "staged"
    run("meson", "install", "-C", self.built, "--no-rebuild", "--tags", "devel,runtime", "--destdir", staged)
    return staged / pathlib.Path(self.built_option("prefix")).relative_to("/")

  def flags(self, name, prefix, sysroot):
    """Returns the flags that pkg-config prints for an installation."""
    need("pkg-config")
    files = list(prefix.rglob(f"{name}.pc"))
    if len(files) != 1:
      sys.exit(f"{name}.pc is in {files}")
    return run("pkg-config", "--cflags", "--libs", name, env=dict(
        os.environ, PKG_CONFIG_PATH=str(files[0].parent), PKG_CONFIG_SYSROOT_DIR=str(sysroot))).split()

  def staged_flags(self, name):
    """Returns the prefix of an installation that was moved, like files of another host, and the flags that
    pkg-config prints for it."""
    prefix = self.install()
    return prefix, self.flags(name, prefix, self.folder / "staged")

  def find_package(self, prefix, *options):
    build = self.folder / f"build_with_{prefix.name}"
    run("cmake", "-S", self.here, "-B", build, "-G", "Ninja",
        f"-DCMAKE_PREFIX_PATH={prefix}", *options, env=self.environment)
    run("cmake", "--build", build)
    return build / "consumer"

  def find_c_package(self, prefix):
    build = self.folder / "build_c"
    run("cmake", "-S", self.here / "c", "-B", build, "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={prefix}",
        f"-DEXAMPLES={self.source}/examples/tutorial/c")
    run("cmake", "--build", build)
    if run(build / "records", self.source / "tests" / "data" / "rapidbin" / "r250.data") \
        != "rapidbin: 256 records, 0 branches, 0 taken, 162 reads, 117 writes\n":
      sys.exit("the program that CMake built counts otherwise")

  def without(self, name):
    return self.subproject("--buildtype=plain", *(
        f"-Dtracecodec:{option}=disabled" for option in OPTIONAL if name in (option, "all")))

  def subproject(self, *setup, dependency="'tracecodec'"):
    need("meson", "ninja")
    project = self.folder / "project"
    (project / "subprojects").mkdir(parents=True)
    (project / "subprojects" / "tracecodec").symlink_to(self.source)
    shutil.copy(self.here / "consumer.cpp", project)
    text = (self.here / "subproject.build").read_text()
    (project / "meson.build").write_text(
        text.replace("dependency('tracecodec')", f"dependency({dependency})"))
    build = self.folder / "build"
    run("meson", "setup", build, project, *setup, env=self.environment)
    targets = json.loads(run("meson", "introspect", "--targets", build))
    if [t["name"] for t in targets if t["build_by_default"]] != ["consumer"]:
      sys.exit(f"as a subproject the library builds more than nothing: {targets}")
    run("ninja", "-C", build)
    return build / "consumer"

  def subproject_compiled(self):
    return self.subproject("-Dunity=on", "-Dunity_size=24", dependency="'tracecodec-compiled', fallback: 'tracecodec'")

  def pkg_config(self, name="tracecodec"):
    out, (_, flags) = self.folder / "consumer", self.staged_flags(name)
    run(*self.compiler, "-std=c++20", self.here / "consumer.cpp", "-o", out, *flags)
    return out

  def pkg_config_compiled(self):
    declares_only = "-DTRACECODEC_SEPARATE_COMPILATION"
    if declares_only not in self.staged_flags("tracecodec-compiled")[1]:
      sys.exit(f"tracecodec-compiled.pc lacks {declares_only}")
    return self.pkg_config("tracecodec-compiled")

  def cmake(self, target="tracecodec"):
    need("cmake")
    return self.find_package(self.install(), f"-DCONSUMED={target}")

  def cmake_compiled(self):
    return self.cmake("compiled")

  def headers_install(self):
    """Builds with CMake from installations by meson and by CMake. These must compile nothing and install the same
    files."""
    need("meson", "ninja", "cmake")
    build, staged = self.folder / "by_meson", self.folder / "staged"
    run("meson", "setup", build, self.source, "--prefix=/usr", "--libdir=lib", "-Dcompiled=disabled",
        env=self.environment)
    run("meson", "install", "-C", build, "--destdir", staged)
    expect_nothing_compiled(build)
    build, prefix = self.folder / "by_cmake", self.folder / "installed_by_cmake"
    run("cmake", "-S", self.source, "-B", build, "-G", "Ninja", "-DTRACECODEC_COMPILED=OFF",
        "-DCMAKE_INSTALL_LIBDIR=lib", env=self.environment)
    run("cmake", "--build", build)
    run("cmake", "--install", build, "--prefix", prefix)
    expect_nothing_compiled(build)
    compare_installed(prefix, staged / "usr")
    done = subprocess.run(["cmake", "-S", self.here, "-B", self.folder / "refused", "-G", "Ninja",
                           "-DCONSUMED=compiled", f"-DCMAKE_PREFIX_PATH={prefix}"], env=self.environment,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode == 0 or "the compiled library was not installed" not in done.stdout:
      sys.exit(f"the compiled library is found among headers alone: {done.stdout}")
    program = f"-DPROGRAM={self.here}/fetch_content/simulator.cpp"
    self.find_package(prefix, program)
    return self.find_package(staged / "usr", program)

  def wrap(self):
    """Builds with the documented wrap file. Only the location of the project is changed."""
    need("meson", "ninja", "git")
    repository = self.folder / "tracecodec"
    repository.mkdir()
    for part in "include", "packaging", "src":
      shutil.copytree(self.source / part, repository / part)
    for part in "meson.build", "meson_options.txt":
      shutil.copy(self.source / part, repository)
    git = ["git", "-C", repository, "-c", "user.name=n", "-c", "user.email=e", "-c",
           "commit.gpgsign=false"]
    run(*git, "init", "-q")
    run(*git, "add", "-A")
    run(*git, "commit", "-q", "-m", "all")
    run(*git, "tag", "v0.1.0")
    project = self.folder / "project"
    (project / "subprojects").mkdir(parents=True)
    wrap = (self.source / "packaging" / "wrap" / "tracecodec.wrap").read_text()
    moved = wrap.replace("https://example.org/tracecodec.git", repository.as_uri())
    if moved == wrap:
      sys.exit("the wrap file has another url")
    (project / "subprojects" / "tracecodec.wrap").write_text(moved)
    shutil.copy(self.here / "fetch_content" / "simulator.cpp", project)
    (project / "meson.build").write_text(
        "project('simulator', 'cpp', default_options: ['cpp_std=c++20', 'buildtype=plain'])\n"
        "executable('simulator', 'simulator.cpp', dependencies: dependency('tracecodec'))\n")
    run("meson", "setup", self.folder / "build", project, env=self.environment)
    run("ninja", "-C", self.folder / "build")
    return self.folder / "build" / "simulator"

  def fetch_content(self):
    need("cmake", "ninja")
    run("cmake", "-G", "Ninja", "-S", self.here / "fetch_content", "-B", self.folder / "build",
        f"-DFETCHCONTENT_SOURCE_DIR_TRACECODEC={self.source}", env=self.environment)
    run("cmake", "--build", self.folder / "build")
    return self.folder / "build" / "simulator"

  def c_installed(self):
    """Builds C programs with CMake and pkg-config."""
    need("pkg-config", "cc", "cmake")
    prefix, flags = self.staged_flags("tracecodec-c")
    self.find_c_package(prefix)
    out, library = self.folder / "records", next(prefix.rglob("libtracecodec.so"))
    run("cc", "-std=c11", self.source / "examples" / "tutorial" / "c" / "records.c", "-o", out, *flags,
        f"-Wl,-rpath,{library.parent}")
    return out

  def c_cmake(self):
    """Builds with add_subdirectory(), as FetchContent does. Then installs the build."""
    need("cmake", "ninja", "cc")
    build = self.folder / "build"
    optional = [f"-DTRACECODEC_WITH_{name.upper()}={'ON' if name in self.libraries else 'OFF'}"
                for name in OPTIONAL]
    run("cmake", "-G", "Ninja", "-S", self.here / "c", "-B", build, *IN_ONE, *optional,
        f"-DTRACECODEC={self.source}", f"-DEXAMPLES={self.source}/examples/tutorial/c", env=self.environment)
    run("cmake", "--build", build)
    self.install_by_cmake(build)
    return build / "records"

  def install_by_cmake(self, build):
    """CMake's installation has the same files as meson's, and CMake and pkg-config find it."""
    need("meson", "ninja", "pkg-config")
    of_meson, prefix = self.install(), self.folder / "installed_by_cmake"
    packages = [path.stem for path in of_meson.rglob("*.pc")]
    run("cmake", build, "-DTRACECODEC_INSTALL=ON", "-DTRACECODEC_COMPILED=ON",
        f"-DTRACECODEC_C={'ON' if 'tracecodec-c' in packages else 'OFF'}",
        f"-DCMAKE_INSTALL_LIBDIR={self.built_option('libdir')}")
    run("cmake", "--build", build)
    run("cmake", "--install", build, "--prefix", prefix)
    compare_installed(prefix, of_meson)
    for package in packages:
      a, b = ({flag for flag in self.flags(package, *where) if flag.startswith("-DTRACECODEC")}
              for where in ((prefix, "/"), (of_meson, self.folder / "staged")))
      if a != b:
        sys.exit(f"{package}.pc of CMake has {a - b}, of meson {b - a}")
    if "tracecodec-c" in packages:
      self.find_c_package(prefix)
    trace = self.folder / "trace"
    trace.write_bytes(lzma.open(self.source / "tests" / "data" / "sed64.champsimtrace.xz").read())
    want = expected(trace.read_bytes())
    check(self.find_package(prefix, "-DCONSUMED=compiled"), trace, want, set())
    out = self.folder / "consumer"
    run(*self.compiler, "-std=c++20", self.here / "consumer.cpp", "-o", out,
        *self.flags("tracecodec-compiled", prefix, "/"))
    check(out, trace, want, set())

  def copied_tutorial(self):
    return shutil.copytree(self.source / "examples" / "tutorial", self.folder / "tutorial")

  def tutorial(self):
    """Builds with the library in subprojects/. tutorial_cmake() tests the C programs, because libtracecodec takes
    long to compile."""
    need("meson", "ninja")
    project = self.copied_tutorial()
    (project / "subprojects").mkdir()
    (project / "subprojects" / "tracecodec").symlink_to(self.source)
    build = self.folder / "build"
    run("meson", "setup", build, project, "--buildtype=plain", "-Dtracecodec:libtracecodec=disabled", env=self.environment)
    run("ninja", "-C", build)
    return build

  def tutorial_cmake(self):
    """Builds with an installed library. If the library is fetched instead, CMake finds the same targets."""
    need("cmake", "ninja")
    project, build = self.copied_tutorial(), self.folder / "build"
    run("cmake", "-G", "Ninja", "-S", project, "-B", self.folder / "fetched", "-DCMAKE_DISABLE_FIND_PACKAGE_tracecodec=ON",
        f"-DFETCHCONTENT_SOURCE_DIR_TRACECODEC={self.source}", env=self.environment)
    if "tracecodec_c:" not in run("cmake", "--build", self.folder / "fetched", "--target", "help"):
      sys.exit("the library was not fetched")
    run("cmake", "-G", "Ninja", "-S", project, "-B", build, "-DCMAKE_BUILD_TYPE=Debug",
        f"-DCMAKE_PREFIX_PATH={self.install()}", env=self.environment)
    run("cmake", "--build", build)
    return build

  def presets(self):
    """Builds one program with a listed preset, and checks that CMake compiles every file of the programs."""
    need("cmake", "ninja")
    listed = re.findall(r'^  "(\w+)"', run("cmake", "--list-presets", cwd=self.source), re.M)
    if listed != ["release", "debug", "sanitizers"]:
      sys.exit(f"presets {listed}")
    run("cmake", "--preset", "debug", "-B", self.folder / "build", *IN_ONE, cwd=self.source,
        env=self.environment)
    commands = json.loads((self.folder / "build" / "compile_commands.json").read_text())
    compiled = {pathlib.Path(command["file"]).resolve() for command in commands}
    for unit in (self.folder / "build").rglob("unity_*.cxx"):
      compiled.update(pathlib.Path(name) for name in re.findall(r'#include "(.*)"', unit.read_text()))
    wanted = set(self.source.glob("examples/**/*.cpp")) - set(self.source.glob("examples/tutorial/c/*"))
    if not (self.folder / "build" / "tracecodec-simpoints").exists():  # another system or processor
      wanted -= set(self.source.glob("examples/programs/record/**/*"))
    left_out = {file for file in wanted - compiled if file.name != "aarch64.cpp"}  # aarch64.cpp needs Capstone
    if left_out:
      sys.exit(f"CMake compiles none of {sorted(map(str, left_out))}")
    rules = (self.folder / "build" / "packaging" / "cmake_install.cmake").read_text()
    not_installed = [name for name in ("libtracecodec-compiled.a", "trace_view", "trace_view.1", "tracecodec.pc")
                     if f"/{name}\"" not in rules]
    if not_installed:
      sys.exit(f"CMake installs none of {not_installed}")
    run("cmake", "--build", self.folder / "build", "--target", "write_a_trace")
    return self.folder / "build" / "write_a_trace"

  def plain(self, *more):
    out = self.folder / "consumer"
    run(*self.compiler, "-std=c++20", "-Wall", "-Wextra", "-Werror", "-I", self.source / "include",
        self.here / "consumer.cpp", *more, "-o", out)
    return out

  def plain_compiled(self):
    return self.plain(self.source / "src" / "tracecodec.cpp", "-DTRACECODEC_SEPARATE_COMPILATION")


def check(program, path, want, missing, *options):
  """Checks the program's output for a trace, or its refusal if a library is missing."""
  done = subprocess.run([program, *options, path], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                        text=True)
  if missing:
    if done.returncode != 1 or not ("does not read" in done.stderr or "cannot read" in done.stderr):
      sys.exit(f"{path.name}: without {missing}: expected a refusal, got {done}")
  elif done.returncode != 0 or done.stdout != want:
    sys.exit(f"{path.name}: expected\n{want}got\n{done}")
  print(f"{path.name}: " + ("refused" if missing else "as expected"))


WRITTEN = "4001 records: 1001 loads, 1000 stores, 999 jumps back, 1 return\n"
C_COUNTED = "champsim: 50000 records, 11455 branches, "


def check_tutorial(build, trace, out):
  """Checks the output of the programs of examples/tutorial/ that were built, for a trace with 6,436 taken
  branches."""
  said = {
      "write_a_trace": [out, WRITTEN],
      "describe_your_own": [out, "sum of the loaded values: 5\n"],
      "feed_your_simulator": [trace, "6436 branches taken"],
      "records": [trace, C_COUNTED],
      "columns": [trace, "50000 rows, 6436 taken, "],
  }
  for name, (argument, words) in said.items():
    if name not in ("records", "columns") or (build / name).exists():
      text = run(build / name, argument)
      if words not in text:
        sys.exit(f"{name}: expected {words}, got {text}")
      print(f"{name}: as expected")


def compressed(path):
  """Yields the file in each compression that is available here, by the library that it needs."""
  raw = path.read_bytes()
  made = {"gzip": gzip.compress(raw), "bzip2": bz2.compress(raw)}
  for codec in "zstd", "lz4":
    if shutil.which(codec):
      made[codec] = subprocess.run([codec, "-q", "-c", path], stdout=subprocess.PIPE,
                                   check=True).stdout
    else:
      print(f"{codec} ... skipped 'no such program'")
  made["zip"] = io.BytesIO()
  with zipfile.ZipFile(made["zip"], "w", zipfile.ZIP_DEFLATED) as z:
    z.write(path, path.name)
  made["zip"] = made["zip"].getvalue()
  for codec, packed in made.items():
    file = path.with_name(f"{path.name}.{codec}")
    file.write_bytes(packed)
    yield codec, file


def main():
  how, source, built, libraries, *compiler = sys.argv[1:]
  source = pathlib.Path(source).resolve()
  data = source / "tests" / "data"
  without = ""
  if how.startswith("without-"):
    how, without = how.split("-")
  have = set(libraries.split(",")) - {without}
  if how.startswith("plain") or without == "all":
    have = set()
  with tempfile.TemporaryDirectory() as temporary:
    folder = pathlib.Path(temporary)
    arguments = [without] if without else []
    program = getattr(Build(source, built, folder, have, compiler), how.replace("-", "_"))(*arguments)

    def unpacked(name):
      (folder / name).write_bytes(lzma.open(data / f"{name}.xz").read())
      return folder / name

    if how == "presets":
      written = run(program, folder / "o.trace")
      sys.exit(None if written == WRITTEN else written)
    sed = unpacked("sed64.champsimtrace")
    if how.startswith("tutorial"):
      sys.exit(check_tutorial(program, sed, folder / "o.trace"))
    if how.startswith("c-"):
      print(counted := run(program, sed), end="")
      sys.exit(None if counted.startswith(C_COUNTED) else 1)
    if how in ("wrap", "fetch-content", "headers-install"):
      print(counted := run(program, sed), end="")
      sys.exit(None if counted.startswith("50000 instructions, 968 returns, by ") else 1)
    work = unpacked("work32.champsimtrace")
    want = expected(sed.read_bytes())
    check(program, sed, want, set())
    check(program, data / "sed64.champsimtrace.xz", want, {"xz"} - have)
    for codec, file in compressed(sed):
      check(program, file, want, {codec} - have)
    # This trace is the same run, recorded in another format.
    check(program, unpacked("work32.trace32"), expected(work.read_bytes()),
          {"simdjson", "zydis"} - have)
    check(program, data / "umtracer" / "plain64", "process 6151\n", {"pugixml"} - have, "--process")


if __name__ == "__main__":
  main()
