#pragma once
#include "../reader.hpp"

#include <bitset>
#include <utility>

#include "../../feed/recorded_branch.hpp"

namespace tracecodec::tenet {

TRACECODEC_FUNC reader::reader(io::input in) : lines_(std::move(in)), start_(lines_.next_offset()) {
  begin();
}

TRACECODEC_FUNC void reader::begin() {
  state_.clear();
  state_.begin(0);
  is_open_ = read_line(true);
  initial_registers_ = state_.changes().size() - 1;
  initially_repeated_ = repeated_;
  state_.apply();
  last_.ip = ip_;
}

TRACECODEC_FUNC void reader::refuse(const item& i, const char* message) const {
  throw lines_.error(trace_errc::bad_value, std::string(i.name.substr(0, 20)), message);
}

TRACECODEC_FUNC void reader::add_memory(const item& i) {
  const auto memory = listed_memory::of(i.value);
  if (!memory) refuse(i, "expected an address, ':', and two hexadecimal digits for each byte");
  if (!dialect_->fits(memory->address)) refuse(i, "the address is too large");
  if (state_.accesses().size() >= most_accesses) refuse(i, "more than 1024 accesses on a line");
  if (memory->digits.empty()) return;
  io::read_hex_bytes(memory->digits, bytes_);
  if (i.key() == "mrw") state_.access(memory->address, bytes_.size(), false);
  state_.access(memory->address, bytes_, i.key() != "mr");
}

TRACECODEC_FUNC bool reader::read_line(bool first) {
  const auto line = lines_.next();
  if (first) {
    const auto* const found = line ? dialect_of(*line) : nullptr;
    if (found == nullptr)
      throw trace_error(
          trace_errc::not_a_trace, {name(), 0},
          "expected a Tenet trace, whose lines list rip, eip or pc" + lines_.offset_note());
    dialect_ = found;
    state_.select(found->registers);
  }
  if (!line) return false;
  if (!lines_.is_whole())
    throw lines_.error(trace_errc::truncated, {}, "the last line has no end: a value may be cut");
  const std::size_t pc = dialect_->names.size() - 1;
  std::bitset<most_registers> listed;
  repeated_ = {};
  if (line->ends_with(',')) refuse({}, "expected an item after the last comma");
  for (std::string_view rest = *line; !rest.empty();) {
    const item i = next_item(rest);
    if (is_memory(i.key())) {
      add_memory(i);
      continue;
    }
    const std::size_t n = dialect_->find(i.key());
    if (n > pc) refuse(i, "expected a register of the processor, mr, mw or mrw");
    const auto value = io::hex_number(i.value);
    if (!value || !dialect_->fits(*value))
      refuse(i, "expected a hexadecimal number that fits the register");
    state_.change(n, *value);
    if (n == pc) ip_ = *value;
    if (listed[n]) repeated_ = dialect_->names[n];
    listed[n] = true;
  }
  if (!listed[pc])
    throw lines_.error(trace_errc::bad_value, std::string(dialect_->pc()),
                       "the line has no instruction pointer");
  return true;
}

TRACECODEC_FUNC void reader::complete(std::uint64_t next) {
  constexpr std::size_t stack = 5;  // rsp and esp
  last_.branch = dialect_ == &aarch64
                     ? feed::branch_by_link(state_, last_.ip, next, arm::link_register)
                     : feed::branch_by_stack(state_, last_.ip, next, stack);
  last_.target = last_.branch == feed::branch_class::not_branch ? 0 : next;
  last_.repeated = repeated_;
  state_.end(last_, last_.target != 0);
}

TRACECODEC_FUNC bool reader::make(std::vector<instruction>& to) {
  state_.begin(to.size());
  for (std::size_t n = 0; n != batch_size; ++n) {
    try {
      if (!read_line()) return finish(to);
    } catch (const trace_error&) {
      state_.drop();
      finish(to);
      throw;
    }
    complete(ip_);
    to.push_back(last_);
    last_.ip = ip_;
  }
  return true;
}

// Returns the last instruction, whose changes are unknown.
TRACECODEC_FUNC bool reader::finish(std::vector<instruction>& to) {
  if (std::exchange(is_open_, false)) {
    last_.branch = feed::branch_class::not_branch;
    last_.target = 0;
    last_.repeated = {};
    state_.end(last_, false);
    to.push_back(last_);
  }
  return false;
}

}  // namespace tracecodec::tenet
