// What Wasmgrind writes beside a trace: which thread, lock, memory location or code location of the
// program each id in the trace stands for. read_metadata.hpp reads it.
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

// Bytes that are accessed at once. One address with two widths makes two variables.
struct memory_location {
  std::uint64_t address;
  std::uint64_t access_width;  // bytes
  friend constexpr auto operator<=>(const memory_location&, const memory_location&) = default;
};

// An instruction of the WebAssembly binary.
struct code_location {
  std::uint32_t function;     // "fidx": the index of the function
  std::uint32_t instruction;  // "iidx": the index of the instruction in it
  friend constexpr auto operator<=>(const code_location&, const code_location&) = default;
};

// The ids of one kind, a list `..._records` of the file: each trace id once, in order. A range of
// records. `WasmId` is std::uint64_t, memory_location or code_location, or std::string for names.
// Memory: a record and 8 bytes for each id.
template <class WasmId> class id_table {
 public:
  struct record {
    WasmId wasm_id;
    std::uint64_t trace_id;
    friend constexpr bool operator==(const record&, const record&) = default;
  };

  id_table() = default;
  // From records in any order; of those with the same trace id the first stays. O(n log n).
  explicit id_table(std::vector<record> records);

  // Adds a record; returns false, and adds none, if the trace id is there already. O(n log n):
  // tables of many are made from a list.
  bool add(const WasmId& wasm_id, std::uint64_t trace_id);

  // What a trace id stands for; null if it is not in the table. O(1) where the ids are 0, 1, 2 ...,
  // as Wasmgrind gives them; else O(log n).
  [[nodiscard]] const WasmId* find(std::uint64_t trace_id) const {
    const bool dense = trace_id < records_.size() &&
                       records_[static_cast<std::size_t>(trace_id)].trace_id == trace_id;
    const std::size_t at = dense ? static_cast<std::size_t>(trace_id) : position(trace_id);
    return at < records_.size() && records_[at].trace_id == trace_id ? &records_[at].wasm_id
                                                                     : nullptr;
  }

  // The trace id that stands for `wasm_id`, the smallest one if there are several; nullopt if there
  // is none. O(log n).
  [[nodiscard]] std::optional<std::uint64_t> find_trace_id(const WasmId& wasm_id) const;

  [[nodiscard]] std::size_t size() const noexcept { return records_.size(); }
  [[nodiscard]] bool empty() const noexcept { return records_.empty(); }
  [[nodiscard]] auto begin() const noexcept { return records_.begin(); }
  [[nodiscard]] auto end() const noexcept { return records_.end(); }
  // The record with the i-th smallest trace id, which must exist.
  [[nodiscard]] const record& operator[](std::size_t i) const { return records_[i]; }

  friend bool operator==(const id_table& a, const id_table& b) { return a.records_ == b.records_; }

 private:
  // Where the first record with this trace id or a larger one is.
  [[nodiscard]] std::size_t position(std::uint64_t trace_id) const;

  std::vector<record> records_ = {};     // by trace id
  std::vector<std::size_t> order_ = {};  // positions in records_, by wasm id
};

#ifdef TRACECODEC_SEPARATE_COMPILATION
extern template class id_table<std::uint64_t>;
extern template class id_table<memory_location>;
extern template class id_table<code_location>;
extern template class id_table<std::string>;
#endif

// What ids are called by text (std_reader.hpp) of which a trace was made: an addition to Wasmgrind's
// format, in lists `thread_names`, `lock_names`, `variable_names` and `location_names`. Each name is
// that of one id of its kind.
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

// Returns the names of `all` that keep(kind, name, id) accepts.
template <class Keep> id_names names_if(const id_names& all, Keep keep) {
  const auto of = [&](id_kind k) {
    std::vector<id_table<std::string>::record> records;
    for (const auto& r : all.of(k))
      if (keep(k, r.wasm_id, r.trace_id)) records.push_back(r);
    return id_table<std::string>(std::move(records));
  };
  return {of(id_kind::thread), of(id_kind::lock), of(id_kind::variable), of(id_kind::location)};
}

// The whole file. Trace ids of threads and locks, variables and code locations are counted apart.
struct metadata {
  id_table<std::uint64_t> threads = {};
  id_table<memory_location> memory = {};  // trace ids: variables
  id_table<std::uint64_t> locks = {};     // wasm ids: addresses
  id_table<code_location> locations = {};
  // Variables that more than one thread touches, and those threads: trace ids.
  std::map<std::uint64_t, std::set<std::uint64_t>> shared_variables = {};
  // Read from a file that says `align` for access_width, as those of before September 2025 do,
  // which have no shared variables. It means the same.
  bool align = false;
  id_names names = {};

  // Whether it says what ids stand for in the program: names alone do not.
  [[nodiscard]] bool has_records() const noexcept {
    return threads.size() + memory.size() + locks.size() + locations.size() != 0 || names.empty();
  }
  friend bool operator==(const metadata&, const metadata&) = default;
};

// What reading them may cost.
struct metadata_options {
  // Bytes: some 100 for each record, and for each thread that shares a variable. Enough for ten
  // million variables.
  std::uint64_t memory = std::uint64_t{1} << 30;
};

// The JSON text of `m` as the current Wasmgrind writes it: indented by two spaces, no line end
// behind it; then names, where there are some, in lists that Wasmgrind ignores. Names must be UTF-8. Wasmgrind leaves the order in shared_variables to chance; here it is ascending.
TRACECODEC_FUNC std::string metadata_text(const metadata& m);

// Two variables that have bytes in common. A race detector takes them for unrelated.
struct overlap {
  std::uint64_t first = 0;    // the variable with the lower address, or the smaller trace id
  std::uint64_t second = 0;   // the other one
  std::uint64_t address = 0;  // of the first byte in common
  std::uint64_t bytes = 0;    // how many are
  // That touch both, ascending, as shared_variables says; empty if it lacks one of the two.
  // Wasmgrind reports the pairs that have some.
  std::vector<std::uint64_t> threads = {};
  friend bool operator==(const overlap&, const overlap&) = default;
};

// Calls f(const overlap&) for each pair of variables that overlap, by ascending `address`, then by
// `second` and `first` in the order of their addresses and trace ids. A variable of width 0
// overlaps none; one that would reach beyond the last address ends there.
// Time: O(n log n) and what the pairs take, of which there may be n * n / 2; memory: O(n). Ends
// before a step beyond `most`, where a pair takes a step, and one for each thread of either, and
// returns whether it has seen all.
TRACECODEC_FUNC bool overlaps(const metadata& m, const std::function<void(const overlap&)>& f,
                              std::uint64_t most = std::numeric_limits<std::uint64_t>::max());

// Where the metadata of a trace is looked for: x.json for x.data, and for x.data.xz or another
// suffix that io::codec_of_suffix() knows. Whatever follows the last dot of the file's name is
// replaced; a name without a dot behind its first character gets ".json" behind it.
std::string metadata_path(std::string_view trace_path);

}  // namespace tracecodec::rapidbin

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/metadata.ipp"
#endif
