#pragma once
#include <string>

#include "../../io/error.hpp"
#include "../memory_state.hpp"

namespace tracecodec::query {

TRACECODEC_FUNC std::vector<std::optional<std::byte>> values_in(
    const feed::memory_values_column& values, std::size_t row, std::uint64_t address,
    std::size_t size, bool after) {
  std::vector<std::optional<std::byte>> found(size);
  for (std::size_t k = values.begin(row); k != values.end(row); ++k) {
    if (values.trusted[k] == 0 || (values.after[k] != 0) != after) continue;
    const auto bytes = values.bytes[k];
    for (std::size_t i = 0; i != size; ++i)
      if (const std::uint64_t place = address + i - values.address[k]; place < bytes.size())
        found[i] = bytes[static_cast<std::size_t>(place)];
  }
  return found;
}

namespace detail {

// Reads all accesses of the bytes, from the first one on. The last write or read before `at` shows
// the value of a byte and, if there is none, the first one afterwards.
inline std::vector<memory_byte> memory_by_reading(memory_questions& questions,
                                                  feed::column_source& trace,
                                                  analysis::address_span bytes, std::uint64_t at) {
  const auto size = static_cast<std::size_t>(bytes.last - bytes.first) + 1;
  std::vector<memory_byte> found(size);
  // True for bytes that an instruction from `at` on has written.
  std::vector<bool> overwritten(size);
  std::size_t unknown = size;
  feed::columns row;
  questions.each(
      {.bytes = bytes}, 0, memory_questions::no_end,
      [&](const feed::columns& batch, std::size_t n) {
        const std::uint64_t access = batch.first() + n;
        if (access >= at && unknown == 0) return false;
        trace.read_row(row, n, {feed::column::memory, feed::column::memory_values});
        const auto old = values_in(row.memory_values(), 0, bytes.first, size, false),
                   now = values_in(row.memory_values(), 0, bytes.first, size, true);
        for (std::size_t i = 0; i != size; ++i) {
          const std::uint64_t address = bytes.first + i;
          const bool writes = has_access(row, 0, {.bytes = {address, address}, .reads = false});
          const bool was_unknown = found[i].by == known_by::nothing;
          if (access < at) {
            if (writes)
              found[i] = now[i] ? memory_byte{*now[i], known_by::earlier, access} : memory_byte{};
            else if (old[i])
              found[i] = {*old[i], known_by::earlier, access};
          } else if (was_unknown && !overwritten[i]) {
            if (old[i]) found[i] = {*old[i], known_by::later, access};
            overwritten[i] = writes;
          }
        }
        unknown = 0;
        for (std::size_t i = 0; i != size; ++i)
          unknown += found[i].by == known_by::nothing && !overwritten[i] ? 1U : 0U;
        return true;
      });
  return found;
}

// Looks up the last access of byte `address` before `at` that shows its value and, if there is none,
// the first one afterwards.
class byte_lookup {
 public:
  byte_lookup(memory_questions& questions, feed::column_source& trace)
      : questions_(&questions), trace_(&trace) {}

  memory_byte find(std::uint64_t address, std::uint64_t at) {
    const access_query q{.bytes = {address, address}};
    // A read without a value does not change the byte, so an earlier access may show it.
    for (auto access = questions_->last(q, at); access; access = questions_->last(q, *access)) {
      const bool writes = read(*access, q);
      const auto value = values_in(row_.memory_values(), 0, address, 1, writes)[0];
      if (value) return {*value, known_by::earlier, *access};
      if (writes) return {};
    }
    for (auto access = questions_->first(q, at); access;
         access = questions_->first(q, *access + 1)) {
      const bool writes = read(*access, q);
      const auto value = values_in(row_.memory_values(), 0, address, 1, false)[0];
      if (value) return {*value, known_by::later, *access};
      if (writes) return {};
    }
    return {};
  }

 private:
  // Reads an access, and returns true if it writes.
  bool read(std::uint64_t access, access_query q) {
    if (row_.size() == 0 || row_.first() != access) {
      trace_->move_to(access);
      trace_->want({feed::column::memory, feed::column::memory_values});
      trace_->next(row_, 1);
    }
    q.reads = false;
    return has_access(row_, 0, q);
  }

  memory_questions* questions_;
  feed::column_source* trace_;
  feed::columns row_ = {};
};

}  // namespace detail

TRACECODEC_FUNC std::vector<memory_byte> memory_at(memory_questions& questions,
                                                   feed::column_source& trace,
                                                   std::uint64_t address, std::size_t size,
                                                   std::uint64_t at) {
  const auto refuse = [&](const char* why) {
    return trace_error(trace_errc::refused, {.file = std::string(trace.name())}, why);
  };
  if (!trace.has().has(feed::column::memory_values))
    throw refuse("traces of this format do not have the values of memory");
  if (size == 0) return {};
  if (address + (size - 1) < address)
    throw refuse("the bytes would continue after the highest address");
  if (!questions.has_index())
    return detail::memory_by_reading(questions, trace, {address, address + (size - 1)}, at);
  std::vector<memory_byte> found;
  detail::byte_lookup lookup(questions, trace);
  for (std::size_t i = 0; i != size; ++i) found.push_back(lookup.find(address + i, at));
  return found;
}

}  // namespace tracecodec::query
