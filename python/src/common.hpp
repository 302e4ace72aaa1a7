// Code that the parts of tracecodec._core share: errors, signals, arrays and the source of a
// trace.
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

// Guard that releases the interpreter's lock (GIL), and reacquires it at the end of the scope.
// If the interpreter is shutting down by then, the thread blocks forever, as in Python 3.14.
// Earlier versions end the thread by unwinding its stack, which C++ code does not survive.
class released {
 public:
  released() noexcept : state_(PyEval_SaveThread()) {}
  released(const released&) = delete;
  released& operator=(const released&) = delete;
  ~released();

 private:
  PyThreadState* state_;
};
// Guard that acquires the GIL on a thread that may not hold it.
class locked {
 public:
  locked() noexcept;
  locked(const locked&) = delete;
  locked& operator=(const locked&) = delete;
  ~locked() { PyGILState_Release(state_); }

 private:
  PyGILState_STATE state_;
};

// Flag that is true if a signal handler has raised since this object's construction, on the
// thread that handles signals. In this case, the exception is set as the interpreter's error
// and has stopped the library.
class raised_by_signal {
 public:
  raised_by_signal() noexcept;
  explicit operator bool() const noexcept;
};

// Runs f() without the GIL. Signals are handled wherever the library reads or writes a file. If
// a handler raises, as the handler of Ctrl-C does, the exception is thrown here.
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
// Handles pending signals. Call it within f() of unlocked(); throws if a handler raises.
void handle_signals();

// Returns text of a file as a Python string. Invalid UTF-8 becomes surrogates, as in file
// names.
py::object text_of(std::string_view s);

// Returns the first format into which records described by a table can be converted.
const tracecodec::format::facts* format_of_tables() noexcept;

// Source of a trace, with the options for reading it. Each reader opens the trace again,
// unless it can be read only once.
class origin {
 public:
  virtual ~origin() = default;

  // Returns the options. Relative paths in the options are resolved like path().
  [[nodiscard]] virtual tracecodec::format::open_options options() const { return how_; }
  // Opens the trace. Called without the GIL. Throws trace_error(refused) if the trace was
  // opened before and cannot be opened again.
  trace::source open();
  // Opens the bytes of the trace's stored records, whose layout table() describes: the records
  // of ChampSim, CloudSuite and described traces.
  io::input open_records();
  [[nodiscard]] std::shared_ptr<const file::record_table> table() const;
  [[nodiscard]] bool has_table() const noexcept { return table_ != nullptr; }

  [[nodiscard]] const tracecodec::format::facts& format() const noexcept { return *format_; }
  [[nodiscard]] const std::string& name() const noexcept { return name_; }
  // Returns the path to open: the trace's name, or an absolute path if the process has left
  // the folder that a relative name refers to.
  [[nodiscard]] virtual std::string path() const { return name_; }
  [[nodiscard]] const tracepack::about* packed() const noexcept { return about_.get(); }
  // Returns true if the whole trace is in memory, so that skipping does not read a file.
  [[nodiscard]] bool mapped() const noexcept { return mapped_; }
  // Returns true if table() is from the trace or the options, not from the trace's format.
  [[nodiscard]] bool described() const noexcept { return described_; }
  // Returns true if open() may be called more than once.
  [[nodiscard]] virtual bool again() const = 0;
  // Returns the warnings since the last call, one per line.
  std::string warnings();

  // Returns the object that answers queries about the trace. make() creates the object for the
  // first query, and later queries use it again. Called without the GIL.
  template <class T, class Make> std::shared_ptr<T> kept(Make&& make) {
    const auto have = [this] {
      const std::lock_guard guard(keeping_);
      // A child process of fork() makes its own object: the readers in the parent's object may
      // have threads, which fork() does not copy.
      if (!kept_in_.is_here()) kept_.reset(), kept_in_ = {};
      return kept_;
    };
    std::shared_ptr<void> it = have();
    if (it == nullptr) {
      // make() runs without the mutex, because a signal handler may call kept() meanwhile.
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
  // Moves out the source or input that begin() has opened. Discards it if begin() ran in
  // another process, whose threads it may need, and if the trace can be opened again.
  void take_begun(std::optional<trace::source>& first, std::optional<io::input>& raw);
  virtual trace::source make(const tracecodec::format::open_options& how) = 0;
  virtual io::input make_input(const io::open_options& how) = 0;

 private:
  tracecodec::format::open_options how_;
  // taking_ guards first_ and raw_, keeping_ guards kept_.
  std::mutex taking_ = {}, keeping_ = {};
  std::shared_ptr<void> kept_ = {};
  io::home_process kept_in_ = {}, begun_in_process_ = {};
  std::optional<trace::source> first_ = {};
  // Input used instead of first_ for described records that can be read only once.
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
  bool opened_ = false;  // true if the records can be read as instructions, so that open() works
};

// Returns true if the records of the trace are RapidBin events.
bool holds_events(const origin& from);

void define_errors(py::module_& m);
void define_origin(py::module_& m);
void define_questions(py::module_& m);
void define_tables(py::module_& m);
void define_metadata(py::module_& m);
void define_records(py::module_& m);
void define_instructions(py::module_& m);
void define_layouts(py::module_& m);
void define_output(py::module_& m);
// Defined only if the programs are built.
void define_convert(py::module_& m);

// Imports NumPy. Call it before any function of pybind11/numpy.h, which keeps NumPy's functions
// in a static variable. Importing NumPy releases the GIL: another thread that holds the GIL and
// waits for that variable would then deadlock.
void load_numpy();
// Returns a read-only array that shows `values` without a copy and keeps their `owner` alive.
py::array array_of(const py::dtype& type, const void* values, std::size_t n,
                   const py::handle& owner);

}  // namespace tracecodec::python
