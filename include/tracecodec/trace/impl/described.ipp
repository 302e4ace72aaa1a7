// Implementation of trace/described.hpp.
#pragma once
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../../champsim/known_tables.hpp"
#include "../../champsim/register_numbers.hpp"
#include "../../champsim/thread_records.hpp"
#include "../../io/open.hpp"
#include "../described.hpp"
#include "../source.hpp"
#if defined(TRACECODEC_WITH_ZSTD)
#include "../../tracepack/open.hpp"
#include "../../tracepack/recognise.hpp"
#endif

namespace tracecodec::trace {

TRACECODEC_FUNC std::vector<std::string_view> known_tables() {
  std::vector<std::string_view> all;
  for (const champsim::known_table& t : champsim::known_tables()) all.push_back(t.name);
  return all;
}
TRACECODEC_FUNC file::record_table read_table(const std::string& name) {
  return champsim::read_table(name);
}

TRACECODEC_FUNC file::table_reader open_described(const std::string& path,
                                                  const format::open_options& o) {
  io::input in = io::open_input(path, o.input);
  auto table = o.record;
  bool packed = false;
#if defined(TRACECODEC_WITH_ZSTD)
  if (tracepack::begins_like_a_pack(in.peek(tracepack::magic.size()))) {
    const auto lost = lost_of(o);
    tracepack::reader from(std::move(in), {.lost = lost, .threads = o.threads});
    if (from.about().kind != tracepack::record_kind::bytes && table->header().size != 0)
      table = std::make_shared<const file::record_table>(table->with_header(0));
    in = tracepack::open_content(std::move(from), lost);
    packed = true;
  }
#endif
  if (o.repair && !packed)
    throw trace_error(trace_errc::refused, {.file = in.name()},
                      "described records have no defect to repair (option repair)");
  if (o.thread) {
    in = champsim::keep_thread(std::move(in), table, *o.thread);
    table = std::make_shared<const file::record_table>(table->with_header(0));
  }
  if (const auto* const numbers = o.own.get<champsim::register_numbers>())
    in = champsim::renumber_registers(std::move(in), *numbers, *table);
  return {std::move(in), std::move(table)};
}

}  // namespace tracecodec::trace
