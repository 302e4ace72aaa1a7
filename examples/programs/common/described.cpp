#include "described.hpp"

#include <tracecodec/file/record_table.hpp>
#include <tracecodec/file/table_reader.hpp>
#include <tracecodec/io/open.hpp>
#include <tracecodec/io/os/filesystem.hpp>
#include <tracecodec/io/os/interruption.hpp>
#include <tracecodec/trace/described.hpp>
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
  // Do not open a file with another suffix than .tpack. The caller opens the file again, and the
  // file's content may have changed by then.
  if (!output_name(path).says(form::pack)) return std::nullopt;
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
    // Ignore the error here. The caller reports it when it reads the trace.
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

on_lost_records once_each(on_lost_records lost) {
  // All copies of the callback share the set of frames that were already reported.
  return [lost = std::move(lost), seen = std::make_shared<std::set<std::uint64_t>>()](
             const tracecodec::tracepack::lost_records& e) {
    if (seen->insert(e.offset().value_or(0)).second) lost(e);
  };
}

tracecodec::file::table_reader open_described(const std::string& path, const reading& as) {
  if (as.thread && as.record->find("asid") == nullptr)
    throw usage_error("--thread: these records have no field asid, which numbers the threads");
  return tracecodec::trace::open_described(path, as);
}

std::exception_ptr for_each_described(
    tracecodec::file::table_reader& trace, const reading& as, pipeline part, std::uint64_t limit,
    const std::function<void(std::uint64_t, const std::byte*)>& each) {
  if (as.format != nullptr && !as.format->takes_tables)
    throw usage_error("--record: these records are not a trace of " + std::string(as.format->name));
  require_own_options(as.own, option_use::files, {}, "");
  require_choices(as, {});
  if (part.champsim_losses || part.repeat)
    throw usage_error("described records are read once: leave out --repeat and --champsim-losses");
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
