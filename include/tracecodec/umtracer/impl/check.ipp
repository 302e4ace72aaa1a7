// Implementation of umtracer/check.hpp.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "../../file/check_engine.hpp"
#include "../check.hpp"
#include "../check/impl/instructions.hpp"
#include "../check/impl/syscalls.hpp"
#include "../check/impl/threads.hpp"
#include "../check/impl/xml.hpp"

namespace tracecodec::umtracer {

namespace detail {
// Range of consecutive record numbers.
struct record_numbers {
  std::uint64_t first = 0, count = 0;
  [[nodiscard]] std::uint64_t size() const noexcept { return count; }
};

// Source of batches for check_engine. A batch contains only record numbers. The checker reads the
// records themselves from the trace's files.
class numbered_records {
 public:
  explicit numbered_records(const std::string& folder) : opened_(folder), files_(&*opened_) {}
  explicit numbered_records(const trace_files& files) : files_(&files) {}
  numbered_records(const numbered_records&) = delete;
  numbered_records& operator=(const numbered_records&) = delete;

  [[nodiscard]] const trace_files& files() const noexcept { return *files_; }
  // Sets the number of records. next() then returns the numbers of all these records.
  void set_size(std::uint64_t n) noexcept { size_ = n; }
  [[nodiscard]] record_numbers next() noexcept {
    batch_ = {batch_.first + batch_.count, 0};
    batch_.count = std::min<std::uint64_t>(size_ - batch_.first, 4096);
    return batch_;
  }
  // Returns the number of records before the last batch, as a fraction of all records. next() must
  // have returned a batch that is not empty.
  [[nodiscard]] double progress() const noexcept {
    return static_cast<double>(batch_.first) / static_cast<double>(size_);
  }

 private:
  std::optional<trace_files> opened_ = {};
  const trace_files* files_;
  std::uint64_t size_ = 0;
  record_numbers batch_ = {};
};

class checker : tracecodec::file::check_engine<checker, file_findings> {
  using engine = tracecodec::file::check_engine<checker, file_findings>;
  friend engine;

 public:
  checker(on_finding report, check_options options, read_xml xml = {})
      : engine(std::move(report), std::move(options)), read_xml_(std::move(xml)) {}

  // Runs the check. `trace` is the trace's folder or its files.
  template <class Trace> check_summary run(const Trace& trace) {
    return engine::check<numbered_records>(trace);
  }

 private:
  using engine::found, engine::sum;

  void not_opened(const trace_error& e) { engine::add(rule::damaged, e); }
  void opened(numbered_records& from) {
    files_ = &from.files();
    for (std::size_t i = 0; i < file_count; ++i)
      if (const auto f = static_cast<file>(i); !files_->has(f))
        found().add(f == file::xml ? rule::missing_xml : rule::missing_file, f, {}, {}, "missing");
    if (files_->has(file::exec_records)) exec_ = exec_files(*files_, found());
    check_tables(*files_);
    if (!files_->has(file::exec_records)) return;
    if (threads_ && exec_.known()) by_thread_.emplace(found(), exec_, *threads_);
    if (syscalls_) {
      calls_.emplace(found(), *files_, exec_, *syscalls_);
      calls_->run();
    }
    from.set_size(exec_.size());
  }
  void batch(record_numbers b) { check_records(*files_, b); }
  bool failed(const trace_error& e, const numbered_records&) {
    engine::add(rule::damaged, e);
    return false;
  }
  void ended(const numbered_records& from) {
    const trace_files& files = from.files();
    sum().records = exec_.size();
    if (by_thread_) by_thread_->finish();
    check_metadata(files);
    found().attempt(rule::damaged, [&] {
      files.check();
      return true;
    });
  }
  void check_metadata(const trace_files& files) {
    if (!files.has(file::xml) || !read_xml_) return;
    if (const auto m = found().attempt(rule::xml, [&] { return read_xml_(files); }))
      check_xml(found(), *m, modes_, modules_ ? &*modules_ : nullptr);
  }

  // Returns the result of make(), or nullopt if the file is missing or make() throws trace_error.
  template <class F> auto open(const trace_files& files, file f, F&& make)
      -> std::optional<decltype(make())> {
    if (!files.has(f)) return std::nullopt;
    return found().attempt(rule::table, make);
  }
  // Opens a table with rows of `Codec`. First checks the table's header, except for the row count.
  template <class Table, class Codec, class... Arguments>
  std::optional<Table> open_rows(const trace_files& files, file f, const Arguments&... more) {
    return open(files, f, [&] {
      check_table_place(files, f, files.header<table_header_codec>(f), Codec::size);
      return Table(files, more..., true);
    });
  }

  void check_tables(const trace_files& files) {
    table_checker tables(found(), files);
    map_ = open(files, file::context_map, [&] { return context_map(files); });
    if (map_) tables.run(*map_);
    modules_ = open_rows<module_table, module_codec>(files, file::modules);
    if (modules_)
      tables.run(*modules_, exec_.size() == 0 ? std::nullopt : std::optional(exec_.size()));
    const auto ranges = open_rows<row_table<address_range_codec>, address_range_codec>(
        files, file::address_ranges, file::address_ranges);
    if (ranges) tables.run(*ranges);
    threads_ =
        open_rows<row_table<thread_codec>, thread_codec>(files, file::threads, file::threads);
    if (threads_) check_rows(found(), files, file::threads, *threads_, 0, false);
    if (files.has(file::syscall_offsets))
      syscalls_ = open(files, file::syscall_records, [&] {
        (void)files.header<syscall_header_codec>(file::syscall_records);
        return syscall_table(files, true);
      });
    const auto table = open_rows<instruction_table, instruction_codec>(files, file::instructions);
    const auto known = modules_ ? std::optional(modules_->size()) : std::nullopt;
    if (table) instructions_ = instruction_checker(found(), files, *table, known).run();
    check_summary& sum = found().sum;
    sum.modules = modules_ ? modules_->size() : 0;
    sum.ranges = ranges ? ranges->size() : 0;
    sum.threads = threads_ ? threads_->size() : 0;
    sum.syscalls = syscalls_ ? syscalls_->size() : 0;
    sum.instructions = table ? table->size() : 0;
  }

  void check_records(const trace_files& files, record_numbers ids) {
    const context_map map = map_.value_or(context_map());
    for (std::uint64_t id = ids.first; id != ids.first + ids.count; ++id) {
      const auto place = exec_.place_of(id);
      if (const auto bytes = exec_.bytes(place))
        check_record({files, map, id, place.begin, *bytes});
      else
        found().add(rule::record_offset, file::exec_offsets, 8 * id, id,
                    std::to_string(place.begin) + ", then " + std::to_string(place.end));
    }
  }

  void check_record(const record_view& r) {
    const auto type = static_cast<unsigned>(r.type());
    if (type == 7 || type > 11)
      bad(r, rule::opaque_record, exec_record_codec::offset_of<&exec_record::type>,
          "type " + std::to_string(type));
    if ((r.flags() & exec_flags::unreliable) != 0)
      bad(r, rule::unreliable, exec_record_codec::offset_of<&exec_record::flags>,
          "flags " + hex(r.flags()));
    if (r.type() == exec_type::application_end && r.id() + 1 != exec_.size())
      bad(r, rule::application_end, exec_record_codec::offset_of<&exec_record::type>,
          std::to_string(exec_.size() - r.id() - 1) + " records after it");
    if (by_thread_) by_thread_->add(r.id(), {r.thread(), r.type(), r.flags()});
    if (r.type() == exec_type::instruction) check_instruction(r);
    if (r.has_exit_code()) read([&] { return r.exit_code(); });
    if (r.has_syscall()) check_syscall(r);
    if (r.has_context() && map_) check_context(r);
  }
  // Returns the result of f(), or nullopt after reporting a trace_error that f() throws.
  template <class F> auto read(F&& f) -> std::optional<decltype(f())> {
    return found().attempt(
        [](const trace_error& e) {
          return e.code() == trace_errc::truncated ? rule::record_short : rule::context;
        },
        std::forward<F>(f));
  }

  void check_instruction(const record_view& r) {
    ++(r.code64() ? modes_.code64 : modes_.code32);
    const auto id = read([&] { return r.instruction_id(); });
    if (!id || !instructions_) return;
    const std::int64_t row = *id;
    if (row < 0 || static_cast<std::uint64_t>(row) >= instructions_->size())
      return bad(r, rule::instruction_id, exec_record_codec::size,
                 std::to_string(row) + " of " + std::to_string(instructions_->size()));
    const auto& known = (*instructions_)[static_cast<std::size_t>(row)];
    if (known.decoded && r.values().size() < known.values_size)
      bad(r, rule::values_size, front_with<&execution::values>,
          std::to_string(r.values().size()) + " bytes of " + std::to_string(known.values_size));
    if (known.code64 != r.code64())
      bad(r, rule::code_mode, exec_record_codec::offset_of<&exec_record::flags>,
          "instruction " + std::to_string(row) + " differs");
  }

  void check_context(const record_view& r) {
    const auto context = read([&] { return r.context(); });
    if (!context) return;
    const auto at = static_cast<std::size_t>(context->bytes().data() - r.data().data());
    const std::size_t fields =
        context_record_codec::size + context_memory_codec::size * context->memory_count();
    // A pointer to data of size 0 may have any value. Other pointers must point past the fields.
    const auto check = [&](std::size_t size, std::uint64_t to, std::size_t field,
                           const char* what) {
      if (size != 0 && to < fields)
        bad(r, rule::context, exec_record_codec::size + at + field,
            std::string(what) + " at " + std::to_string(to) + ", inside the context's fields");
    };
    const auto registers = context->buffer();
    check(registers.size(), static_cast<std::uint64_t>(registers.data() - context->bytes().data()),
          context_record_codec::offset_of<&context_record::registers>, "registers");
    for (std::size_t i = 0; i < context->memory_count(); ++i)
      check(context->memory(i).bytes.size(),
            static_cast<std::uint64_t>(context->row(i).data.offset),
            context_record_codec::size + context_memory_codec::size * i +
                context_memory_codec::offset_of<&context_memory::data>,
            "memory");
  }

  void check_syscall(const record_view& r) {
    const auto id = read([&] { return r.syscall_id(); });
    const std::int64_t call = id.value_or(-1);
    if (!id || !syscalls_ || (call == -1 && r.type() == exec_type::syscall_exit)) return;
    if (call < 0 || static_cast<std::uint64_t>(call) >= syscalls_->size())
      return bad(r, rule::syscall_id, exec_record_codec::size,
                 std::to_string(call) + " of " + std::to_string(syscalls_->size()));
    calls_->check_naming(r.id(), r.type(), static_cast<std::size_t>(call));
  }

  void bad(const record_view& r, rule broken, std::size_t at, const std::string& message) {
    found().add(broken, file::exec_records, r.offset() + at, r.id(), message);
  }

  const trace_files* files_ = nullptr;
  read_xml read_xml_;
  code_modes modes_ = {};
  std::optional<module_table> modules_ = {};
  std::optional<context_map> map_ = {};
  std::optional<row_table<thread_codec>> threads_ = {};
  std::optional<syscall_table> syscalls_ = {};
  std::optional<std::vector<known_instruction>> instructions_ = {};
  exec_files exec_ = {};
  std::optional<thread_checker> by_thread_ = {};
  std::optional<syscall_checker> calls_ = {};
};
}  // namespace detail

TRACECODEC_FUNC check_summary check(const std::string& folder, on_finding report,
                                    check_options options, read_xml xml) {
  return detail::checker(std::move(report), std::move(options), std::move(xml)).run(folder);
}
TRACECODEC_FUNC check_summary check(const trace_files& files, on_finding report,
                                    check_options options, read_xml xml) {
  return detail::checker(std::move(report), std::move(options), std::move(xml)).run(files);
}

}  // namespace tracecodec::umtracer
