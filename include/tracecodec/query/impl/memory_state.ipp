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

TRACECODEC_FUNC std::vector<memory_byte> memory_at(memory_questions& questions,
                                                   feed::column_source& trace,
                                                   std::uint64_t address, std::size_t size,
                                                   std::uint64_t at) {
  const auto refuse = [&](const char* why) {
    return trace_error(trace_errc::refused, {.file = std::string(trace.name())}, why);
  };
  if (!trace.has().has(feed::column::memory_values))
    throw refuse("traces of this format do not have the values of memory");
  if (size != 0 && address + (size - 1) < address)
    throw refuse("the bytes would continue after the highest address");
  std::vector<memory_byte> found(size);
  feed::columns batch;
  // Reads the row of an access. Adjacent bytes usually have the same one.
  const auto read = [&](std::uint64_t access) {
    if (batch.size() != 0 && batch.first() == access) return true;
    if (access < trace.position()) trace.rewind();
    trace.skip(access - trace.position());
    trace.want({feed::column::memory, feed::column::memory_values});
    return trace.next(batch, 1);
  };
  for (std::size_t i = 0; i != size; ++i) {
    const access_query q{.bytes = {address + i, address + i}};
    // A read without a value does not change the byte, so an earlier access may tell it.
    bool written = false;
    for (auto access = questions.last(q, at); access && !written;
         access = questions.last(q, *access)) {
      if (!read(*access)) break;
      written = has_access(batch, 0, {.bytes = q.bytes, .reads = false});
      const auto value = values_in(batch.memory_values(), 0, address + i, 1, written)[0];
      if (!value) continue;
      found[i] = {*value, known_by::earlier, *access};
      break;
    }
    if (written || found[i].by != known_by::nothing) continue;
    for (auto access = questions.first(q, at); access; access = questions.first(q, *access + 1)) {
      if (!read(*access)) break;
      const auto value = values_in(batch.memory_values(), 0, address + i, 1, false)[0];
      if (value) {
        found[i] = {*value, known_by::later, *access};
        break;
      }
      if (has_access(batch, 0, {.bytes = q.bytes, .reads = false})) break;
    }
  }
  return found;
}

}  // namespace tracecodec::query
