#pragma once
#include <algorithm>

#include "../recorded_calls.hpp"

namespace tracecodec::analysis {

TRACECODEC_FUNC void recorded_calls::partial_word::set(std::size_t offset, std::size_t size,
                                                       std::uint64_t bytes) noexcept {
  for (std::size_t n = 0; n != size && offset + n < 8; ++n) {
    const std::size_t bit = 8 * (offset + n);
    value = (value & ~(std::uint64_t{0xFF} << bit)) | (bytes >> 8 * n & 0xFF) << bit;
    known = static_cast<std::uint8_t>(known | 1U << (offset + n));
  }
}
TRACECODEC_FUNC std::optional<std::uint64_t> recorded_calls::partial_word::whole(
    std::size_t size) const noexcept {
  const unsigned all = (1U << size) - 1U;
  if ((known & all) != all) return std::nullopt;
  return size == 8 ? value : value & ((std::uint64_t{1} << 8 * size) - 1);
}

TRACECODEC_FUNC recorded_calls::recorded_calls(feed::column_source& trace,
                                               const calling_convention* convention,
                                               predicate wanted,
                                               std::function<void(const recorded_call&)> found)
    : trace_(trace),
      convention_(convention),
      wanted_(std::move(wanted)),
      found_(std::move(found)),
      stacks_(trace.has(), select_stack_pointer(trace)),
      columns_(stacks_.columns()) {
  if (convention_ == nullptr) return;
  if (trace.has().has(feed::column::register_values)) {
    const auto keep = [this, &trace](std::string_view name, std::size_t slot) {
      if (const std::uint8_t number = register_number(trace, name); number != 0)
        slot_of_[number] = static_cast<std::uint8_t>(slot + 1);
    };
    for (std::size_t n = 0; n != convention_->register_arguments(); ++n)
      keep(convention_->arguments[n], n);
    // The result of some conventions is in the register of an argument.
    if (convention_->result != convention_->arguments[0])
      keep(convention_->result, recorded_call::most_arguments);
    reads_rows_ = trace.has_all_registers();
    if (!reads_rows_)
      columns_ |= {feed::column::register_values, feed::column::destination_registers};
  }
  if (convention_->stack_arguments != 0 && trace.has().has(feed::column::memory_values)) {
    columns_ |= {feed::column::memory_values};
    memory_.resize(kept_memory);
  }
}

TRACECODEC_FUNC void recorded_calls::read_registers(const feed::columns& batch, std::size_t row,
                                                    bool after, register_words& to) {
  const feed::register_values_column r = batch.register_values();
  for (std::size_t k = r.begin(row); k != r.end(row); ++k)
    if (const std::uint8_t slot = slot_of_[r.number[k]]; slot != 0 && (r.after[k] != 0) == after)
      to[slot - 1U].set(r.offset[k], r.size[k], r.value[k]);
}
TRACECODEC_FUNC void recorded_calls::forget_written(const feed::columns& batch, std::size_t row,
                                                    register_words& of) {
  for (const std::uint8_t number : batch.destination_registers()[row])
    if (const std::uint8_t slot = slot_of_[number]; slot != 0) of[slot - 1U] = {};
}

TRACECODEC_FUNC const recorded_calls::register_words& recorded_calls::registers_at(
    std::size_t row) {
  if (!reads_rows_) return *now_;
  of_row_ = {};
  try {
    trace_.read_row(row_, row, {feed::column::register_values});
    read_registers(row_, 0, false, of_row_);
  } catch (const trace_error& e) {
    // The values are damaged, so they are unknown.
    if (e.code() == trace_errc::system) throw;
  }
  return of_row_;
}

TRACECODEC_FUNC void recorded_calls::read_memory(const feed::columns& batch, std::size_t row) {
  const feed::memory_values_column m = batch.memory_values();
  for (const std::uint8_t after : {std::uint8_t{0}, std::uint8_t{1}})
    for (std::size_t k = m.begin(row); k != m.end(row); ++k) {
      if (m.after[k] != after || m.trusted[k] == 0) continue;
      std::uint64_t address = m.address[k];
      for (const std::byte b : m.bytes[k]) {
        memory_word& word = memory_[address / 8 % kept_memory];
        if (word.address != address / 8) word = {.address = address / 8};
        word.bytes.set(address % 8, 1, std::to_integer<std::uint64_t>(b));
        ++address;
      }
    }
}
TRACECODEC_FUNC std::optional<std::uint64_t> recorded_calls::memory_at(
    std::uint64_t address, std::size_t size) const noexcept {
  std::uint64_t value = 0;
  for (std::size_t n = 0; n != size; ++n, ++address) {
    const memory_word& word = memory_[address / 8 % kept_memory];
    if (word.address != address / 8 || (word.bytes.known >> address % 8 & 1U) == 0)
      return std::nullopt;
    value |= (word.bytes.value >> 8 * (address % 8) & 0xFF) << 8 * n;
  }
  return value;
}

TRACECODEC_FUNC void recorded_calls::begin(const open_call& c, bool is_jump, std::uint64_t caller,
                                           std::size_t depth, std::size_t row) {
  if (!wanted_(c)) return;
  waiting_by_serial_.emplace(c.serial, reported_ + waiting_.size());
  recorded_call& found = waiting_.emplace_back();
  found.call = c;
  found.is_jump = is_jump;
  found.caller = caller;
  found.depth = depth;
  if (convention_ == nullptr) return;
  const std::size_t in_registers = convention_->register_arguments();
  if (in_registers != 0 && trace_.has().has(feed::column::register_values)) {
    const register_words& words = registers_at(row);
    for (std::size_t n = 0; n != in_registers; ++n)
      found.arguments[n] = words[n].whole(convention_->word);
  }
  if (memory_.empty() || !c.stack_pointer) return;
  for (std::size_t n = 0; n != convention_->stack_arguments; ++n)
    found.arguments[in_registers + n] =
        memory_at(*c.stack_pointer + (n + 1) * convention_->word, convention_->word);
}

TRACECODEC_FUNC void recorded_calls::end(const open_call& c, call_end how, std::uint64_t last,
                                         std::uint64_t last_ip, std::optional<std::size_t> row) {
  const auto [first, beyond] = waiting_by_serial_.equal_range(c.serial);
  if (first == beyond) return;
  std::optional<std::uint64_t> result;
  if (how == call_end::returned && row && convention_ != nullptr &&
      trace_.has().has(feed::column::register_values)) {
    const bool is_argument = convention_->result == convention_->arguments[0];
    result = registers_at(*row)[is_argument ? 0 : recorded_call::most_arguments].whole(
        convention_->word);
  }
  for (auto i = first; i != beyond; ++i) {
    recorded_call& found = waiting_[static_cast<std::size_t>(i->second - reported_)];
    found.end = {last, last_ip, how};
    found.result = result;
  }
  waiting_by_serial_.erase(first, beyond);
}

TRACECODEC_FUNC void recorded_calls::forget(std::uint64_t serial) {
  const auto [first, beyond] = waiting_by_serial_.equal_range(serial);
  for (auto i = first; i != beyond; ++i)
    if (i->second == reported_) {
      waiting_by_serial_.erase(i);
      return;
    }
}

TRACECODEC_FUNC void recorded_calls::report(std::size_t most) {
  while (!waiting_.empty() && (waiting_.front().end || waiting_.size() > most)) {
    if (!waiting_.front().end) forget(waiting_.front().call.serial);
    ++reported_;
    found_(waiting_.front());
    waiting_.pop_front();
  }
}

TRACECODEC_FUNC void recorded_calls::add(const feed::columns& batch) {
  const bool has_values = columns_.has(feed::column::register_values);
  for (std::size_t row = 0; row != batch.size(); ++row) {
    if (has_values) {
      if (of_threads_.size() > call_stacks::most_threads) of_threads_.clear();
      now_ = &of_threads_[batch.thread()[row]];
      read_registers(batch, row, false, *now_);
    }
    stacks_.step(
        batch, row,
        [&](open_call& c, const open_call* parent, std::size_t depth) {
          if (parent != nullptr) begin(c, false, parent->function, depth, row);
        },
        [&](const open_call& c, call_end how, std::uint64_t last, std::uint64_t last_ip) {
          end(c, how, last, last_ip, row);
        },
        [&](const open_call& c, std::size_t depth, std::uint64_t last, std::uint64_t last_ip) {
          open_call jump = c;
          jump.ip = last_ip;
          jump.number = last;
          jump.function = batch.ip()[row];
          jump.entry = batch.first() + row;
          jump.stack_pointer = stacks_.stack_pointer();
          begin(jump, true, c.function, depth, row);
        });
    if (has_values) {
      forget_written(batch, row, *now_);
      read_registers(batch, row, true, *now_);
    }
    if (!memory_.empty()) read_memory(batch, row);
    report(most_waiting);
  }
}

TRACECODEC_FUNC void recorded_calls::finish() {
  stacks_.finish([this](const open_call& c, call_end how, std::uint64_t last,
                        std::uint64_t last_ip) { end(c, how, last, last_ip, std::nullopt); });
  report(0);
}

}  // namespace tracecodec::analysis
