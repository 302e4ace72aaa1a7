// Opens a trace from a path, from bytes or from a Python file, and parses the options.
#include <algorithm>
#include <cstring>
#include <exception>
#include <filesystem>
#include <memory>
#include <system_error>
#include <utility>
#include <vector>

#include <tracecodec/file/record_table.hpp>
#include <tracecodec/io/input/truncation.hpp>
#include <tracecodec/io/open.hpp>
#include <tracecodec/io/os/filesystem.hpp>
#include <tracecodec/trace/about.hpp>
#include <tracecodec/trace/described.hpp>
#include <tracecodec/trace/layouts.hpp>
#include <tracecodec/trace/limits.hpp>
#include <tracecodec/tracepack/about.hpp>
#include <tracecodec/tracepack/open.hpp>
#include <tracecodec/tracepack/recognise.hpp>
#include <tracecodec/wire/table.hpp>

#include "common.hpp"

namespace tracecodec::python {

namespace {
// Returns true if the options select any threads by their names.
bool names_thread(const format::own_options& own) {
  const format::option* const several = trace::find_option("thread");
  return several != nullptr && several->is_set(own);
}
}  // namespace

const format::facts* format_of_tables() noexcept {
  const auto all = trace::all_formats();
  const auto first =
      std::find_if(all.begin(), all.end(), [](const auto* f) { return f->takes_tables; });
  return first != all.end() ? *first : nullptr;
}

origin::origin(tracecodec::format::open_options how)
    : how_(std::move(how)), warnings_(std::make_shared<noted>()) {
  how_.note = how_.warn = [to = warnings_](const std::string& line) {
    const std::lock_guard guard(to->mutex);
    (to->lines += line) += '\n';
  };
}

void origin::begin() {
  if (how_.record != nullptr && !again()) {
    raw_.emplace(make_input(how_.input));
    name_ = raw_->name();
    table_ = how_.record;
    described_ = true;
    format_ = &trace::format_of_record(name_, how_);
    return;
  }
  try {
    first_.emplace(make(how_));
  } catch (const trace_error& e) {
    // Records without an ip cannot be read as instructions, but they can be read as records.
    if (e.code() != trace_errc::refused || e.field() != "ip") throw;
    io::input in = make_input(how_.input);
    name_ = in.name();
    table_ = how_.record;
#if defined(TRACECODEC_WITH_ZSTD)
    if (tracepack::begins_like_a_pack(in.peek(tracepack::magic.size())))
      about_ = std::make_shared<const tracepack::about>(tracepack::reader(std::move(in)).about());
    if (table_ == nullptr && about_ != nullptr)
      table_ = std::make_shared<const file::record_table>(
          file::parse_record_table(about_->table, name_));
#endif
    if (table_ == nullptr) throw;
    if (about_ != nullptr && about_->kind != tracepack::record_kind::bytes)
      table_ = std::make_shared<const file::record_table>(table_->with_header(0));
    described_ = true;
    return;
  }
  opened_ = true;
  format_ = &first_->format();
  name_ = first_->name();
  if (names_thread(how_.own) && !format_->has(*trace::find_option("thread")))
    throw trace_error(
        trace_errc::refused, {.file = name_},
        "a trace in format " + std::string(format_->name) +
            " has no names of threads: only STD text and RapidBin's metadata have them");
  about_ = first_->packed();
  mapped_ = about_ == nullptr && first_->record() == nullptr && !format_->is_folder() &&
            first_->input().mapped();
  described_ = first_->record() != nullptr;
  if (described_) {
    table_ = first_->record();
  } else if (format_->takes_tables) {
    std::string text;
    wire::print_table(trace::layouts_of(*format_).back().rows,
                      [&text](std::string_view s) { text += s; });
    table_ = std::make_shared<const file::record_table>(file::parse_record_table(text, name_));
  }
}

std::string origin::warnings() {
  const std::lock_guard guard(warnings_->mutex);
  return std::exchange(warnings_->lines, {});
}

std::shared_ptr<const file::record_table> origin::table() const {
  if (table_ == nullptr)
    throw trace_error(
        trace_errc::refused, {.file = name_},
        "a trace of this format has no records of fixed size: read its instructions instead");
  return table_;
}

void origin::take_begun(std::optional<trace::source>& first, std::optional<io::input>& raw) {
  {
    const std::lock_guard guard(taking_);
    first.swap(first_);
    raw.swap(raw_);
  }
  if (!begun_in_process_.is_here() && again()) first.reset(), raw.reset();
}

// Returns the source that begin() has opened, but only to the first caller. Later callers get a new
// source, unless the trace can be read only once.
trace::source origin::open() {
  std::optional<trace::source> first;
  std::optional<io::input> raw;
  take_begun(first, raw);
  if (first) return std::move(*first);
  if (raw) return trace::source(std::move(*raw), options());
  if (!again()) throw trace_error(trace_errc::refused, {.file = name_}, "can be read only once");
  return make(options());
}

io::input origin::open_records() {
  static_cast<void>(table());
  if (opened_) {
    trace::source from = open();
    return std::move(from.input());
  }
  // The records cannot be read as instructions, so open the records themselves.
  std::optional<trace::source> first;
  std::optional<io::input> in;
  take_begun(first, in);
  if (!in && !again())
    throw trace_error(trace_errc::refused, {.file = name_}, "can be read only once");
  if (!in) in.emplace(make_input(how_.input));
#if defined(TRACECODEC_WITH_ZSTD)
  const auto lost = trace::lost_of(how_);
  if (tracepack::begins_like_a_pack(in->peek(tracepack::magic.size())))
    return tracepack::open_content(
        tracepack::reader(std::move(*in), {.lost = lost, .threads = how_.threads}), lost);
#endif
  return std::move(*in);
}

namespace {

// Base folder for relative paths: the current folder of the process at the time of construction.
class place {
 public:
  place() : folder_(std::filesystem::current_path(ignored_)) {}

  [[nodiscard]] std::string of(const std::string& path) const {
    const auto relative = io::path_of(path);
    std::error_code failed;
    if (path.empty() || path == "-" || relative.is_absolute() || folder_.empty() ||
        (std::filesystem::current_path(failed) == folder_ && !failed))
      return path;
    return io::name_of(folder_ / relative);
  }

 private:
  std::error_code ignored_ = {};
  std::filesystem::path folder_;
};

class path_origin final : public origin {
 public:
  path_origin(std::string path, tracecodec::format::open_options how)
      : origin(std::move(how)), path_(std::move(path)) {
    std::error_code ignored;
    const auto at = io::path_of(path_);
    again_ = path_ != "-" && (std::filesystem::is_regular_file(at, ignored) ||
                              std::filesystem::is_directory(at, ignored));
    unlocked([this] { begin(); });
  }

  [[nodiscard]] bool again() const override { return again_; }
  [[nodiscard]] bool can_have_index() const override {
    return again_ && !tracecodec::format::changes_reading(options());
  }
  [[nodiscard]] std::string path() const override { return begun_in_.of(path_); }
  [[nodiscard]] tracecodec::format::open_options options() const override {
    tracecodec::format::open_options now = origin::options();
    if (now.maps) now.maps = begun_in_.of(*now.maps);
    for (const auto* const f : trace::all_formats())
      for (const auto* const own : f->options) move_files(*own, now.own);
    return now;
  }

 private:
  trace::source make(const tracecodec::format::open_options& how) override {
    return trace::source(path(), how);
  }
  io::input make_input(const io::open_options& how) override { return io::open_input(path(), how); }

  // Resolves the relative paths in an option's file names. They are relative to the current folder
  // at the time when the trace was opened. Absolute paths are not changed.
  void move_files(const tracecodec::format::option& one,
                  tracecodec::format::own_options& all) const {
    if (one.use != tracecodec::format::option_use::files || one.files == nullptr ||
        one.reset == nullptr)
      return;
    const std::vector<std::string> files = one.files(all);
    if (files.empty()) return;
    one.reset(all);
    for (const std::string& file : files) one.set(all, begun_in_.of(file));
  }

  std::string path_;
  place begun_in_ = {};
  bool again_ = false;
};

class bytes_origin final : public origin {
 public:
  bytes_origin(const py::buffer& bytes, std::string name, tracecodec::format::open_options how)
      : origin(std::move(how)), bytes_(bytes.request()), name_(std::move(name)) {
    if (PyBuffer_IsContiguous(bytes_.view(), 'C') == 0)
      throw py::type_error("the bytes are not contiguous");
    unlocked([this] { begin(); });
  }

  [[nodiscard]] bool again() const override { return true; }

 private:
  // Open the bytes again, because each reader decompresses them independently.
  [[nodiscard]] io::input make_input(const io::open_options& how) override {
    const std::span all(static_cast<const std::byte*>(bytes_.ptr),
                        static_cast<std::size_t>(bytes_.view()->len));
    io::input once = io::open_bytes(all, name_, how);
    if (once.mapped()) return once;
    return io::open_sources([all] { return std::make_unique<io::memory_source>(all); }, name_, how);
  }
  trace::source make(const tracecodec::format::open_options& how) override {
    return trace::source(make_input(how.input), how);
  }

  py::buffer_info bytes_;
  std::string name_;
};

// Byte source that calls read() of a Python file. If read() raises an Exception, the source first
// returns the bytes that it has, and then throws a trace_error. Other exceptions, such as
// KeyboardInterrupt, are not converted.
class file_source final : public io::source {
 public:
  file_source(py::object read, std::string name) : read_(std::move(read)), name_(std::move(name)) {}
  file_source(const file_source&) = delete;
  file_source& operator=(const file_source&) = delete;
  ~file_source() override {
    const locked here;
    read_ = py::object();
  }

  // Returns the bytes that were read before an error. The next call then throws the error.
  std::size_t read(std::span<std::byte> out) override {
    if (failure_) std::rethrow_exception(failure_);
    std::size_t done = 0;
    const locked here;
    try {
      while (done != out.size()) {
        const std::size_t n = piece(out.subspan(done));
        if (n == 0) break;
        done += n;
      }
    } catch (py::error_already_set& e) {
      if (!e.matches(PyExc_Exception)) throw;
      failure_ = std::make_exception_ptr(
          trace_error(trace_errc::system, {.file = name_}, "its read() failed: " + text_of(e)));
      if (done == 0) std::rethrow_exception(failure_);
    }
    return done;
  }

 private:
  // Returns the exception as one line of text, in the form of the last line of a Python traceback.
  static std::string text_of(const py::error_already_set& e) {
    const auto type = py::str(e.type().attr("__name__")).cast<std::string>();
    const auto what = py::str(e.value()).cast<std::string>();
    return what.empty() ? type : type + ": " + what.substr(0, what.find('\n'));
  }
  std::size_t piece(std::span<std::byte> out) {
    const py::object piece = read_(out.size());
    if (piece.is_none()) {
      PyErr_SetString(PyExc_BlockingIOError, "it has no data yet and does not block");
      throw py::error_already_set();
    }
    if (!PyObject_CheckBuffer(piece.ptr()))
      throw py::type_error("read() of the file does not return bytes: open it in binary mode");
    const py::buffer_info bytes = py::reinterpret_borrow<py::buffer>(piece).request();
    if (PyBuffer_IsContiguous(bytes.view(), 'C') == 0)
      throw py::type_error("read() of the file returns bytes that are not contiguous");
    const auto n = static_cast<std::size_t>(bytes.view()->len);
    if (n > out.size()) throw py::value_error("read() of the file returns more than requested");
    std::memcpy(out.data(), bytes.ptr, n);
    return n;
  }

  py::object read_;
  std::string name_;
  std::exception_ptr failure_ = {};
};

class file_origin final : public origin {
 public:
  file_origin(py::object read, std::string name, tracecodec::format::open_options how)
      : origin(std::move(how)), read_(std::move(read)), name_(std::move(name)) {
    unlocked([this] { begin(); });
  }

  [[nodiscard]] bool again() const override { return false; }

 private:
  io::input make_input(const io::open_options& how) override {
    const locked here;
    return io::open_source(std::make_unique<file_source>(read_, name_), name_, how);
  }
  trace::source make(const tracecodec::format::open_options& how) override {
    return trace::source(make_input(how.input), how);
  }

  py::object read_;
  std::string name_;
};

[[noreturn]] void refuse(const std::string& why) { throw py::value_error(why); }

// Sets an option that only some formats support. `name` contains underscores instead of hyphens.
// Returns false if there is no such option.
bool set_own(format::own_options& to, const std::string& name, const py::handle& value) {
  std::string hyphenated = name;
  std::replace(hyphenated.begin(), hyphenated.end(), '_', '-');
  const format::option* const one = trace::find_option(hyphenated);
  if (one == nullptr || !format::is_of_reading(one->use)) return false;
  const auto set = [&](const std::string& text) {
    if (!one->set(to, text)) refuse(name + ": expected " + std::string(one->expected));
  };
  if (one->repeats && (py::isinstance<py::list>(value) || py::isinstance<py::tuple>(value))) {
    for (const py::handle each : value) set(py::cast<std::string>(each));
    return true;
  }
  if (!one->value.empty() && py::isinstance<py::bool_>(value))
    refuse(name + ": expected " + std::string(one->expected));
  std::string text;  // value of the option; empty for a flag
  if (one->value.empty()) {
    if (!py::cast<bool>(value)) return true;
  } else if (py::isinstance<py::int_>(value)) {
    text = py::cast<std::string>(py::str(value));
  } else {
    text = py::cast<std::string>(value);
  }
  set(text);
  return true;
}

format::open_options options_of(const py::dict& given) {
  format::open_options how;
  std::optional<std::uint64_t> record_offset;
  // Limit the memory to the size that two blocks of 4 MiB need to be decoded at the same time.
  // Together with the interpreter and NumPy, the blocks then need less than 64 MiB.
  how.input.xz.threading_memory = std::uint64_t{25} << 20;
  for (const auto& [key, value] : given) {
    const std::string name = py::cast<std::string>(key);
    if (value.is_none()) continue;
    const auto text = [&value = value] { return py::cast<std::string>(value); };
    try {
      if (name == "format") {
        how.format = trace::find_format(text());
        if (how.format == nullptr) refuse("there is no format '" + text() + "'");
      } else if (name == "compression") {
        how.input.compression = io::codec_of_name(text());
        if (!how.input.compression) refuse("there is no compression '" + text() + "'");
      } else if (name == "record") {
        how.record =
            std::make_shared<const file::record_table>(file::parse_record_table(text(), "record"));
      } else if (name == "record_offset") {
        record_offset = py::cast<std::uint64_t>(value);
      } else if (name == "thread") {
        if (py::isinstance<py::str>(value))
          set_own(how.own, "thread", value);
        else
          how.thread = py::cast<std::uint32_t>(value);
      } else if (name == "repair") {
        how.repair = py::cast<bool>(value);
      } else if (name == "registers") {
        how.registers = py::cast<bool>(value);
      } else if (name == "maps") {
        how.maps = text();
      } else if (name == "memory") {
        how.input.limit_memory(py::cast<std::uint64_t>(value));
      } else if (name == "threads") {
        const auto n = py::cast<std::uint64_t>(value);
        if (n > trace::most_threads)
          refuse("threads: expected at most " + std::to_string(trace::most_threads) + ", got " +
                 std::to_string(n));
        how.threads = how.input.xz.threads = static_cast<unsigned>(n);
        how.input.xz.threading_memory = io::usual_memory_limit;
      } else if (!set_own(how.own, name, value)) {
        throw py::type_error("there is no option '" + name + "'");
      }
    } catch (const py::cast_error&) {
      throw py::type_error(name + ": " + py::cast<std::string>(py::repr(value)) +
                           " is not a possible value");
    }
  }
  if (record_offset) {
    if (!how.record) refuse("record_offset: needs record=, which describes the records");
    if (*record_offset > file::record_table::largest_header)
      refuse("record_offset: expected 0 to 2**30");
    how.record =
        std::make_shared<const file::record_table>(how.record->with_header(*record_offset));
  }
  return how;
}

// Returns the statements that the trace contains about itself. Returns None for an unpacked trace
// without statements. An unpacked trace that can be read only once is not opened, so its result is
// also None.
py::object about_of(origin& o) {
  const auto all = unlocked([&o]() -> std::vector<format::statement> {
    if (o.packed() != nullptr) return trace::about(*o.packed());
    if (!o.again()) return {};
    return trace::about(o.open());
  });
  if (all.empty() && o.packed() == nullptr) return py::none();
  py::dict d;
  for (const format::statement& s : all) d[text_of(s.name)] = text_of(s.value);
  return d;
}

// Returns the record size, and a tuple for each column. The tuple contains the name, kind, offset,
// element size, and number of elements. It continues with two flags (is an array, is big-endian),
// and with the lowest bit and the bit count of a slice. Sizes are in bytes.
py::tuple columns_of(const file::record_table& t) {
  constexpr const char* kinds[] = {"u", "i", "f", "?"};
  py::list all;
  for (const file::record_column& c : t.columns())
    all.append(py::make_tuple(c.name, kinds[static_cast<std::size_t>(c.kind)], c.offset, c.width,
                              c.count, c.array, c.byte_order == wire::order::big, c.low_bit,
                              c.bits));
  return py::make_tuple(t.size(), std::move(all));
}

// Returns true if the traced program is a 32-bit program. Returns false, without opening the trace,
// if the trace cannot be opened again or if its format has no layouts for 32-bit programs.
bool is_narrow(origin& o) {
  const bool may_be =
      trace::layouts_of(o.format(), true).data() != trace::layouts_of(o.format()).data();
  return may_be && o.again() && unlocked([&o] { return trace::is_narrow(o.open()); });
}

}  // namespace

void define_origin(py::module_& m) {
  py::dict known;
  for (const std::string_view name : trace::known_tables())
    known[py::str(std::string(name))] = trace::read_table(std::string(name)).text();
  m.attr("known_tables") = known;
  // Names of format-specific options, with underscores instead of hyphens.
  py::set own;
  for (const format::facts* const f : trace::all_formats())
    for (const format::option* const one : f->options) {
      std::string name(one->name);
      std::replace(name.begin(), name.end(), '-', '_');
      if (format::is_of_reading(one->use)) own.add(py::str(name));
    }
  m.attr("own_options") = py::frozenset(own);
  // Turn the truncation of a mapped file into an error. Without this handler, a truncation would
  // end the interpreter.
  io::install_sigbus_handler();
  using made = std::unique_ptr<origin>;
  py::class_<origin>(m, "Origin")
      .def_static("of_path",
                  [](const py::bytes& path, const py::dict& o) -> made {
                    return std::make_unique<path_origin>(path, options_of(o));
                  })
      .def_static("of_bytes",
                  [](const py::buffer& b, std::string name, const py::dict& o) -> made {
                    return std::make_unique<bytes_origin>(b, std::move(name), options_of(o));
                  })
      .def_static("of_file",
                  [](py::object read, std::string name, const py::dict& o) -> made {
                    return std::make_unique<file_origin>(std::move(read), std::move(name),
                                                         options_of(o));
                  })
      .def_property_readonly("format", [](const origin& o) { return std::string(o.format().name); })
      .def_property_readonly("record",
                             [](const origin& o) { return std::string(o.format().record); })
      .def_property_readonly("holds_events", &holds_events)
      // True if the number of instructions is known without reading the records.
      .def_property_readonly("counted",
                             [](const origin& o) {
                               return o.packed() != nullptr || o.format().is_folder() ||
                                      (o.mapped() && (o.has_table() || holds_events(o)));
                             })
      .def_property_readonly("has_table", &origin::has_table)
      .def_property_readonly("name", [](const origin& o) { return text_of(o.name()); })
      .def_property_readonly("mapped", &origin::mapped)
      .def_property_readonly("narrow", &is_narrow)
      .def_property_readonly("again", &origin::again)
      .def_property_readonly("described", &origin::described)
      .def_property_readonly("about", &about_of)
      .def_property_readonly("packed", [](const origin& o) { return o.packed() != nullptr; })
      .def("warnings", [](origin& o) { return text_of(o.warnings()); })
      .def("table", [](const origin& o) { return o.table()->text(); })
      .def("columns", [](const origin& o) { return columns_of(*o.table()); });
}

}  // namespace tracecodec::python
