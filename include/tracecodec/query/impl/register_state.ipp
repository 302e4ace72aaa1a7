#pragma once
#include <algorithm>
#include <array>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "../../feed/operand_list.hpp"
#include "../../io/error.hpp"
#include "../register_state.hpp"

namespace tracecodec::query {

namespace detail {

// Bytes of all registers of one thread. Bytes are found by reading the trace before an instruction,
// in windows from the last one to the first, and then after it.
class register_search {
 public:
  static constexpr std::size_t most_bytes = 64;  // of a register

  register_search(feed::column_source& trace, std::uint32_t thread)
      : trace_(&trace), names_(trace), thread_(thread), wanted_(names_.all()) {
    columns_ = {feed::column::thread, feed::column::destination_registers,
                feed::column::register_values};
  }

  void search(std::uint64_t at) {
    std::uint64_t end = at, window = backward_rows::smallest_window;
    while (end != 0 && !complete()) {
      const std::uint64_t begin = end - std::min(end, window);
      window = std::min<std::uint64_t>(window * 4, std::uint64_t{1} << 20);
      clear_window();
      trace_->move_to(begin);
      read(end, [&](const feed::columns& batch, std::size_t row) { add_earlier(batch, row); });
      for (std::size_t k = 0; k != all_.size(); ++k)
        if (all_[k].is == state::open && seen_[k].is != state::open) all_[k] = seen_[k];
      end = begin;
    }
    // A byte with an unknown new value may be shown by a later instruction.
    for (byte& b : all_)
      if (b.is == state::written) b.is = state::open;
    later_ = true;
    trace_->move_to(at);
    read(std::numeric_limits<std::uint64_t>::max(),
         [&](const feed::columns& batch, std::size_t row) { add_later(batch, row); });
  }

  [[nodiscard]] std::vector<register_contents> result() const {
    std::vector<register_contents> found;
    for (unsigned n = 1; n != 256; ++n) {
      const auto number = static_cast<std::uint8_t>(n);
      const std::size_t size = std::min<std::size_t>(names_.size(number), most_bytes);
      register_contents one{number, std::vector<memory_byte>(size)};
      bool any = std::find(wanted_.begin(), wanted_.end(), number) != wanted_.end();
      for (std::size_t i = 0; i != size; ++i)
        if (const byte& b = all_[n * most_bytes + i]; b.is == state::known) {
          one.bytes[i] = b.shown;
          any = true;
        }
      if (any && number != feed::instruction_pointer) found.push_back(std::move(one));
    }
    return found;
  }

 private:
  enum class state : std::uint8_t { open, known, written };
  struct byte {
    state is = state::open;
    memory_byte shown = {};
  };
  using file = std::vector<byte>;

  // Returns true if no byte of the wanted registers is open.
  [[nodiscard]] bool complete() const {
    for (const std::uint8_t number : wanted_)
      for (std::size_t i = 0; i != std::min<std::size_t>(names_.size(number), most_bytes); ++i)
        if (all_[number * most_bytes + i].is == state::open) return false;
    return true;
  }
  void clear_window() { std::fill(seen_.begin(), seen_.end(), byte{}); }

  template <class Add> void read(std::uint64_t end, Add add) {
    trace_->want(columns_);
    while (trace_->position() < end && !(later_ && complete())) {
      const std::uint64_t left = end - trace_->position();
      if (!trace_->next(batch_, static_cast<std::size_t>(
                                    std::min<std::uint64_t>(left, feed::columns::most_rows))))
        return;
      for (std::size_t row = 0; row != batch_.size(); ++row)
        if (batch_.thread()[row] == thread_) add(batch_, row);
    }
  }

  // Calls f(byte, value, number of the byte) for the values of a row.
  template <class F> void each_value(const feed::columns& batch, std::size_t row, bool after, F f) {
    const auto v = batch.register_values();
    for (std::size_t k = v.begin(row); k != v.end(row); ++k) {
      if ((v.after[k] != 0) != after) continue;
      names_.extend(v.number[k], std::size_t{v.offset[k]} + v.size[k]);
      for (std::size_t i = 0; i != v.size[k]; ++i)
        if (v.offset[k] + i < most_bytes)
          f(v.number[k] * most_bytes + v.offset[k] + i,
            static_cast<std::byte>(v.value[k] >> 8 * i & 0xFFU));
    }
  }
  // Calls f(number of the byte) for the bytes that a row writes without showing their values.
  template <class F> void each_unknown_write(const feed::columns& batch, std::size_t row, F f) {
    const auto v = batch.register_values();
    for (const std::uint8_t number : batch.destination_registers()[row]) {
      std::size_t count = 0, last = 0;
      for (std::size_t k = v.begin(row); k != v.end(row); ++k)
        if (v.number[k] == number && v.after[k] != 0)
          ++count, last = std::max<std::size_t>(last, v.offset[k] + std::size_t{v.size[k]});
      // A new value of 4 bytes may clear the upper half.
      if (count == 0 || (last == 4 && names_.size(number) == 8))
        for (std::size_t i = last; i != std::min<std::size_t>(names_.size(number), most_bytes); ++i)
          f(number * most_bytes + i);
    }
  }
  void add_earlier(const feed::columns& batch, std::size_t row) {
    const std::uint64_t at = batch.first() + row;
    const auto know = [&](std::size_t k, std::byte value) {
      seen_[k] = {state::known, {value, known_by::earlier, at}};
    };
    each_value(batch, row, false, know);
    each_unknown_write(batch, row, [this](std::size_t k) { seen_[k] = {state::written}; });
    each_value(batch, row, true, know);
  }
  void add_later(const feed::columns& batch, std::size_t row) {
    const std::uint64_t at = batch.first() + row;
    each_value(batch, row, false, [&](std::size_t k, std::byte value) {
      if (all_[k].is == state::open) all_[k] = {state::known, {value, known_by::later, at}};
    });
    const auto write = [this](std::size_t k) {
      if (all_[k].is == state::open) all_[k].is = state::written;
    };
    each_unknown_write(batch, row, write);
    each_value(batch, row, true, [&](std::size_t k, std::byte) { write(k); });
  }

  feed::column_source* trace_;
  register_names names_;
  std::uint32_t thread_;
  std::vector<std::uint8_t> wanted_;
  feed::column_set columns_ = {};
  feed::columns batch_ = {};
  bool later_ = false;  // true while the trace after the instruction is read
  file all_ = file(256 * most_bytes), seen_ = file(256 * most_bytes);
};

// Returns the registers of a trace that stores all of them before each instruction.
inline std::vector<register_contents> shown_registers(feed::column_source& trace,
                                                      std::uint64_t at) {
  register_names names(trace);
  feed::columns batch;
  trace.move_to(at);
  trace.want({feed::column::register_values});
  std::vector<register_contents> found;
  const bool is_there = trace.next(batch, 1);
  const auto v = batch.register_values();
  const std::size_t count = is_there ? v.end(0) : 0;
  for (std::size_t k = 0; k != count; ++k)
    names.extend(v.number[k], std::size_t{v.offset[k]} + v.size[k]);
  std::array<std::vector<memory_byte>, 256> all;
  for (const std::uint8_t number : names.all()) all[number].resize(names.size(number));
  for (std::size_t k = 0; k != count; ++k) {
    if (v.after[k] != 0) continue;
    auto& bytes = all[v.number[k]];
    bytes.resize(std::max<std::size_t>(bytes.size(), v.offset[k] + std::size_t{v.size[k]}));
    for (std::size_t i = 0; i != v.size[k]; ++i)
      bytes[v.offset[k] + i] = {static_cast<std::byte>(v.value[k] >> 8 * i & 0xFFU),
                                known_by::earlier, at};
  }
  for (std::size_t n = 1; n != all.size(); ++n)
    if (!all[n].empty() && n != feed::instruction_pointer)
      found.push_back({static_cast<std::uint8_t>(n), std::move(all[n])});
  return found;
}

}  // namespace detail

TRACECODEC_FUNC std::vector<register_contents> registers_at(feed::column_source& trace,
                                                            std::uint64_t at) {
  if (!trace.has().has(feed::column::register_values))
    throw trace_error(trace_errc::refused, {.file = std::string(trace.name())},
                      "traces of this format do not have the values of registers");
  const std::uint32_t thread = thread_at(trace, at);
  if (trace.has_all_registers()) return detail::shown_registers(trace, at);
  detail::register_search search(trace, thread);
  search.search(at);
  return search.result();
}

TRACECODEC_FUNC std::optional<std::uint64_t> last_set(feed::column_source& trace, flow_rows& rows,
                                                      const place& part, std::uint32_t thread,
                                                      std::uint64_t before) {
  backward_rows at(trace, rows);
  for (at.start(before); at.previous();) {
    if (rows.thread(at.row()) != thread) continue;
    for (const flow& f : rows.flows(at.row()))
      if (f.kind != flow_kind::none && f.to.meets(part)) return at.at();
  }
  return std::nullopt;
}

TRACECODEC_FUNC void each_use(
    feed::column_source& trace, flow_rows& rows, const place& part, std::uint32_t thread,
    std::uint64_t at,
    const std::function<bool(std::uint64_t, const feed::columns&, std::size_t)>& found) {
  // True for bytes that are overwritten.
  std::vector<bool> gone(part.size);
  std::size_t left = part.size;
  const auto has = [&](const place& p) {
    for (std::uint32_t i = 0; i != part.size; ++i)
      if (!gone[i] && place{part.at + i, 1, part.number}.meets(p)) return true;
    return false;
  };
  for (forward_rows next(trace, rows, at); left != 0 && next.next();) {
    if (rows.thread(next.row()) != thread) continue;
    bool reads = false;
    for (const flow& f : rows.flows(next.row()))
      for (const place& p : rows.sources(f)) reads = reads || has(p);
    if (reads && !found(next.at(), next.batch(), next.row())) return;
    for (const flow& f : rows.flows(next.row()))
      for (std::uint32_t i = 0; i != part.size; ++i)
        if (!gone[i] && f.kind != flow_kind::none &&
            place{part.at + i, 1, part.number}.meets(f.to)) {
          gone[i] = true;
          --left;
        }
  }
}

}  // namespace tracecodec::query
