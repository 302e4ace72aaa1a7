// What Wasmgrind writes beside a trace: which thread, lock, memory location or code location of the
// program each id in the trace stands for. read_metadata.hpp reads it.
#pragma once
#include <algorithm>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../io/codec.hpp"
#include "../io/path.hpp"
#include "../io/sort.hpp"

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
// records. Memory: a record and 8 bytes for each id.
template <class WasmId> class id_table {
 public:
  struct record {
    WasmId wasm_id;
    std::uint64_t trace_id;
    friend constexpr bool operator==(const record&, const record&) = default;
  };

  id_table() = default;
  // From records in any order; of those with the same trace id the first stays. O(n log n).
  explicit id_table(std::vector<record> records) : records_(std::move(records)) {
    const auto before = [](const record& a, const record& b) { return a.trace_id < b.trace_id; };
    const auto same = [](const record& a, const record& b) { return a.trace_id == b.trace_id; };
    if (!std::is_sorted(records_.begin(), records_.end(), before)) sort();
    records_.erase(std::unique(records_.begin(), records_.end(), same), records_.end());
    order_.resize(records_.size());
    for (std::size_t i = 0; i < order_.size(); ++i) order_[i] = i;
    std::sort(order_.begin(), order_.end(), [this](std::size_t a, std::size_t b) {
      const auto order = records_[a].wasm_id <=> records_[b].wasm_id;
      return order < 0 || (order == 0 && a < b);
    });
  }

  // Adds a record; returns false, and adds none, if the trace id is there already. O(n log n):
  // tables of many are made from a list.
  bool add(const WasmId& wasm_id, std::uint64_t trace_id) {
    const std::size_t at = position(trace_id);
    if (at < records_.size() && records_[at].trace_id == trace_id) return false;
    std::vector<record> records = std::move(records_);
    records.insert(records.begin() + static_cast<std::ptrdiff_t>(at), {wasm_id, trace_id});
    *this = id_table(std::move(records));
    return true;
  }

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
  [[nodiscard]] std::optional<std::uint64_t> find_trace_id(const WasmId& wasm_id) const {
    const auto i = std::lower_bound(
        order_.begin(), order_.end(), wasm_id,
        [this](std::size_t a, const WasmId& b) { return records_[a].wasm_id < b; });
    if (i == order_.end() || records_[*i].wasm_id != wasm_id) return std::nullopt;
    return records_[*i].trace_id;
  }

  [[nodiscard]] std::size_t size() const noexcept { return records_.size(); }
  [[nodiscard]] bool empty() const noexcept { return records_.empty(); }
  [[nodiscard]] auto begin() const noexcept { return records_.begin(); }
  [[nodiscard]] auto end() const noexcept { return records_.end(); }
  // The record with the i-th smallest trace id, which must exist.
  [[nodiscard]] const record& operator[](std::size_t i) const { return records_[i]; }

  friend bool operator==(const id_table& a, const id_table& b) { return a.records_ == b.records_; }

 private:
  // By trace id, those of one id in their order.
  void sort() {
    io::sort_in_order(records_,
                      [](const record& a, const record& b) { return a.trace_id < b.trace_id; });
  }
  // Where the first record with this trace id or a larger one is.
  [[nodiscard]] std::size_t position(std::uint64_t trace_id) const {
    const auto i =
        std::lower_bound(records_.begin(), records_.end(), trace_id,
                         [](const record& a, std::uint64_t b) { return a.trace_id < b; });
    return static_cast<std::size_t>(i - records_.begin());
  }

  std::vector<record> records_ = {};     // by trace id
  std::vector<std::size_t> order_ = {};  // positions in records_, by wasm id
};

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
  friend bool operator==(const metadata&, const metadata&) = default;
};

// `m` with other ids: each of these gives the one that a trace id becomes, or nullopt for a record
// that is left out. A variable stays shared if more than one of its threads is left.
template <class Threads, class Variables, class Locks, class Locations>
metadata with_ids(const metadata& m, const Threads& thread, const Variables& variable,
                  const Locks& lock, const Locations& location) {
  const auto table = []<class WasmId>(const id_table<WasmId>& old, const auto& id_of) {
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

// What reading them may cost.
struct metadata_options {
  // Bytes: some 100 for each record, and for each thread that shares a variable. Enough for ten
  // million variables.
  std::uint64_t memory = std::uint64_t{1} << 30;
};

// The JSON text of `m` as the current Wasmgrind writes it: indented by two spaces, no line end
// behind it. Wasmgrind leaves the order in shared_variables to chance; here it is ascending.
inline std::string metadata_text(const metadata& m) {
  std::string out = "{\n";
  const auto number = [&out](std::uint64_t n) { out += std::to_string(n); };
  const auto pair = [&](const char* a, std::uint64_t x, const char* b, std::uint64_t y) {
    out.append("{\n        \"").append(a).append("\": ");
    number(x);
    out.append(",\n        \"").append(b).append("\": ");
    number(y);
    out += "\n      }";
  };
  const auto list = [&](const char* key, const auto& table, const auto& wasm_id) {
    out.append("  \"").append(key).append("\": [");
    const char* separator = "\n";
    for (const auto& r : table) {
      out.append(separator).append("    {\n      \"wasm_id\": ");
      wasm_id(r.wasm_id);
      out += ",\n      \"trace_id\": ";
      number(r.trace_id);
      out += "\n    }";
      separator = ",\n";
    }
    out += table.empty() ? "],\n" : "\n  ],\n";
  };
  list("thread_records", m.threads, number);
  list("memory_records", m.memory, [&](const memory_location& l) {
    pair("address", l.address, "access_width", l.access_width);
  });
  list("lock_records", m.locks, number);
  list("location_records", m.locations,
       [&](const code_location& l) { pair("fidx", l.function, "iidx", l.instruction); });
  out += "  \"shared_variables\": {";
  const char* separator = "\n    \"";
  for (const auto& [variable, threads] : m.shared_variables) {
    out += separator;
    number(variable);
    out += "\": [";
    const char* inner = "\n      ";
    for (const std::uint64_t t : threads) {
      out += inner;
      number(t);
      inner = ",\n      ";
    }
    out += threads.empty() ? "]" : "\n    ]";
    separator = ",\n    \"";
  }
  out += m.shared_variables.empty() ? "}\n}" : "\n  }\n}";
  return out;
}

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
template <class F> bool overlaps(const metadata& m, F f,
                                 std::uint64_t most = std::numeric_limits<std::uint64_t>::max()) {
  struct interval {
    std::uint64_t first, last;  // bytes
    std::uint64_t variable;
    const std::set<std::uint64_t>* threads;
  };
  const auto threads_of = [](const interval& i) { return i.threads ? i.threads->size() : 0; };
  std::vector<interval> all;
  all.reserve(m.memory.size());
  for (const auto& r : m.memory) {
    const auto [address, width] = r.wasm_id;
    if (width == 0) continue;
    const std::uint64_t behind = std::numeric_limits<std::uint64_t>::max() - address;
    const auto shared = m.shared_variables.find(r.trace_id);
    all.push_back({address, address + std::min(width - 1, behind), r.trace_id,
                   shared == m.shared_variables.end() ? nullptr : &shared->second});
  }
  std::sort(all.begin(), all.end(), [](const interval& a, const interval& b) {
    return std::pair(a.first, a.variable) < std::pair(b.first, b.variable);
  });
  std::vector<interval> open;  // those that reach the current address, in order
  overlap found;
  for (const interval& b : all) {
    std::erase_if(open, [&](const interval& a) { return a.last < b.first; });
    for (const interval& a : open) {
      const std::uint64_t steps = 1 + threads_of(a) + threads_of(b);
      if (steps > most) return false;
      most -= steps;
      found.first = a.variable;
      found.second = b.variable;
      found.address = b.first;
      found.bytes = std::min(a.last, b.last) - b.first + 1;
      found.threads.clear();
      if (a.threads != nullptr && b.threads != nullptr)
        std::set_intersection(a.threads->begin(), a.threads->end(), b.threads->begin(),
                              b.threads->end(), std::back_inserter(found.threads));
      f(std::as_const(found));
    }
    open.push_back(b);
  }
  return true;
}

// Where the metadata of a trace is looked for: x.json for x.data, and for x.data.xz or another
// suffix that io::codec_of_suffix() knows. Whatever follows the last dot of the file's name is
// replaced; a name without a dot behind its first character gets ".json" behind it.
inline std::string metadata_path(std::string_view trace_path) {
  const std::size_t name = io::file_name_at(trace_path);
  const auto cut = [&] {
    const std::size_t dot = trace_path.find_last_of('.');
    if (dot != std::string_view::npos && dot > name) trace_path = trace_path.substr(0, dot);
  };
  if (io::codec_of_suffix(trace_path) != io::codec::none) cut();
  cut();
  return std::string(trace_path) + ".json";
}

}  // namespace tracecodec::rapidbin
