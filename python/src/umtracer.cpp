// Queries on UMTracer traces, and access to the tables of these traces.
#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <memory>
#include <mutex>
#include <utility>

#include <tracecodec/umtracer/layout/utf16.hpp>
#include <tracecodec/umtracer/query/memory_access.hpp>
#include <tracecodec/umtracer/query/memory_at.hpp>
#include <tracecodec/umtracer/query/registers_at.hpp>
#include <tracecodec/umtracer/reader.hpp>
#include <tracecodec/umtracer/reader/addresses.hpp>

#include "queries.hpp"

namespace tracecodec::python {

namespace {

namespace um = tracecodec::umtracer;
using shared_reader = std::shared_ptr<const um::reader>;

class umtracer_registers final : public register_set {
 public:
  umtracer_registers(shared_reader trace, std::uint64_t n)
      : register_set(n, ip_of(*trace, n), (*trace)[n].thread()),
        trace_(std::move(trace)),
        code64_((*trace_)[n].code64()),
        state_(um::registers_at(*trace_, n)) {
    state_.on_poll([] { throw poll_hook(); });
  }

  [[nodiscard]] std::vector<std::string> names() const override {
    const um::context_map& map = trace_->registers();
    std::vector<std::string> all;
    for (std::uint16_t id = 0; id != map.size(); ++id) {
      const um::register_info i = map.info(id, code64_);
      if (!i.present() || i.offset + i.size > map.dump_size()) continue;
      std::string name(map.name(id));
      for (char& c : name)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + 32);
      if (!name.empty()) all.push_back(std::move(name));
    }
    return all;
  }
  std::optional<register_bytes> get(const std::string& name) override {
    const auto id = trace_->registers().find(name);
    if (!id) return std::nullopt;
    // The state stores its progress, so each attempt continues where the previous one paused.
    for (;; handle_signals()) {
      try {
        const std::lock_guard guard(mutex_);
        const um::register_value v = state_.get(*id);
        if (v.bytes.empty()) return std::nullopt;
        register_bytes found;
        for (const um::known_byte& b : v.bytes) {
          found.values.push_back(b.known ? std::to_integer<std::uint8_t>(b.value)
                                         : std::uint8_t{0});
          found.known.push_back(b.known ? 1 : 0);
        }
        return found;
      } catch (const poll_hook&) {
      }
    }
  }

 private:
  struct poll_hook {};
  static std::optional<std::uint64_t> ip_of(const um::reader& trace, std::uint64_t n) {
    const um::record_view r = trace[n];
    if (r.type() != um::exec_type::instruction) return std::nullopt;
    return um::instruction_address(trace, trace.row_of(r));
  }

  shared_reader trace_;
  bool code64_;
  std::mutex mutex_ = {};
  um::register_state state_;
};

class umtracer_state final : public queries {
 public:
  explicit umtracer_state(origin& from)
      : trace_(std::make_shared<const um::reader>(
            from.path(), um::reader_options{.lenient = from.options().repair})) {}

  [[nodiscard]] const shared_reader& trace() const noexcept { return trace_; }

  std::unique_ptr<register_set> at(std::uint64_t n) override {
    if (n >= trace_->size()) no_instruction(n, trace_->size());
    return std::make_unique<umtracer_registers>(trace_, n);
  }
  void memory(std::uint64_t address, std::optional<std::uint64_t> n, std::span<std::uint8_t> values,
              std::span<std::int64_t> origins) override {
    const std::uint64_t before = record(n);
    if (trace_->size() == 0) return;
    const bool end = before == trace_->size();
    const um::memory_state found =
        um::memory_at(*trace_, end ? before - 1 : before, {address, values.size()},
                      end ? um::moment::after : um::moment::before, handle_signals);
    for (std::size_t i = 0; i != found.bytes.size(); ++i) {
      const um::known_byte& b = found.bytes[i];
      if (!b.known) continue;
      values[i] = std::to_integer<std::uint8_t>(b.value);
      origins[i] = static_cast<std::int64_t>(b.record);
    }
  }
  std::optional<memory_touch> last_write(std::uint64_t address, std::uint64_t size,
                                         std::optional<std::uint64_t> before) override {
    return touch_of_access(
        um::last_write(*trace_, record(before), {address, size}, handle_signals));
  }
  std::optional<memory_touch> next_access(std::uint64_t address, std::uint64_t size,
                                          std::uint64_t since) override {
    constexpr std::uint8_t kinds = um::access_kinds::read | um::access_kinds::write;
    return touch_of_access(
        um::next_access(*trace_, record(since), {address, size}, kinds, handle_signals));
  }

 private:
  std::uint64_t record(std::optional<std::uint64_t> n) const {
    if (n.value_or(0) > trace_->size()) no_instruction(*n, trace_->size());
    return n.value_or(trace_->size());
  }
  static std::optional<memory_touch> touch_of_access(const std::optional<um::memory_access>& a) {
    if (!a) return std::nullopt;
    return memory_touch{a->record, a->kind == um::access_kinds::write, a->memory.address,
                        a->memory.size, a->reliable};
  }

  shared_reader trace_;
};

// Returns the reader of the trace. Must be called without the GIL.
shared_reader reader_of(origin& from) {
  if (from.format().name != "umtracer")
    throw trace_error(trace_errc::refused, {.file = from.name()},
                      "a trace in format " + std::string(from.format().name) +
                          " has no tables: only UMTracer traces have");
  const auto made = from.cached<queries>([&from] { return umtracer_queries(from); });
  return static_cast<const umtracer_state&>(*made).trace();
}

// Position of a table's rows in a file. Each row begins `stride` bytes after the beginning of the
// previous row.
struct rows_in_file {
  const std::byte* first = nullptr;
  std::size_t count = 0, stride = 1;
  std::size_t row_size = 0;  // size of the last row, which may be shorter than `stride`
};

template <class Table> rows_in_file rows_of(const Table& t) {
  if (t.size() == 0) return {};
  const auto last = t.bytes(t.size() - 1);
  return {t.bytes(0).data(), t.size(),
          t.size() == 1 ? last.size() : static_cast<std::size_t>(t.offset(1) - t.offset(0)),
          last.size()};
}

rows_in_file rows_in(const um::reader& trace, const std::string& table) {
  trace.files().check();
  const auto column = [&](um::file f, std::uint64_t n, std::size_t size) -> rows_in_file {
    const auto all = trace.files()[f];
    return {all.data(), static_cast<std::size_t>(std::min<std::uint64_t>(n, all.size() / size)),
            size, size};
  };
  if (table == "ins") return rows_of(trace.instructions().rows());
  if (table == "module") return rows_of(trace.modules().rows());
  if (table == "thread") return rows_of(trace.threads());
  if (table == "ranges") return rows_of(trace.ranges());
  if (table == "neighbours")
    return column(um::file::exec_neighbours, trace.size(), um::neighbours_codec::size);
  if (table == "offsets") return column(um::file::exec_offsets, trace.size() + 1, 8);
  return {};
}

// Size and number of the rows to copy, for tables whose rows are not at equal distances in a file.
struct gathered_rows {
  std::size_t size = 0, count = 0;
};

gathered_rows gathered(const um::reader& trace, const std::string& table) {
  if (table == "exec")
    return {um::exec_record_codec::size + 16, static_cast<std::size_t>(trace.size())};
  if (table == "syscall") return {um::syscall_codec::size, trace.syscalls().size()};
  if (table == "context")
    return {um::register_name_codec::size + 2 + 2 * um::register_info_codec::size,
            trace.registers().size()};
  return {};
}

// Copies the head of record `i`. Also stores the row numbers to which the record refers in the
// instruction table and in the system call table. If the record does not refer to a table, the row
// number is -1.
void gather_record(const um::reader& trace, std::size_t i, std::byte* to) {
  const um::record_view r = trace[i];
  um::exec_record_codec::store({r.thread(), r.type(), r.flags()}, to);
  const std::int64_t ins =
      r.type() == um::exec_type::instruction ? r.instruction_id() : std::int64_t{-1};
  const std::int64_t call = r.has_syscall() ? r.syscall_id() : std::int64_t{-1};
  to += um::exec_record_codec::size;
  wire::i64le::store(ins, to);
  wire::i64le::store(call, to + 8);
}
void gather_call(const um::reader& trace, std::size_t i, std::byte* to) {
  // operator[] throws if the row does not exist.
  static_cast<void>(trace.syscalls()[i]);
  const auto at = static_cast<std::size_t>(trace.syscalls().place(i).offset);
  std::memcpy(to, trace.files()[um::file::syscall_records].data() + at, um::syscall_codec::size);
}
void gather_register(const um::reader& trace, std::size_t i, std::byte* to) {
  const std::byte* const map = trace.files()[um::file::context_map].data();
  const auto add = [&](std::size_t at, std::size_t size) {
    std::memcpy(to, map + at + i * size, size);
    to += size;
  };
  // The bytes after the end of a name are garbage, so write zeros in their place.
  const std::string_view name = trace.registers().name(static_cast<std::uint16_t>(i));
  std::memset(to, 0, um::register_name_codec::size);
  std::memcpy(to, name.data(), name.size());
  to += um::register_name_codec::size;
  add(um::common_name_offset, 2);
  add(um::map32_offset, um::register_info_codec::size);
  add(um::map64_offset, um::register_info_codec::size);
}

void gather(const um::reader& trace, const std::string& table, std::size_t i, std::byte* to) {
  if (table == "exec") return gather_record(trace, i, to);
  if (table == "syscall") return gather_call(trace, i, to);
  gather_register(trace, i, to);
}

// Returns the number of rows, and the size of a row in the file or in the copy.
py::tuple table_size(origin& from, const std::string& table) {
  const auto [count, size] = unlocked([&] {
    const shared_reader trace = reader_of(from);
    const gathered_rows g = gathered(*trace, table);
    if (g.size != 0) return std::pair(g.count, g.size);
    const rows_in_file r = rows_in(*trace, table);
    return std::pair(r.count, r.row_size);
  });
  return py::make_tuple(count, size);
}

py::array table_of_umtracer(origin& from, const std::string& table, const py::dtype& type) {
  load_numpy();
  const auto wanted = static_cast<std::size_t>(type.itemsize());
  const shared_reader trace = unlocked([&] { return reader_of(from); });
  if (const gathered_rows g = gathered(*trace, table); g.size != 0) {
    if (g.size != wanted) throw py::value_error("the dtype has another size than the rows");
    py::array all(type, static_cast<py::ssize_t>(g.count));
    auto* const to = static_cast<std::byte*>(all.mutable_data());
    unlocked([&] {
      for (std::size_t i = 0; i != g.count; ++i) {
        if (i % 65536 == 0) handle_signals();
        gather(*trace, table, i, to + i * g.size);
      }
    });
    all.attr("setflags")(py::arg("write") = false);
    return all;
  }
  const rows_in_file r = unlocked([&] { return rows_in(*trace, table); });
  if (r.count != 0 && wanted > r.row_size)
    throw py::value_error("the dtype has another size than the rows");
  const py::capsule owner(new shared_reader(trace),
                          [](void* p) { delete static_cast<shared_reader*>(p); });
  py::array all(type, {static_cast<py::ssize_t>(r.count)}, {static_cast<py::ssize_t>(r.stride)},
                r.first, owner);
  all.attr("setflags")(py::arg("write") = false);
  return all;
}

// Returns a list that contains the text in `field` for each row of `table`.
py::list texts_of(origin& from, const std::string& table, const std::string& field) {
  const shared_reader trace = unlocked([&] { return reader_of(from); });
  const auto all = [](std::size_t n, auto text) {
    py::list texts;
    for (std::size_t i = 0; i != n; ++i) {
      if (i % 65536 == 0 && PyErr_CheckSignals() != 0) throw py::error_already_set();
      texts.append(text_of(text(i)));
    }
    return texts;
  };
  const std::string name = table + "." + field;
  if (name == "ins.disassembly")
    return all(trace->instructions().size(),
               [&](std::size_t i) { return trace->instructions().text(i); });
  const um::module_table& modules = trace->modules();
  if (name == "module.win_name")
    return all(modules.size(), [&](std::size_t i) { return um::to_utf8(modules.win_name(i)); });
  if (name == "module.device_name")
    return all(modules.size(), [&](std::size_t i) { return um::to_utf8(modules.device_name(i)); });
  throw py::value_error("unknown texts '" + name +
                        "': expected ins.disassembly, module.win_name or module.device_name");
}

}  // namespace

std::shared_ptr<queries> umtracer_queries(origin& from) {
  return std::make_shared<umtracer_state>(from);
}

void define_tables(py::module_& m) {
  m.def("umtracer_table_size", &table_size);
  m.def("umtracer_table", &table_of_umtracer);
  m.def("umtracer_texts", &texts_of);
}

}  // namespace tracecodec::python
