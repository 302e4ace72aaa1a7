#pragma once
#include "../metadata.hpp"

#include <algorithm>
#include <functional>
#include <iterator>
#include <map>
#include <utility>

#include "../../io/compression/codec.hpp"
#include "../../io/os/path.hpp"
#include "../../io/text/json_text.hpp"

namespace tracecodec::rapidbin {

template <class WasmId> id_table<WasmId>::id_table(std::vector<record> records)
    : records_(std::move(records)) {
  const auto not_before = [](const record& a, const record& b) { return a.trace_id >= b.trace_id; };
  if (std::adjacent_find(records_.begin(), records_.end(), not_before) != records_.end()) {
    // The first record of a trace id counts.
    std::map<std::uint64_t, record> by_trace_id;
    for (record& r : records_) by_trace_id.try_emplace(r.trace_id, std::move(r));
    records_.clear();
    for (auto& [id, r] : by_trace_id) records_.push_back(std::move(r));
  }
  order_.resize(records_.size());
  for (std::size_t i = 0; i < order_.size(); ++i) order_[i] = i;
  std::sort(order_.begin(), order_.end(), [this](std::size_t a, std::size_t b) {
    const auto order = records_[a].wasm_id <=> records_[b].wasm_id;
    return order < 0 || (order == 0 && a < b);
  });
}

template <class WasmId> bool id_table<WasmId>::add(const WasmId& wasm_id, std::uint64_t trace_id) {
  const std::size_t at = position(trace_id);
  if (at < records_.size() && records_[at].trace_id == trace_id) return false;
  std::vector<record> records = std::move(records_);
  records.insert(records.begin() + static_cast<std::ptrdiff_t>(at), {wasm_id, trace_id});
  *this = id_table(std::move(records));
  return true;
}

template <class WasmId>
std::optional<std::uint64_t> id_table<WasmId>::find_trace_id(const WasmId& wasm_id) const {
  const auto i =
      std::lower_bound(order_.begin(), order_.end(), wasm_id,
                       [this](std::size_t a, const WasmId& b) { return records_[a].wasm_id < b; });
  if (i == order_.end() || records_[*i].wasm_id != wasm_id) return std::nullopt;
  return records_[*i].trace_id;
}

template <class WasmId> std::size_t id_table<WasmId>::position(std::uint64_t trace_id) const {
  const auto i = std::lower_bound(records_.begin(), records_.end(), trace_id,
                                  [](const record& a, std::uint64_t b) { return a.trace_id < b; });
  return static_cast<std::size_t>(i - records_.begin());
}

#ifdef TRACECODEC_SEPARATE_COMPILATION
template class id_table<std::uint64_t>;
template class id_table<memory_location>;
template class id_table<code_location>;
template class id_table<std::string>;
#endif

TRACECODEC_FUNC std::string metadata_text(const metadata& m) {
  std::string out = "{\n";
  const auto number = [&out](std::uint64_t n) { out += std::to_string(n); };
  const auto pair = [&](const char* a, std::uint64_t x, const char* b, std::uint64_t y) {
    out.append("{\n        \"").append(a).append("\": ");
    number(x);
    out.append(",\n        \"").append(b).append("\": ");
    number(y);
    out += "\n      }";
  };
  const auto list = [&](const char* key, const auto& table, const char* value_key,
                        const auto& add_value, const char* after) {
    out.append("  \"").append(key).append("\": [");
    const char* separator = "\n";
    for (const auto& r : table) {
      out.append(separator).append("    {\n      \"").append(value_key).append("\": ");
      add_value(r.wasm_id);
      out += ",\n      \"trace_id\": ";
      number(r.trace_id);
      out += "\n    }";
      separator = ",\n";
    }
    out.append(table.empty() ? "]" : "\n  ]").append(after);
  };
  const auto records = [&](const char* key, const auto& table, const auto& wasm_id) {
    list(key, table, "wasm_id", wasm_id, ",\n");
  };
  records("thread_records", m.threads, number);
  records("memory_records", m.memory, [&](const memory_location& l) {
    pair("address", l.address, "access_width", l.access_width);
  });
  records("lock_records", m.locks, number);
  records("location_records", m.locations,
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
  out += m.shared_variables.empty() ? "}" : "\n  }";
  const auto names = [&](const char* key, const id_table<std::string>& table) {
    if (table.empty()) return;
    out += ",\n";
    list(
        key, table, "name", [&](const std::string& name) { io::add_json_string(out, name); }, "");
  };
  names("thread_names", m.names.threads);
  names("lock_names", m.names.locks);
  names("variable_names", m.names.variables);
  names("location_names", m.names.locations);
  out += "\n}";
  return out;
}

TRACECODEC_FUNC bool overlaps(const metadata& m, const std::function<void(const overlap&)>& f,
                              std::uint64_t most) {
  struct interval {
    std::uint64_t first, last;  // addresses of the first and last byte
    std::uint64_t variable;
    const std::set<std::uint64_t>* threads;
  };
  const auto threads_of = [](const interval& i) { return i.threads ? i.threads->size() : 0; };
  std::vector<interval> all;
  all.reserve(m.memory.size());
  for (const auto& r : m.memory) {
    const auto [address, width] = r.wasm_id;
    if (width == 0) continue;
    const std::uint64_t after = std::numeric_limits<std::uint64_t>::max() - address;
    const auto shared = m.shared_variables.find(r.trace_id);
    all.push_back({address, address + std::min(width - 1, after), r.trace_id,
                   shared == m.shared_variables.end() ? nullptr : &shared->second});
  }
  std::sort(all.begin(), all.end(), [](const interval& a, const interval& b) {
    return std::pair(a.first, a.variable) < std::pair(b.first, b.variable);
  });
  std::vector<interval> open;  // intervals that may contain the current address, in order
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

TRACECODEC_FUNC std::string metadata_path(std::string_view trace_path) {
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
