// Implements the functions of tracecodec.h, except the function for Arrow and the functions that
// describe columns.
#include <algorithm>
#include <cstring>
#include <limits>
#include <new>
#include <string>
#include <string_view>

#include <tracecodec/champsim/layout.hpp>
#include <tracecodec/file/record_table.hpp>
#include <tracecodec/io/input/truncation.hpp>
#include <tracecodec/io/open.hpp>
#include <tracecodec/trace/described.hpp>
#include <tracecodec/trace/limits.hpp>
#include <tracecodec/trace/source.hpp>
#include <tracecodec/version.hpp>

#include "trace.hpp"

namespace tracecodec::c {

// A tracecodec_record must have the same layout as champsim::instruction.
static_assert(sizeof(tracecodec_record) == 64 &&
              sizeof(champsim::instruction) == sizeof(tracecodec_record) &&
              alignof(champsim::instruction) == alignof(tracecodec_record));
static_assert(
    offsetof(tracecodec_record, is_branch) == offsetof(champsim::instruction, is_branch) &&
    offsetof(tracecodec_record, branch_taken) == offsetof(champsim::instruction, branch_taken) &&
    offsetof(tracecodec_record, destination_registers) ==
        offsetof(champsim::instruction, destination_registers) &&
    offsetof(tracecodec_record, source_registers) ==
        offsetof(champsim::instruction, source_registers) &&
    offsetof(tracecodec_record, destination_memory) ==
        offsetof(champsim::instruction, destination_memory) &&
    offsetof(tracecodec_record, source_memory) == offsetof(champsim::instruction, source_memory));

static_assert(TRACECODEC_SYSTEM == static_cast<int>(trace_errc::system) + 1 &&
              TRACECODEC_REFUSED == static_cast<int>(trace_errc::refused) + 1);

void failure::take(tracecodec_status code, const char* what) noexcept {
  const tracecodec_text text = text_of(what);
  shown_ = {code, 0, 0, 0, 0, {"", 0}, {"", 0}, text, text};
}

void failure::take(const trace_error& e) {
  file_ = e.file();
  field_ = e.field();
  message_ = e.message();
  line_ = e.what();
  shown_.code = static_cast<tracecodec_status>(e.code()) + 1;
  shown_.has_offset = e.offset() ? 1 : 0;
  shown_.has_record = e.record() ? 1 : 0;
  shown_.offset = e.offset().value_or(0);
  shown_.record = e.record().value_or(0);
  shown_.file = text_of(file_);
  shown_.field = text_of(field_);
  shown_.message = text_of(message_);
  shown_.line = text_of(line_);
}

void failure::take() noexcept {
  constexpr const char* no_memory = "out of memory";
  try {
    try {
      throw;
    } catch (const trace_error& e) {
      take(e);
    } catch (const std::bad_alloc&) {
      take(TRACECODEC_NO_MEMORY, no_memory);
    } catch (const std::exception& e) {
      message_ = e.what();
      take(TRACECODEC_INTERNAL, message_.c_str());
    } catch (...) {
      take(TRACECODEC_INTERNAL, "an exception of unknown type");
    }
  } catch (...) {  // the error could not be stored
    take(TRACECODEC_NO_MEMORY, no_memory);
  }
}

namespace {

std::size_t rows(std::size_t most) {
  return std::clamp<std::size_t>(most, 1, feed::columns::most_rows);
}

// Returns the options. An older application may pass a shorter structure. The missing members are
// then 0. Throws trace_error(refused) for options that this version does not support.
tracecodec_options known(const tracecodec_options* given) {
  tracecodec_options o{};
  o.size = sizeof o;
  if (given == nullptr) return o;
  if (given->size < offsetof(tracecodec_options, format)) refuse("the options lack their size");
  if (given->size > sizeof o) {
    const auto* const p = reinterpret_cast<const unsigned char*>(given);
    if (std::any_of(p + sizeof o, p + given->size, [](unsigned char c) { return c != 0; }))
      refuse("unsupported option: it needs a newer version of the library");
  }
  std::memcpy(&o, given, std::min(given->size, sizeof o));
  constexpr std::uint32_t all = TRACECODEC_ONE_THREAD | TRACECODEC_REPAIR | TRACECODEC_REGISTERS |
                                TRACECODEC_BRANCHES_OF_2022 | TRACECODEC_NO_MAP | TRACECODEC_STRICT;
  if ((o.flags & ~all) != 0) refuse("unsupported flag: it needs a newer version of the library");
  if (o.threads > trace::most_threads)
    refuse("more than " + std::to_string(trace::most_threads) + " threads");
  return o;
}

// Sets a format-specific option. Throws trace_error(refused) if there is no option called `name`,
// or if the option does not accept `value`. `what` is the option's name in messages.
void set_own(format::own_options& to, std::string_view name, const std::string& value,
             std::string_view what) {
  const format::option* const one = trace::find_option(name);
  if (one == nullptr || !format::is_of_reading(one->use))
    refuse("there is no option " + std::string(name));
  if (!one->set(to, value)) refuse(std::string(what) + ": expected " + std::string(one->expected));
}

format::open_options options_of(const tracecodec_options* given) {
  const tracecodec_options o = known(given);
  const auto set = [&o](std::uint32_t flag) { return (o.flags & flag) != 0; };
  format::open_options how;
  if (o.format != nullptr) {
    how.format = trace::find_format(o.format);
    if (how.format == nullptr) refuse("there is no format " + std::string(o.format));
  }
  if (o.compression != nullptr) {
    how.input.compression = io::codec_of_name(o.compression);
    if (!how.input.compression) refuse("there is no compression " + std::string(o.compression));
  }
  if (o.metadata != nullptr) set_own(how.own, "metadata", o.metadata, "metadata");
  if (o.record_offset != 0 && o.record == nullptr)
    refuse("an offset of records needs a record table");
  if (o.record_offset > file::record_table::largest_header)
    refuse("an offset of records above 2^30");
  if (o.record != nullptr) {
    file::record_table table = trace::read_table(o.record);
    how.record = std::make_shared<const file::record_table>(
        o.record_offset != 0 ? table.with_header(o.record_offset) : std::move(table));
  }
  if (o.memory != 0) how.input.limit_memory(o.memory);
  if (o.threads != 0) {
    how.threads = how.input.xz.threads = o.threads;
    how.input.xz.threading_memory = io::usual_memory_limit;
  }
  how.input.map = !set(TRACECODEC_NO_MAP);
  if (set(TRACECODEC_ONE_THREAD)) how.thread = o.thread;
  how.repair = set(TRACECODEC_REPAIR);
  if (set(TRACECODEC_STRICT)) set_own(how.own, "strict", "", "strict");
  how.registers = set(TRACECODEC_REGISTERS);
  if (set(TRACECODEC_BRANCHES_OF_2022)) set_own(how.own, "branch-rules", "2022", "branch_rules");
  if (o.map_registers != nullptr)
    set_own(how.own, "map-registers", o.map_registers, "map_registers");
  for (const char* const* one = o.own; one != nullptr && *one != nullptr; ++one) {
    const std::string_view all = *one;
    const std::size_t equal = std::min(all.find('='), all.size());
    const std::string_view name = all.substr(0, equal);
    const format::option* const known = trace::find_option(name);
    if (known != nullptr && known->value.empty() != (equal == all.size()))
      refuse(std::string(name) + (known->value.empty() ? " takes no value" : " needs a value"));
    set_own(how.own, name, std::string(all.substr(std::min(equal + 1, all.size()))), name);
  }
  if (o.warn != nullptr)
    how.note = how.warn = [warn = o.warn, context = o.context](const std::string& line) noexcept {
      warn(context, text_of(line));
    };
  return how;
}

// Opens a trace from the source that make(options, trace) returns.
template <class Make> tracecodec_status open(const tracecodec_options* options,
                                             tracecodec_trace** out, Make make) noexcept {
  if (out == nullptr) return TRACECODEC_REFUSED;
  *out = nullptr;
  try {
    *out = new tracecodec_trace;
  } catch (...) {
    return TRACECODEC_NO_MEMORY;
  }
  try {
    const format::open_options how = options_of(options);
    trace::source from = make(how, **out);
    (*out)->name = from.name();
    (*out)->from.emplace(std::move(from), how);
  } catch (...) {
    (*out)->error.take();
  }
  return (*out)->error.code();
}

}  // namespace

}  // namespace tracecodec::c

using namespace tracecodec;     // NOLINT: the functions belong to the C interface
using namespace tracecodec::c;  // NOLINT

const char* tracecodec_version(void) noexcept { return TRACECODEC_VERSION; }

const char* tracecodec_status_name(tracecodec_status status) noexcept {
  switch (status) {
    case TRACECODEC_OK:
      return "ok";
    case TRACECODEC_SYSTEM:
      return "system";
    case TRACECODEC_TRUNCATED:
      return "truncated";
    case TRACECODEC_CORRUPT:
      return "corrupt";
    case TRACECODEC_NOT_A_TRACE:
      return "not_a_trace";
    case TRACECODEC_BAD_VALUE:
      return "bad_value";
    case TRACECODEC_UNSUPPORTED:
      return "unsupported";
    case TRACECODEC_REFUSED:
      return "refused";
    case TRACECODEC_NO_MEMORY:
      return "no_memory";
    case TRACECODEC_INTERNAL:
      return "internal";
    default:
      return "unknown";
  }
}

const char* tracecodec_format_name(size_t index) noexcept {
  const auto all = trace::all_formats();
  return index < all.size() ? all[index]->name.data() : nullptr;  // names are NUL-terminated
}

tracecodec_status tracecodec_install_sigbus_handler(void) noexcept {
  failure error;
  try {
    io::install_sigbus_handler();
  } catch (...) {
    error.take();
  }
  return error.code();
}

tracecodec_status tracecodec_open(const char* path, const tracecodec_options* options,
                                  tracecodec_trace** trace) noexcept {
  return c::open(options, trace, [path](const format::open_options& how, tracecodec_trace& to) {
    if (path == nullptr) refuse("the path is null");
    to.can_have_index = std::string_view(path) != "-" && !format::changes_reading(how);
    return trace::source(path, how);
  });
}

tracecodec_status tracecodec_open_memory(const void* bytes, size_t size, const char* name,
                                         const tracecodec_options* options,
                                         tracecodec_trace** trace) noexcept {
  return c::open(options, trace, [&](const format::open_options& how, tracecodec_trace&) {
    if ((bytes == nullptr && size != 0) || name == nullptr)
      refuse("the bytes or the name are null");
    return trace::source(
        io::open_bytes({static_cast<const std::byte*>(bytes), size}, name, how.input), how);
  });
}

void tracecodec_close(tracecodec_trace* trace) noexcept {
  if (trace != nullptr && !trace->streamed) delete trace;
}

const tracecodec_error* tracecodec_last_error(const tracecodec_trace* trace) noexcept {
  return trace != nullptr && trace->error.code() != TRACECODEC_OK ? &trace->error.shown() : nullptr;
}

tracecodec_text tracecodec_name(const tracecodec_trace* trace) noexcept {
  return text_of(trace != nullptr ? std::string_view(trace->name) : std::string_view(""));
}

const char* tracecodec_format(const tracecodec_trace* trace) noexcept {
  return trace != nullptr && trace->from ? trace->from->format().name.data() : "";
}

tracecodec_status tracecodec_next_records(tracecodec_trace* trace, size_t most,
                                          const tracecodec_record** records,
                                          size_t* size) noexcept {
  return guarded(trace, [&](tracecodec_trace& t, instructions& from) {
    if (records == nullptr || size == nullptr) refuse("the records pointer is null");
    const auto b = from.next_records(rows(most));
    t.batch.clear();
    t.dropped_operands += b.dropped_operands;
    *records = reinterpret_cast<const tracecodec_record*>(b.records.data());
    *size = b.records.size();
  });
}

uint64_t tracecodec_dropped_operands(const tracecodec_trace* trace) noexcept {
  return trace != nullptr ? trace->dropped_operands : 0;
}

uint64_t tracecodec_has(const tracecodec_trace* trace) noexcept {
  return trace != nullptr && trace->from ? bits_of(trace->from->has()) : 0;
}

tracecodec_status tracecodec_want(tracecodec_trace* trace, uint64_t columns,
                                  uint64_t lenient) noexcept {
  return guarded(trace, [&](tracecodec_trace&, instructions& from) {
    from.all().want(set_of(columns), set_of(lenient));
  });
}

tracecodec_status tracecodec_select_register(tracecodec_trace* trace, const char* name,
                                             size_t* bytes) noexcept {
  return guarded(trace, [&](tracecodec_trace&, instructions& from) {
    if (name == nullptr) refuse("the register name is null");
    const auto size = from.all().select_register(name);
    if (!size) refuse("the trace has no register " + std::string(name));
    if (bytes != nullptr) *bytes = *size;
  });
}

tracecodec_status tracecodec_match_mnemonic(tracecodec_trace* trace, const char* name) noexcept {
  return guarded(trace, [&](tracecodec_trace&, instructions& from) {
    if (name == nullptr) refuse("the mnemonic is null");
    if (!from.all().match_mnemonic(name))
      refuse("the trace has no instructions named " + std::string(name));
  });
}

tracecodec_status tracecodec_operation_name(tracecodec_trace* trace, uint8_t operation,
                                            tracecodec_text* name) noexcept {
  return guarded(trace, [&](tracecodec_trace& t, instructions& from) {
    if (name == nullptr) refuse("the name pointer is null");
    t.operation = from.all().operation_name(operation);
    *name = text_of(t.operation);
  });
}

tracecodec_status tracecodec_next_columns(tracecodec_trace* trace, size_t most,
                                          size_t* size) noexcept {
  return guarded(trace, [&](tracecodec_trace& t, instructions& from) {
    if (size == nullptr) refuse("the row count pointer is null");
    from.next(t.batch, rows(most));
    *size = t.batch.size();
  });
}

uint64_t tracecodec_first_row(const tracecodec_trace* trace) noexcept {
  return trace != nullptr ? trace->batch.first() : 0;
}

uint64_t tracecodec_left_out(const tracecodec_trace* trace) noexcept {
  return trace != nullptr ? trace->batch.left_out() : 0;
}

tracecodec_status tracecodec_values(tracecodec_trace* trace, size_t column, size_t part,
                                    tracecodec_array* values) noexcept {
  return guarded(trace, [&](tracecodec_trace& t, instructions& from) {
    if (values == nullptr) refuse("the values pointer is null");
    if (tracecodec_part(column, part) == nullptr) refuse("a column has no such part");
    const auto wanted = static_cast<feed::column>(column);
    if (!from.all().wanted().has(wanted))
      refuse("the column " + std::string(feed::name(wanted)) + " was not selected");
    *values =
        t.batch.requested().has(wanted) ? array_of(t.batch, wanted, part) : tracecodec_array{};
  });
}

tracecodec_status tracecodec_skip(tracecodec_trace* trace, uint64_t n, uint64_t* done) noexcept {
  return guarded(trace, [&](tracecodec_trace& t, instructions& from) {
    t.batch.clear();
    const std::uint64_t skipped = from.skip(n);
    if (done != nullptr) *done = skipped;
  });
}

tracecodec_status tracecodec_limit(tracecodec_trace* trace, uint64_t n) noexcept {
  return guarded(trace, [&](tracecodec_trace&, instructions& from) { from.limit(n); });
}

tracecodec_status tracecodec_shard(tracecodec_trace* trace, uint64_t index, uint64_t of) noexcept {
  return guarded(trace, [&](tracecodec_trace& t, instructions& from) {
    t.batch.clear();
    from.shard(index, of);
  });
}

tracecodec_status tracecodec_rewind(tracecodec_trace* trace) noexcept {
  return guarded(trace, [&](tracecodec_trace& t, instructions& from) {
    t.batch.clear();
    from.rewind();
    t.dropped_operands = 0;
  });
}

tracecodec_status tracecodec_count(tracecodec_trace* trace, uint64_t* count) noexcept {
  return guarded(trace, [&](tracecodec_trace& t, instructions& from) {
    if (count == nullptr) refuse("the number pointer is null");
    t.batch.clear();
    *count = from.count();
  });
}

double tracecodec_progress(const tracecodec_trace* trace) noexcept {
  try {
    if (trace != nullptr && trace->from) return trace->from->progress().value_or(-1);
  } catch (...) {  // the progress is unknown
  }
  return -1;
}

uint64_t tracecodec_position(const tracecodec_trace* trace) noexcept {
  return trace != nullptr && trace->from ? trace->from->position() : 0;
}
