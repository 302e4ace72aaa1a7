// Replaces the ids in metadata.
#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "../../metadata.hpp"

namespace tracecodec::rapidbin::detail {

// Function that returns the new id for a trace id, or nullopt to leave out the record of the trace
// id.
using id_change = std::function<std::optional<std::uint64_t>(std::uint64_t)>;

// Returns a copy of `m` with new ids. A variable remains in shared_variables only if more than one
// of its threads remains.
inline metadata with_ids(const metadata& m, const id_change& thread, const id_change& variable,
                         const id_change& lock, const id_change& location) {
  const auto table = []<class WasmId>(const id_table<WasmId>& old, const id_change& id_of) {
    std::vector<typename id_table<WasmId>::record> records;
    for (const auto& r : old)
      if (const std::optional<std::uint64_t> id = id_of(r.trace_id))
        records.push_back({r.wasm_id, *id});
    return id_table<WasmId>(std::move(records));
  };
  metadata out;
  out.threads = table(m.threads, thread);
  out.memory = table(m.memory, variable);
  out.locks = table(m.locks, lock);
  out.locations = table(m.locations, location);
  out.names = {table(m.names.threads, thread), table(m.names.locks, lock),
               table(m.names.variables, variable), table(m.names.locations, location)};
  for (const auto& [old, threads] : m.shared_variables) {
    const std::optional<std::uint64_t> id = variable(old);
    if (!id) continue;
    std::set<std::uint64_t> left;
    for (const std::uint64_t t : threads)
      if (const std::optional<std::uint64_t> now = thread(t)) left.insert(*now);
    if (left.size() > 1) out.shared_variables.emplace(*id, std::move(left));
  }
  return out;
}

}  // namespace tracecodec::rapidbin::detail
