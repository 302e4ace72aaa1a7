// What a report counts in one pass over a feed, in bounded memory.
#pragma once
#include <tracecodec/analysis/activity.hpp>
#include <tracecodec/analysis/distinct.hpp>
#include <tracecodec/analysis/hot_blocks.hpp>
#include <tracecodec/analysis/time_line.hpp>
#include <tracecodec/rapidbin/layout.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "../frontend/branch_unit.hpp"
#include "../frontend/counts.hpp"
#include "../frontend/direction.hpp"

namespace report {

namespace analysis = tracecodec::analysis;
namespace feed = tracecodec::feed;
namespace rapidbin = tracecodec::rapidbin;

inline constexpr std::size_t buckets = 240;     // of time
inline constexpr std::size_t heat_rows = 40;    // ranges of addresses in a heat map
inline constexpr std::size_t thread_rows = 64;  // threads that are told apart
inline constexpr std::size_t predictors = 3;
inline constexpr std::array<std::string_view, predictors> predictor_names{
    frontend::bimodal::name, frontend::gshare::name, frontend::always_taken::name};

// What an instruction is, by what it does, once for each: branches are so whatever memory they
// access, as calls and returns do. Of RapidBin's events the operation, the last kind being
// those that are not defined.
inline constexpr std::array<std::string_view, 5> instruction_kinds{
    "branch", "no branch, only reads memory", "no branch, only writes memory",
    "no branch, reads and writes memory", "no branch, no memory"};
inline constexpr std::size_t event_kinds = rapidbin::operation_count + 1;

template <class I>
concept of_event = requires(const I& i) {
  i.event().operation;
};

// What happens in one bucket of time.
template <std::size_t Kinds> struct moment {
  std::array<std::uint64_t, Kinds> kinds = {};
  std::array<std::uint64_t, predictors> mispredicted = {};
  std::uint64_t data_pages = 0, code_pages = 0;  // touched up to here

  moment& operator+=(const moment& later) {
    for (std::size_t i = 0; i < Kinds; ++i) kinds[i] += later.kinds[i];
    for (std::size_t i = 0; i < predictors; ++i) mispredicted[i] += later.mispredicted[i];
    data_pages = std::max(data_pages, later.data_pages);
    code_pages = std::max(code_pages, later.code_pages);
    return *this;
  }
};

struct branch_totals {
  std::uint64_t count = 0, taken = 0;
  std::array<std::uint64_t, predictors> mispredicted = {};
};

// Accesses to a page, a variable.
struct access_counts {
  std::uint64_t reads = 0, writes = 0;
};
struct lock_counts {
  std::uint64_t acquired = 0, released = 0, requested = 0;
};

// Of instructions of any feed.
template <class I> struct code_measures {
  static constexpr std::size_t kinds = instruction_kinds.size();
  std::array<branch_totals, feed::branch_class_count> branches = {};
  frontend::branch_unit<frontend::target_predictor<>, frontend::bimodal, frontend::gshare,
                        frontend::always_taken>
      unit = {};
  analysis::hot_blocks<I> blocks = analysis::hot_blocks<I>(4096);

  // Its kind.
  std::size_t add(const I& i, bool reads, bool writes, moment<kinds>& now) {
    blocks.add(i);
    const unsigned missed = unit.step(i);
    if (!i.is_branch()) return reads && writes ? 3 : writes ? 2 : reads ? 1 : 4;
    branch_totals& b = branches[static_cast<std::size_t>(i.branch())];
    ++b.count;
    b.taken += i.taken();
    for (std::size_t k = 0; k < predictors; ++k) {
      b.mispredicted[k] += missed >> k & 1U;
      now.mispredicted[k] += missed >> k & 1U;
    }
    return 0;
  }
};

// Of RapidBin's events, which have neither branches nor code.
template <class I> struct event_measures {
  static constexpr std::size_t kinds = event_kinds;
  analysis::frequent<> locations = analysis::frequent<>(4096);
  analysis::frequent<access_counts> variables = analysis::frequent<access_counts>(4096);
  analysis::frequent<lock_counts> locks = analysis::frequent<lock_counts>(4096);
  analysis::distinct<> all_variables = {}, all_locks = {};

  std::size_t add(const I& i, bool /*reads*/, bool /*writes*/, moment<kinds>& /*now*/) {
    const rapidbin::event& e = i.event();
    ++locations[e.location].count;
    if (operand_of(e.operation) == rapidbin::operand::variable) {
      auto& v = variables[e.decor];
      ++v.count;
      ++(e.operation == rapidbin::operation::read ? v.data.reads : v.data.writes);
      all_variables.insert(e.decor);
    } else if (operand_of(e.operation) == rapidbin::operand::lock) {
      auto& l = locks[e.decor];
      ++l.count;
      ++(e.operation == rapidbin::operation::acquire   ? l.data.acquired
         : e.operation == rapidbin::operation::release ? l.data.released
                                                       : l.data.requested);
      all_locks.insert(e.decor);
    }
    return std::min(static_cast<std::size_t>(e.operation), rapidbin::operation_count);
  }
};

template <class I> struct measures {
  static constexpr bool of_events = of_event<I>;
  using own_measures = std::conditional_t<of_event<I>, event_measures<I>, code_measures<I>>;
  static constexpr std::size_t kinds = own_measures::kinds;

  own_measures own = {};
  analysis::time_line<moment<kinds>, buckets> line = {};
  analysis::page_activity<buckets, heat_rows> data = {};
  analysis::page_activity<buckets, heat_rows> code = {};  // of events a location stands for a page
  analysis::thread_activity<buckets, thread_rows> threads = {};
  analysis::frequent<access_counts> pages = analysis::frequent<access_counts>(4096);
  analysis::distinct<> ips = {}, data_lines = {}, data_pages = {}, code_pages = {}, thread_ids = {};
  std::array<std::uint64_t, kinds> of_kind = {};
  std::uint64_t reads = 0, writes = 0;  // instructions with any
  std::uint64_t clipped = 0;            // with more operands than the feed shows

  [[nodiscard]] std::uint64_t instructions() const { return line.clock().items(); }

  // Throws trace_error as the code and the text of an instruction.
  void add(const I& i) {
    constexpr std::uint64_t page_size = analysis::page_activity<>::page_size;
    moment<kinds>& now = line.now();
    bool reading = false, writing = false;
    for (const std::uint64_t address : i.source_memory()) {
      reading = true;
      ++touch(address, now).reads;
    }
    for (const std::uint64_t address : i.destination_memory()) {
      writing = true;
      ++touch(address, now).writes;
    }
    const std::size_t kind = own.add(i, reading, writing, now);
    reads += reading;
    writes += writing;
    clipped += feed::lost_operands(i) != 0;
    ++of_kind[kind];
    ++now.kinds[kind];
    ips.insert(i.ip());
    if constexpr (of_event<I>) {
      code.add(i.event().location * page_size);
    } else {
      code.add(i.ip());
      if (code_pages.insert(i.ip() / page_size)) now.code_pages = code_pages.count();
    }
    threads.add(i.asid());
    thread_ids.insert(i.asid());
    line.tick();
    data.tick();
    code.tick();
  }

 private:
  access_counts& touch(std::uint64_t address, moment<kinds>& now) {
    constexpr std::uint64_t page_size = analysis::page_activity<>::page_size;
    data.add(address);
    data_lines.insert(address / 64);
    if (data_pages.insert(address / page_size)) now.data_pages = data_pages.count();
    auto& page = pages[address / page_size];
    ++page.count;
    return page.data;
  }
};

}  // namespace report
