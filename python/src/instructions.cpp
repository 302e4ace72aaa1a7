// Reads the instructions of any trace as columns and as an Arrow stream.
#include <algorithm>
#include <memory>
#include <new>
#include <string>
#include <utility>

#include <tracecodec/analysis/block_vectors.hpp>
#include <tracecodec/analysis/hot_blocks.hpp>
#include <tracecodec/analysis/run.hpp>

#include "../../src/c/trace.hpp"
#include "common.hpp"

namespace tracecodec::python {

namespace {

namespace c = tracecodec::c;
using feed::column;

feed::column_set set_of(const py::iterable& names) {
  feed::column_set s;
  for (const py::handle h : names) {
    const auto name = py::cast<std::string>(h);
    std::size_t i = 0;
    while (i != feed::column_count && feed::name(static_cast<column>(i)) != name) ++i;
    if (i == feed::column_count) throw py::value_error("there is no column '" + name + "'");
    s |= {static_cast<column>(i)};
  }
  return s;
}
py::list names_of(feed::column_set s) {
  py::list all;
  for (std::size_t i = 0; i != feed::column_count; ++i)
    if (s.has(static_cast<column>(i))) all.append(std::string(feed::name(static_cast<column>(i))));
  return all;
}

py::dtype dtype_of(std::int32_t type) {
  switch (type) {
    case TRACECODEC_FLAG:
      return py::dtype::of<bool>();
    case TRACECODEC_U16:
      return py::dtype::of<std::uint16_t>();
    case TRACECODEC_U32:
      return py::dtype::of<std::uint32_t>();
    case TRACECODEC_U64:
      return py::dtype::of<std::uint64_t>();
    default:
      return py::dtype::of<std::uint8_t>();
  }
}

// Batch of columns. An array that refers to the batch keeps the batch alive.
struct batch {
  feed::columns columns = {};
};

// Returns a column as one array, or as the offsets and the values of a list. If an entry of the
// list has several parts, the values are a dict with an array for each part.
py::object arrays_of(const py::object& self, std::size_t number) {
  load_numpy();
  const auto& b = self.cast<const batch&>();
  const auto wanted = static_cast<column>(number);
  if (!b.columns.requested().has(wanted)) throw py::key_error(std::string(feed::name(wanted)));
  const tracecodec_column_info& info = *tracecodec_column(number);
  const auto show = [&](std::size_t part) -> py::object {
    const tracecodec_part_info& p = *tracecodec_part(number, part);
    const tracecodec_array a = c::array_of(b.columns, wanted, part);
    py::object values = array_of(dtype_of(p.type), a.values, a.size, self);
    if (p.is_list == 0) return values;
    const std::size_t entries = c::array_of(b.columns, wanted, 0).size;
    return py::make_tuple(array_of(py::dtype::of<std::int32_t>(), a.offsets, entries + 1, self),
                          std::move(values));
  };
  if (info.is_list == 0) return show(0);
  const auto offsets = c::offsets_of(b.columns, wanted);
  py::object first = array_of(py::dtype::of<std::int32_t>(), offsets.data(), offsets.size(), self);
  if (info.parts == 1) return py::make_tuple(std::move(first), show(0));
  py::dict parts;
  for (std::size_t i = 0; i != info.parts; ++i) parts[tracecodec_part(number, i)->name] = show(i);
  return py::make_tuple(std::move(first), std::move(parts));
}

// Opens the trace at instruction `skip`, and limits the trace to `limit` instructions.
c::instructions open(origin& from, std::uint64_t skip, std::optional<std::uint64_t> limit) {
  trace::source s = from.open();
  c::instructions all(std::move(s), from.options());
  if (skip != 0) {
    // Skip in pieces, and poll for signals after each piece. Skipping in a mapped trace does not
    // read the file, so the input does not poll for signals.
    const std::uint64_t piece = from.mapped() ? std::uint64_t{1} << 22 : ~std::uint64_t{0};
    for (std::uint64_t left = skip; left != 0;) {
      const std::uint64_t n = std::min(left, piece);
      if (all.skip(n) != n) break;
      left -= n;
      handle_signals();
    }
  }
  if (limit) all.limit(*limit);
  return all;
}

class instructions {
 public:
  instructions(origin& from, std::uint64_t skip, std::optional<std::uint64_t> limit)
      : all_(unlocked([&] { return open(from, skip, limit); })) {}

  // Selects the columns of the next batches.
  void want(const py::iterable& columns) { all_.all().want(set_of(columns)); }

  // Returns the next batch, which has at most `most` rows, or None at the end.
  std::unique_ptr<batch> next(std::size_t most) {
    auto b = std::make_unique<batch>();
    const bool more = unlocked([&] { return all_.next(b->columns, most); });
    if (!more) b.reset();
    return b;
  }
  std::uint64_t count() {
    return unlocked([this] { return all_.count(); });
  }
  [[nodiscard]] py::list has() const { return names_of(all_.has()); }
  [[nodiscard]] std::uint64_t position() const noexcept { return all_.position(); }
  // Returns up to `most` blocks, ordered by the number of executed instructions. Each block is a
  // tuple: address, number of executed instructions, number of executions, and maximum number of
  // instructions in an execution.
  py::list hot_blocks(std::size_t most) {
    analysis::hot_blocks blocks(all_.all());
    unlocked([&] { analysis::run(all_, handle_signals, blocks); });
    py::list all;
    for (const auto* const b : blocks.result().top(most))
      all.append(py::make_tuple(b->key, b->count, b->data.executions, b->data.length));
    return all;
  }
  // Divides the trace into intervals of `interval` instructions. Returns the block vectors of the
  // intervals, one per line.
  std::string block_vectors(std::uint64_t interval) {
    analysis::block_vectors vectors(interval);
    unlocked([&] { analysis::run(all_, handle_signals, vectors); });
    vectors.finish();
    return vectors.result();
  }
  // Returns the disassembly of `code` at address `ip`. Returns an empty string if the trace's
  // format does not specify a processor.
  std::string assembly_of(const py::bytes& code, std::uint64_t ip) {
    const std::string_view s = code;
    return all_.all().assembly_of(std::as_bytes(std::span(s)), ip);
  }

 private:
  c::instructions all_;
};

// Returns an ArrowArrayStream in a capsule, as in Arrow's PyCapsule interface.
py::capsule arrow_stream(const py::object& source, const py::iterable& columns, std::uint64_t skip,
                         std::optional<std::uint64_t> limit, std::size_t most) {
  const feed::column_set wanted = set_of(columns);
  auto& from = source.cast<origin&>();
  auto trace = std::make_unique<tracecodec_trace>();
  // The consumer of the stream may be another library on another thread. Therefore acquire the GIL
  // before releasing the reference.
  trace->keeps = std::shared_ptr<const void>(source.inc_ref().ptr(), [](const void* p) {
    if (Py_IsInitialized() == 0) return;
    const locked here;
    Py_DECREF(static_cast<PyObject*>(const_cast<void*>(p)));
  });
  trace->name = from.name();
  unlocked([&] { trace->from.emplace(open(from, skip, limit)); });
  trace->from->all().want(wanted);
  auto stream = std::make_unique<ArrowArrayStream>();
  const auto status = tracecodec_arrow_stream(trace.get(), most, stream.get());
  if (status == TRACECODEC_NO_MEMORY) throw std::bad_alloc();
  if (status != TRACECODEC_OK) throw std::runtime_error(tracecodec_status_name(status));
  static_cast<void>(trace.release());
  const auto release = [](ArrowArrayStream* s) {
    if (s->release != nullptr) s->release(s);
    delete s;
  };
  std::unique_ptr<ArrowArrayStream, decltype(release)> made(stream.release(), release);
  py::capsule all(made.get(), "arrow_array_stream", [](PyObject* capsule) {
    decltype(release){}(
        static_cast<ArrowArrayStream*>(PyCapsule_GetPointer(capsule, "arrow_array_stream")));
  });
  static_cast<void>(made.release());
  return all;
}

}  // namespace

void define_instructions(py::module_& m) {
  m.attr("most_rows") = feed::columns::most_rows;
  py::list names, classes;
  py::dict numbers;
  for (std::size_t i = 0; i != feed::column_count; ++i) {
    const std::string name(feed::name(static_cast<column>(i)));
    names.append(name);
    numbers[name.c_str()] = i;
  }
  for (std::size_t i = 0; i != feed::branch_class_count; ++i)
    classes.append(std::string(feed::name(static_cast<feed::branch_class>(i))));
  m.attr("column_numbers") = numbers;
  m.attr("column_names") = names;
  m.attr("branch_classes") = classes;
  py::class_<batch>(m, "Batch")
      .def("__len__", [](const batch& b) { return b.columns.size(); })
      .def_property_readonly("first", [](const batch& b) { return b.columns.first(); })
      .def_property_readonly("left_out", [](const batch& b) { return b.columns.left_out(); })
      .def("arrays", &arrays_of);
  py::class_<instructions>(m, "Instructions")
      .def(py::init<origin&, std::uint64_t, std::optional<std::uint64_t>>(), py::keep_alive<1, 2>())
      .def("want", &instructions::want)
      .def("next", &instructions::next)
      .def("count", &instructions::count)
      .def("has", &instructions::has)
      .def("hot_blocks", &instructions::hot_blocks)
      .def("block_vectors", &instructions::block_vectors)
      .def("assembly_of", &instructions::assembly_of)
      .def_property_readonly("position", &instructions::position);
  m.def("arrow_stream", &arrow_stream);
}

}  // namespace tracecodec::python
