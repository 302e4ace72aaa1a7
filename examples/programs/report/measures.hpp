// Counts for a report. They are collected in one pass over a trace and in a limited amount of
// memory.
#pragma once
#include <tracecodec/analysis/activity.hpp>
#include <tracecodec/analysis/distinct.hpp>
#include <tracecodec/analysis/hot_blocks.hpp>
#include <tracecodec/analysis/run.hpp>
#include <tracecodec/analysis/time_line.hpp>
#include <tracecodec/feed/column_row.hpp>
#include <tracecodec/feed/column_source.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "../frontend_sim/branch_unit.hpp"
#include "../frontend_sim/counts.hpp"
#include "../frontend_sim/direction.hpp"
#include "own_measures.hpp"

namespace report {

namespace analysis = tracecodec::analysis;
namespace feed = tracecodec::feed;

inline constexpr std::size_t buckets = 240;   // number of time buckets in a chart
inline constexpr std::size_t heat_rows = 40;  // number of address ranges in a heat map
// Maximum number of threads that have counts of their own.
inline constexpr std::size_t thread_rows = 64;
inline constexpr std::size_t predictors = 3;
inline constexpr std::array<std::string_view, predictors> predictor_names{
    frontend::bimodal::name, frontend::gshare::name, frontend::always_taken::name};

// Kinds of instructions. Every instruction belongs to exactly one kind. Branches that access
// memory, such as calls and returns, belong to the kind "branch".
inline constexpr std::array<std::string_view, 5> instruction_kinds{"branch", "load", "store",
                                                                   "load and store", "other"};
// Maximum number of kinds, either of instructions or of a format's own records.
inline constexpr std::size_t most_kinds = 16;
static_assert(instruction_kinds.size() <= most_kinds);

// Counts in one time bucket.
struct moment {
  std::array<std::uint64_t, most_kinds> kinds = {};
  std::array<std::uint64_t, predictors> mispredicted = {};
  // Numbers of different pages accessed up to the end of this bucket.
  std::uint64_t data_pages = 0, code_pages = 0;

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

// Numbers of accesses to one page or variable.
struct access_counts {
  std::uint64_t reads = 0, writes = 0;
};

// Counts of branches and basic blocks, for traces of instructions.
struct flow_measures {
  // Keeps a reference to `trace`, which provides the code of the blocks and must outlive this
  // object.
  explicit flow_measures(feed::column_source& trace) : blocks(trace, 4096) {}

  std::array<branch_totals, feed::branch_class_count> branches = {};
  frontend::branch_unit<frontend::target_predictor<>, frontend::bimodal, frontend::gshare,
                        frontend::always_taken>
      unit = {};
  analysis::hot_blocks blocks;

  // Counts an instruction. Returns its kind, which is an index into instruction_kinds.
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

// All counts of a report. If a format has its own measures, they replace the measures for
// instructions.
struct measured {
  std::unique_ptr<flow_measures> flow = {};  // null if the format has its own measures
  std::unique_ptr<own_measures> own = {};    // null if the report counts instructions
  analysis::time_line<moment, buckets> line = {};
  analysis::page_activity<buckets, heat_rows> data = {};
  // Activity on pages of code, or on the pages that the format's own measures define.
  analysis::page_activity<buckets, heat_rows> code = {};
  analysis::thread_activity<buckets, thread_rows> threads = {};
  analysis::frequent<access_counts> pages = analysis::frequent<access_counts>(4096);
  analysis::distinct<> ips = {}, data_lines = {}, data_pages = {}, code_pages = {}, thread_ids = {};
  std::array<std::uint64_t, most_kinds> of_kind = {};
  // Numbers of instructions that read memory and of instructions that write memory.
  std::uint64_t reads = 0, writes = 0;
  // Number of instructions that have more operands than the feed returns.
  std::uint64_t clipped = 0;

  [[nodiscard]] std::uint64_t instructions() const { return line.clock().items(); }
};

// Analysis that collects the counts of a report.
class measures : private measured {
 public:
  // Keeps a reference to `trace`, which must outlive this object. `own_ones` contains the measures
  // of the trace's format, or null if the format has none.
  measures(feed::column_source& trace, std::unique_ptr<own_measures> own_ones) {
    own = std::move(own_ones);
    if (!own) flow = std::make_unique<flow_measures>(trace);
  }

  [[nodiscard]] const measured& result() const noexcept { return *this; }

  // Returns the columns that add() needs.
  [[nodiscard]] feed::column_set columns() const {
    using feed::column;
    const feed::column_set all{column::ip, column::thread, column::memory,
                               column::dropped_operands};
    if (own) return all | own->columns();
    return all | feed::branch_columns | flow->blocks.columns();
  }

  // Adds the next batch. Throws trace_error if the code or text of an instruction cannot be read.
  // In that case, all earlier instructions were added.
  void add(const feed::columns& batch) {
    if (own) return add_own(batch);
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
  void add_own(const feed::columns& batch) {
    own_rows_.resize(batch.size());
    own->add(batch, own_rows_);
    add_rows(
        batch, batch.size(),
        [&](std::size_t row, bool /*reading*/, bool /*writing*/, moment& /*now*/) {
          return own_rows_[row].kind;
        },
        [&](std::size_t row, moment& /*now*/) { code.add(own_rows_[row].page * page_size); });
  }
  // Adds the first `n` rows of a batch to the counts. add_kind() returns the kind of a row, and
  // add_code() counts the code page of the row.
  template <class AddKind, class AddCode>
  TRACECODEC_INLINE void add_rows(const feed::columns& batch, std::size_t n, AddKind add_kind,
                                  AddCode add_code) {
    const auto ip = batch.ip();
    const auto thread = batch.thread();
    const auto lost = batch.dropped_operands();
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

  std::vector<own_row> own_rows_ = {};
};
static_assert(analysis::trace_analysis<measures>);

}  // namespace report
