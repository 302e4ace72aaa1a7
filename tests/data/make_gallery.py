#!/usr/bin/env python3
"""Makes files of tests/data/gallery with the installed tools: make_gallery.py FORMAT FOLDER

FORMAT is one of git, midi, profile and wasm. Ends with status 77 if a tool is missing. The files have the same
contents as those in tests/data/gallery, except for addresses, times, and what else the system chooses.
"""
import os
import pathlib
import shutil
import struct
import subprocess
import sys

SUM = """\
extern void show(int);
int limit = 10;
__attribute__((export_name("sum"))) int sum(const int* a, int n) {
  int s = 0;
  for (int i = 0; i < n && i < limit; ++i) s += a[i];
  show(s);
  return s;
}
"""
TWICE = """\
static int twice(int n) { return n > 0 ? 2 * n : 0; }
int main(void) {
  int s = 0;
  for (int i = -2; i < 5; ++i) s += twice(i);
  return s != 20;
}
"""
SCALE = """\
0, 0, Header, 1, 2, 480
1, 0, Start_track
1, 0, Title_t, "scale"
1, 0, Time_signature, 4, 2, 24, 8
1, 0, Tempo, 500000
1, 0, End_track
2, 0, Start_track
2, 0, System_exclusive, 5, 126, 127, 9, 1, 247
2, 0, Program_c, 0, 19
2, 0, Pitch_bend_c, 0, 8192
2, 0, Note_on_c, 0, 60, 81
2, 480, Note_on_c, 0, 60, 0
2, 480, Note_on_c, 0, 62, 81
2, 960, Note_on_c, 0, 62, 0
2, 960, Text_t, "half"
2, 960, Note_on_c, 0, 64, 81
2, 1440, Note_on_c, 0, 64, 0
2, 1440, End_track
0, 0, End_of_file
"""


def need(name, installed):
    if not installed:
        print(f"{name} is not installed")
        sys.exit(77)


def run(*command, **env):
    need(command[0], shutil.which(command[0]))
    subprocess.run(command, check=True, env=dict(os.environ, **env), stdout=subprocess.DEVNULL)


def git():
    for name, text, mode in (("hello.txt", "tracecodec\n", 0o644), ("run", "#!/bin/sh\n", 0o755),
                             ("src/main.c", "int main(void) { return 0; }\n", 0o644),
                             ("src/old/a.c", "", 0o644)):
        path = pathlib.Path("files", name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        path.chmod(mode)
    os.symlink("hello.txt", "files/link")
    settings = ("-c", "index.version=2", "-c", "user.name=t", "-c", "user.email=t@example.org")
    # Settings of the user and of an enclosing command of git do not matter.
    for name in [name for name in os.environ if name.startswith("GIT_")]:
        del os.environ[name]
    env = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    # The last command makes the objects of two folders invalid in the index.
    for command in (["init", "-q", "--template="], ["add", "."], ["commit", "-q", "-m", "files"],
                    ["update-index", "--chmod=+x", "src/main.c"]):
        run("git", *settings, "-C", "files", *command, **env)
    shutil.move("files/.git/index", "files.index")
    shutil.rmtree("files")


def midi():
    pathlib.Path("scale.csv").write_text(SCALE)
    run("csvmidi", "-z", "scale.csv", "scale.mid")
    os.remove("scale.csv")


def profile():
    need("clang-14", shutil.which("clang-14"))
    folder = subprocess.run(["clang-14", "-print-resource-dir"], check=True, capture_output=True, text=True).stdout
    need("clang's library for profiles", [*pathlib.Path(folder.strip()).glob("lib/*/*clang_rt.profile*")])
    pathlib.Path("twice.c").write_text(TWICE)
    run("clang-14", "-O1", "-fprofile-instr-generate", "-Wl,--build-id=sha1", "-mllvm",
        "-enable-name-compression=false", "twice.c", "-o", "twice")
    run("./twice", LLVM_PROFILE_FILE="twice.profraw")
    # The same profile with the other byte order. llvm-profdata prints the same counts for both.
    old = pathlib.Path("twice.profraw").read_bytes()
    here, other = ("<", ">") if sys.byteorder == "little" else (">", "<")
    functions, _, counters = struct.unpack_from(here + "3Q", old, 24)
    words = "11Q" + "Q20s4x" + functions * "5QI2H" + f"{counters}Q"
    size = struct.calcsize(here + words)
    new = struct.pack(other + words, *struct.unpack(here + words, old[:size])) + old[size:]
    pathlib.Path("big.profraw").write_bytes(new)
    for name in ("twice.c", "twice"):
        os.remove(name)


def wasm():
    pathlib.Path("sum.c").write_text(SUM)
    run("clang-14", "--target=wasm32", "-O1", "-c", "sum.c", "-o", "sum.o")
    run("wasm-ld-14", "--no-entry", "--allow-undefined", "sum.o", "-o", "sum.wasm")
    os.remove("sum.c")


def main():
    makers = {f.__name__: f for f in (git, midi, profile, wasm)}
    if len(sys.argv) != 3 or sys.argv[1] not in makers:
        sys.exit(__doc__)
    os.makedirs(sys.argv[2], exist_ok=True)
    os.chdir(sys.argv[2])
    makers[sys.argv[1]]()


if __name__ == "__main__":
    main()
