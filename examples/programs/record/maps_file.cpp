#include "maps_file.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <span>
#include <system_error>
#include <tracecodec/io/open.hpp>
#include <tracecodec/io/os/filesystem.hpp>
#include <tracecodec/program/map_json.hpp>
#include <vector>

#if defined(TRACECODEC_WITH_LIBDW)
#include <tracecodec/program/elf_symbols.hpp>
#endif

#include "summary.hpp"

namespace record {

void write_maps(const program_modules& found, const std::string& out, const options& o) {
  if (o.no_maps) return;
  namespace io = tracecodec::io;
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(io::path_of(out), ignored)) return;
  std::vector<program_module> modules = found.all();
  std::sort(modules.begin(), modules.end(),
            [](const auto& a, const auto& b) { return a.base < b.base; });
  for (std::size_t i = 0; i + 1 < modules.size(); ++i)
    modules[i].size = std::min(modules[i].size, modules[i + 1].base - modules[i].base);
  std::vector<tracecodec::program_symbol> symbols;
#if defined(TRACECODEC_WITH_LIBDW)
  // Prevent network access. If this variable is set, libdw queries debuginfod servers.
  unsetenv("DEBUGINFOD_URLS");
  for (program_module& m : modules)
    tracecodec::read_elf_symbols(
        m,
        [&found](std::uint64_t address, std::uint64_t size) { return found.near(address, size); },
        symbols);
#endif
  std::string text;
  tracecodec::program_map map(std::move(modules), std::move(symbols));
  map.set_from(found.from());
  tracecodec::add_program_map(text, map);
  const auto to = io::open_output(tracecodec::maps_path(out));
  to->write(std::as_bytes(std::span(text)));
  to->finish();
  if (found.from() != 0 && !o.quiet)
    say("note: " + out +
        ": the program was replaced by another one (exec): names are known from instruction " +
        std::to_string(found.from()) + " on");
}

}  // namespace record
