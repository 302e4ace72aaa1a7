// Converts the tables of a UMTracer trace to text rows.
#include <tracecodec/umtracer/descriptor.hpp>
#include <tracecodec/umtracer/rows.hpp>
#include <tracecodec/umtracer/rows/tables.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <optional>
#include <string>
#include <string_view>

#include "../../common/progress.hpp"
#include "../write_rows.hpp"
#include "conversion.hpp"
#include "parts.hpp"

namespace convert {

namespace umtracer = tracecodec::umtracer;

namespace {

// Tables that can be converted to text rows.
constexpr std::array<const char*, 7> row_tables{"exec",   "ins",     "syscall", "module",
                                                "thread", "context", "ranges"};

void require_row_table(const std::string& table) {
  if (std::find(row_tables.begin(), row_tables.end(), table) != row_tables.end()) return;
  examples::choices all;
  for (const char* const name : row_tables) all.push_back({name, {}});
  throw usage_error("--table: expected " + examples::one_of(all) + ", got '" + table + "'");
}

// Writes the table rows that are in the selected part and for which wanted(i) is true. Returns the
// error that ended the table early, or null.
template <class Make, class Out, class Wanted>
std::exception_ptr write_table(std::uint64_t size, Make make, Out& out, const options& o,
                               Wanted wanted) {
  examples::pipeline part = o.part;
  if (has_shard(part)) cut_out_shard(count_rows(size, wanted), part);
  examples::progress_line progress(o.in);
  std::uint64_t left_out = 0;
  const std::uint64_t most = part.limit.value_or(static_cast<std::uint64_t>(-1));
  try {
    for (std::uint64_t i = 0; i < size && out.written() < most; ++i) {
      if (i % 4096 == 0) {
        stop_if_interrupted();
        progress.at(static_cast<double>(i) / static_cast<double>(size));
      }
      if (!wanted(i)) continue;
      if (left_out < part.skip) {
        ++left_out;
        continue;
      }
      out.write(make(static_cast<std::size_t>(i)));
    }
  } catch (const tracecodec::trace_error& e) {
    if (e.file() == output_name(o)) throw;
    return std::current_exception();
  }
  return nullptr;
}

template <class Disassembly>
void records_to_rows(const umtracer::reader& trace, const options& o, io::codec compression) {
  with_rows<umtracer::exec_row<Disassembly>>(o, compression, [&](auto& out) {
    return write_table(
        trace.size(), umtracer::exec_rows<Disassembly>(trace), out, o,
        [&](std::uint64_t i) { return !o.as.thread || trace[i].thread() == *o.as.thread; });
  });
}

// Writes the rows of a table, even if the table is empty.
template <class Row, class Make>
void table_to_rows(Make make, const options& o, io::codec compression) {
  with_rows<Row>(
      o, compression,
      [&](auto& out) {
        return write_table(make.size(), make, out, o, [](std::uint64_t) { return true; });
      },
      make.size() == 0);
}

template <class Name> void named_table_to_rows(const umtracer::reader& trace,
                                               std::string_view table, const options& o,
                                               io::codec compression) {
  const auto own = o.as.own.value_or(umtracer::shared_names());
  const umtracer::names* const names = own.get();
  if (table == "ins")
    table_to_rows<umtracer::instruction_row<Name>>(umtracer::instruction_rows<Name>(trace, names),
                                                   o, compression);
  else
    table_to_rows<umtracer::syscall_row<Name>>(umtracer::syscall_rows<Name>(trace, names), o,
                                               compression);
}

}  // namespace

void umtracer_to_rows(tracecodec::trace::source source, const options& o, io::codec compression) {
  using text = std::optional<std::string_view>;
  using tracecodec::rows::absent;
  const auto* const chosen = o.as.own.get<umtracer::table_name>();
  const std::string table = chosen != nullptr ? chosen->text : row_tables.front();
  require_row_table(table);
  const bool names = table == "ins" || table == "syscall";
  if (o.as.thread && table != "exec")
    throw usage_error("--thread is for execution records, not for --table " + table);
  if (o.disassembly && table != "exec")
    throw usage_error("--disassembly is for execution records, not for --table " + table);
  if (o.as.own.has<umtracer::shared_names>() && !names)
    throw usage_error("--names is for the tables ins and syscall, not for " + table);
  const umtracer::reader trace(source.name(), {.lenient = o.as.repair});
  if (table == "exec" && o.disassembly) return records_to_rows<text>(trace, o, compression);
  if (table == "exec") return records_to_rows<absent>(trace, o, compression);
  if (names && o.as.own.has<umtracer::shared_names>())
    return named_table_to_rows<text>(trace, table, o, compression);
  if (names) return named_table_to_rows<absent>(trace, table, o, compression);
  if (table == "module")
    return table_to_rows<umtracer::module_row>(umtracer::module_rows(trace), o, compression);
  if (table == "thread")
    return table_to_rows<umtracer::thread_row>(umtracer::thread_rows(trace), o, compression);
  if (table == "ranges")
    return table_to_rows<umtracer::range_row>(umtracer::range_rows(trace), o, compression);
  table_to_rows<umtracer::register_row>(umtracer::register_rows(trace), o, compression);
}

}  // namespace convert
