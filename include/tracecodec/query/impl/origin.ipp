#pragma once
#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "../../feed/operand_list.hpp"
#include "../origin.hpp"

namespace tracecodec::query {

TRACECODEC_FUNC std::string_view name(origin_end e) noexcept {
  switch (e) {
    case origin_end::question:
      return "question";
    case origin_end::beginning:
      return "beginning";
    case origin_end::input:
      return "input";
    case origin_end::not_followed:
      return "not followed";
    case origin_end::none:
      break;
  }
  return {};
}

TRACECODEC_FUNC std::string_view end_of(const origin_flow& f) noexcept {
  if (f.kind == flow_kind::outside) return "input";
  if (f.kind == flow_kind::incomplete) return "unknown";
  return f.inputs.empty() ? "constant" : "";
}

namespace detail {

// Bytes of memory, and of the registers of all threads, with a value each.
template <class T> class byte_map {
 public:
  using map = std::map<std::uint64_t, T>;

  [[nodiscard]] bool empty() const noexcept { return memory_.empty() && registers_.empty(); }
  [[nodiscard]] bool has_registers() const noexcept { return !registers_.empty(); }
  [[nodiscard]] map& memory() noexcept { return memory_; }
  [[nodiscard]] map& registers() noexcept { return registers_; }
  [[nodiscard]] std::size_t size() const noexcept { return memory_.size() + registers_.size(); }

  // Calls f(number of the byte in the place, value) for each byte of a place that is in the map.
  template <class F> void each(const place& p, std::uint32_t thread, F f) {
    if (p.size == 0) return;
    map& all = of(p);
    const std::uint64_t first = key(p, thread), last = last_of(first, p.size);
    for (auto it = all.lower_bound(first); it != all.end() && it->first <= last; ++it)
      f(static_cast<std::uint32_t>(it->first - first), it->second);
  }
  [[nodiscard]] bool has(const place& p, std::uint32_t thread) {
    bool any = false;
    each(p, thread, [&any](std::uint32_t, T&) { any = true; });
    return any;
  }
  void erase(const place& p, std::uint32_t thread) {
    if (p.size == 0) return;
    map& all = of(p);
    const std::uint64_t first = key(p, thread), last = last_of(first, p.size);
    all.erase(all.lower_bound(first), all.upper_bound(last));
  }
  // Returns the value of byte `n` of a place, which is added if it is not in the map.
  T& at(const place& p, std::uint32_t thread, std::uint32_t n) { return of(p)[key(p, thread) + n]; }
  static place place_of_register(std::uint64_t key) noexcept {
    return {key & 0xffff, 1, static_cast<std::uint8_t>(key >> 16 & 0xff)};
  }

 private:
  static std::uint64_t key(const place& p, std::uint32_t thread) noexcept {
    if (p.is_memory()) return p.at;
    return std::uint64_t{thread} << 24 | std::uint64_t{p.number} << 16 | p.at;
  }
  static std::uint64_t last_of(std::uint64_t first, std::uint32_t size) noexcept {
    return first + std::min<std::uint64_t>(size - 1, ~first);
  }
  map& of(const place& p) noexcept { return p.is_memory() ? memory_ : registers_; }

  map memory_ = {}, registers_ = {};
};

// Joins adjacent bytes with the same source.
inline void join(std::vector<origin_source>& all) {
  std::sort(all.begin(), all.end(),
            [](const origin_source& a, const origin_source& b) { return a.bytes.at < b.bytes.at; });
  std::size_t n = 0;
  for (const origin_source& s : all) {
    if (n != 0 && all[n - 1].end == s.end && all[n - 1].step == s.step &&
        all[n - 1].bytes.at + all[n - 1].bytes.size == s.bytes.at)
      all[n - 1].bytes.size += s.bytes.size;
    else
      all[n++] = s;
  }
  all.resize(n);
}

// Returns the runs of adjacent numbers as (first, count). The numbers must ascend.
inline std::vector<std::pair<std::uint32_t, std::uint32_t>> runs_of(
    const std::vector<std::uint32_t>& numbers) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> runs;
  for (const std::uint32_t n : numbers) {
    if (!runs.empty() && runs.back().first + runs.back().second == n)
      ++runs.back().second;
    else
      runs.emplace_back(n, 1);
  }
  return runs;
}

inline place part_of(const place& p, std::uint32_t first, std::uint32_t count) noexcept {
  return {p.at + first, count, p.number};
}

class backward_slice {
 public:
  backward_slice(feed::column_source& trace, flow_rows& rows, memory_questions& questions,
                 const slice_limits& limits, const slice_branches& branches)
      : rows_(&rows),
        questions_(&questions),
        branches_(branches),
        most_(std::min(limits.steps, slice_limits::most_steps)),
        has_values_(trace.has().has(feed::column::memory_values)),
        position_(trace, rows) {}

  slice operator()(const place& of, std::uint32_t thread, std::uint64_t at) {
    want(of, thread, {});
    position_.start(at);
    while (!(live_.empty() && branch_at_.empty()) && !found_.is_cut && position_.previous()) {
      add_row();
      if (branch_at_.empty() && !live_.has_registers() && questions_->has_index() && !jump()) break;
    }
    finish();
    return std::move(found_);
  }

 private:
  // Byte whose last writer is wanted.
  struct live_byte {
    std::vector<std::size_t> inputs = {};    // inputs that contain the byte
    std::optional<std::byte> expected = {};  // value that a later instruction found
  };

  // Adds an input, and its bytes to those that are live.
  std::size_t want(const place& p, std::uint32_t thread,
                   const std::vector<std::optional<std::byte>>& expected) {
    const std::size_t input = found_.inputs.size();
    found_.inputs.emplace_back();
    for (std::uint32_t n = 0; n != p.size; ++n) {
      live_byte& b = live_.at(p, thread, n);
      b.inputs.push_back(input);
      if (n < expected.size() && expected[n]) b.expected = expected[n];
    }
    return input;
  }
  void resolve(const place& byte, const live_byte& b, origin_end end, std::size_t step) {
    for (const std::size_t input : b.inputs) found_.inputs[input].push_back({byte, end, step});
  }

  // Returns the bytes of memory that a row shows.
  [[nodiscard]] std::vector<std::optional<std::byte>> shown(std::size_t row, const place& p,
                                                            bool after) const {
    std::vector<std::optional<std::byte>> found(p.size);
    if (!p.is_memory()) return found;
    for (const shown_memory& m : rows_->shown(row)) {
      if (m.after != after) continue;
      const auto bytes = rows_->bytes(m);
      for (std::uint32_t n = 0; n != p.size; ++n)
        if (const std::uint64_t k = p.at + n - m.address; k < bytes.size())
          found[n] = bytes[static_cast<std::size_t>(k)];
    }
    return found;
  }

  void add_row() {
    const std::size_t row = position_.row();
    const std::uint32_t thread = rows_->thread(row);
    const bool decides = !branch_at_.empty() && *branch_at_.rbegin() == position_.at();
    if (decides) branch_at_.erase(position_.at());
    if (!decides &&
        std::none_of(rows_->flows(row).begin(), rows_->flows(row).end(), [&](const flow& f) {
          return f.kind != flow_kind::none && live_.has(f.to, thread);
        }))
      return compare(row);
    drop_changed(row, thread);
    // The live bytes of each flow.
    std::vector<std::pair<const flow*, std::vector<std::uint32_t>>> hits;
    for (const flow& f : rows_->flows(row)) {
      if (f.kind == flow_kind::none) continue;
      std::vector<std::uint32_t> bytes;
      live_.each(f.to, thread, [&](std::uint32_t n, live_byte&) { bytes.push_back(n); });
      if (!bytes.empty()) hits.emplace_back(&f, std::move(bytes));
    }
    const bool follows = found_.steps.size() != most_;
    found_.is_cut = found_.is_cut || ((!hits.empty() || decides) && !follows);
    for (const auto& [f, bytes] : hits) {
      const place to = f->to;
      live_.each(to, thread, [&](std::uint32_t n, const live_byte& b) {
        resolve(part_of(to, n, 1), b, follows ? origin_end::none : origin_end::not_followed,
                follows ? found_.steps.size() : origin_source::no_step);
      });
      live_.erase(to, thread);
    }
    compare(row);
    if ((hits.empty() && !decides) || !follows) return;
    origin_step step{position_.at(), rows_->ip(row), thread};
    std::vector<std::pair<place, std::size_t>> inputs;
    const auto input = [&](const place& p) {
      for (const auto& [known, n] : inputs)
        if (known == p) return n;
      inputs.emplace_back(p, want(p, thread, shown(row, p, false)));
      return inputs.back().second;
    };
    for (const auto& [f, bytes] : hits) {
      const auto sources = rows_->sources(*f);
      if (f->kind == flow_kind::copy) {
        for (const auto& [first, count] : runs_of(bytes))
          step.flows.push_back(
              {part_of(f->to, first, count), f->kind, {input(part_of(sources[0], first, count))}});
        continue;
      }
      origin_flow one{part_of(f->to, bytes.front(), bytes.back() - bytes.front() + 1), f->kind};
      if (f->kind != flow_kind::outside)
        for (const place& p : sources) one.inputs.push_back(input(p));
      step.flows.push_back(std::move(one));
    }
    if (decides) step.flows.push_back(operands_of_branch(row, input));
    step.decides = decides;
    if (branches_.deciding != nullptr && (!hits.empty() || branches_.follow)) add_branch(step);
    found_.steps.push_back(std::move(step));
  }

  // Returns the registers and the memory that a branch reads. `input` adds an input.
  template <class Input> origin_flow operands_of_branch(std::size_t row, Input input) {
    origin_flow read;
    for (const flow& f : rows_->flows(row)) {
      if (f.kind != flow_kind::none && f.to.number != feed::instruction_pointer) continue;
      for (const place& p : rows_->sources(f)) {
        if (!branches_.follow) found_.inputs.push_back({{p, origin_end::not_followed}});
        read.inputs.push_back(branches_.follow ? input(p) : found_.inputs.size() - 1);
      }
    }
    return read;
  }
  // Finds the branch that decided that a step was executed.
  void add_branch(origin_step& step) {
    if (step.index < branches_.deciding->first()) {
      found_.is_cut = true;
      return;
    }
    step.decided_by = branches_.deciding->of(step.index);
    if (step.decided_by) branch_at_.insert(*step.decided_by);
  }

  // Ends the origin of bytes that an instruction writes with other values than a later one found.
  void drop_changed(std::size_t row, std::uint32_t thread) {
    for (const flow& f : rows_->flows(row)) {
      if (f.kind == flow_kind::none || !f.to.is_memory() || !live_.has(f.to, thread)) continue;
      const auto written = shown(row, f.to, true);
      std::vector<std::uint32_t> changed;
      live_.each(f.to, thread, [&](std::uint32_t n, const live_byte& b) {
        if (b.expected && written[n] && *written[n] != *b.expected) changed.push_back(n);
      });
      for (const std::uint32_t n : changed) end_input(part_of(f.to, n, 1));
    }
  }
  // Compares the live bytes with those that an instruction finds.
  void compare(std::size_t row) {
    if (live_.memory().empty()) return;
    for (const shown_memory& m : rows_->shown(row)) {
      if (m.after) continue;
      const auto bytes = rows_->bytes(m);
      const place p{m.address, m.size, 0};
      std::vector<std::uint32_t> changed;
      live_.each(p, 0, [&](std::uint32_t n, live_byte& b) {
        if (b.expected && *b.expected != bytes[n]) changed.push_back(n);
        b.expected = bytes[n];
      });
      for (const std::uint32_t n : changed) end_input(part_of(p, n, 1));
    }
  }
  void end_input(const place& byte) {
    live_.each(byte, 0, [&](std::uint32_t, const live_byte& b) {
      resolve(byte, b, origin_end::input, origin_source::no_step);
    });
    live_.erase(byte, 0);
  }

  // Continues with the last instruction that may access live memory, if it is not in the window.
  // Returns false if there is none.
  bool jump() {
    std::optional<std::uint64_t> last;
    const std::uint64_t before = position_.at();
    for (auto it = live_.memory().begin(); it != live_.memory().end();) {
      analysis::address_span run{it->first, it->first};
      while (++it != live_.memory().end() && it->first == run.last + 1) run.last = it->first;
      const auto found = questions_->indexed_last({.bytes = run, .reads = has_values_}, before);
      if (found && (!last || *found > *last)) last = found;
    }
    if (!last) return false;
    if (*last < rows_->first()) position_.start(*last + 1);
    return true;
  }

  // Ends the origin of the bytes that are still live.
  void finish() {
    const auto end = [this](origin_end e) { return found_.is_cut ? origin_end::not_followed : e; };
    for (const auto& [address, b] : live_.memory())
      resolve({address, 1, 0}, b, end(origin_end::input), origin_source::no_step);
    for (const auto& [key, b] : live_.registers())
      resolve(live_.place_of_register(key), b, end(origin_end::beginning), origin_source::no_step);
    for (auto& input : found_.inputs) join(input);
  }

  flow_rows* rows_;
  memory_questions* questions_;
  slice_branches branches_;
  std::size_t most_;
  bool has_values_;
  backward_rows position_;
  byte_map<live_byte> live_ = {};
  std::set<std::uint64_t> branch_at_ = {};  // branches before that decided steps
  slice found_ = {};
};

class forward_slice {
 public:
  forward_slice(flow_rows& rows, const slice_limits& limits)
      : rows_(&rows), most_(std::min(limits.steps, slice_limits::most_steps)) {}

  slice operator()(feed::column_source& trace, const place& of, std::uint32_t thread,
                   std::uint64_t at) {
    for (std::uint32_t n = 0; n != of.size; ++n) reached_.at(of, thread, n) = {};
    for (forward_rows next(trace, *rows_, at); !reached_.empty() && next.next();) {
      drop_changed(next.row());
      if (!add_row(next.row(), next.at())) break;
    }
    for (auto& input : found_.inputs) join(input);
    return std::move(found_);
  }

 private:
  // Byte whose value depends on the question's.
  struct reached_byte {
    std::size_t step = origin_source::no_step;  // step that wrote the byte; none for the question's
    std::optional<std::byte> value = {};        // value that the trace shows
  };

  // Removes bytes that an instruction finds with another value.
  void drop_changed(std::size_t row) {
    if (reached_.memory().empty()) return;
    for (const shown_memory& m : rows_->shown(row)) {
      if (m.after) continue;
      const auto bytes = rows_->bytes(m);
      const place p{m.address, m.size, 0};
      std::vector<std::uint32_t> changed;
      reached_.each(p, 0, [&](std::uint32_t n, reached_byte& b) {
        if (b.value && *b.value != bytes[n]) changed.push_back(n);
        b.value = bytes[n];
      });
      for (const std::uint32_t n : changed) reached_.erase(part_of(p, n, 1), 0);
    }
  }
  // Returns the bytes of a source that are reached, and adds them as an input.
  std::vector<std::uint32_t> add_input(const place& p, std::uint32_t thread,
                                       std::vector<std::size_t>& inputs) {
    std::vector<std::uint32_t> bytes;
    std::vector<origin_source> from;
    reached_.each(p, thread, [&](std::uint32_t n, const reached_byte& b) {
      bytes.push_back(n);
      const bool is_first = b.step == origin_source::no_step;
      from.push_back(
          {part_of(p, n, 1), is_first ? origin_end::question : origin_end::none, b.step});
    });
    if (bytes.empty()) return bytes;
    inputs.push_back(found_.inputs.size());
    found_.inputs.push_back(std::move(from));
    return bytes;
  }

  // Returns false if a limit is reached.
  bool add_row(std::size_t row, std::uint64_t at) {
    const std::uint32_t thread = rows_->thread(row);
    origin_step step{at, rows_->ip(row), thread};
    std::vector<place> results;
    for (const flow& f : rows_->flows(row)) {
      if (f.kind == flow_kind::outside || (f.kind == flow_kind::none && rows_->has_code()))
        continue;
      origin_flow one{f.to, f.kind};
      const auto sources = rows_->sources(f);
      if (f.kind == flow_kind::copy) {
        for (const auto& [first, count] : runs_of(add_input(sources[0], thread, one.inputs))) {
          one.to = part_of(f.to, first, count);
          results.push_back(one.to);
          step.flows.push_back(one);
        }
        continue;
      }
      for (const place& p : sources) add_input(p, thread, one.inputs);
      if (one.inputs.empty()) continue;
      results.push_back(f.to);
      step.flows.push_back(std::move(one));
    }
    for (const flow& f : rows_->flows(row))
      if (f.kind != flow_kind::none) reached_.erase(f.to, thread);
    if (step.flows.empty()) return true;
    if (found_.steps.size() == most_ || reached_.size() > slice_limits::most_bytes) {
      found_.is_cut = true;
      return false;
    }
    for (const place& p : results)
      if (p.number != feed::instruction_pointer)
        for (std::uint32_t n = 0; n != p.size; ++n)
          reached_.at(p, thread, n) = {found_.steps.size(), {}};
    for (const shown_memory& m : rows_->shown(row))
      if (const auto bytes = rows_->bytes(m); m.after)
        reached_.each({m.address, m.size, 0}, thread,
                      [&](std::uint32_t n, reached_byte& b) { b.value = bytes[n]; });
    found_.steps.push_back(std::move(step));
    return true;
  }

  flow_rows* rows_;
  std::size_t most_;
  byte_map<reached_byte> reached_ = {};
  slice found_ = {};
};

}  // namespace detail

TRACECODEC_FUNC slice origin_of(feed::column_source& trace, flow_rows& rows,
                                memory_questions& questions, const place& of, std::uint32_t thread,
                                std::uint64_t at, const slice_limits& limits,
                                const slice_branches& branches) {
  return detail::backward_slice(trace, rows, questions, limits, branches)(of, thread, at);
}

TRACECODEC_FUNC slice reach_of(feed::column_source& trace, flow_rows& rows, const place& of,
                               std::uint32_t thread, std::uint64_t at, const slice_limits& limits) {
  return detail::forward_slice(rows, limits)(trace, of, thread, at);
}

}  // namespace tracecodec::query
