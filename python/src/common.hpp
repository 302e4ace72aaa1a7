// What the parts of tracecodec._core share: errors, signals, memory that NumPy takes over.
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

// Gives the interpreter's lock away, and takes it again. A thread that comes back while the interpreter ends waits for
// good, as in Python 3.14: before, Python ends it by unwinding its stack, which no C++ survives.
class released {
 public:
  released() noexcept : state_(PyEval_SaveThread()) {}
  released(const released&) = delete;
  released& operator=(const released&) = delete;
  ~released();

 private:
  PyThreadState* state_;
};
// Takes the lock where it may not be there.
class locked {
 public:
  locked() noexcept;
  locked(const locked&) = delete;
  locked& operator=(const locked&) = delete;
  ~locked() { PyGILState_Release(state_); }

 private:
  PyGILState_STATE state_;
};

// What the handler of a signal has raised since it was made, on the thread that handles signals; it is set as the
// interpreter's error, and the library has stopped for it.
class raised_by_signal {
 public:
  raised_by_signal() noexcept;
  explicit operator bool() const noexcept;
};

// Runs f() without the interpreter's lock. Signals that come meanwhile are handled wherever the library reads or writes
// a file: if their handler raises, as Ctrl-C's does, that is thrown here.
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
// Handles signals that have come. To be called in f(); throws if their handlers raise.
void handle_signals();

// Text of a file as Python's: what is no UTF-8 becomes surrogates, as in the names of files.
py::object text_of(std::string_view s);

// Returns the first format whose records those of a table can become.
const tracecodec::format::facts* format_of_tables() noexcept;

// What a trace is opened of, and how: opened again for each reader, unless it can be read only once.
class origin {
 public:
  virtual ~origin() = default;

  // With paths as path().
  [[nodiscard]] virtual tracecodec::format::open_options options() const { return how_; }
  // Without the lock. Throws trace_error(refused) if it was opened before and cannot be again.
  trace::source open();
  // The bytes of its own records, of which table() says what they are: of ChampSim's, CloudSuite's and described ones.
  io::input open_records();
  [[nodiscard]] std::shared_ptr<const file::record_table> table() const;
  [[nodiscard]] bool has_table() const noexcept { return table_ != nullptr; }

  [[nodiscard]] const tracecodec::format::facts& format() const noexcept { return *format_; }
  [[nodiscard]] const std::string& name() const noexcept { return name_; }
  // Where it is opened again: its name, but for a relative path of a process that is elsewhere now.
  [[nodiscard]] virtual std::string path() const { return name_; }
  [[nodiscard]] const tracepack::about* packed() const noexcept { return about_.get(); }
  // Whether it is in memory as a whole: then skipping asks no file.
  [[nodiscard]] bool mapped() const noexcept { return mapped_; }
  // Whether table() is given, not its format's.
  [[nodiscard]] bool described() const noexcept { return described_; }
  // Whether open() may be called more than once.
  [[nodiscard]] virtual bool again() const = 0;
  // Warnings since the last call.
  std::string warnings();

  // What answers questions about it: made by make() when the first one is asked, and kept. Without the lock.
  template <class T, class Make> std::shared_ptr<T> kept(Make&& make) {
    const auto have = [this] {
      const std::lock_guard guard(keeping_);
      // In a child that fork() made they are asked anew: what they read with may have threads, which are not here.
      if (!kept_in_.is_here()) kept_.reset(), kept_in_ = {};
      return kept_;
    };
    std::shared_ptr<void> it = have();
    if (it == nullptr) {
      // A signal may come meanwhile, and its handler ask, too.
      std::shared_ptr<T> made = make();
      const std::lock_guard guard(keeping_);
      if (kept_ == nullptr) kept_ = std::move(made);
      it = kept_;
    }
    return std::static_pointer_cast<T>(it);
  }

 protected:
  explicit origin(tracecodec::format::open_options how);
  // Opens it for the first time.
  void begin();
  // Takes what begin() has opened, unless that was in another process, whose threads it may need, and it can be opened
  // again.
  void take_begun(std::optional<trace::source>& first, std::optional<io::input>& raw);
  virtual trace::source make(const tracecodec::format::open_options& how) = 0;
  virtual io::input make_input(const io::open_options& how) = 0;

 private:
  tracecodec::format::open_options how_;
  std::mutex taking_ = {}, keeping_ = {};  // of what is there once; of kept_
  std::shared_ptr<void> kept_ = {};
  io::home_process kept_in_ = {}, begun_in_process_ = {};
  std::optional<trace::source> first_ = {};
  std::optional<io::input> raw_ = {};  // instead, of described records that can be read once
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
  bool opened_ = false;  // its records are instructions, so that open() has them
};

// Returns whether the records of the trace are events of RapidBin's form.
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
void define_convert(py::module_& m);  // where the programs are built

// To be called before anything of pybind11/numpy.h is. What that finds in NumPy it keeps in a static, and to import NumPy
// gives the interpreter's lock away: a thread that has the lock and waits for the static would wait for good.
void load_numpy();
// An array that shows `values`, which `owner` keeps. Read-only.
py::array array_of(const py::dtype& type, const void* values, std::size_t n,
                   const py::handle& owner);

}  // namespace tracecodec::python
