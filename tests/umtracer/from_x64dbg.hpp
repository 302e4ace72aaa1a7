// Helpers for tests of traces converted from x64dbg: conversion, and access to registers by name.
#pragma once
#include <doctest/doctest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "../examples/programs/convert/x64dbg/steps.hpp"
#include "tracecodec/umtracer/reader.hpp"
#include "x64dbg_feed/support.hpp"

namespace test {

namespace umtracer = tracecodec::umtracer;

// Converts a trace to a UMTracer trace in folder `to`.
template <target T> void convert_x64dbg(x64dbg::reader<T>& from, const std::string& to) {
  convert::umtracer_trace<T> out(to, from.header());
  x64dbg::instruction<T> i;
  while (from.next(i)) out.add(i);
  out.finish();
}

// Returns the bytes of REGDUMP for a register name of the context map, or nullopt if REGDUMP does
// not have it. REGDUMP's RegisterArea has the order of FSAVE: ST0 to ST7.
template <target T>
std::optional<bytes> regdump_bytes(const x64dbg::register_state<T>& s, std::string name) {
  std::optional<x64dbg::register_name> r;
  if (name.size() == 3 && name.starts_with("ST")) {
    constexpr auto area =
        x64dbg::regdump_codec<T>::template offset_of<&x64dbg::regdump<T>::register_area>;
    r = {{}, static_cast<std::uint16_t>(area + 10U * static_cast<unsigned>(name[2] - '0')), 10};
  } else {
    if (name.starts_with("MMX")) name.erase(2, 1);
    for (char& c : name) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
    if (name.starts_with("x87")) name = std::string("x87.") + name.substr(3) + "_word";
    r = x64dbg::find_register<T>(name);
  }
  if (!r) return std::nullopt;
  bytes out;
  for (std::size_t i = 0; i < r->size; ++i)
    out.push_back(static_cast<std::byte>(s.byte(*r, i).value()));
  return out;
}

inline constexpr std::array<const char*, 2> x64dbg_samples{"work32.trace32.xz",
                                                           "threads3_64.trace64.xz"};
// Calls f(x64dbg::reader<T>&) for a sample.
template <class F> void with_sample(const std::string& name, F&& f) {
  x64dbg::with_reader(io::open_input(data(name)), {}, std::forward<F>(f));
}

}  // namespace test
