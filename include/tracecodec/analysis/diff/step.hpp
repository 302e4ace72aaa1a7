// The instructions of any feed, to be compared with another's.
#pragma once
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "../../champsim/record_of.hpp"
#include "../../feed/stream.hpp"
#include "../../io/error.hpp"
#include "../instruction_text.hpp"
#include "../relocation.hpp"
#include "values.hpp"

namespace tracecodec::analysis {

// Whether an instruction is an event, with an operation (RapidBin's).
template <class I>
concept with_operation = requires(const I& i) {
  { i.event_operand() } -> std::same_as<std::uint64_t>;
  static_cast<std::uint8_t>(i.event().operation);
};

// An instruction of a feed, kept to be compared.
struct diff_step {
  static constexpr std::uint8_t no_operation = 0xFF;

  std::uint64_t index = 0;  // in the feed, from 0
  std::uint64_t target = 0;
  std::uint64_t operand = 0;  // of an event: event_operand()
  feed::branch_class branch = feed::branch_class::not_branch;
  std::uint8_t operation = no_operation;  // of an event
  champsim::instruction record = {};  // as record_of(), each list in ascending order, then zeros
  instruction_text reads = {};        // without text that is damaged; valid as long as the trace
};

// Each list in ascending order, of four at most. (g++ -O3 sees std::sort leave them, and warns.)
constexpr void sort_operands(champsim::instruction& record) {
  const auto sort = [](auto& list) {
    for (std::size_t n = 1; n < list.size() && list[n] != 0; ++n)
      for (std::size_t k = n; k != 0 && list[k - 1] > list[k]; --k) std::swap(list[k - 1], list[k]);
  };
  sort(record.destination_registers);
  sort(record.source_registers);
  sort(record.destination_memory);
  sort(record.source_memory);
}

// `i`, which is number `index`, to be compared: formats list the same operands in different orders.
template <feed::instruction I> constexpr diff_step diff_step_of(const I& i, std::uint64_t index) {
  diff_step s{.index = index,
              .target = i.target(),
              .branch = i.branch(),
              .record = champsim::record_of(i).record};
  if constexpr (with_operation<I>) {
    s.operation = static_cast<std::uint8_t>(i.event().operation);
    s.operand = i.event_operand();
  }
  try {
    keep_text(i, s.reads);
  } catch (const trace_error&) {
    // It is shown without.
  }
  sort_operands(s.record);
  return s;
}

// `s` with its addresses moved.
inline void relocate(diff_step& s, const relocation& moved) {
  const auto move = [&moved](auto& list) {
    for (auto& address : list)
      if (address != 0) address = moved(address);
  };
  s.record.ip = moved(s.record.ip);
  if (s.target != 0) s.target = moved(s.target);
  move(s.record.destination_memory);
  move(s.record.source_memory);
  sort_operands(s.record);
}

// In what two instructions at the same ip may differ.
struct differences {
  bool registers = false;  // which ones are read or written
  bool memory = false;     // addresses that are read or written
  bool outcome = false;    // whether it is a branch, its class, taken or not, its target
  bool values = false;     // a register or memory becomes different in its value
  bool code = false;       // its bytes
  bool events = false;     // the operation of an event, and what event_operand() says
  [[nodiscard]] constexpr bool any() const noexcept {
    return registers || memory || outcome || values || code || events;
  }
};
// But values, which steps do not hold. What one of them does not tell differs from nothing: code, an
// operation, and a target of 0, which is not known, as that of a trace's last instruction.
constexpr differences differences_of(const diff_step& a, const diff_step& b) noexcept {
  const auto &x = a.record, &y = b.record;
  const bool targets = a.target != b.target && a.target != 0 && b.target != 0;
  const bool code = a.reads.size != 0 && b.reads.size != 0;
  const bool events =
      a.operation != diff_step::no_operation && b.operation != diff_step::no_operation;
  return {
      .registers = x.destination_registers != y.destination_registers ||
                   x.source_registers != y.source_registers,
      .memory = x.destination_memory != y.destination_memory || x.source_memory != y.source_memory,
      .outcome = a.branch != b.branch || x.is_branch != y.is_branch ||
                 x.branch_taken != y.branch_taken || targets,
      .code = code && (a.reads.size != b.reads.size || a.reads.bytes != b.reads.bytes),
      .events = events && (a.operation != b.operation || a.operand != b.operand)};
}

// The instructions of any feed as steps, a batch at a time, for one virtual call: what compares two
// of them is compiled once, and not for each pair of formats.
class diff_source {
 public:
  // `only`: the instructions of one thread or address space (asid()), numbered among themselves. The
  // target of the last one before another's, and of the last one of a batch, is not known then.
  template <feed::stream Feed>
  explicit diff_source(Feed feed, std::optional<std::uint32_t> only = {})
      : held_(std::make_unique<holder<Feed>>(std::move(feed), only)) {}
  // Adds a batch; false at the end. `values`, if there is one, gets what each of its instructions
  // tells. Throws as the feed, and as what tells its values.
  bool take(std::vector<diff_step>& to, detail::told_values* values) {
    return held_->take(to, values);
  }
  // Whether it tells values at all, and those of all registers before each instruction.
  [[nodiscard]] bool tells_values() const noexcept { return held_->tells; }
  [[nodiscard]] bool tells_all_registers() const noexcept { return held_->all_registers; }
  // Whether its instructions have code, or are events.
  [[nodiscard]] bool tells_code() const noexcept { return held_->code; }
  [[nodiscard]] bool tells_events() const noexcept { return held_->events; }

 private:
  struct base {
    base(bool values, bool all, bool has_code, bool has_events)
        : tells(values), all_registers(all), code(has_code), events(has_events) {}
    base(const base&) = delete;
    base& operator=(const base&) = delete;
    virtual ~base() = default;
    virtual bool take(std::vector<diff_step>& to, detail::told_values* values) = 0;
    const bool tells, all_registers, code, events;
  };
  template <class Feed> struct holder final : base {
    using value_type =
        typename std::remove_cvref_t<decltype(std::declval<Feed&>().next())>::value_type;
    using teller_type = detail::value_teller<value_type>;
    holder(Feed f, std::optional<std::uint32_t> thread)
        : base(teller_type::tells, feed::with_all_registers<value_type>,
               feed::with_code<value_type>, with_operation<value_type>),
          feed(std::move(f)),
          only(thread) {}
    bool take(std::vector<diff_step>& to, detail::told_values* values) override {
      const auto b = feed.next();
      for (std::size_t i = 0; i < b.size(); ++i) {
        if (only && b[i].asid() != *only) continue;
        if (values != nullptr) teller.tell(b[i], *values);
        to.push_back(diff_step_of(b[i], taken++));
        if (only && (i + 1 == b.size() || b[i + 1].asid() != *only)) to.back().target = 0;
      }
      if (values != nullptr) teller.end_batch();
      return b.size() != 0;
    }
    Feed feed;
    std::optional<std::uint32_t> only;
    std::uint64_t taken = 0;
    teller_type teller = {};
  };
  std::unique_ptr<base> held_;
};

}  // namespace tracecodec::analysis
