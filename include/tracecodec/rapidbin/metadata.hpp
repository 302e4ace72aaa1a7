// Metadata that Wasmgrind writes beside a trace. The metadata maps each id in the trace to one of
// the program's threads, locks, memory locations or code locations. read_metadata.hpp reads
// metadata files.
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

// Range of bytes that an access reads or writes. Ranges with the same address and different widths
// are different variables.
struct memory_location {
  std::uint64_t address;
  std::uint64_t access_width;  // size of the range in bytes
  friend constexpr auto operator<=>(const memory_location&, const memory_location&) = default;
};

// Position of an instruction in the WebAssembly binary.
struct code_location {
  std::uint32_t function;     // "fidx": index of the function
  std::uint32_t instruction;  // "iidx": index of the instruction within the function
  friend constexpr auto operator<=>(const code_location&, const code_location&) = default;
};

// Table of the ids of one kind. The metadata file stores the table as a list such as
// `thread_records`. Each trace id occurs once, and iteration is in ascending order of trace id.
// `WasmId` is std::uint64_t, memory_location or code_location, or std::string for names. Each id
// needs the memory of one record plus 8 bytes.
template <class WasmId> class id_table {
 public:
  struct record {
    WasmId wasm_id;
    std::uint64_t trace_id;
    friend constexpr bool operator==(const record&, const record&) = default;
  };

  id_table() = default;
  // Creates a table from records in any order. If several records have the same trace id, only the
  // first is kept. The time is O(n log n).
  explicit id_table(std::vector<record> records);

  // Adds a record. Returns false and adds nothing if the table already contains the trace id. The
  // time is O(n log n), so construct large tables from a list of records instead.
  bool add(const WasmId& wasm_id, std::uint64_t trace_id);

  // Returns the object that a trace id identifies, or null if the table lacks the id. The time is
  // O(1) if the ids are 0, 1, 2 ..., like Wasmgrind's ids, and O(log n) otherwise.
  [[nodiscard]] const WasmId* find(std::uint64_t trace_id) const {
    const bool dense = trace_id < records_.size() &&
                       records_[static_cast<std::size_t>(trace_id)].trace_id == trace_id;
    const std::size_t at = dense ? static_cast<std::size_t>(trace_id) : position(trace_id);
    return at < records_.size() && records_[at].trace_id == trace_id ? &records_[at].wasm_id
                                                                     : nullptr;
  }

  // Returns the smallest trace id of `wasm_id`, or nullopt if the table lacks `wasm_id`. The time
  // is O(log n).
  [[nodiscard]] std::optional<std::uint64_t> find_trace_id(const WasmId& wasm_id) const;

  [[nodiscard]] std::size_t size() const noexcept { return records_.size(); }
  [[nodiscard]] bool empty() const noexcept { return records_.empty(); }
  [[nodiscard]] auto begin() const noexcept { return records_.begin(); }
  [[nodiscard]] auto end() const noexcept { return records_.end(); }
  // Returns the record with index `i` in ascending order of trace id. `i` must be less than size().
  [[nodiscard]] const record& operator[](std::size_t i) const { return records_[i]; }

  friend bool operator==(const id_table& a, const id_table& b) { return a.records_ == b.records_; }

 private:
  // Returns the position of the first record with a trace id that is not less than `trace_id`.
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
// copied from the text. Metadata files store them in the lists `thread_names`, `lock_names`,
// `variable_names` and `location_names`, which extend Wasmgrind's format. Two ids of the same kind
// never have the same name.
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

// Content of a metadata file. Threads, locks, variables and code locations are numbered separately.
struct metadata {
  id_table<std::uint64_t> threads = {};
  id_table<memory_location> memory = {};  // the trace ids identify variables
  id_table<std::uint64_t> locks = {};     // the wasm ids are addresses
  id_table<code_location> locations = {};
  // Map from the id of each variable that several threads access to the ids of these threads. All
  // ids are trace ids.
  std::map<std::uint64_t, std::set<std::uint64_t>> shared_variables = {};
  // True if the file uses the old key `align` instead of `access_width`. Both keys have the same
  // meaning. Files with `align` were written before September 2025 and do not contain shared
  // variables.
  bool align = false;
  id_names names = {};

  // Returns false if the metadata contains only names. Returns true for empty metadata.
  [[nodiscard]] bool has_records() const noexcept {
    return threads.size() + memory.size() + locks.size() + locations.size() != 0 || names.empty();
  }
  friend bool operator==(const metadata&, const metadata&) = default;
};

// Limits for reading metadata.
struct metadata_options {
  // Maximum memory in bytes. Each record needs about 100 bytes. Each thread that shares a variable
  // also needs about 100 bytes. The default is sufficient for ten million variables.
  std::uint64_t memory = std::uint64_t{1} << 30;
};

// Returns the JSON text of `m` in the form of the current Wasmgrind, which indents by two spaces
// and writes no final newline. The text also contains the lists of names, which Wasmgrind ignores.
// All names must be UTF-8. The shared variables are sorted. In Wasmgrind's files, their order is
// unspecified.
TRACECODEC_FUNC std::string metadata_text(const metadata& m);

// Pair of variables with bytes in common. Race detectors treat the variables as unrelated.
struct overlap {
  // Variable with the lower address, or with the smaller trace id if the addresses are equal.
  std::uint64_t first = 0;
  std::uint64_t second = 0;   // the other variable
  std::uint64_t address = 0;  // address of the first common byte
  std::uint64_t bytes = 0;    // number of common bytes
  // Threads that access both variables according to shared_variables, in ascending order. The list
  // is empty if no thread accesses both variables, or if shared_variables lacks one of the
  // variables. Wasmgrind reports only pairs with common threads.
  std::vector<std::uint64_t> threads = {};
  friend bool operator==(const overlap&, const overlap&) = default;
};

// Calls f(const overlap&) for each pair of variables that overlap. The pairs are sorted by
// `address`, then by the trace id of `second`, then by the address and trace id of `first`. A
// variable of width 0 does not overlap any variable. A variable that would extend past the largest
// address ends at the largest address.
//
// Finding the pairs takes O(n log n) time and O(n) memory. Visiting a pair takes one step, plus one
// step for each thread of either variable. There can be n * n / 2 pairs, so the function stops
// before the number of steps exceeds `most`. Returns true if every pair was visited.
TRACECODEC_FUNC bool overlaps(const metadata& m, const std::function<void(const overlap&)>& f,
                              std::uint64_t most = std::numeric_limits<std::uint64_t>::max());

// Returns the path at which the metadata of a trace is expected, such as x.json for x.data or
// x.data.xz. Removes a suffix that io::codec_of_suffix() recognises, and then replaces the
// extension of the file name with ".json". Appends ".json" if the name has no dot after its first
// character.
std::string metadata_path(std::string_view trace_path);

}  // namespace tracecodec::rapidbin

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/metadata.ipp"
#endif
