// Shared code of the x64dbg feed tests: copies of instructions, and handwritten traces.
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tracecodec/feed/stream.hpp"
#include "tracecodec/x64dbg/feed/decoded_feed.hpp"
#include "tracecodec/x64dbg/writer.hpp"
#include "x64dbg/support.hpp"

namespace test {

namespace feed = tracecodec::feed;
namespace x86_ = tracecodec::x86;
using x86_::reg;

// Copy of all values of an instruction view. The copy outlives the batch.
struct seen {
  std::uint64_t ip = 0, target = 0, index = 0;
  feed::branch_class branch = feed::branch_class::not_branch;
  bool taken = false;
  std::uint32_t asid = 0;
  x64dbg::outcome outcome = x64dbg::outcome::no_branch;
  std::vector<unsigned> written, read;  // registers
  std::vector<x86_::memory_access> memory;
  bytes code;
  friend bool operator==(const seen&, const seen&) = default;
};

template <class View> seen see(const View& i) {
  seen s{i.ip(),      i.target(), i.index(), i.branch(), i.taken(), i.asid(),
         i.outcome(), {},         {},        {},         {}};
  for (const auto r : i.destination_registers()) s.written.push_back(r);
  for (const auto r : i.source_registers()) s.read.push_back(r);
  for (const auto& a : i.accesses()) s.memory.push_back(a);
  const auto code = i.code();
  s.code.assign(code.begin(), code.end());
  return s;
}
template <class Feed> std::vector<seen> see_all(Feed&& f) {
  std::vector<seen> all;
  feed::for_each(f, [&](const auto& i) { all.push_back(see(i)); });
  return all;
}

// Handwritten trace. All registers are 0 unless set.
template <target T> class program {
 public:
  using state = x64dbg::register_state<T>;
  using word = typename state::word;
  static constexpr std::size_t flags_word = state::cip_word + 1;
  static constexpr word zero_flag = 0x40;

  program()
      : writer_(std::make_unique<vector_sink>(content_), "by hand", header_for(),
                {.snapshot_distance = 1U << 20}) {
    state_.fill_unknown(0);
  }
  program& set(std::size_t w, word v) {
    state_.set(w, v);
    return *this;
  }
  program& step(std::optional<std::uint32_t> thread, word ip, std::string_view code,
                std::vector<x64dbg::memory_access> accesses = {}) {
    state_.set(state::cip_word, ip);
    writer_.write(thread, state_, from_hex(code), accesses);
    return *this;
  }
  const bytes& trace() {
    if (!finished_) writer_.finish();
    finished_ = true;
    return content_;
  }

 private:
  static x64dbg::trace_header header_for() {
    x64dbg::trace_header h;
    h.arch = T;
    return h;
  }
  bytes content_;
  x64dbg::writer<T> writer_;
  state state_;
  bool finished_ = false;
};

}  // namespace test
