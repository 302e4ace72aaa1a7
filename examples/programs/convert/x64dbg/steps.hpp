// Converts x64dbg instructions to steps for umtracer::x86_writer.
#pragma once
#include <tracecodec/umtracer/from_x86/writer.hpp>
#include <tracecodec/x64dbg/feed/lift.hpp>
#include <tracecodec/x64dbg/layout/regdump.hpp>
#include <tracecodec/x64dbg/layout/registers.hpp>
#include <tracecodec/x64dbg/reader.hpp>
#include <tracecodec/x86/zydis.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace convert {

namespace umtracer = tracecodec::umtracer;
namespace x64dbg = tracecodec::x64dbg;
namespace x86 = tracecodec::x86;
namespace wire = tracecodec::wire;

// Returns the positions in REGDUMP of the registers in umtracer::x86_register_map. The index of an
// entry is the register number. An entry has size 0 if REGDUMP lacks the register.
template <x64dbg::target T> const std::array<x64dbg::register_name, 256>& regdump_places() {
  static const auto all = [] {
    std::array<x64dbg::register_name, 256> places{};
    const auto add = [&](x86::reg r, std::string_view name) {
      if (const auto found = x64dbg::find_register<T>(name)) places[x86::number(r)] = *found;
    };
    // Do not use operator+, because g++ 12 prints a false warning about it.
    const auto joined = [](std::string_view begin, std::string_view rest) {
      std::string name(begin);
      name += rest;
      return name;
    };
    const auto add_row = [&](x86::reg first, std::string_view prefix, std::size_t n) {
      for (std::size_t i = 0; i < n; ++i)
        add(x86::row(first, i), joined(prefix, std::to_string(i)));
    };
    constexpr bool wide = T == x64dbg::target::x64;
    constexpr std::array<std::string_view, 8> general{"di", "si", "bp", "sp",
                                                      "bx", "dx", "cx", "ax"};
    for (std::size_t i = 0; i < general.size(); ++i)
      add(x86::row(x86::reg::rdi, i), joined(wide ? "r" : "e", general[i]));
    for (std::size_t i = 8; wide && i < 16; ++i)
      add(x86::row(x86::reg::r8, i - 8), joined("r", std::to_string(i)));
    add(x86::reg::flags, wide ? "rflags" : "eflags");
    add(x86::reg::ip, wide ? "rip" : "eip");
    constexpr std::array<std::string_view, 6> segments{"cs", "ss", "ds", "es", "fs", "gs"};
    for (std::size_t i = 0; i < segments.size(); ++i) add(x86::row(x86::reg::cs, i), segments[i]);
    add_row(x86::reg::debug0, "dr", 8);
    add_row(x86::reg::vector0, "ymm", 16);
    add_row(x86::reg::mmx0, "mm", 8);
    add(x86::reg::x87_control, "x87.control_word");
    add(x86::reg::x87_status, "x87.status_word");
    add(x86::reg::x87_tag, "x87.tag_word");
    add(x86::reg::mxcsr, "mxcsr");
    // The x87 area has the layout of FSAVE: ST0 to ST7, each ten bytes long.
    constexpr std::size_t area =
        x64dbg::regdump_codec<T>::template offset_of<&x64dbg::regdump<T>::register_area>;
    for (std::size_t i = 0; i < 8; ++i)
      places[x86::number(x86::row(x86::reg::x87_0, i))] = {
          {}, static_cast<std::uint16_t>(area + 10 * i), 10};
    return places;
  }();
  return all;
}

// Step of one instruction (umtracer::x86_step). The step's memory consists of the recorded words.
// If a push overwrites memory, the old value is ignored, because x64dbg records it incorrectly.
template <x64dbg::target T> class x64dbg_step : public x64dbg::machine<T> {
  using word = wire::word_t<T>;

 public:
  x64dbg_step(const x64dbg::instruction<T>& i, const x64dbg::segment_bases& bases)
      : x64dbg::machine<T>(*i.before, bases),
        instruction_(i),
        places_(regdump_places<T>()),
        pushes_(!i.accesses().empty() && x64dbg::pushes<T>(i.opcode())) {}

  void copy(x86::reg r, std::span<std::byte> to) const {
    const x64dbg::register_name& place = places_[x86::number(r)];
    const x64dbg::register_state<T>& state = *instruction_.before;
    if (place.offset % sizeof(word) == 0 && to.size() % sizeof(word) == 0) {
      for (std::size_t i = 0; i < to.size(); i += sizeof(word))
        codec::store(state[(place.offset + i) / sizeof(word)], to.data() + i);
    } else {
      for (std::size_t i = 0; i < to.size(); ++i) {
        const std::size_t at = place.offset + i;
        to[i] = byte_of(state[at / sizeof(word)], at % sizeof(word));
      }
    }
  }

  bool memory(std::uint64_t at, std::span<std::byte> to, umtracer::moment when) const {
    bool known = true;
    for (std::size_t done = 0; done != to.size();) {
      const std::size_t n = copy_word(at + done, to.subspan(done), when);
      known = known && n != 0;
      if (n == 0) to[done] = {};
      done += std::max<std::size_t>(n, 1);
    }
    return known;
  }

 private:
  using codec = typename x64dbg::block<T>::word;

  static std::byte byte_of(std::uint64_t v, std::size_t i) {
    return static_cast<std::byte>(v >> 8 * i & 0xFF);
  }
  // Copies bytes of a recorded word to `to`, starting with the byte at address `at`. Returns the
  // number of bytes copied, or 0 if no word contains `at`.
  std::size_t copy_word(std::uint64_t at, std::span<std::byte> to, umtracer::moment when) const {
    const bool before = when == umtracer::moment::before;
    for (const x64dbg::memory_access& a : instruction_.accesses()) {
      const auto offset = static_cast<word>(at - a.address);
      if (offset >= sizeof(word)) continue;
      const auto from = static_cast<std::size_t>(offset);
      if (before && pushes_ && !x64dbg::trusts_old_value<T>(a, instruction_.opcode(), csp()))
        continue;
      const std::uint64_t v = before ? a.old_value : a.value_after();
      const std::size_t n = std::min<std::size_t>(sizeof(word) - from, to.size());
      for (std::size_t i = 0; i < n; ++i) to[i] = byte_of(v, from + i);
      return n;
    }
    return 0;
  }
  [[nodiscard]] std::optional<word> csp() const {
    return (*instruction_.before)[x64dbg::register_state<T>::csp_word];
  }

  const x64dbg::instruction<T>& instruction_;
  const std::array<x64dbg::register_name, 256>& places_;
  bool pushes_;
};

// UMTracer trace that is made from the instructions of an x64dbg trace. Add the instructions in
// execution order.
template <x64dbg::target T> class umtracer_trace {
 public:
  // Creates the trace in `folder`. finish() calls passed(done) regularly, where `done` is a
  // fraction from 0 to 1. If passed() throws, the output is removed. Throws like umtracer::writer.
  umtracer_trace(
      const std::string& folder, const x64dbg::trace_header& header,
      std::function<void(double)> passed = [](double) {},
      std::uint64_t most_bytes = tracecodec::io::no_size_limit)
      : out_(folder, x86::zydis_disassembler(T), most_bytes),
        lifter_(x86::zydis_disassembler(T)),
        passed_(std::move(passed)) {
    umtracer::trace_description d{.bitness = T == x64dbg::target::x64 ? 64U : 32U};
    if (header.path && can_be_in_xml(*header.path)) d.command_line = *header.path;
    out_.set_xml(umtracer::make_trace_xml(d));
  }

  // Adds an instruction. If no thread is recorded, the instruction belongs to thread 0.
  void add(const x64dbg::instruction<T>& i) {
    const std::uint32_t thread = i.thread.value_or(0);
    const umtracer::x86_row& row = out_.row(i.ip(), i.opcode());
    x64dbg::segment_bases& bases = bases_of(thread);
    if (row.form->segmented) {
      x64dbg::executed_instruction ignored;
      lifter_(i, bases, ignored);
    }
    out_.step(thread, row, x64dbg_step<T>(i, bases));
  }
  [[nodiscard]] std::uint64_t written() const { return out_.steps(); }
  void finish() { out_.finish(passed_); }

 private:
  static bool can_be_in_xml(std::string_view text) {
    return std::none_of(text.begin(), text.end(), [](char c) {
      return static_cast<unsigned char>(c) < 0x20 && c != '\t' && c != '\n' && c != '\r';
    });
  }
  x64dbg::segment_bases& bases_of(std::uint32_t thread) {
    if (bases_ == nullptr || thread != thread_) {
      bases_ = &all_bases_[thread];
      thread_ = thread;
    }
    return *bases_;
  }

  umtracer::x86_writer<x86::zydis_disassembler> out_;
  // Lifter that computes the base addresses of fs and gs.
  x64dbg::lifter<T, x86::zydis_disassembler> lifter_;
  std::function<void(double)> passed_;
  std::map<std::uint32_t, x64dbg::segment_bases> all_bases_ = {};
  x64dbg::segment_bases* bases_ = nullptr;
  std::uint32_t thread_ = 0;
};

}  // namespace convert
