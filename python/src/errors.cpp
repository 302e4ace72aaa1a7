// Converts exceptions of the library to Python exceptions, and handles Python's signals while the
// library runs.
#include <cxxabi.h>
#include <tracecodec.h>

#include <chrono>
#include <exception>
#include <new>
#include <string>
#include <string_view>
#include <thread>

#include <tracecodec/io/error.hpp>
#include <tracecodec/io/os/interruption.hpp>

#include "common.hpp"

namespace tracecodec::python {

namespace {

// Returns the name that the C interface uses for an error code.
const char* name_of(trace_errc c) noexcept {
  return tracecodec_status_name(static_cast<tracecodec_status>(c) + 1);
}

void raise(const trace_error& e) {
  const py::object type = py::module_::import("tracecodec._errors").attr("TraceError");
  const auto number = [](std::optional<std::uint64_t> n) -> py::object {
    return n ? py::object(py::int_(*n)) : py::object(py::none());
  };
  const py::object error =
      type(text_of(e.what()), py::str(name_of(e.code())), text_of(e.file()), number(e.offset()),
           number(e.record()), text_of(e.field()), text_of(e.message()));
  PyErr_SetObject(type.ptr(), error.ptr());
}

// Id of the main thread. Python handles signals only on this thread.
unsigned long main_thread = 0;

// Calls f(), which acquires the GIL. If f() unwinds the stack because the interpreter is shutting
// down, blocks the thread forever.
template <class F> void wait_for_the_end(F f) noexcept {
  try {
    f();
  } catch (const abi::__forced_unwind&) {
    for (;;) std::this_thread::sleep_for(std::chrono::hours(1));
  }
}

bool on_main_thread() noexcept {
  static thread_local const bool here = PyThread_get_thread_ident() == main_thread;
  return here;
}

// True if a signal handler has raised an exception during the current call on the main thread.
bool raised = false;

// Handles pending signals. Returns true if the library must stop. Python stores a signal until
// signals are polled. Polling requires the GIL, which other threads may hold for a while. Therefore
// polls are at least 5 ms apart.
bool stop_waiting() noexcept {
  if (!on_main_thread()) return false;
  using clock = std::chrono::steady_clock;
  static thread_local clock::time_point last = {};
  const auto now = clock::now();
  if (raised) return true;
  if (now - last < std::chrono::milliseconds(5)) return false;
  last = now;
  const locked here;
  if (PyErr_CheckSignals() != 0) raised = true;
  return raised;
}

}  // namespace

released::~released() {
  wait_for_the_end([this] { PyEval_RestoreThread(state_); });
}
locked::locked() noexcept {
  wait_for_the_end([this] { state_ = PyGILState_Ensure(); });
}

raised_by_signal::raised_by_signal() noexcept {
  if (on_main_thread()) raised = false;
}
raised_by_signal::operator bool() const noexcept { return raised && on_main_thread(); }

py::object text_of(std::string_view s) {
  return py::reinterpret_steal<py::object>(
      PyUnicode_DecodeUTF8(s.data(), static_cast<py::ssize_t>(s.size()), "surrogateescape"));
}

void handle_signals() {
  if (io::interrupted()) throw io::interruption();
}

void define_errors(py::module_& m) {
  static_cast<void>(m);
  main_thread =
      py::module_::import("threading").attr("main_thread")().attr("ident").cast<unsigned long>();
  io::stop_waiting_if(stop_waiting);
  py::register_exception_translator([](std::exception_ptr p) {
    try {
      if (p) std::rethrow_exception(p);
    } catch (const trace_error& e) {
      raise(e);
    } catch (const io::interruption&) {
      // The handler's exception was already reported, so raise an exception without a message.
      PyErr_SetNone(PyExc_KeyboardInterrupt);
    }
  });
}

}  // namespace tracecodec::python
