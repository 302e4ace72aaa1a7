// Looks for instructions in a feed.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "../feed/instruction.hpp"
#include "../feed/stream.hpp"
#include "../feed/values.hpp"
#include "../io/error.hpp"

namespace tracecodec::analysis {

// Addresses from the first to the last.
struct address_span {
  std::uint64_t first = 0, last = 0;
  [[nodiscard]] constexpr bool meets(std::uint64_t from, std::uint64_t size) const noexcept {
    const std::uint64_t end = from + (size == 0 ? 0 : size - 1);
    return from <= last && (end < from || end >= first);
  }
};

// What is looked for. Of those that are there each must hold.
struct find_criteria {
  std::optional<address_span> ip = {};
  std::optional<feed::branch_class> branch = {};
  std::optional<bool> taken = {};
  std::optional<address_span> memory = {};  // that is read or written
  bool reads = true, writes = true;         // which of both count for memory and what it holds
  std::vector<std::byte> code = {};         // its code begins so
  // A mnemonic, or a prefix: "mov", "rep". The disassembler's names; of UMTracer its texts'.
  std::string mnemonic = {};
  std::vector<std::byte> bytes = {};               // somewhere in the contents of memory
  std::vector<std::vector<std::byte>> texts = {};  // there too, one of these
  std::vector<std::string> operations = {};        // of an event: one of these, by name
  // A register's name, and the value that it has. x64dbg tells it before every instruction: if this
  // is the only criterion, then an instruction is meant where it becomes so, the first of a thread
  // that has it after one that has not. UMTracer tells it of operands, before the instruction and
  // after it.
  std::optional<std::pair<std::string, std::uint64_t>> register_value = {};
  bool register_signed = false;  // the value is a negative number: as many bits as the register has
  bool thread_switch = false;    // of another thread, or address space, than the one before

  // Whether only a register's value is looked for.
  [[nodiscard]] bool only_register() const noexcept {
    return register_value && !ip && !branch && !taken && !memory && code.empty() &&
           mnemonic.empty() && bytes.empty() && texts.empty() && operations.empty() &&
           !thread_switch;
  }
};

namespace detail {
template <class Feed> struct register_of { using type = std::monostate; };
template <feed::with_named_registers Feed> struct register_of<Feed> {
  using type = std::remove_cvref_t<decltype(*register_named(std::declval<const Feed&>(),
                                                            std::string_view()))>;
};
template <class Feed> struct mnemonic_of { using type = std::monostate; };
template <feed::with_mnemonics Feed> struct mnemonic_of<Feed> {
  using type = std::remove_cvref_t<decltype(*mnemonic_named(std::declval<const Feed&>(),
                                                            std::string_view()))>;
};
template <class Feed> struct operation_of { using type = std::monostate; };
template <feed::with_operations Feed> struct operation_of<Feed> {
  using type = std::remove_cvref_t<decltype(*operation_named(std::declval<const Feed&>(),
                                                             std::string_view()))>;
};
}  // namespace detail

// Whether instructions of a `Feed` meet the criteria. Asked of each in its order, unless
// keeps_state() is false: then of any.
template <feed::stream Feed> class finder {
  using I = typename Feed::batch_type::value_type;

 public:
  // Of x64dbg's registers the feed must tell (visit_options::registers). Throws trace_error
  // (refused): for a criterion of which the format knows nothing, a register that the trace has
  // not, a mnemonic that the disassembler has not, an operation that the format has not.
  finder(find_criteria c, const Feed& trace) : c_(std::move(c)), becomes_(c_.only_register()) {
    const auto need = [&trace](bool has, const std::string& what) {
      if (!has) throw trace_error(trace_errc::refused, {.file = trace.name()}, what);
    };
    const std::string format = "a trace of this format has no ";
    need((!c_.branch && !c_.taken) || feed::has_branches<I>(), format + "branches");
    need(!c_.thread_switch || feed::has_threads<I>(), format + "threads");
    need(c_.code.empty() || feed::with_code<I>, format + "code");
    need(c_.mnemonic.empty() || feed::with_mnemonics<Feed>, format + "code to be disassembled");
    need((c_.bytes.empty() && c_.texts.empty()) || feed::with_memory_values<I>,
         format + "contents of memory");
    need(c_.operations.empty() || feed::with_operations<Feed>, format + "operations");
    need(!c_.register_value || feed::with_named_registers<Feed>, format + "values of registers");
    if constexpr (feed::with_named_registers<Feed>)
      if (c_.register_value) {
        register_ = register_named(trace, c_.register_value->first);
        need(register_.has_value(), "no register '" + c_.register_value->first + "' in this trace");
        if constexpr (requires { register_size(trace, *register_); })
          if (const std::size_t size = register_size(trace, *register_);
              c_.register_signed && size != 0 && size < sizeof(std::uint64_t)) {
            std::uint64_t& value = c_.register_value->second;
            need(~value >> (8 * size - 1) == 0, "register '" + c_.register_value->first + "' has " +
                                                    std::to_string(8 * size) +
                                                    " bits, fewer than the number");
            value &= (std::uint64_t{1} << 8 * size) - 1;
          }
      }
    if constexpr (feed::with_mnemonics<Feed>)
      if (!c_.mnemonic.empty()) {
        mnemonic_ = mnemonic_named(trace, c_.mnemonic);
        need(mnemonic_.has_value(),
             "the disassembler has no mnemonic '" + c_.mnemonic + "' (its names: jz, not je)");
      }
    if constexpr (feed::with_operations<Feed>)
      for (const std::string& name : c_.operations) {
        const auto o = operation_named(trace, name);
        need(o.has_value(), "no operation '" + name + "'");
        operations_.push_back(*o);
      }
  }

  // Whether what it says of an instruction depends on those before.
  [[nodiscard]] bool keeps_state() const noexcept {
    return c_.thread_switch || (becomes_ && feed::with_all_registers<I>);
  }

  [[nodiscard]] bool operator()(const I& i) {
    if (c_.thread_switch && !switches(i)) return false;
    if (c_.ip && !c_.ip->meets(i.ip(), 1)) return false;
    if (c_.branch && i.branch() != *c_.branch) return false;
    if (c_.taken && (!i.is_branch() || i.taken() != *c_.taken)) return false;
    if (c_.memory && !touches(i)) return false;
    if (!c_.code.empty() && !begins(i)) return false;
    if (!c_.bytes.empty() && !holds(i, c_.bytes)) return false;
    if (!c_.texts.empty() && !std::any_of(c_.texts.begin(), c_.texts.end(),
                                          [&](const auto& text) { return holds(i, text); }))
      return false;
    if (!c_.operations.empty() && !has_operation(i)) return false;
    if (c_.register_value && !has_value(i)) return false;
    return c_.mnemonic.empty() || has_mnemonic(i);
  }

 private:
  [[nodiscard]] bool switches(const I& i) {
    const std::uint32_t thread = i.asid();
    return std::exchange(last_, thread).value_or(thread) != thread;
  }
  [[nodiscard]] bool touches(const I& i) const {
    // Of formats that do not know how much memory is accessed the first byte counts.
    std::uint64_t size = 1;
    if constexpr (requires { i.access_width(); }) size = i.access_width();
    const auto any = [&](const auto& list) {
      return std::any_of(list.begin(), list.end(),
                         [&](std::uint64_t a) { return c_.memory->meets(a, size); });
    };
    if constexpr (requires { i.accesses(); }) {
      for (const auto& a : i.accesses())
        if ((a.write ? c_.writes : c_.reads) && c_.memory->meets(a.address, a.size)) return true;
      return false;
    } else {
      return (c_.reads && any(i.source_memory())) || (c_.writes && any(i.destination_memory()));
    }
  }
  [[nodiscard]] bool begins([[maybe_unused]] const I& i) const {
    if constexpr (feed::with_code<I>) {
      const std::span<const std::byte> code = i.code();
      return code.size() >= c_.code.size() &&
             std::equal(c_.code.begin(), c_.code.end(), code.begin());
    }
    return false;
  }
  [[nodiscard]] bool has_operation([[maybe_unused]] const I& i) const {
    if constexpr (feed::with_operations<Feed>)
      return std::any_of(operations_.begin(), operations_.end(),
                         [&i](const auto& o) { return is_operation(i, o); });
    return false;
  }
  [[nodiscard]] bool holds([[maybe_unused]] const I& i,
                           [[maybe_unused]] std::span<const std::byte> wanted) const {
    bool found = false;
    if constexpr (feed::with_memory_values<I>)
      for_each_memory_value(
          i, [&](std::uint64_t address, std::span<const std::byte> all, bool written) {
            if (!found && (written ? c_.writes : c_.reads))
              found = contains(i, address, all, written, wanted);
          });
    return found;
  }
  [[nodiscard]] bool contains([[maybe_unused]] const I& i, [[maybe_unused]] std::uint64_t address,
                              std::span<const std::byte> all, [[maybe_unused]] bool after,
                              std::span<const std::byte> wanted) const {
    for (auto at = all.begin();; ++at) {
      at = std::search(at, all.end(), wanted.begin(), wanted.end());
      if (at == all.end()) return false;
      bool trusted = true;
      if constexpr (feed::with_trust<I>) {
        const auto first = address + static_cast<std::uint64_t>(at - all.begin());
        for (std::size_t n = 0; !after && trusted && n < wanted.size(); ++n)
          trusted = trusts_before(i, first + n);
      }
      if (trusted) return true;
    }
  }
  [[nodiscard]] bool has_mnemonic([[maybe_unused]] const I& i) const {
    if constexpr (feed::with_mnemonics<Feed>) return is_called(i, *mnemonic_);
    return false;
  }
  [[nodiscard]] bool has_value([[maybe_unused]] const I& i) {
    if constexpr (feed::with_named_registers<Feed>) {
      bool has = false;
      for_each_value_of(i, *register_, [&](std::uint64_t value, bool /*after*/) {
        has = has || value == c_.register_value->second;
      });
      if (!becomes_ || !feed::with_all_registers<I>) return has;
      const std::uint32_t thread = i.asid();
      if (had_of_ == nullptr || thread != thread_) {
        had_of_ = &had_[thread];
        thread_ = thread;
      }
      return !std::exchange(*had_of_, has) && has;
    }
    return false;
  }
  find_criteria c_;
  bool becomes_;
  std::optional<typename detail::register_of<Feed>::type> register_ = {};
  std::optional<typename detail::mnemonic_of<Feed>::type> mnemonic_ = {};
  std::vector<typename detail::operation_of<Feed>::type> operations_ = {};
  std::optional<std::uint32_t> last_ = {};
  // Threads: whether it had the value. As many as the trace has, of which a feed keeps more for
  // each. Ordered: a hostile trace may give ids that all have one place in a hash table.
  std::map<std::uint32_t, bool> had_ = {};
  bool* had_of_ = nullptr;  // of thread_; map nodes stay where they are
  std::uint32_t thread_ = 0;
};

}  // namespace tracecodec::analysis
