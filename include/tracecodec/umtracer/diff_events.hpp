// Compares the records of two traces that are not instructions: system calls, contexts and thread
// ends.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "../io/findings.hpp"
#include "../wire/types/scalar.hpp"
#include "reader.hpp"

namespace tracecodec::umtracer {

// Kind of difference. only_a and only_b mean that a record has no counterpart in the other trace.
// The other kinds are differences between two aligned records.
enum class event_difference : std::uint8_t { only_a, only_b, exit_code, syscall, context };

struct event_diff_options {
  // True to compare arguments, results, exit codes and the contents of contexts.
  bool values = true;
  // Callback that maps an address of the second trace to the corresponding address in the first
  // trace. Two values are also considered equal if `moved` maps the value in the second trace to
  // the value in the first trace.
  std::function<std::uint64_t(std::uint64_t)> moved = {};
};

// Map from each thread id to the ids of the thread's records that are not instructions, in order.
using thread_events = std::map<std::uint32_t, std::vector<std::uint64_t>>;
// Collects the thread_events of a trace. Needs 8 bytes of memory for each record that is not an
// instruction. Throws the errors of the reader.
inline thread_events events_of_threads(const reader& trace) {
  thread_events all;
  for (std::uint64_t id = 0; id < trace.size(); ++id) {
    const record_view r = trace[id];
    if (r.type() != exec_type::instruction) all[r.thread()].push_back(id);
  }
  return all;
}

// Comparison of one thread's records in two traces. Records are aligned by their types and, for
// system calls, by their uniform_id. Calls differs(event_difference, record of a, record of b,
// text) for each difference. If a record has no counterpart, both record arguments are the id of
// that record. The text describes the difference, for example "result 0x0 | 0x5". Throws the errors
// of the reader.
template <class Differs> class event_comparison {
 public:
  event_comparison(const reader& a, const reader& b, event_diff_options o, Differs differs)
      : a_(a), b_(b), options_(std::move(o)), differs_(std::move(differs)) {}

  void run(std::span<const std::uint64_t> a, std::span<const std::uint64_t> b) {
    std::size_t i = 0, j = 0;
    while (i < a.size() && j < b.size()) {
      if (kind_of(a_, a[i]) == kind_of(b_, b[j])) {
        compare(a[i++], b[j++]);
        continue;
      }
      const auto [next_a, next_b] = meeting(a.subspan(i), b.subspan(j));
      only(a.subspan(i, next_a), b.subspan(j, next_b));
      i += next_a;
      j += next_b;
    }
    only(a.subspan(i), b.subspan(j));
  }

 private:
  static constexpr std::size_t window = 64;
  using kind = std::pair<exec_type, std::uint32_t>;

  static std::optional<syscall_record> call_of(const reader& trace, const record_view& r) {
    if (!r.has_syscall() || r.syscall_id() < 0 ||
        static_cast<std::uint64_t>(r.syscall_id()) >= trace.syscalls().size())
      return std::nullopt;
    return trace.syscalls()[static_cast<std::size_t>(r.syscall_id())];
  }
  static kind kind_of(const reader& trace, std::uint64_t id) {
    const record_view r = trace[id];
    const auto call = call_of(trace, r);
    return {r.type(), call ? call->uniform_id : 0xFFFFFFFF};
  }
  // Returns the positions in `a` and `b` of the nearest pair of records of equal kind. The nearest
  // pair has the smallest sum of positions. Examines up to 64 records of each trace. If there is no
  // such pair, returns the numbers of records examined.
  std::pair<std::size_t, std::size_t> meeting(std::span<const std::uint64_t> a,
                                              std::span<const std::uint64_t> b) const {
    const std::size_t most_a = std::min(a.size(), window), most_b = std::min(b.size(), window);
    std::vector<kind> of_a, of_b;
    for (std::size_t i = 0; i < most_a; ++i) of_a.push_back(kind_of(a_, a[i]));
    for (std::size_t i = 0; i < most_b; ++i) of_b.push_back(kind_of(b_, b[i]));
    for (std::size_t sum = 1; sum < most_a + most_b; ++sum)
      for (std::size_t i = 0; i <= sum && i < most_a; ++i)
        if (sum - i < most_b && of_a[i] == of_b[sum - i]) return {i, sum - i};
    return {most_a, most_b};
  }
  static std::string text_of(const reader& trace, std::uint64_t id) {
    const auto [type, call] = kind_of(trace, id);
    std::string s(name(type));
    if (s.empty()) s = "type " + std::to_string(static_cast<unsigned>(type));
    return call == 0xFFFFFFFF ? s : s + ' ' + std::to_string(call);
  }
  void only(std::span<const std::uint64_t> a, std::span<const std::uint64_t> b) {
    for (const std::uint64_t id : a) differs_(event_difference::only_a, id, id, text_of(a_, id));
    for (const std::uint64_t id : b) differs_(event_difference::only_b, id, id, text_of(b_, id));
  }
  [[nodiscard]] bool equal(std::uint64_t a, std::uint64_t b) const {
    return a == b || (options_.moved && options_.moved(b) == a);
  }

  void compare(std::uint64_t id_a, std::uint64_t id_b) {
    const record_view a = a_[id_a], b = b_[id_b];
    if (options_.values && a.has_exit_code() && a.exit_code() != b.exit_code())
      differs_(
          event_difference::exit_code, id_a, id_b,
          "exit code " + std::to_string(a.exit_code()) + " | " + std::to_string(b.exit_code()));
    if (a.type() == exec_type::syscall_entry) compare_calls(a, b);
    if (options_.values && a.has_context() && b.has_context()) compare_contexts(a, b);
  }

  void compare_calls(const record_view& a, const record_view& b) {
    const auto x = call_of(a_, a), y = call_of(b_, b);
    if (!x || !y) return;
    std::string s;
    const auto add = [&s](const std::string& what, const std::string& of_a,
                          const std::string& of_b) {
      s += (s.empty() ? "" : ", ") + what + ' ' + of_a + " | " + of_b;
    };
    if ((x->completed != 0) != (y->completed != 0))
      add("completed", x->completed != 0 ? "yes" : "no", y->completed != 0 ? "yes" : "no");
    else if (options_.values && x->completed != 0 && !equal(x->result, y->result))
      add("result", hex(x->result), hex(y->result));
    if (x->argument_count != y->argument_count) {
      add("arguments", std::to_string(x->argument_count), std::to_string(y->argument_count));
    } else if (options_.values) {
      const auto of_a = a_.syscalls().arguments(static_cast<std::size_t>(a.syscall_id()));
      const auto of_b = b_.syscalls().arguments(static_cast<std::size_t>(b.syscall_id()));
      for (std::size_t n = 0; n < of_a.size() && n < of_b.size(); ++n)
        if (!equal(of_a[n], of_b[n]))
          add("argument " + std::to_string(n), hex(of_a[n]), hex(of_b[n]));
    }
    if (!s.empty()) differs_(event_difference::syscall, a.id(), b.id(), s);
  }

  // Compares registers by name, and memory that both contexts list at the same index and address.
  void compare_contexts(const record_view& a, const record_view& b) {
    const context_view x = a.context(), y = b.context();
    const context_map &of_a = a_.registers(), &of_b = b_.registers();
    std::string s;
    std::size_t more = 0;
    const auto add = [&](const std::string& what) {
      if (s.size() > 200)
        ++more;
      else
        s += (s.empty() ? "" : ", ") + what;
    };
    for (std::uint16_t id = 0; id < of_a.size(); ++id) {
      const auto known = x.register_bytes(id);
      if (known.empty() || of_a.info(id, a.code64()).largest != id) continue;
      const auto other = of_b.find(of_a.name(id));
      if (!other) continue;
      const auto there = y.register_bytes(*other);
      if (there.size() != known.size() || same(known, there)) continue;
      add(std::string(of_a.name(id)) + ' ' + value(known) + " | " + value(there));
    }
    for (std::size_t i = 0; i < x.memory_count() && i < y.memory_count(); ++i) {
      const memory_reference p = x.memory(i), q = y.memory(i);
      if (p.bytes.size() == q.bytes.size() && equal(p.address, q.address) &&
          !std::ranges::equal(p.bytes, q.bytes))
        add("memory at " + hex(p.address));
    }
    if (more != 0) s += " and " + std::to_string(more) + " more";
    if (!s.empty()) differs_(event_difference::context, a.id(), b.id(), s);
  }
  static std::uint64_t number(std::span<const std::byte> bytes) {
    return wire::load_little(bytes.data(), bytes.size());
  }
  [[nodiscard]] bool same(std::span<const std::byte> a, std::span<const std::byte> b) const {
    return std::ranges::equal(a, b) || (a.size() <= 8 && equal(number(a), number(b)));
  }
  // Formats a value as a number. If the value has more than 8 bytes, formats only the lowest 8
  // bytes.
  static std::string value(std::span<const std::byte> bytes) { return hex(number(bytes)); }

  const reader &a_, &b_;
  event_diff_options options_;
  Differs differs_;
};

}  // namespace tracecodec::umtracer
