// x64dbg trace of a sample as a list of steps: opcode, registers, addresses. It contains only the
// data that the x86 tests need, so that these tests do not depend on readers that use x86.
#pragma once
#include <array>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "tracecodec/io/open.hpp"
#include "tracecodec/io/window.hpp"
#include "tracecodec/wire/types/scalar.hpp"
#include "tracecodec/x64dbg/layout.hpp"
#include "tracecodec/x86/accesses.hpp"

namespace test {

using tracecodec::wire::target;
using tracecodec::x86::instruction;
using tracecodec::x86::reg;

// Step of a trace. Models machine_state with the first words of REGDUMP and the segment base of the
// step's thread.
struct step {
  static constexpr std::array<reg, 18> layout64{
      reg::rax, reg::rcx, reg::rdx, reg::rbx, reg::rsp, reg::rbp, reg::rsi, reg::rdi, reg::r8,
      reg::r9,  reg::r10, reg::r11, reg::r12, reg::r13, reg::r14, reg::r15, reg::ip,  reg::flags};
  static constexpr std::array<reg, 10> layout32{reg::rax, reg::rcx, reg::rdx, reg::rbx, reg::rsp,
                                                reg::rbp, reg::rsi, reg::rdi, reg::ip,  reg::flags};

  std::array<std::uint64_t, 27> registers = {};  // by register number
  std::uint64_t base = 0;  // base of fs or gs, because a program uses only one of them
  std::uint32_t thread = 0;
  std::uint32_t next = none;  // index in `steps` of the thread's next step
  std::span<const std::byte> opcode;
  std::vector<std::uint64_t> addresses;  // addresses of words that the recorder reports as accessed

  static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();
  [[nodiscard]] std::uint64_t value(reg r) const { return registers.at(number(r)); }
  [[nodiscard]] std::uint64_t segment_base(reg) const { return base; }
};

struct sample {
  target mode = target::x64;
  std::vector<std::byte> bytes;
  std::vector<step> steps;
};

namespace detail {
template <target T> void read_blocks(sample& s, std::span<const std::byte> rest) {
  using codec = tracecodec::x64dbg::block_codec<T>;
  std::array<std::uint64_t, 216> words{};
  std::uint32_t thread = 0;
  std::map<std::uint32_t, std::uint32_t> last;
  while (!rest.empty()) {
    tracecodec::x64dbg::block<T> b;
    const auto r = codec::decode(rest, b);
    if (!r || b.type != 0) throw std::runtime_error("sample: no block where one should be");
    if (b.has_thread) thread = b.thread;
    std::size_t at = static_cast<std::size_t>(-1);
    for (std::size_t i = 0; i < b.positions.size(); ++i) {
      at += 1 + std::size_t{b.positions[i]};
      words.at(at) = b.values[i];
    }
    step now;
    now.thread = thread;
    now.opcode = b.opcode.bytes();
    for (std::size_t i = 0; i < b.addresses.size(); ++i) now.addresses.push_back(b.addresses[i]);
    const auto take = [&](const auto& layout) {
      for (std::size_t i = 0; i < layout.size(); ++i) now.registers[number(layout[i])] = words[i];
    };
    if (T == target::x64)
      take(step::layout64);
    else
      take(step::layout32);
    const auto index = static_cast<std::uint32_t>(s.steps.size());
    const auto [before, first] = last.try_emplace(thread, index);
    if (!first) s.steps[std::exchange(before->second, index)].next = index;
    s.steps.push_back(std::move(now));
    rest = rest.subspan(r.used);
  }
}
}  // namespace detail

// Returns every step of the trace at `path`, which must be sound.
inline sample read_sample(const std::string& path) {
  sample s;
  tracecodec::io::window window(tracecodec::io::open_input(path));
  for (auto part = window.look(1); !part.empty(); part = window.look(1)) {
    s.bytes.insert(s.bytes.end(), part.begin(), part.end());
    window.consume(part.size());
  }
  const std::span<const std::byte> all(s.bytes);
  const std::size_t header = tracecodec::wire::u32le::load(all.data() + 4);
  const std::string json(reinterpret_cast<const char*>(all.data()) + 8, header);
  s.mode = json.find("\"x64\"") != json.npos ? target::x64 : target::x86;
  if (s.mode == target::x64)
    detail::read_blocks<target::x64>(s, all.subspan(8 + header));
  else
    detail::read_blocks<target::x86>(s, all.subspan(8 + header));
  return s;
}

// Finds the base of fs or gs for each thread. REGDUMP contains the selectors but not the bases, and
// recorded addresses include the bases. The first instruction with one operand in fs or gs reveals
// the base, also for the thread's earlier steps.
template <class D> void find_segment_bases(sample& s, D& disassembler) {
  std::map<std::uint32_t, std::uint64_t> bases;
  for (const step& now : s.steps) {
    const instruction& i = disassembler.decode(now.opcode);
    if (now.addresses.empty()) continue;
    if (const auto base = segment_base_from(i, now, now.addresses[0]))
      bases.try_emplace(now.thread, *base);
  }
  for (step& now : s.steps)
    if (const auto found = bases.find(now.thread); found != bases.end()) now.base = found->second;
}

}  // namespace test
