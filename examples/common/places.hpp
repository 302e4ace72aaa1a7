// --maps and --symbols, and what addresses are called by them: "ls+0x4a10", "main+0x4".
#pragma once
#include <tracecodec/trace/places.hpp>
#include <tracecodec/umtracer/layout/utf16.hpp>
#include <tracecodec/umtracer/reader.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "address.hpp"
#include "command_line.hpp"
#include "text.hpp"

namespace examples {

inline void add_places(CLI::App& app, reading& as) {
  namespace trace = tracecodec::trace;
  add_value(
      app, "--maps", "FILE",
      [&as](const std::string& path) {
        as.maps = path;
        return !path.empty();
      },
      "The map of the program's modules, as trace_record writes it; TRACE.maps.json is found "
      "beside "
      "TRACE",
      "a file");
  app.add_flag_callback(
      "--no-maps", [&as] { as.maps = ""; }, "Leave the map beside the trace aside");
  add_values(
      app, "--symbols", "[MODULE=]FILE",
      [&as](const std::string& s) {
        trace::symbol_file file{s, {}, {}};
        // The name of a file may have one, too.
        const std::size_t at = s.find('=');
        if (at != s.npos && at != 0 && !tracecodec::io::same_file(s, s)) {
          file.path = s.substr(at + 1);
          file.module = s.substr(0, at);
          if (file.module.starts_with("0x")) file.base = number_of(file.module);
        }
        if (file.path.empty()) return false;
        as.symbols.push_back(std::move(file));
        return true;
      },
      "Functions by name, from the output of nm of MODULE, of the program itself without it; "
      "MODULE "
      "is its file's name, or the address 0x... to add; may be given several times",
      "a file, or MODULE=FILE");
}

// The modules of a trace, whenever they were loaded, for symbols of options that name them.
inline std::vector<tracecodec::program_module> modules_of(const tracecodec::umtracer::reader& trace,
                                                          const reading& as) {
  std::vector<tracecodec::program_module> all;
  const auto& table = trace.modules();
  for (std::size_t i = 0; !as.symbols.empty() && i < table.size(); ++i) {
    const tracecodec::umtracer::module_record m = table[i];
    if (m.end_address >= m.start_address)
      all.push_back({m.start_address, m.end_address - m.start_address + 1,
                     tracecodec::umtracer::to_utf8(table.win_name(i))});
  }
  return all;
}

// "ls+0x4a10"; empty if no module is known there.
inline std::string module_text(const tracecodec::program_place& p) {
  if (p.module == nullptr) return {};
  std::string s(p.module->name());
  s += '+';
  add_hex(s, p.module_offset);
  return s;
}
// "main+0x4"; empty if no symbol is known there.
inline std::string symbol_text(const tracecodec::program_place& p) {
  if (p.symbol == nullptr) return {};
  std::string s = p.symbol->name + '+';
  add_hex(s, p.symbol_offset);
  return s;
}
// Both, as far as they are known, with a space between; as a terminal shows them.
inline std::string place_text(const tracecodec::program_place& p) {
  std::string s = printable(module_text(p));
  const std::string symbol = printable(symbol_text(p));
  if (!s.empty() && !symbol.empty()) s += ' ';
  return s + symbol;
}

}  // namespace examples
