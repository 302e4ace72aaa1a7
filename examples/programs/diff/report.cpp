#include "report.hpp"

#include "../common/json.hpp"
#include "../common/text.hpp"
#include "moved.hpp"

namespace diff {

namespace {

void number(std::string& s, std::uint64_t v) { examples::add_number(s, v); }
void address(std::string& s, std::uint64_t v) { examples::add_hex(s, v); }

}  // namespace

template <class List, class Add>
void report::lists(std::string_view title, const List& a, const List& b, Add add) {
  if (a == b) return;
  std::string& s = out_.text;
  s += title;
  const auto all = [&](const List& list) {
    bool any = false;
    for (const auto v : list)
      if (v != 0) {
        s += ' ';
        add(s, v);
        any = true;
      }
    if (!any) s += " none";
  };
  all(a);
  s += " |";
  all(b);
}

void report::differs(const diff_step& a, const diff_step& b, analysis::differences d,
                     std::span<const analysis::value_difference> values) {
  d = {.registers = d.registers && wanted_.registers,
       .memory = d.memory && wanted_.memory,
       .outcome = d.outcome && wanted_.outcome,
       .values = d.values && wanted_.values,
       .code = d.code && wanted_.code,
       .events = d.events && wanted_.events};
  if (!d.any() || ++differing_ > most_ || as_json_) return;
  std::string& s = out_.text;
  (s += "differ at ") += place(a, b);
  const auto &x = a.record, &y = b.record;
  if (d.code) {
    code(", code", a);
    code(" |", b);
  }
  if (d.events) {
    if (event_a_) event_a_(s += ", ", a);
    if (event_b_) event_b_(s += " | ", b);
  }
  if (d.registers) {
    lists(", registers written", x.destination_registers, y.destination_registers, number);
    lists(", registers read", x.source_registers, y.source_registers, number);
  }
  if (d.memory) {
    lists(", memory written", x.destination_memory, y.destination_memory, address);
    lists(", memory read", x.source_memory, y.source_memory, address);
  }
  if (d.outcome) outcomes(a, b);
  if (d.values)
    for (const analysis::value_difference& v : values) value(v);
  reads(&a, &b);
  s += '\n';
  out_.passed();
}

void report::diverges(const analysis::divergence& d) {
  if (divergences_ == 0) {
    const auto place = [](std::span<const diff_step> before, std::span<const diff_step> only,
                          const diff_step* meets) {
      return !only.empty()      ? only.front().index
             : meets != nullptr ? meets->index
             : !before.empty()  ? before.back().index + 1
                                : 0;
    };
    first_ = {place(d.before_a, d.only_a, d.meets_a), place(d.before_b, d.only_b, d.meets_b)};
  }
  if (++divergences_ > most_ || as_json_) return;
  std::string& s = out_.text;
  s += d.before_a.empty() ? "diverge\n" : "diverge after\n";
  for (std::size_t i = 0; i < d.before_a.size(); ++i) {
    // Traces usually diverge at a branch, so print the outcomes of the branch even if outcomes are
    // ignored.
    const bool parts =
        i + 1 == d.before_a.size() && differences_of(d.before_a[i], d.before_b[i]).outcome;
    line(' ', &d.before_a[i], &d.before_b[i], parts);
  }
  only('-', d.only_a, d.count_a, true);
  only('+', d.only_b, d.count_b, false);
  if (d.meets_a != nullptr) {
    s += "and meet again at\n";
    line(' ', d.meets_a, d.meets_b);
  } else if (d.lost) {
    s += "and do not meet again\n";
  }
  out_.passed();
}

void report::finish() {
  if (as_json_) return;
  more(differing_, "instruction that differs", "instructions that differ");
  more(divergences_, "divergence", "divergences");
}

std::string report::place(const diff_step& a, const diff_step& b) {
  std::string s;
  examples::add_hex(s, a.record.ip);
  s += " (";
  examples::add_number(s, a.index);
  s += " | ";
  examples::add_number(s, b.index);
  s += ')';
  return s;
}

void report::code(std::string_view before, const diff_step& i) {
  out_.text += before;
  for (const std::byte b : i.reads.code()) add_byte(std::to_integer<unsigned>(b));
}

void report::add_byte(unsigned b) {
  constexpr std::string_view digits = "0123456789abcdef";
  ((out_.text += ' ') += digits[b >> 4]) += digits[b & 0xF];
}

void report::more(std::uint64_t all, const char* one, const char* many) {
  if (all <= most_) return;
  std::string& s = out_.text;
  (s += "and ") += examples::grouped(all - most_) + " more ";
  (s += all - most_ == 1 ? one : many) += '\n';
}

void report::outcomes(const diff_step& a, const diff_step& b) {
  out_.text += ", ";
  outcome(a);
  out_.text += " | ";
  outcome(b);
}

void report::outcome(const diff_step& i) {
  std::string& s = out_.text;
  s += name(i.branch);
  if (i.record.branch_taken == 0) {
    s += i.record.is_branch != 0 ? " not taken" : "";
    return;
  }
  s += " to ";
  if (i.target != 0)
    address(s, i.target);
  else
    s += "an unknown address";
}

void report::value(const analysis::value_difference& v) {
  std::string& s = out_.text;
  s += ", ";
  if (!v.memory) {
    const std::string own = register_name_ ? register_name_(tracecodec::x86::number(v.which)) : "";
    s += own.empty() ? name(v.which).view() : std::string_view(own);
    if (v.at != 0) examples::add_number(s += '+', v.at);
    s += v.after ? " written " : " ";
    examples::add_hex(s, v.a);
    s += " | ";
    examples::add_hex(s, v.b);
    return;
  }
  unsigned first = 0, end = 8;
  while ((v.known >> first & 1U) == 0) ++first;
  while ((v.known >> (end - 1) & 1U) == 0) --end;
  s += '[';
  examples::add_hex(s, v.at + first);
  s += v.after ? "] written" : "]";
  const auto bytes = [&](std::uint64_t all) {
    for (unsigned n = first; n < end; ++n)
      if ((v.known >> n & 1U) != 0)
        add_byte(static_cast<unsigned>(all >> 8 * n & 0xFFU));
      else
        s += " ??";
  };
  bytes(v.a);
  s += " |";
  bytes(v.b);
}

std::string report::text(const diff_step* i, const assembly& read) {
  // Limit the length, because a damaged trace can contain text of any length.
  constexpr std::size_t longest = 120;
  return i != nullptr && read ? examples::printable(read(*i).substr(0, longest)) : "";
}

void report::reads(const diff_step* a, const diff_step* b) {
  const std::string of_a = text(a, read_a_), of_b = text(b, read_b_);
  if (of_a.empty() && of_b.empty()) return;
  (out_.text += "  ; ") += of_a.empty() ? of_b : of_a;
  if (of_a.empty() || of_b.empty()) return;
  if (a->reads != b->reads) (out_.text += " | ") += of_b;
}

void report::line(char kind, const diff_step* a, const diff_step* b, bool part) {
  std::string& s = out_.text;
  s += kind;
  examples::add_right(s, a != nullptr ? std::to_string(a->index) : "", 11);
  examples::add_right(s, b != nullptr ? std::to_string(b->index) : "", 11);
  s += "  ";
  address(s, (a != nullptr ? a : b)->record.ip);
  if (part) outcomes(*a, *b);
  reads(a, b);
  s += '\n';
}

void report::only(char kind, std::span<const diff_step> all, std::uint64_t count, bool first) {
  for (std::size_t i = 0; i < all.size() && i < shown; ++i)
    line(kind, first ? &all[i] : nullptr, first ? nullptr : &all[i]);
  if (count > shown) (out_.text += kind) += " and " + examples::grouped(count - shown) + " more\n";
}

void write_summary(std::string& s, const std::string& a, const std::string& b,
                   const analysis::diff_summary& sum, std::uint64_t threads_a,
                   std::uint64_t threads_b, analysis::differences wanted, verdict found,
                   bool to_the_end, bool as_json, std::span<const own_count> others,
                   const analysis::found_relocation* moved, const std::optional<divided>& first) {
  const auto each = [&](auto add) {
    if (threads_a + threads_b > 2) {
      add("threads_a", "threads of the first", threads_a);
      add("threads_b", "threads of the second", threads_b);
    }
    add("aligned", "instructions at equal ips", sum.aligned);
    if (wanted.registers) add("registers", "  registers differ", sum.registers);
    if (wanted.memory) add("memory", "  memory addresses differ", sum.memory);
    if (wanted.outcome) add("outcome", "  branch outcomes differ", sum.outcome);
    if (wanted.code && sum.code_compared) add("code", "  code differs", sum.code);
    if (wanted.events && sum.events_compared) add("events", "  events differ", sum.events);
    if (sum.values_compared) add("values", "  values become different", sum.values);
    if (sum.values_expected != 0)
      add("values_expected", "  values differ as expected", sum.values_expected);
    if (sum.values_left_out != 0)
      add("values_left_out", "  values not all compared", sum.values_left_out);
    add("divergences", "divergences", sum.divergences);
    add("only_a", "  instructions only in the first", sum.only_a);
    add("only_b", "  instructions only in the second", sum.only_b);
    for (const own_count& c : others) add(c.key, c.title, c.count);
    if (sum.retries != 0) add("retries", "  windows without a meeting point", sum.retries);
  };
  if (as_json) {
    examples::json j(s);
    j.object().key("a").string(a).key("b").string(b).key("same");
    if (found == verdict::same_so_far)
      j.null();
    else
      j.boolean(found == verdict::same);
    each([&](auto key, auto, std::uint64_t n) { j.key(key).number(n); });
    if (wanted.values && !sum.values_compared) j.key("values").null();
    if (wanted.code && !sum.code_compared) j.key("code").null();
    if (wanted.events && !sum.events_compared) j.key("events").null();
    if (first)
      j.key("diverge_at").object().key("a").number(first->a).key("b").number(first->b).end_object();
    if (moved != nullptr) add_moved(j.key("moved"), *moved);
    j.key("compared_to_the_end").boolean(to_the_end).end_object();
    s += '\n';
    return;
  }
  each([&](auto, std::string_view title, std::uint64_t n) {
    examples::add_left(s, title, 34);
    examples::add_right(s, examples::grouped(n), 14);
    s += '\n';
  });
  if (wanted.values && !sum.values_compared)
    s += "Values are not compared: they are not in both traces.\n";
  if (sum.lost)
    s += "The traces do not meet again within --window and --retry: the rest is not compared.\n";
  if (found == verdict::differ)
    s += "The traces differ.\n";
  else if (found == verdict::same_so_far)
    s += "The parts that can be read are the same.\n";
  else if (sum.values_left_out != 0)
    s += "The traces are the same, but not all values were compared.\n";
  else
    s += "The traces are the same.\n";
}

}  // namespace diff
