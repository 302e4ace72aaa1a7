// What the numbers of a RapidBin trace stand for in the WebAssembly program: the metadata that
// Wasmgrind writes beside a trace. read_metadata.hpp reads it.
#pragma once
#include <algorithm>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tracecodec::rapidbin {

// A variable: so many bytes from an address of the linear memory.
struct memory_location {
  std::uint64_t address;
  std::uint64_t access_width;  // bytes; what older files call `align` is kept as it is
  friend constexpr auto operator<=>(const memory_location&, const memory_location&) = default;
};

// An instruction: `fidx` and `iidx` of the file.
struct code_location {
  std::uint32_t function;
  std::uint32_t instruction;
  friend constexpr auto operator<=>(const code_location&, const code_location&) = default;
};

// One list of records: what each id of the trace stands for.
template <class WasmId> class id_table {
 public:
  struct record {
    WasmId wasm_id;
    std::uint64_t trace_id;
    friend constexpr bool operator==(const record&, const record&) = default;
  };

  id_table() = default;
  // Of records in any order, whose trace ids all differ.
  explicit id_table(std::vector<record> records) : records_(std::move(records)) {
    std::sort(records_.begin(), records_.end(),
              [](const record& a, const record& b) { return a.trace_id < b.trace_id; });
    by_wasm_id_.resize(records_.size());
    for (std::size_t i = 0; i < records_.size(); ++i) by_wasm_id_[i] = i;
    std::stable_sort(by_wasm_id_.begin(), by_wasm_id_.end(), [this](std::size_t a, std::size_t b) {
      return records_[a].wasm_id < records_[b].wasm_id;
    });
  }

  // By trace id.
  [[nodiscard]] const std::vector<record>& records() const noexcept { return records_; }
  [[nodiscard]] std::size_t size() const noexcept { return records_.size(); }

  // What a number of the trace stands for; nullptr if that is not known. At once where the numbers
  // are dense, as Wasmgrind's are.
  [[nodiscard]] const WasmId* find(std::uint64_t trace_id) const noexcept {
    if (trace_id < records_.size() && records_[trace_id].trace_id == trace_id)
      return &records_[trace_id].wasm_id;
    const auto at =
        std::lower_bound(records_.begin(), records_.end(), trace_id,
                         [](const record& r, std::uint64_t id) { return r.trace_id < id; });
    return at != records_.end() && at->trace_id == trace_id ? &at->wasm_id : nullptr;
  }
  // The other way: the lowest number that stands for it.
  [[nodiscard]] std::optional<std::uint64_t> find_trace_id(const WasmId& wasm_id) const noexcept {
    const auto at = std::lower_bound(
        by_wasm_id_.begin(), by_wasm_id_.end(), wasm_id,
        [this](std::size_t i, const WasmId& id) { return records_[i].wasm_id < id; });
    if (at == by_wasm_id_.end() || !(records_[*at].wasm_id == wasm_id)) return std::nullopt;
    return records_[*at].trace_id;
  }
  friend bool operator==(const id_table& a, const id_table& b) { return a.records_ == b.records_; }

 private:
  std::vector<record> records_ = {};
  std::vector<std::size_t> by_wasm_id_ = {};  // indexes of records_
};

struct metadata {
  id_table<std::uint64_t> threads = {};
  id_table<memory_location> memory = {};  // of variables
  id_table<std::uint64_t> locks = {};
  id_table<code_location> locations = {};
  // The threads, ascending, of each variable that more than one thread touched.
  std::map<std::uint64_t, std::vector<std::uint64_t>> shared_variables = {};
  friend bool operator==(const metadata&, const metadata&) = default;
};

// "x.json" of x.data, of x.data.xz (.gz .zst .bz2 .lz4), and of any other x.SUFFIX or x.
inline std::string metadata_path(std::string_view trace) {
  const auto drop = [&trace](std::string_view suffix) {
    if (!trace.ends_with(suffix)) return false;
    trace.remove_suffix(suffix.size());
    return true;
  };
  for (const std::string_view suffix : {".xz", ".gz", ".zst", ".bz2", ".lz4"})
    if (drop(suffix)) break;
  const std::size_t folder = trace.find_last_of("/\\");
  const std::size_t name = folder == trace.npos ? 0 : folder + 1;
  const std::size_t dot = trace.rfind('.');
  if (dot != trace.npos && dot > name) trace = trace.substr(0, dot);
  return std::string(trace) + ".json";
}

// Two variables that share bytes: a race detector that goes by numbers takes them for different.
struct overlap {
  std::uint64_t first, second;         // trace ids; `first` has the lower address, or number
  std::uint64_t address, bytes;        // what they share
  std::vector<std::uint64_t> threads;  // that touch both, ascending, as shared_variables says
};

// Calls f(const overlap&) for each pair, by address of its second variable. Time: that of sorting
// and of the pairs. Variables of width 0 share nothing.
template <class F> void for_each_overlap(const metadata& names, F&& f) {
  using record = id_table<memory_location>::record;
  std::vector<const record*> sorted;
  for (const record& r : names.memory.records()) sorted.push_back(&r);
  std::stable_sort(sorted.begin(), sorted.end(), [](const record* a, const record* b) {
    return a->wasm_id.address < b->wasm_id.address;
  });
  // The last byte; the end may not fit a number.
  const auto last = [](const record& r) {
    const std::uint64_t end = r.wasm_id.address + (r.wasm_id.access_width - 1);
    return end < r.wasm_id.address ? ~std::uint64_t{0} : end;
  };
  const auto threads_of = [&names](std::uint64_t variable) -> const std::vector<std::uint64_t>* {
    const auto at = names.shared_variables.find(variable);
    return at != names.shared_variables.end() ? &at->second : nullptr;
  };
  std::vector<const record*> open;  // those that may reach the next one
  for (const record* r : sorted) {
    if (r->wasm_id.access_width == 0) continue;
    std::erase_if(open, [&](const record* o) { return last(*o) < r->wasm_id.address; });
    for (const record* o : open) {
      overlap shared{o->trace_id,
                     r->trace_id,
                     r->wasm_id.address,
                     std::min(last(*o), last(*r)) - r->wasm_id.address + 1,
                     {}};
      const auto *a = threads_of(o->trace_id), *b = threads_of(r->trace_id);
      if (a != nullptr && b != nullptr)
        std::set_intersection(a->begin(), a->end(), b->begin(), b->end(),
                              std::back_inserter(shared.threads));
      f(shared);
    }
    open.push_back(r);
  }
}

namespace detail {
// serde's pretty printer: two spaces for each level.
class metadata_printer {
 public:
  // "name": [ records ], each with its wasm_id as id(w) prints it.
  template <class Table, class Id> void list(std::string_view name, const Table& table, Id id) {
    out += "  \"" + std::string(name) + "\": [";
    bool first = true;
    for (const auto& r : table.records()) {
      out += first ? "\n" : ",\n";
      first = false;
      out += "    {\n      \"wasm_id\": ";
      id(r.wasm_id);
      out += ",\n      \"trace_id\": " + std::to_string(r.trace_id) + "\n    }";
    }
    out += first ? "],\n" : "\n  ],\n";
  }
  // {"a": x, "b": y} as a wasm_id.
  void pair(std::string_view a, std::uint64_t x, std::string_view b, std::uint64_t y) {
    out += "{\n        \"" + std::string(a) + "\": " + std::to_string(x) + ",\n        \"" +
           std::string(b) + "\": " + std::to_string(y) + "\n      }";
  }
  std::string out = {};
};
}  // namespace detail

// The metadata as Wasmgrind writes it today, byte for byte: keys in its order, two spaces, no line
// end behind the last brace. Shared variables and their threads ascend; Wasmgrind's have no order.
inline std::string metadata_text(const metadata& m) {
  detail::metadata_printer p;
  const auto number = [&p](std::uint64_t id) { p.out += std::to_string(id); };
  p.out = "{\n";
  p.list("thread_records", m.threads, number);
  p.list("memory_records", m.memory, [&p](const memory_location& l) {
    p.pair("address", l.address, "access_width", l.access_width);
  });
  p.list("lock_records", m.locks, number);
  p.list("location_records", m.locations,
         [&p](const code_location& l) { p.pair("fidx", l.function, "iidx", l.instruction); });
  p.out += "  \"shared_variables\": {";
  bool first = true;
  for (const auto& [variable, threads] : m.shared_variables) {
    p.out += (first ? "\n    \"" : ",\n    \"") + std::to_string(variable) + "\": [";
    first = false;
    for (std::size_t i = 0; i < threads.size(); ++i)
      p.out += (i == 0 ? "\n      " : ",\n      ") + std::to_string(threads[i]);
    p.out += threads.empty() ? "]" : "\n    ]";
  }
  p.out += first ? "}\n}" : "\n  }\n}";
  return std::move(p.out);
}

}  // namespace tracecodec::rapidbin
