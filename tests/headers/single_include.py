#!/usr/bin/env python3
"""Tests that single_include/tracecodec_wire.hpp is current, and that ten lines that include nothing else compile
with it. Usage: single_include.py ROOT COMPILER..."""
import pathlib
import subprocess
import sys

PROGRAM = """#include <tracecodec_wire.hpp>
namespace wire = tracecodec::wire;
struct header {
  std::int16_t threads;
  std::int64_t events;
};
using codec = wire::record<header, wire::order::big>;
static_assert(codec::size == 10 && codec::offset_of<&header::events> == 2);
constexpr std::byte bytes[10] = {std::byte{1}, std::byte{2}, {}, {}, {}, {}, {}, {}, {}, std::byte{3}};
static_assert(codec::decode(std::span(bytes)).threads == 0x102);
"""


def main(root, *compiler):
    root = pathlib.Path(root)
    subprocess.run([sys.executable, root / "scripts" / "single_include", "--check"], check=True)
    # Include it as a user's own header, so that its warnings are shown.
    done = subprocess.run([*compiler, "-std=c++20", "-Wall", "-Wextra", "-Wpedantic", "-Wconversion",
                           "-Wshadow", "-Werror", "-I", root / "single_include", "-fsyntax-only",
                           "-x", "c++", "-"], input=PROGRAM, text=True)
    return done.returncode


sys.exit(main(*sys.argv[1:]))
