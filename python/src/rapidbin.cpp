// The metadata of RapidBin traces.
#include <memory>
#include <utility>
#include <vector>

#include <tracecodec/rapidbin/metadata.hpp>
#include <tracecodec/trace/source.hpp>

#include "common.hpp"

namespace tracecodec::python {

namespace {

namespace rb = tracecodec::rapidbin;

py::object moved_to_array(std::vector<std::uint64_t>&& values) {
  auto kept = std::make_unique<std::vector<std::uint64_t>>(std::move(values));
  const auto& v = *kept;
  const py::capsule owner(kept.release(),
                          [](void* p) { delete static_cast<std::vector<std::uint64_t>*>(p); });
  return array_of(py::dtype::of<std::uint64_t>(), v.data(), v.size(), owner);
}

// Trace ids and values of each kind, in arrays; None if there is no metadata.
py::object metadata_arrays(origin& from) {
  load_numpy();
  if (!trace::has_events(from.format()))
    throw trace_error(trace_errc::refused, {.file = from.name()},
                      "a trace in format " + std::string(trace::name(from.format())) +
                          " has no metadata: RapidBin's have");
  using ids = std::vector<std::uint64_t>;
  struct {
    ids thread, wasm_thread, variable, address, width, lock, lock_address, location, function,
        instruction, shared, shared_count, shared_thread;
  } all;
  const bool there = unlocked([&] {
    trace::visit_options how = from.options();
    how.input.map = false;  // what is read piece by piece looks for signals
    const auto m = trace::metadata_of(from.path(), how);
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

}  // namespace

void define_metadata(py::module_& m) { m.def("rapidbin_metadata", &metadata_arrays); }

}  // namespace tracecodec::python
