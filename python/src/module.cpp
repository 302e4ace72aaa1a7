// Defines the module tracecodec._core, which the Python modules of the package use.
#include <exception>

#include <tracecodec/version.hpp>

#include "common.hpp"

namespace {

namespace p = tracecodec::python;
namespace py = pybind11;

void define(py::module_& m) {
  m.attr("version") = TRACECODEC_VERSION;
  p::define_errors(m);
  p::define_layouts(m);
  p::define_origin(m);
  p::define_queries(m);
  p::define_questions(m);
  p::define_tables(m);
  p::define_metadata(m);
  p::define_records(m);
  p::define_instructions(m);
  p::define_output(m);
#if defined(TRACECODEC_WITH_PROGRAMS)
  p::define_convert(m);
#endif
}

// Initialises the module in each interpreter that imports it. pybind11's state belongs to the first
// interpreter. A second interpreter would wait forever for the first interpreter's lock. Therefore
// its import fails with ImportError.
int execute(PyObject* module) {
  if (PyInterpreterState_Get() != PyInterpreterState_Main()) {
    PyErr_SetString(PyExc_ImportError,
                    "tracecodec works in the main interpreter only, not in a sub-interpreter");
    return -1;
  }
  try {
    // The types exist only once per process. If the module is imported again, return the types from
    // the first import.
    static PyObject* first = nullptr;
    if (first != nullptr) return PyDict_Merge(PyModule_GetDict(module), PyModule_GetDict(first), 0);
    py::detail::get_internals();
    auto m = py::reinterpret_borrow<py::module_>(module);
    define(m);
    first = m.inc_ref().ptr();
    return 0;
  } catch (py::error_already_set& e) {
    py::raise_from(e, PyExc_ImportError, "tracecodec._core could not be initialised");
  } catch (const std::exception& e) {
    PyErr_SetString(PyExc_ImportError, e.what());
  }
  return -1;
}

// pybind11's own macro uses single-phase initialisation. A sub-interpreter would then get a copy of
// the module, and no code of the module could refuse the import.
PyModuleDef_Slot slots[] = {{Py_mod_exec, reinterpret_cast<void*>(&execute)}, {0, nullptr}};
PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, "_core", nullptr, 0, nullptr, slots, nullptr, nullptr, nullptr};

}  // namespace

extern "C" PYBIND11_EXPORT PyObject* PyInit__core();
extern "C" PYBIND11_EXPORT PyObject* PyInit__core() {
  PYBIND11_CHECK_PYTHON_VERSION
  return PyModuleDef_Init(&definition);
}
