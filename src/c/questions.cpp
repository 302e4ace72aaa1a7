// Questions about memory in tracecodec.h.
#include <tracecodec/query/index.hpp>
#include <tracecodec/query/memory_state.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "trace.hpp"

namespace tracecodec::c {

namespace {

static_assert(TRACECODEC_UNKNOWN == static_cast<int>(query::known_by::nothing) &&
              TRACECODEC_EARLIER == static_cast<int>(query::known_by::earlier) &&
              TRACECODEC_LATER == static_cast<int>(query::known_by::later));

constexpr std::uint64_t none = query::memory_questions::no_end;

// Calls f(trace, instructions), and moves the trace back to its first instruction.
template <class F> tracecodec_status ask(tracecodec_trace* trace, F f) noexcept {
  return guarded(trace, [&](tracecodec_trace& t, instructions& from) {
    t.batch.clear();
    try {
      f(t, from);
    } catch (...) {
      from.rewind();
      throw;
    }
    from.rewind();
  });
}

query::memory_questions& questions_of(tracecodec_trace& t, instructions& from) {
  if (!t.questions) {
    if (t.index)
      t.questions.emplace(from.all(), t.index->memory());
    else
      t.questions.emplace(from.all());
  }
  return *t.questions;
}

// Returns the path of the index. Throws trace_error(refused) if the trace cannot have one.
std::string index_path(const tracecodec_trace& t, const char* index) {
  if (!t.can_have_index)
    refuse("only a file or folder whose instructions are all read can have an index");
  return index != nullptr ? index : query::index_name(t.name);
}

query::access_query query_of(std::uint64_t address, std::uint64_t size, std::uint32_t accesses) {
  constexpr std::uint32_t both = TRACECODEC_READS | TRACECODEC_WRITES;
  if (accesses != TRACECODEC_CHANGES && (accesses == 0 || (accesses & ~both) != 0))
    refuse("the accesses are reads, writes, both, or changes alone");
  if (size == 0 || size - 1 > none - address)
    refuse("the size is 0, or the bytes exceed the address space");
  return {.bytes = {address, address + (size - 1)},
          .reads = (accesses & TRACECODEC_READS) != 0,
          .writes = accesses != TRACECODEC_READS,
          .only_changes = accesses == TRACECODEC_CHANGES};
}

}  // namespace

}  // namespace tracecodec::c

using namespace tracecodec;     // NOLINT: the functions belong to the C interface
using namespace tracecodec::c;  // NOLINT

tracecodec_status tracecodec_write_index(tracecodec_trace* trace, const char* index) noexcept {
  return ask(trace, [&](tracecodec_trace& t, instructions& from) {
    const std::string file = index_path(t, index);
    t.questions.reset();
    t.index.reset();
    from.rewind();
    query::write_index(from.all(), t.name, file);
  });
}

tracecodec_status tracecodec_use_index(tracecodec_trace* trace, const char* index) noexcept {
  return guarded(trace, [&](tracecodec_trace& t, instructions&) {
    auto found = std::make_unique<query::trace_index>(index_path(t, index), t.name);
    t.questions.reset();
    t.index = std::move(found);
  });
}

tracecodec_status tracecodec_last_access(tracecodec_trace* trace, uint64_t address, uint64_t size,
                                         uint32_t accesses, uint64_t before,
                                         uint64_t* index) noexcept {
  return ask(trace, [&](tracecodec_trace& t, instructions& from) {
    if (index == nullptr) refuse("the index pointer is null");
    const query::access_query q = query_of(address, size, accesses);
    *index = questions_of(t, from).last(q, before).value_or(none);
  });
}

tracecodec_status tracecodec_next_access(tracecodec_trace* trace, uint64_t address, uint64_t size,
                                         uint32_t accesses, uint64_t since,
                                         uint64_t* index) noexcept {
  return ask(trace, [&](tracecodec_trace& t, instructions& from) {
    if (index == nullptr) refuse("the index pointer is null");
    const query::access_query q = query_of(address, size, accesses);
    *index = questions_of(t, from).first(q, since).value_or(none);
  });
}

tracecodec_status tracecodec_memory_at(tracecodec_trace* trace, uint64_t address, size_t size,
                                       uint64_t at, tracecodec_memory_byte* bytes) noexcept {
  return ask(trace, [&](tracecodec_trace& t, instructions& from) {
    if (bytes == nullptr) refuse("the bytes pointer is null");
    if (size == 0) refuse("the size is 0");
    const auto found = query::memory_at(questions_of(t, from), from.all(), address, size, at);
    for (std::size_t i = 0; i != size; ++i)
      bytes[i] = {static_cast<std::uint8_t>(found[i].value), static_cast<std::uint8_t>(found[i].by),
                  found[i].by == query::known_by::nothing ? 0 : found[i].at};
  });
}
