#include "places.hpp"

#include <tracecodec/io/os/path.hpp>

#include <cstddef>
#include <utility>

#include "address.hpp"
#include "text.hpp"

namespace examples {

void add_places(command_line& line, reading& as) {
  namespace trace = tracecodec::trace;
  line.begin_group("Names of addresses");
  add_value(
      line, "--maps", "FILE",
      [&as](const std::string& path) {
        as.maps = path;
        return !path.empty();
      },
      "Read the map of the program's modules from FILE, as trace_record writes it (default "
      "TRACE.maps.json, if it exists)",
      "a file");
  line.add_flag(
      "--no-maps", [&as] { as.maps = ""; }, "Ignore the map next to the trace");
  add_values(
      line, "--symbols", "[MODULE=]FILE",
      [&as](const std::string& s) {
        tracecodec::format::symbol_file file{s, {}, {}};
        // A file name can itself contain '='. same_file(s, s) is true if the whole argument is the
        // name of an existing file.
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
      "Read names of functions from FILE, the output of nm for MODULE, or for the program itself "
      "without MODULE. MODULE is the name of its file, or the address 0x... to add. May be "
      "repeated",
      "a file, or MODULE=FILE");
}

std::string module_text(const tracecodec::program_place& p) {
  if (p.module == nullptr) return {};
  std::string s(p.module->name());
  s += '+';
  add_hex(s, p.module_offset);
  return s;
}
std::string symbol_text(const tracecodec::program_place& p) {
  if (p.symbol == nullptr) return {};
  std::string s = p.symbol->name + '+';
  add_hex(s, p.symbol_offset);
  return s;
}
std::string place_text(const tracecodec::program_place& p) {
  std::string s = printable(module_text(p));
  const std::string symbol = printable(symbol_text(p));
  if (!s.empty() && !symbol.empty()) s += ' ';
  return s + symbol;
}

}  // namespace examples
