// Tests UMTracer's context map. If bit 0 of the first byte is set, the other bytes are the file.
// Otherwise they are a packed header and registers, from which the file of 17,424 bytes is built.
#include <algorithm>

#include "target.hpp"
#include "tracecodec/umtracer/reader/context_map.hpp"
#include "tracecodec/umtracer/writer/context_writer.hpp"

namespace fuzz::umtracer_context_map {
namespace {
namespace umtracer = tracecodec::umtracer;
using umtracer::context_map;

bytes laid_out(view in) {
  bytes file(umtracer::context_map_size);
  const auto take = [&](std::size_t at, std::size_t n) {
    n = std::min(n, in.size());
    std::copy_n(in.begin(), n, file.begin() + static_cast<std::ptrdiff_t>(at));
    in = in.subspan(n);
  };
  take(0, 4);
  for (std::size_t id = 0; id < umtracer::context_registers && !in.empty(); ++id) {
    take(umtracer::common_name_offset + 2 * id, 2);
    take(umtracer::name_offset + 16 * id, 16);
    take(umtracer::map32_offset + 8 * id, 6);
    take(umtracer::map64_offset + 8 * id, 6);
  }
  return file;
}

umtracer::trace_files only_map(view file) {
  umtracer::trace_files::contents all{};
  all[static_cast<std::size_t>(umtracer::file::context_map)] = file;
  return {all, "fuzz"};
}

void compare(const context_map& a, const context_map& b) {
  require(a.size() == b.size() && a.dump_size() == b.dump_size(), "the same header");
  for (std::uint16_t id = 0; id < a.size(); ++id) {
    require(a.name(id) == b.name(id), "the same names");
    require(a.common_name(id) == b.common_name(id), "the same common names");
    for (const bool code64 : {false, true})
      require(a.info(id, code64) == b.info(id, code64), "the same places");
  }
}

void run(view in) {
  const bool raw = (take_byte(in) & 1U) != 0;
  const bytes file = raw ? bytes(in.begin(), in.end()) : laid_out(in);
  const umtracer::trace_files files = only_map(file);
  std::optional<context_map> map;
  if (error_of([&] { map.emplace(files); })) return;
  const bytes context(map->dump_size());
  std::vector<umtracer::context_register> registers;
  for (std::uint16_t id = 0; id < map->size(); ++id) {
    const auto found = map->find(map->name(id));
    require(found && *found <= id, "each name is found");
    for (const bool code64 : {false, true}) {
      const auto part = map->in_context(context, id, code64);
      require(part.empty() || part.size() == map->info(id, code64).size, "a register's bytes");
    }
    registers.push_back(
        {id, map->name(id), map->common_name(id), map->info(id, false), map->info(id, true)});
  }
  bytes out;
  if (error_of([&] { out = umtracer::make_context_map(map->dump_size(), registers); })) return;
  compare(*map, context_map(only_map(out)));
}
const target registered("umtracer_context_map", run);
}  // namespace
}  // namespace fuzz::umtracer_context_map
