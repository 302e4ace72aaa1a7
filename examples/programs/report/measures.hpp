// What a report counts in one pass over a trace, in bounded memory.
#pragma once
#include <tracecodec/analysis/activity.hpp>
#include <tracecodec/analysis/distinct.hpp>
#include <tracecodec/analysis/hot_blocks.hpp>
#include <tracecodec/analysis/time_line.hpp>
#include <tracecodec/feed/column_row.hpp>
#include <tracecodec/feed/column_source.hpp>
#include <tracecodec/rapidbin/layout.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <span>
#include <string_view>

#include "../frontend_sim/branch_unit.hpp"
#include "../frontend_sim/counts.hpp"
#include "../frontend_sim/direction.hpp"

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

// What happens in one bucket of time.
struct moment {
  std::array<std::uint64_t, std::max(instruction_kinds.size(), event_kinds)> kinds = {};
  std::array<std::uint64_t, predictors> mispredicted = {};
  std::uint64_t data_pages = 0, code_pages = 0;  // touched up to here

  moment& operator+=(const moment& later) {
    for (std::size_t i = 0; i < kinds.size(); ++i) kinds[i] += later.kinds[i];
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

// Of instructions that branch.
struct flow_measures {
  explicit flow_measures(feed::column_source& trace) : blocks(trace, 4096) {}

  std::array<branch_totals, feed::branch_class_count> branches = {};
  frontend::branch_unit<frontend::target_predictor<>, frontend::bimodal, frontend::gshare,
                        frontend::always_taken>
      unit = {};
  analysis::hot_blocks blocks;

  // Its kind.
  std::size_t add(const feed::column_row& i, bool reads, bool writes, moment& now) {
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
struct event_measures {
  analysis::frequent<> locations = analysis::frequent<>(4096);
  analysis::frequent<access_counts> variables = analysis::frequent<access_counts>(4096);
  analysis::frequent<lock_counts> locks = analysis::frequent<lock_counts>(4096);
  analysis::distinct<> all_variables = {}, all_locks = {};

  // Its kind.
  std::size_t add(rapidbin::operation operation, std::uint64_t decor, std::uint32_t location) {
    ++locations[location].count;
    if (operand_of(operation) == rapidbin::operand::variable) {
      auto& v = variables[decor];
      ++v.count;
      ++(operation == rapidbin::operation::read ? v.data.reads : v.data.writes);
      all_variables.insert(decor);
    } else if (operand_of(operation) == rapidbin::operand::lock) {
      auto& l = locks[decor];
      ++l.count;
      ++(operation == rapidbin::operation::acquire   ? l.data.acquired
         : operation == rapidbin::operation::release ? l.data.released
                                                     : l.data.requested);
      all_locks.insert(decor);
    }
    return std::min(static_cast<std::size_t>(operation), rapidbin::operation_count);
  }
};

// `flow` and `events`: one of them, as the trace is of instructions or of RapidBin's events.
class measures {
 public:
  // `trace` is asked for code, and must stay where it is.
  measures(feed::column_source& trace, bool of_events) {
    if (of_events)
      events = std::make_unique<event_measures>();
    else
      flow = std::make_unique<flow_measures>(trace);
  }

  std::unique_ptr<flow_measures> flow = {};
  std::unique_ptr<event_measures> events = {};
  analysis::time_line<moment, buckets> line = {};
  analysis::page_activity<buckets, heat_rows> data = {};
  analysis::page_activity<buckets, heat_rows> code = {};  // of events a location stands for a page
  analysis::thread_activity<buckets, thread_rows> threads = {};
  analysis::frequent<access_counts> pages = analysis::frequent<access_counts>(4096);
  analysis::distinct<> ips = {}, data_lines = {}, data_pages = {}, code_pages = {}, thread_ids = {};
  std::array<std::uint64_t, std::tuple_size_v<decltype(moment::kinds)>> of_kind = {};
  std::uint64_t reads = 0, writes = 0;  // instructions with any
  std::uint64_t clipped = 0;            // with more operands than the feed shows

  [[nodiscard]] std::uint64_t instructions() const { return line.clock().items(); }

  // What the batches must have.
  [[nodiscard]] feed::column_set columns() const {
    using feed::column;
    const feed::column_set all{column::ip, column::thread, column::memory, column::lost_operands};
    if (events) return all | feed::column_set{column::operation, column::decor, column::location};
    return all | feed::branch_columns | flow->blocks.columns();
  }

  // The next batch. Throws trace_error as the code and the text of an instruction, when all those
  // before it were added.
  void add(const feed::columns& batch) {
    if (events) return add_events(batch);
    const std::size_t n = flow->blocks.add(batch);
    add_instructions(batch, n);
    if (n != batch.size()) std::rethrow_exception(flow->blocks.failure());
  }

 private:
  static constexpr std::uint64_t page_size = analysis::page_activity<>::page_size;

  void add_instructions(const feed::columns& batch, std::size_t n) {
    const auto ip = batch.ip();
    const feed::row_columns rows(batch);
    add_rows(
        batch, n,
        [&](std::size_t row, bool reading, bool writing, moment& now) {
          return flow->add(feed::column_row(rows, row), reading, writing, now);
        },
        [&](std::size_t row, moment& now) {
          code.add(ip[row]);
          if (code_pages.insert(ip[row] / page_size)) now.code_pages = code_pages.count();
        });
  }
  void add_events(const feed::columns& batch) {
    const auto operation = batch.operation();
    const auto decor = batch.decor();
    const auto location = batch.location();
    add_rows(
        batch, batch.size(),
        [&](std::size_t row, bool /*reading*/, bool /*writing*/, moment& /*now*/) {
          return events->add(static_cast<rapidbin::operation>(operation[row]), decor[row],
                             location[row]);
        },
        [&](std::size_t row, moment& /*now*/) { code.add(location[row] * page_size); });
  }
  // `add_kind` returns the kind of a row; `add_code` adds its page of code.
  template <class AddKind, class AddCode>
  TRACECODEC_INLINE void add_rows(const feed::columns& batch, std::size_t n, AddKind add_kind,
                                  AddCode add_code) {
    const auto ip = batch.ip();
    const auto thread = batch.thread();
    const auto lost = batch.lost_operands();
    const auto memory = batch.memory();
    for (std::size_t row = 0; row != n; ++row) {
      moment& now = line.now();
      bool reading = false, writing = false;
      for (std::size_t k = memory.begin(row), end = memory.end(row); k != end; ++k) {
        if (memory.address[k] == 0) continue;
        access_counts& page = touch(memory.address[k], now);
        const bool write = memory.write[k] != 0;
        ++(write ? page.writes : page.reads);
        (write ? writing : reading) = true;
      }
      const std::size_t kind = add_kind(row, reading, writing, now);
      reads += reading;
      writes += writing;
      clipped += lost[row] != 0;
      ++of_kind[kind];
      ++now.kinds[kind];
      ips.insert(ip[row]);
      add_code(row, now);
      threads.add(thread[row]);
      thread_ids.insert(thread[row]);
      line.tick();
      data.tick();
      code.tick();
    }
  }
  access_counts& touch(std::uint64_t address, moment& now) {
    data.add(address);
    data_lines.insert(address / 64);
    if (data_pages.insert(address / page_size)) now.data_pages = data_pages.count();
    auto& page = pages[address / page_size];
    ++page.count;
    return page.data;
  }
};

}  // namespace report
