// Reads the metadata of RapidBin traces, and the names in STD text.
#include <memory>
#include <utility>
#include <vector>

#include <tracecodec/rapidbin/descriptor.hpp>
#include <tracecodec/rapidbin/metadata.hpp>
#include <tracecodec/rapidbin/open.hpp>
#include <tracecodec/rapidbin/reader/occurring_names.hpp>
#include <tracecodec/rapidbin/trace_options.hpp>
#include <tracecodec/trace/source.hpp>

#include "common.hpp"

namespace tracecodec::python {

namespace rb = tracecodec::rapidbin;

bool holds_events(const origin& from) { return &from.format() == &rb::descriptor::facts; }

namespace {

py::object moved_to_array(std::vector<std::uint64_t>&& values) {
  auto kept = std::make_unique<std::vector<std::uint64_t>>(std::move(values));
  const auto& v = *kept;
  const py::capsule owner(kept.release(),
                          [](void* p) { delete static_cast<std::vector<std::uint64_t>*>(p); });
  return array_of(py::dtype::of<std::uint64_t>(), v.data(), v.size(), owner);
}

// Returns arrays with the trace ids and values for each kind of id. Returns None if there is no
// metadata.
py::object metadata_arrays(origin& from) {
  load_numpy();
  if (from.format().family != rb::family)
    throw trace_error(trace_errc::refused, {.file = from.name()},
                      "a trace in format " + std::string(from.format().name) +
                          " has no metadata: only RapidBin traces have");
  using ids = std::vector<std::uint64_t>;
  struct {
    ids thread, wasm_thread, variable, address, width, lock, lock_address, location, function,
        instruction, shared, shared_count, shared_thread;
  } all;
  const bool there = unlocked([&] {
    format::open_options how = from.options();
    // Read the file in pieces instead of mapping it, because each read polls for signals.
    how.input.map = false;
    const auto m = rb::metadata_of(from.path(), how);
    if (!m) return false;
    for (const auto& r : m->threads) {
      all.thread.push_back(r.trace_id);
      all.wasm_thread.push_back(r.wasm_id);
    }
    for (const auto& r : m->memory) {
      all.variable.push_back(r.trace_id);
      all.address.push_back(r.wasm_id.address);
      all.width.push_back(r.wasm_id.access_width);
    }
    for (const auto& r : m->locks) {
      all.lock.push_back(r.trace_id);
      all.lock_address.push_back(r.wasm_id);
    }
    for (const auto& r : m->locations) {
      all.location.push_back(r.trace_id);
      all.function.push_back(r.wasm_id.function);
      all.instruction.push_back(r.wasm_id.instruction);
    }
    for (const auto& [variable, threads] : m->shared_variables) {
      all.shared.push_back(variable);
      all.shared_count.push_back(threads.size());
      all.shared_thread.insert(all.shared_thread.end(), threads.begin(), threads.end());
    }
    return true;
  });
  if (!there) return py::none();
  const auto columns = [](auto&... each) {
    return py::make_tuple(moved_to_array(std::move(each))...);
  };
  py::dict d;
  d["threads"] = columns(all.thread, all.wasm_thread);
  d["variables"] = columns(all.variable, all.address, all.width);
  d["locks"] = columns(all.lock, all.lock_address);
  d["locations"] = columns(all.location, all.function, all.instruction);
  d["shared"] = columns(all.shared, all.shared_count, all.shared_thread);
  return py::object(std::move(d));
}

// Returns the names in a RapidBin trace's metadata or in STD text. STD text is read to its end.
rb::id_names names_in(origin& from) {
  if (&from.format() == &rb::descriptor::facts) {
    format::open_options how = from.options();
    how.input.map = false;
    auto m = rb::metadata_of(from.path(), how);
    return m ? std::move(m->names) : rb::id_names();
  }
  trace::source s = from.open();
  const auto events = rb::open_events(
      std::move(s.input()), {.text = true, .strict = from.options().own.has<rb::strict_text>()});
  rb::occurring_names names(
      [&events](rb::id_kind kind, std::uint64_t id) { return events->name_of(kind, id); });
  for (rb::event_batch b = events->next(); b.size() != 0; b = events->next())
    for (const rb::event e : b.events) names.add(e);
  return names.take();
}

// Returns a dict for each kind of id. The dict maps ids to names, which are bytes.
py::dict names_of_ids(origin& from) {
  if (from.format().family != rb::family)
    throw trace_error(trace_errc::refused, {.file = from.name()},
                      "a trace in format " + std::string(from.format().name) +
                          " has no names of ids: only STD text and RapidBin's metadata have them");
  const rb::id_names names = unlocked([&] { return names_in(from); });
  py::dict d;
  for (const rb::id_kind kind :
       {rb::id_kind::thread, rb::id_kind::lock, rb::id_kind::variable, rb::id_kind::location}) {
    py::dict of_kind;
    for (const auto& r : names.of(kind)) of_kind[py::int_(r.trace_id)] = py::bytes(r.wasm_id);
    d[py::str(std::string(name(kind)))] = std::move(of_kind);
  }
  return d;
}

}  // namespace

void define_metadata(py::module_& m) {
  m.def("rapidbin_metadata", &metadata_arrays);
  m.def("rapidbin_names", &names_of_ids);
}

}  // namespace tracecodec::python
