#include "described.hpp"

#include <tracecodec/champsim/descriptor.hpp>
#include <tracecodec/champsim/register_numbers.hpp>
#include <tracecodec/champsim/thread_records.hpp>
#include <tracecodec/file/record_table.hpp>
#include <tracecodec/file/table_reader.hpp>
#include <tracecodec/io/open.hpp>
#include <tracecodec/io/os/filesystem.hpp>
#include <tracecodec/io/os/interruption.hpp>
#include <tracecodec/rapidbin/trace_options.hpp>
#if defined(TRACECODEC_WITH_ZSTD)
#include <tracecodec/tracepack/open.hpp>
#include <tracecodec/tracepack/recognise.hpp>
#endif

#include <algorithm>
#include <filesystem>
#include <functional>
#include <memory>
#include <set>
#include <span>
#include <system_error>
#include <utility>

#include "output_name.hpp"
#include "progress.hpp"

namespace examples {

std::optional<tracecodec::tracepack::about> about_of([[maybe_unused]] const std::string& path,
                                                     [[maybe_unused]] const reading& as) {
#if defined(TRACECODEC_WITH_ZSTD)
  namespace tracepack = tracecodec::tracepack;
  // Others are opened once: a file may change meanwhile.
  if (!output_name(path).says({form::pack})) return std::nullopt;
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(tracecodec::io::path_of(path), ignored))
    return std::nullopt;
  try {
    auto plain = as.input;
    plain.compression = tracecodec::io::codec::none;
    tracecodec::io::input in = tracecodec::io::open_input(path, plain);
    if (!tracepack::begins_like_a_pack(in.peek(tracepack::magic.size()))) return std::nullopt;
    return tracepack::reader(std::move(in), {.lost = [](const tracepack::lost_records&) {}})
        .about();
  } catch (const tracecodec::trace_error&) {
    // Who reads the trace tells it.
  }
#endif
  return std::nullopt;
}

void take_own_table(const std::string& path, reading& as) {
  if (as.record || as.format) return;
  const auto about = about_of(path, as);
  if (!about || about->kind != tracecodec::tracepack::record_kind::described) return;
  as.record = std::make_shared<const tracecodec::file::record_table>(
      tracecodec::file::parse_record_table(about->table, path));
}

told_of_lost once_each(told_of_lost lost) {
  // Copies of the function share what was seen.
  return [lost = std::move(lost), seen = std::make_shared<std::set<std::uint64_t>>()](
             const tracecodec::tracepack::lost_records& e) {
    if (seen->insert(e.offset().value_or(0)).second) lost(e);
  };
}

tracecodec::file::table_reader open_described(const std::string& path, const reading& as) {
  tracecodec::io::input in = tracecodec::io::open_input(path, as.input);
  auto table = as.record;
  bool packed = false;
#if defined(TRACECODEC_WITH_ZSTD)
  namespace tracepack = tracecodec::tracepack;
  if (tracepack::begins_like_a_pack(in.peek(tracepack::magic.size()))) {
    const auto lost = tracecodec::trace::lost_of(as);
    tracepack::reader from(std::move(in), {.lost = lost, .threads = as.threads});
    if (from.about().kind != tracepack::record_kind::bytes && table->header().size != 0)
      table = std::make_shared<const tracecodec::file::record_table>(table->with_header(0));
    in = tracepack::open_content(std::move(from), lost);
    packed = true;
  }
#endif
  if (as.repair && !packed)
    throw usage_error("--repair: records of their own form have no defect to repair");
  if (as.thread && table->find("asid") == nullptr)
    throw usage_error("--thread: these records have no asid, which names a thread");
  if (as.thread) {
    in = tracecodec::champsim::keep_thread(std::move(in), table, *as.thread);
    table = std::make_shared<const tracecodec::file::record_table>(table->with_header(0));
  }
  if (const auto* const numbers = as.own.get<tracecodec::champsim::register_numbers>())
    in = tracecodec::champsim::renumber_registers(std::move(in), *numbers, *table);
  return {std::move(in), std::move(table)};
}

std::exception_ptr for_each_described(
    tracecodec::file::table_reader& trace, const reading& as, pipeline part, std::uint64_t limit,
    const std::function<void(std::uint64_t, const std::byte*)>& each) {
  if (as.own.has<tracecodec::rapidbin::metadata_file>())
    throw usage_error("records of their own form have no metadata");
  require_no_events(as);
  if (as.format != nullptr && as.format->family != tracecodec::champsim::family)
    throw usage_error("records of their own form are no trace of " + std::string(as.format->name));
  if (part.champsim_losses || part.repeat)
    throw usage_error("fields are shown once: leave out --repeat");
  if (has_shard(part)) cut_out_shard(trace.count(), part);
  std::uint64_t left = std::min(limit, part.limit.value_or(everything));
  progress_line progress(trace.name());
  trace.skip(part.skip);
  const std::size_t size = trace.table().size();
  while (left != 0) {
    const std::uint64_t first = trace.position();
    std::span<const std::byte> all;
    try {
      all = trace.next(static_cast<std::size_t>(std::min<std::uint64_t>(left, 1024)));
    } catch (const tracecodec::io::interruption&) {
      throw;
    } catch (...) {
      return std::current_exception();
    }
    if (all.empty()) break;
    const std::size_t n = all.size() / size;
    for (std::size_t i = 0; i < n; ++i) each(first + i, all.data() + i * size);
    left -= n;
    progress.at(trace.progress());
  }
  return nullptr;
}

}  // namespace examples
