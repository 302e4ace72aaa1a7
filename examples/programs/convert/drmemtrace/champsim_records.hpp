// Makes ChampSim records of drmemtrace instructions.
#pragma once
#include <tracecodec/champsim/layout.hpp>
#include <tracecodec/drmemtrace/descriptor.hpp>
#include <tracecodec/trace/record_losses.hpp>
#include <tracecodec/tracepack/properties.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace convert {

// Maker of records. A record begins with zeros, so that it contains nothing of earlier instructions.
// All records of an instruction have its ip. The last one is the instruction itself. Records for
// further accesses precede it, because ChampSim takes the ip of the next record for the target of a
// branch. They read the instruction's registers, and write none.
class drmemtrace_records {
 public:
  using instruction = tracecodec::drmemtrace::trace_feed::batch_type::value_type;
  using record = tracecodec::champsim::instruction;

  explicit drmemtrace_records(tracecodec::drmemtrace::extra_accesses how) : how_(how) {}

  // Appends the records of `i` to `to`, and the properties of these records to `known`.
  void add(const instruction& i, std::vector<record>& to,
           std::vector<tracecodec::tracepack::property>& known) {
    record main{};
    main.ip = i.ip();
    main.is_branch = i.is_branch();
    main.branch_taken = i.taken();
    const bool written = copy(i.destination_registers(), main.destination_registers);
    const bool read = copy(i.source_registers(), main.source_registers);
    auto reads = i.source_memory(), writes = i.destination_memory();
    take(reads, main.source_memory);
    take(writes, main.destination_memory);
    while (!reads.empty() || !writes.empty()) {
      record one{};
      one.ip = main.ip;
      if (!i.is_branch()) one.source_registers = main.source_registers;
      accesses_ += std::min(reads.size(), one.source_memory.size()) +
                   std::min(writes.size(), one.destination_memory.size());
      take(reads, one.source_memory);
      take(writes, one.destination_memory);
      if (how_ == tracecodec::drmemtrace::extra_accesses::drop) continue;
      to.push_back(one);
      known.push_back(property_of(i));
      known.back().branch = static_cast<std::uint8_t>(tracecodec::feed::branch_class::not_branch);
      ++records_;
    }
    to.push_back(main);
    known.push_back(property_of(i));
    count(i, !written || !read);
  }

  [[nodiscard]] const tracecodec::trace::record_losses& losses() const noexcept { return lost_; }
  // Returns the number of accesses that did not fit into the record of their instruction, and the
  // number of records that were added for them.
  [[nodiscard]] std::uint64_t extra_accesses() const noexcept { return accesses_; }
  [[nodiscard]] std::uint64_t extra_records() const noexcept { return records_; }

 private:
  template <class Slots> static bool copy(std::span<const std::uint8_t> from, Slots& to) {
    std::copy_n(from.begin(), std::min(from.size(), to.size()), to.begin());
    return from.size() <= to.size();
  }
  template <class Slots> static void take(std::span<const std::uint64_t>& from, Slots& to) {
    const std::size_t n = std::min(from.size(), to.size());
    std::copy_n(from.begin(), n, to.begin());
    from = from.subspan(n);
  }
  static tracecodec::tracepack::property property_of(const instruction& i) {
    tracecodec::tracepack::property p{.branch = static_cast<std::uint8_t>(i.branch())};
    const auto code = i.code();
    if (i.length() <= p.code.size()) p.length = static_cast<std::uint8_t>(i.length());
    if (code.size() == p.length) std::copy(code.begin(), code.end(), p.code.begin());
    return p;
  }
  void count(const instruction& i, bool clipped) {
    using tracecodec::feed::uncertainty;
    const auto is = [&i](uncertainty u) {
      return (i.uncertainty() & static_cast<std::uint8_t>(u)) != 0 ? 1U : 0U;
    };
    lost_.clipped += clipped;
    lost_.undecoded += is(uncertainty::undecoded);
    lost_.estimated += is(uncertainty::estimated_outcome);
    if (begun_ && thread_ != i.asid()) {
      ++lost_.switches;
      lost_.branches += after_taken_;
    }
    begun_ = true;
    thread_ = i.asid();
    after_taken_ = i.taken();
  }

  tracecodec::drmemtrace::extra_accesses how_;
  tracecodec::trace::record_losses lost_ = {};
  std::uint64_t accesses_ = 0, records_ = 0;
  std::uint32_t thread_ = 0;
  bool begun_ = false, after_taken_ = false;
};

}  // namespace convert
