// Metadata that Wasmgrind writes beside a trace. It maps each id in the trace to a thread,
// lock, memory location or code location of the program. read_metadata.hpp reads it.
#pragma once
#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../config.hpp"
#include "layout.hpp"

namespace tracecodec::rapidbin {

// Range of bytes that one access reads or writes. Two ranges with the same address and different
// widths are different variables.
struct memory_location {
  std::uint64_t address;
  std::uint64_t access_width;  // size of the range in bytes
  friend constexpr auto operator<=>(const memory_location&, const memory_location&) = default;
};

// Instruction of the WebAssembly binary.
struct code_location {
  std::uint32_t function;     // "fidx": index of the function
  std::uint32_t instruction;  // "iidx": index of the instruction within the function
  friend constexpr auto operator<=>(const code_location&, const code_location&) = default;
};

// Table of the ids of one kind, which the file stores as a list such as `thread_records`. It
// contains each trace id once, and iterates over its records in ascending order of trace id.
// `WasmId` is std::uint64_t, memory_location or code_location, or std::string for names. The
// table's memory is one record and 8 bytes per id.
template <class WasmId> class id_table {
 public:
  struct record {
    WasmId wasm_id;
    std::uint64_t trace_id;
    friend constexpr bool operator==(const record&, const record&) = default;
  };

  id_table() = default;
  // Creates a table of records in any order. If several records have the same trace id, only the
  // first is kept. O(n log n).
  explicit id_table(std::vector<record> records);

  // Adds a record. Returns false and adds nothing if the table already contains the trace id. The
  // time is O(n log n), so construct large tables from a list of records instead.
  bool add(const WasmId& wasm_id, std::uint64_t trace_id);

  // Returns the object that a trace id stands for, or null if the table lacks the id. O(1) if the
  // ids are 0, 1, 2 ..., like the ids of Wasmgrind, otherwise O(log n).
  [[nodiscard]] const WasmId* find(std::uint64_t trace_id) const {
    const bool dense = trace_id < records_.size() &&
                       records_[static_cast<std::size_t>(trace_id)].trace_id == trace_id;
    const std::size_t at = dense ? static_cast<std::size_t>(trace_id) : position(trace_id);
    return at < records_.size() && records_[at].trace_id == trace_id ? &records_[at].wasm_id
                                                                     : nullptr;
  }

  // Returns the smallest trace id of `wasm_id`, or nullopt if the table lacks `wasm_id`. O(log n).
  [[nodiscard]] std::optional<std::uint64_t> find_trace_id(const WasmId& wasm_id) const;

  [[nodiscard]] std::size_t size() const noexcept { return records_.size(); }
  [[nodiscard]] bool empty() const noexcept { return records_.empty(); }
  [[nodiscard]] auto begin() const noexcept { return records_.begin(); }
  [[nodiscard]] auto end() const noexcept { return records_.end(); }
  // Returns the record with the i-th smallest trace id. `i` must be less than size().
  [[nodiscard]] const record& operator[](std::size_t i) const { return records_[i]; }

  friend bool operator==(const id_table& a, const id_table& b) { return a.records_ == b.records_; }

 private:
  // Returns the position of the first record whose trace id is not less than `trace_id`.
  [[nodiscard]] std::size_t position(std::uint64_t trace_id) const;

  std::vector<record> records_ = {};     // records, sorted by trace id
  std::vector<std::size_t> order_ = {};  // positions in records_, sorted by wasm id
};

#ifdef TRACECODEC_SEPARATE_COMPILATION
extern template class id_table<std::uint64_t>;
extern template class id_table<memory_location>;
extern template class id_table<code_location>;
extern template class id_table<std::string>;
#endif

// Names of the ids in a trace that was converted from STD text (std_reader.hpp). The names are
// those of the text. Metadata files store them in the lists `thread_names`, `lock_names`,
// `variable_names` and `location_names`, an extension of Wasmgrind's format. A name belongs to
// only one id of its kind.
struct id_names {
  id_table<std::string> threads = {}, locks = {}, variables = {}, locations = {};

  [[nodiscard]] const id_table<std::string>& of(id_kind kind) const noexcept {
    return kind == id_kind::thread     ? threads
           : kind == id_kind::lock     ? locks
           : kind == id_kind::variable ? variables
                                       : locations;
  }
  [[nodiscard]] bool empty() const noexcept {
    return threads.empty() && locks.empty() && variables.empty() && locations.empty();
  }
  friend bool operator==(const id_names&, const id_names&) = default;
};

// Returns the names in `all` for which keep(kind, name, id) returns true.
template <class Keep> id_names names_if(const id_names& all, Keep keep) {
  const auto of = [&](id_kind k) {
    std::vector<id_table<std::string>::record> records;
    for (const auto& r : all.of(k))
      if (keep(k, r.wasm_id, r.trace_id)) records.push_back(r);
    return id_table<std::string>(std::move(records));
  };
  return {of(id_kind::thread), of(id_kind::lock), of(id_kind::variable), of(id_kind::location)};
}

// Content of a metadata file. Threads, locks, variables and code locations are each numbered
// separately.
struct metadata {
  id_table<std::uint64_t> threads = {};
  id_table<memory_location> memory = {};  // trace ids are variables
  id_table<std::uint64_t> locks = {};     // wasm ids are addresses
  id_table<code_location> locations = {};
  // Map from each variable that more than one thread accesses to its threads. All are trace ids.
  std::map<std::uint64_t, std::set<std::uint64_t>> shared_variables = {};
  // True if the file uses the key `align` instead of `access_width`. Files from before September
  // 2025 use it with the same meaning, and have no shared variables.
  bool align = false;
  id_names names = {};

  // Returns true if the metadata maps any ids to objects of the program, or if it is empty.
  // Returns false if it contains only names.
  [[nodiscard]] bool has_records() const noexcept {
    return threads.size() + memory.size() + locks.size() + locations.size() != 0 || names.empty();
  }
  friend bool operator==(const metadata&, const metadata&) = default;
};

// Limits for reading metadata.
struct metadata_options {
  // Maximum memory in bytes. Each record, and each thread that shares a variable, needs about 100
  // bytes. The default is enough for ten million variables.
  std::uint64_t memory = std::uint64_t{1} << 30;
};

// Returns the JSON text of `m` in the form that the current Wasmgrind writes: indented by two
// spaces, without a final newline. The names follow in lists that Wasmgrind ignores, and must be
// UTF-8. This function sorts shared_variables. Their order in Wasmgrind's files is unspecified.
TRACECODEC_FUNC std::string metadata_text(const metadata& m);

// Pair of variables with bytes in common. A race detector treats them as unrelated.
struct overlap {
  // Variable with the lower address, or with the smaller trace id if the addresses are equal.
  std::uint64_t first = 0;
  std::uint64_t second = 0;   // the other variable
  std::uint64_t address = 0;  // address of the first common byte
  std::uint64_t bytes = 0;    // number of common bytes
  // Threads that access both variables according to shared_variables, in ascending order. Empty
  // if shared_variables lacks one of the variables, or if they have no thread in common. Wasmgrind
  // reports only pairs with common threads.
  std::vector<std::uint64_t> threads = {};
  friend bool operator==(const overlap&, const overlap&) = default;
};

// Calls f(const overlap&) for each pair of variables that overlap. The pairs are in ascending
// order of `address`, then of `second`, then of `first`, where variables are ordered by address
// and trace id. A variable of width 0 overlaps nothing. A variable that would extend past the
// largest address ends at that address.
// Takes O(n log n) time plus the time for the pairs, of which there can be n * n / 2, and O(n)
// memory. Each pair takes one step, plus one step for each thread of either variable. Stops
// before the number of steps exceeds `most`. Returns true if every pair was visited.
TRACECODEC_FUNC bool overlaps(const metadata& m, const std::function<void(const overlap&)>& f,
                              std::uint64_t most = std::numeric_limits<std::uint64_t>::max());

// Returns the path at which the metadata of a trace is expected, such as x.json for x.data or
// x.data.xz. A suffix that io::codec_of_suffix() knows is removed. The extension of the file name
// is replaced with ".json". If the name has no dot after its first character, ".json" is appended.
std::string metadata_path(std::string_view trace_path);

}  // namespace tracecodec::rapidbin

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/metadata.ipp"
#endif
