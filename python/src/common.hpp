// Code that all parts of tracecodec._core share: errors, signals, arrays and the source of a trace.
#pragma once
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include <tracecodec/io/open.hpp>
#include <tracecodec/io/os/home_process.hpp>
#include <tracecodec/trace/source.hpp>

namespace tracecodec::python {

namespace py = pybind11;

// Guard that releases the interpreter's lock (GIL), and acquires it again at the end of the scope.
// If the interpreter is shutting down at that time, the thread blocks forever, as in Python 3.14.
// Earlier versions of Python would unwind the thread's stack, which C++ code does not survive.
class released {
 public:
  released() noexcept : state_(PyEval_SaveThread()) {}
  released(const released&) = delete;
  released& operator=(const released&) = delete;
  ~released();

 private:
  PyThreadState* state_;
};
// Guard that acquires the GIL on a thread that does not necessarily hold it.
class locked {
 public:
  locked() noexcept;
  locked(const locked&) = delete;
  locked& operator=(const locked&) = delete;
  ~locked() { PyGILState_Release(state_); }

 private:
  PyGILState_STATE state_;
};

// Flag for the thread that handles signals. It is true if a signal handler has raised an exception
// since this object was constructed. If so, the exception is the interpreter's current error and
// has stopped the library.
class raised_by_signal {
 public:
  raised_by_signal() noexcept;
  explicit operator bool() const noexcept;
};

// Runs f() without the GIL. Signals are handled whenever the library reads or writes a file. If a
// signal handler raises an exception, unlocked() throws it. For example, the handler for Ctrl-C
// raises KeyboardInterrupt.
template <class F> auto unlocked(F&& f) {
  const raised_by_signal raised;
  try {
    if constexpr (std::is_void_v<decltype(f())>) {
      {
        const released gone;
        f();
      }
      if (raised) throw py::error_already_set();
    } else {
      auto result = [&f] {
        const released gone;
        return f();
      }();
      if (raised) throw py::error_already_set();
      return result;
    }
  } catch (const py::error_already_set&) {
    throw;
  } catch (...) {
    if (raised) throw py::error_already_set();
    throw;
  }
}
// Handles pending signals. Call this function only within a function that is passed to unlocked().
// Throws if a signal handler raises an exception.
void handle_signals();

// Converts text from a file to a Python string. Invalid UTF-8 becomes surrogates, as in file names.
py::object text_of(std::string_view s);

// Returns the first format that accepts records described by a table (facts::takes_tables).
const tracecodec::format::facts* format_of_tables() noexcept;

// Source of a trace, and the options for reading the trace. Each reader opens the trace again,
// unless the trace can be read only once.
class origin {
 public:
  virtual ~origin() = default;

  // Returns the options. Relative paths in the options are resolved in the same way as in path().
  [[nodiscard]] virtual tracecodec::format::open_options options() const { return how_; }
  // Opens the trace. Must be called without the GIL. Throws trace_error(refused) if the trace was
  // opened before and cannot be opened again.
  trace::source open();
  // Opens the stored records of the trace as bytes. table() describes these records. Only ChampSim,
  // CloudSuite and described traces have such records.
  io::input open_records();
  [[nodiscard]] std::shared_ptr<const file::record_table> table() const;
  [[nodiscard]] bool has_table() const noexcept { return table_ != nullptr; }

  [[nodiscard]] const tracecodec::format::facts& format() const noexcept { return *format_; }
  [[nodiscard]] const std::string& name() const noexcept { return name_; }
  // Returns the path to open. Usually this is the trace's name. If the name is a relative path and
  // the process has changed its folder, returns an absolute path.
  [[nodiscard]] virtual std::string path() const { return name_; }
  [[nodiscard]] const tracepack::about* packed() const noexcept { return about_.get(); }
  // Returns true if the whole trace is mapped into memory. Skipping in such a trace does not read a
  // file.
  [[nodiscard]] bool mapped() const noexcept { return mapped_; }
  // Returns true if table() comes from the trace or from the options, and not from the trace's
  // format.
  [[nodiscard]] bool described() const noexcept { return described_; }
  // Returns true if open() may be called more than once.
  [[nodiscard]] virtual bool again() const = 0;
  // Returns true if the trace can have an index: it is a file or folder, and all of it is read.
  [[nodiscard]] virtual bool can_have_index() const { return false; }
  // Returns the warnings since the previous call, one per line.
  std::string warnings();

  // Returns the object that answers queries about the trace. The first query calls make() to create
  // the object, and later queries use the same object. Must be called without the GIL.
  template <class T, class Make> std::shared_ptr<T> cached(Make&& make) {
    const auto have = [this] {
      const std::lock_guard guard(keeping_);
      // In a child process after fork(), create a separate object. The readers in the parent's
      // object may use threads, which fork() does not copy.
      if (!kept_in_.is_here()) kept_.reset(), kept_in_ = {};
      return kept_;
    };
    std::shared_ptr<void> it = have();
    if (it == nullptr) {
      // Call make() without locking the mutex. While make() runs, a signal handler may call
      // cached().
      std::shared_ptr<T> made = make();
      const std::lock_guard guard(keeping_);
      if (kept_ == nullptr) kept_ = std::move(made);
      it = kept_;
    }
    return std::static_pointer_cast<T>(it);
  }

 protected:
  explicit origin(tracecodec::format::open_options how);
  // Opens the trace for the first time.
  void begin();
  // Moves out the source or input that begin() has opened. Discards it if begin() ran in another
  // process and the trace can be opened again, because the source may need threads of that process.
  void take_begun(std::optional<trace::source>& first, std::optional<io::input>& raw);
  virtual trace::source make(const tracecodec::format::open_options& how) = 0;
  virtual io::input make_input(const io::open_options& how) = 0;

 private:
  tracecodec::format::open_options how_;
  // taking_ guards first_ and raw_; keeping_ guards kept_.
  std::mutex taking_ = {}, keeping_ = {};
  std::shared_ptr<void> kept_ = {};
  io::home_process kept_in_ = {}, begun_in_process_ = {};
  std::optional<trace::source> first_ = {};
  // Input that replaces first_ for described records that can be read only once.
  std::optional<io::input> raw_ = {};
  std::shared_ptr<const tracepack::about> about_ = {};
  std::shared_ptr<const file::record_table> table_ = {};
  std::string name_ = {};
  struct noted {
    std::mutex mutex = {};
    std::string lines = {};
  };
  std::shared_ptr<noted> warnings_ = {};
  const tracecodec::format::facts* format_ = format_of_tables();
  bool mapped_ = false;
  bool described_ = false;
  bool opened_ = false;  // true if open() can read the records as instructions
};

// Returns true if the records of the trace are RapidBin events.
bool holds_events(const origin& from);

void define_errors(py::module_& m);
void define_origin(py::module_& m);
void define_queries(py::module_& m);
void define_questions(py::module_& m);
void define_tables(py::module_& m);
void define_metadata(py::module_& m);
void define_records(py::module_& m);
void define_instructions(py::module_& m);
void define_layouts(py::module_& m);
void define_output(py::module_& m);
// Defined only if the programs are built.
void define_convert(py::module_& m);

// Imports NumPy. Call this function before any function of pybind11/numpy.h, which stores NumPy's
// functions in a static variable. The import releases the GIL. Otherwise, a second thread could
// hold the GIL while it waits for the variable (a deadlock).
void load_numpy();
// Returns a read-only array that refers to `values` without copying them. The array keeps `owner`
// alive, which owns the values.
py::array array_of(const py::dtype& type, const void* values, std::size_t n,
                   const py::handle& owner);

}  // namespace tracecodec::python
