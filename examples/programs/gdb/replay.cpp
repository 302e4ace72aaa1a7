#include "replay.hpp"

#include <tracecodec/io/error.hpp>
#include <tracecodec/query/accesses.hpp>
#include <tracecodec/query/memory_state.hpp>
#include <tracecodec/query/register_state.hpp>
#include <tracecodec/x86/registers.hpp>

#include <algorithm>
#include <utility>

#include "hex.hpp"

namespace debug {

namespace feed = tracecodec::feed;
namespace query = tracecodec::query;
using feed::column;

replay::replay(feed::column_source& trace, const query::memory_index* index)
    : trace_(&trace),
      code_(trace, {}),
      questions_(index != nullptr ? query::memory_questions(trace, *index)
                                  : query::memory_questions(trace)) {
  if (instructions() == 0)
    throw tracecodec::trace_error(
        tracecodec::trace_errc::refused, {.file = std::string(trace.name())},
        code_.error().empty() ? "the trace has no instructions" : code_.error());
  const instruction_set set = instruction_set_of(trace);
  stops_before_ = set == instruction_set::aarch64;
  target_ = describe(set, groups_of_trace());
  go_to(0);
}

void replay::on_batch(std::function<void()> f) {
  passed_ = f;
  questions_.on_batch(std::move(f));
}

register_groups replay::groups_of_trace() {
  register_groups found{.vectors = trace_->has_own_registers()};
  if (found.vectors || !trace_->has().has(column::register_values)) return found;
  for (const query::register_contents& r : query::registers_at(*trace_, 0)) {
    const auto which = static_cast<tracecodec::x86::reg>(r.number);
    if (which < tracecodec::x86::reg::vector0 || which >= tracecodec::x86::reg::mask0) continue;
    for (std::size_t i = 16; i < r.bytes.size(); ++i)
      if (r.bytes[i].by != query::known_by::nothing) found.wide_vectors = true;
  }
  return found;
}

std::vector<std::uint32_t> replay::threads() const {
  std::vector<std::uint32_t> found;
  for (const thread_range& t : code_.threads())
    if (t.first <= position_ && position_ <= t.last) found.push_back(t.thread);
  return found;
}

std::uint32_t replay::thread_of(std::uint64_t instruction) {
  return has_threads() ? place_of(instruction).thread : code_.threads()[0].thread;
}

const replay::place& replay::place_of(std::uint64_t instruction) {
  if (place_ && place_->at == instruction) return *place_;
  trace_->move_to(instruction);
  trace_->want({column::ip, column::thread});
  if (!trace_->next(batch_, 1))
    throw tracecodec::trace_error(tracecodec::trace_errc::refused,
                                  {.file = std::string(trace_->name())},
                                  "the trace has no instruction " + std::to_string(instruction));
  place_ = place{instruction, batch_.ip()[0], batch_.thread()[0]};
  return *place_;
}

std::optional<std::uint64_t> replay::find_thread(std::uint32_t thread, std::uint64_t from) {
  const auto range = std::find_if(code_.threads().begin(), code_.threads().end(),
                                  [&](const thread_range& t) { return t.thread == thread; });
  if (range == code_.threads().end() || from > range->last) return std::nullopt;
  if (!has_threads()) return from;
  trace_->move_to(std::max(from, range->first));
  trace_->want({column::thread});
  while (trace_->position() <= range->last && trace_->next(batch_, 1024)) {
    for (std::size_t row = 0; row != batch_.size(); ++row)
      if (batch_.thread()[row] == thread) return batch_.first() + row;
    passed();
  }
  return std::nullopt;
}

std::optional<std::uint64_t> replay::find_thread_before(std::uint32_t thread,
                                                        std::uint64_t before) {
  if (!has_threads()) return before == 0 ? std::nullopt : std::optional(before - 1);
  for (std::uint64_t end = before, window = 256; end != 0;
       window = std::min<std::uint64_t>(window * 4, 1U << 20)) {
    const std::uint64_t begin = end - std::min(end, window);
    std::optional<std::uint64_t> found;
    trace_->move_to(begin);
    trace_->want({column::thread});
    while (trace_->position() < end &&
           trace_->next(batch_, static_cast<std::size_t>(std::min<std::uint64_t>(
                                    end - trace_->position(), feed::columns::most_rows)))) {
      for (std::size_t row = 0; row != batch_.size(); ++row)
        if (batch_.thread()[row] == thread) found = batch_.first() + row;
      passed();
    }
    if (found) return found;
    end = begin;
  }
  return std::nullopt;
}

std::optional<std::uint64_t> replay::next_of(std::uint32_t thread) {
  const auto known = next_.find(thread);
  if (known != next_.end()) return known->second;
  const auto found =
      thread_of(position_) == thread ? std::optional(position_) : find_thread(thread, position_);
  next_[thread] = found;
  return found;
}

void replay::go_to(std::uint64_t position) { settle({position, thread_of(position), {}}); }

void replay::settle(const hit& h) {
  position_ = h.position;
  next_.clear();
  thread_ = h.thread;
  // A thread that has ended has no registers.
  if (!next_of(thread_)) thread_ = thread_of(position_);
}

stop replay::ended(bool forward) {
  go_to(forward ? instructions() - 1 : 0);
  return {.reason = forward ? stop_reason::end : stop_reason::begin};
}

stop replay::step(std::uint32_t thread, bool forward) try {
  const auto here = next_of(thread);
  if (forward) {
    const auto to = here ? find_thread(thread, *here + 1) : std::nullopt;
    const bool is_last =
        !to || *to >= instructions();  // no other instruction of the thread follows
    const std::uint64_t end = is_last ? instructions() - 1 : *to;
    if (const auto found = find_forward(position_, end)) {
      settle(*found);
      return found->why;
    }
    if (is_last) return ended(true);
    settle({end, thread, {}});
    return {};
  }
  const auto to = find_thread_before(thread, position_);
  if (const auto found = find_backward(to.value_or(0), position_)) {
    settle(*found);
    return found->why;
  }
  if (!to) return ended(false);
  settle({*to, thread, {}});
  return {};
} catch (const search_interrupted&) {
  return {.reason = stop_reason::interrupted};
}

stop replay::run(bool forward) try {
  const auto found =
      forward ? find_forward(position_, instructions() - 1) : find_backward(0, position_);
  if (!found) return ended(forward);
  settle(*found);
  return found->why;
} catch (const search_interrupted&) {
  return {.reason = stop_reason::interrupted};
}

replay::hit replay::watched(const watchpoint& w, std::uint64_t instruction, std::uint32_t thread,
                            bool forward) const {
  // GDB looks at memory at the stop, or steps once before, as the processor does in that case.
  const bool is_after = forward != stops_before_;
  return {instruction + (is_after ? 1 : 0), thread, {stop_reason::watchpoint, w}};
}

std::optional<replay::hit> replay::hit_of(const feed::columns& batch, std::size_t row,
                                          std::uint64_t from, bool forward, bool watches) const {
  const std::uint64_t at = batch.first() + row;
  const std::uint32_t thread = batch.thread()[row];
  const bool breaks =
      !breakpoints_.empty() && (!forward || at > from) && breakpoints_.contains(batch.ip()[row]);
  if (breaks && forward) return hit{at, thread, {stop_reason::breakpoint, {}}};
  if (watches)
    for (const watchpoint& w : watchpoints_)
      if (query::has_access(batch, row, w.accesses)) return watched(w, at, thread, forward);
  if (breaks) return hit{at, thread, {stop_reason::breakpoint, {}}};
  return std::nullopt;
}

std::optional<replay::hit> replay::find_forward(std::uint64_t from, std::uint64_t end) {
  std::optional<hit> found;
  const bool is_indexed = questions_.has_index();
  if (is_indexed)
    for (const watchpoint& w : watchpoints_)
      if (const auto at = questions_.first(w.accesses, from); at && *at < end)
        if (!found || *at < found->position)
          found = watched(w, *at, thread_of(*at), true), end = std::min(end, found->position);
  const bool watches = !is_indexed && !watchpoints_.empty();
  if (breakpoints_.empty() && !watches) return found;
  trace_->move_to(from);
  feed::column_set wanted{column::ip, column::thread};
  if (watches) wanted |= {column::memory};
  trace_->want(wanted);
  // The instruction at `end` is not executed, but may have a breakpoint.
  while (trace_->position() <= end &&
         trace_->next(batch_, static_cast<std::size_t>(std::min<std::uint64_t>(
                                  end - trace_->position() + 1, feed::columns::most_rows)))) {
    for (std::size_t row = 0; row != batch_.size(); ++row)
      if (const auto h = hit_of(batch_, row, from, true, watches && batch_.first() + row < end))
        return found && found->position <= h->position ? found : h;
    passed();
  }
  return found;
}

std::optional<replay::hit> replay::find_backward(std::uint64_t begin, std::uint64_t from) {
  std::optional<hit> found;
  const bool is_indexed = questions_.has_index();
  if (is_indexed)
    for (const watchpoint& w : watchpoints_)
      if (const auto at = questions_.last(w.accesses, from); at && *at >= begin) {
        found = watched(w, *at, thread_of(*at), false);
        begin = *at;
      }
  const bool watches = !is_indexed && !watchpoints_.empty();
  if (breakpoints_.empty() && !watches) return found;
  feed::column_set wanted{column::ip, column::thread};
  if (watches) wanted |= {column::memory};
  for (std::uint64_t last = from, window = 4096; last > begin;
       window = std::min<std::uint64_t>(window * 4, 1U << 24)) {
    const std::uint64_t first = last - std::min(last - begin, window);
    std::optional<hit> in_window;
    trace_->move_to(first);
    trace_->want(wanted);
    while (trace_->position() < last &&
           trace_->next(batch_, static_cast<std::size_t>(std::min<std::uint64_t>(
                                    last - trace_->position(), feed::columns::most_rows)))) {
      for (std::size_t row = 0; row != batch_.size(); ++row)
        if (const auto h = hit_of(batch_, row, from, false, watches)) in_window = h;
      passed();
    }
    if (in_window) return found && found->position >= in_window->position ? found : in_window;
    last = first;
  }
  return found;
}

bool replay::add_breakpoint(std::uint64_t address) {
  if (breakpoints_.size() == most_points) return false;
  breakpoints_.insert(address);
  return true;
}

bool replay::add_watchpoint(const watchpoint& w) {
  if (std::find(watchpoints_.begin(), watchpoints_.end(), w) != watchpoints_.end()) return true;
  if (watchpoints_.size() == most_points) return false;
  watchpoints_.push_back(w);
  return true;
}

std::optional<std::uint64_t> replay::ip(std::uint32_t thread) {
  const auto at = next_of(thread);
  return at ? std::optional(place_of(*at).ip) : std::nullopt;
}

namespace {

using query::known_by;

// Returns true if the contents are those of another register with the same number: one that is wider
// than the register of the description.
bool is_other(const target_register& r, const query::register_contents& found) {
  // RISC-V's registers f and v have the same numbers.
  if (r.type == "ieee_double") return found.bytes.size() > r.size;
  // So have x86's segment selectors and the addresses of segments.
  for (std::size_t i = r.most; i < found.bytes.size() && r.most < r.size; ++i)
    if (found.bytes[i].by != known_by::nothing && found.bytes[i].value != std::byte{0}) return true;
  return false;
}

// Returns the digits of a register. `found` is null if the trace does not have it.
std::string digits_of(const target_register& r, const query::register_contents* found) {
  const std::string unknown(std::size_t{2} * r.size, 'x');
  if (found == nullptr || is_other(r, *found)) return unknown;
  std::string s;
  for (std::uint32_t i = 0; i != r.most; ++i) {
    const std::size_t n = std::size_t{r.offset} + i;
    // GDB only knows whole registers that are available or not.
    if (n >= found->bytes.size() || found->bytes[n].by == known_by::nothing) return unknown;
    add_hex_byte(s, std::to_integer<unsigned>(found->bytes[n].value));
  }
  s.resize(unknown.size(), '0');
  return s;
}

}  // namespace

const std::vector<std::string>& replay::registers(std::uint32_t thread) {
  const auto at = next_of(thread);
  if (at && registers_of_ == at) return registers_;
  std::vector<query::register_contents> known;
  if (at && trace_->has().has(column::register_values)) known = query::registers_at(*trace_, *at);
  const auto pc = ip(thread);
  registers_.clear();
  for (const target_register& r : target_.registers) {
    const auto of = std::find_if(known.begin(), known.end(), [&](const auto& one) {
      return r.number != 0 && one.number == r.number;
    });
    std::string s;
    if (r.is == target_register::role::zero)
      s.assign(std::size_t{2} * r.size, '0');
    else if (r.is == target_register::role::program_counter && pc)
      for (std::uint32_t i = 0; i != r.size; ++i)
        add_hex_byte(s, static_cast<unsigned>(*pc >> 8 * i & 0xFFU));
    else
      s = digits_of(r, of == known.end() ? nullptr : &*of);
    registers_.push_back(std::move(s));
  }
  registers_of_ = at;
  return registers_;
}

std::string replay::memory(std::uint64_t address, std::size_t size) {
  if (size == 0) return {};
  const std::uint64_t more = ~std::uint64_t{0} - address;  // bytes after the first one
  size = static_cast<std::size_t>(std::min<std::uint64_t>(size - 1, more)) + 1;
  std::vector<query::memory_byte> values;
  if (trace_->has().has(column::memory_values))
    values = query::memory_at(questions_, *trace_, address, size, position_);
  std::string found;
  for (std::size_t i = 0; i != size; ++i) {
    std::optional<std::byte> b;
    if (i < values.size() && values[i].by != known_by::nothing)
      b = values[i].value;
    else
      b = code_.at(address + i, position_);
    if (!b) break;
    found += static_cast<char>(std::to_integer<unsigned char>(*b));
  }
  return found;
}

}  // namespace debug
