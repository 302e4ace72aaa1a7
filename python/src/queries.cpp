#include "queries.hpp"

#include <algorithm>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>

namespace tracecodec::python {

void no_instruction(std::uint64_t n, std::uint64_t count) {
  throw py::index_error(std::to_string(n) + ": the trace has " + std::to_string(count) +
                        " instructions");
}

namespace {

// Name of a format, and the function that creates the queries for its traces.
struct implementation {
  std::string_view format;
  std::shared_ptr<queries> (*make)(origin& from);
};
constexpr implementation implementations[]{{"x64dbg", x64dbg_queries},
                                           {"umtracer", umtracer_queries}};

std::shared_ptr<queries> queries_of(origin& from) {
  return from.cached<queries>([&from]() -> std::shared_ptr<queries> {
    const auto* const found =
        std::find_if(std::begin(implementations), std::end(implementations),
                     [&from](const implementation& i) { return i.format == from.format().name; });
    if (found == std::end(implementations))
      throw trace_error(trace_errc::refused, {.file = from.name()},
                        "a trace in format " + std::string(from.format().name) +
                            " does not record the contents of registers and memory");
    if (!from.again())
      throw trace_error(
          trace_errc::refused, {.file = from.name()},
          "can be read only once, but registers, memory and searches need it several times");
    return found->make(from);
  });
}

using number = std::optional<std::uint64_t>;

// Converts an access to a tuple. The tuple contains the index, whether the instruction writes, the
// address, the size, and whether the access is reliable. Returns None if there is no access.
py::object touch_of(const std::optional<memory_touch>& t) {
  if (!t) return py::none();
  return py::make_tuple(t->index, t->writes, t->address, t->size, t->reliable);
}

py::list names_of_registers(const register_set& from) {
  py::list all;
  for (const std::string& name : from.names()) all.append(text_of(name));
  return all;
}
// Returns the bytes of a register, and for each byte a flag: 1 if the byte is known, otherwise 0.
// Returns None if there is no such register. `as_bytes` is the register's name, which comes from a
// file and may be invalid UTF-8.
py::object get_register(register_set& from, const py::bytes& as_bytes) {
  const std::string name = as_bytes;
  const auto found = unlocked([&] { return from.get(name); });
  if (!found) return py::none();
  const auto bytes = [](const std::vector<std::uint8_t>& v) {
    return py::bytes(reinterpret_cast<const char*>(v.data()), v.size());
  };
  return py::make_tuple(bytes(found->values), bytes(found->known));
}

// Returns two arrays. The first array contains the bytes before instruction `n`. The second array
// contains, for each byte, the number of the instruction that reveals it.
py::tuple memory_before(origin& from, std::uint64_t address, std::size_t size, number n) {
  load_numpy();
  py::array_t<std::uint8_t> values(static_cast<py::ssize_t>(size));
  py::array_t<std::int64_t> origins(static_cast<py::ssize_t>(size));
  const std::span to(values.mutable_data(), size);
  const std::span by(origins.mutable_data(), size);
  unlocked([&] {
    std::fill(to.begin(), to.end(), std::uint8_t{0});
    std::fill(by.begin(), by.end(), nowhere);
    queries_of(from)->memory(address, n, to, by);
  });
  return py::make_tuple(std::move(values), std::move(origins));
}

}  // namespace

void define_queries(py::module_& m) {
  py::class_<register_set>(m, "State")
      .def_property_readonly("index", &register_set::index)
      .def_property_readonly("ip", &register_set::ip)
      .def_property_readonly("thread", &register_set::thread)
      .def("names", &names_of_registers)
      .def("get", &get_register);
  m.def("state", [](origin& from, std::uint64_t n) {
    return unlocked([&] { return queries_of(from)->at(n); });
  });
  m.def("memory", &memory_before);
  m.def("last_write", [](origin& from, std::uint64_t address, std::uint64_t size, number before) {
    return touch_of(unlocked([&] { return queries_of(from)->last_write(address, size, before); }));
  });
  m.def("next_access", [](origin& from, std::uint64_t address, std::uint64_t size,
                          std::uint64_t since) {
    return touch_of(unlocked([&] { return queries_of(from)->next_access(address, size, since); }));
  });
}

}  // namespace tracecodec::python
