#pragma once
#include "../symbolic_writer.hpp"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "../../io/error.hpp"
#include "../../io/hash.hpp"
#include "../../io/output/atomic_file.hpp"
#include "../reader/numbers.hpp"
#include "../writer.hpp"

namespace tracecodec::rapidbin {

namespace detail {
struct pair_hash {
  std::size_t operator()(const memory_location& m) const {
    return io::keyed_hash()(m.address, m.access_width);
  }
};
}  // namespace detail

struct symbolic_writer::state {
  state(const std::string& path, const std::string& metadata_file)
      : trace(distinct(path, metadata_file)), beside(metadata_file) {}

  static const std::string& distinct(const std::string& path, const std::string& metadata_file) {
    if (path == metadata_file)
      throw trace_error(trace_errc::refused, {.file = path},
                        "the trace and its metadata would be the same file");
    return path;
  }

  // Writes an event. narrow() can clamp large ids without harm. Ids are assigned in ascending
  // order, so `trace` rejects the first id that does not fit before any id is clamped.
  void put(operation o, std::uint64_t thread, std::uint64_t decor, const code_location& where) {
    const auto narrow = [](std::uint64_t n) {
      return static_cast<std::uint32_t>(std::min<std::uint64_t>(n, 0xFFFFFFFF));
    };
    const std::uint64_t location =
        locations(std::uint64_t{where.function} << 32 | where.instruction);
    trace.write({false, narrow(location), decor, o, narrow(thread)});
  }

  writer trace;
  io::atomic_file beside;
  numbering<std::uint64_t> threads = {}, locks = {};
  numbering<memory_location, detail::pair_hash> variables = {};
  numbering<std::uint64_t> locations = {};  // function index << 32 | instruction index
  // Threads that have accessed each variable. The index is the variable's id.
  std::vector<std::vector<std::uint64_t>> sharers = {};
};

TRACECODEC_FUNC symbolic_writer::symbolic_writer(const std::string& path)
    : symbolic_writer(path, metadata_path(path)) {}
TRACECODEC_FUNC symbolic_writer::symbolic_writer(const std::string& path,
                                                 const std::string& metadata_file)
    : state_(std::make_unique<state>(path, metadata_file)) {}
TRACECODEC_FUNC symbolic_writer::symbolic_writer(symbolic_writer&&) noexcept = default;
TRACECODEC_FUNC symbolic_writer& symbolic_writer::operator=(symbolic_writer&&) noexcept = default;
TRACECODEC_FUNC symbolic_writer::~symbolic_writer() = default;

TRACECODEC_FUNC void symbolic_writer::finish() {
  const std::string text = metadata_text(names());
  state_->beside.write(std::as_bytes(std::span(text)));
  state_->trace.finish();
  state_->beside.finish();
}

TRACECODEC_FUNC std::uint64_t symbolic_writer::written() const { return state_->trace.written(); }
TRACECODEC_FUNC metadata symbolic_writer::names() const {
  // Fills the table `to` with the entries of `numbers`. key_of() converts a key of `numbers` to a
  // wasm id.
  const auto table = []<class WasmId>(const auto& numbers, id_table<WasmId>& to,
                                      const auto& key_of) {
    std::vector<typename id_table<WasmId>::record> records;
    records.reserve(static_cast<std::size_t>(numbers.size()));
    numbers.for_each([&](const auto& key, std::uint64_t n) {
      records.push_back({key_of(key), n});
    });
    to = id_table<WasmId>(std::move(records));
  };
  const auto itself = [](const auto& key) { return key; };
  metadata m;
  table(state_->threads, m.threads, itself);
  table(state_->variables, m.memory, itself);
  table(state_->locks, m.locks, itself);
  table(state_->locations, m.locations, [](std::uint64_t where) {
    return code_location{static_cast<std::uint32_t>(where >> 32),
                         static_cast<std::uint32_t>(where)};
  });
  for (std::size_t v = 0; v < state_->sharers.size(); ++v)
    if (const auto& threads = state_->sharers[v]; threads.size() > 1)
      m.shared_variables[v].insert(threads.begin(), threads.end());
  return m;
}

TRACECODEC_FUNC void symbolic_writer::access(operation o, std::uint64_t thread,
                                             const memory_location& variable,
                                             const code_location& where) {
  const std::uint64_t t = state_->threads(thread), v = state_->variables(variable);
  state_->put(o, t, v, where);
  if (v >= state_->sharers.size()) state_->sharers.resize(static_cast<std::size_t>(v) + 1);
  std::vector<std::uint64_t>& sharers = state_->sharers[static_cast<std::size_t>(v)];
  if (std::find(sharers.begin(), sharers.end(), t) == sharers.end()) sharers.push_back(t);
}
TRACECODEC_FUNC void symbolic_writer::on_lock(operation o, std::uint64_t thread, std::uint64_t lock,
                                              const code_location& where) {
  const std::uint64_t t = state_->threads(thread);
  state_->put(o, t, state_->locks(lock), where);
}
TRACECODEC_FUNC void symbolic_writer::on_thread(operation o, std::uint64_t thread,
                                                std::uint64_t child, const code_location& where) {
  const std::uint64_t t = state_->threads(thread);
  state_->put(o, t, state_->threads(child), where);
}
TRACECODEC_FUNC void symbolic_writer::alone(operation o, std::uint64_t thread,
                                            const code_location& where) {
  state_->put(o, state_->threads(thread), 0, where);
}

}  // namespace tracecodec::rapidbin
