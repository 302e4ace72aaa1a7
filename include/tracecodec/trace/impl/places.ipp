// Implementation of trace/places.hpp.
#pragma once
#include <algorithm>
#include <cstdint>
#include <utility>

#include "../../format/file_beside.hpp"
#include "../../program/read_symbols.hpp"
#include "../../program/wasm_names.hpp"
#include "../formats.hpp"
#include "../places.hpp"
#if defined(TRACECODEC_WITH_SIMDJSON)
#include "../../program/read_map.hpp"
#endif

namespace tracecodec::trace {

namespace detail {
TRACECODEC_FUNC program_map map_beside(const std::string& name, const format::facts& f,
                                       const format::open_options& o) {
  if (o.maps ? o.maps->empty() : name == "<stdin>" || f.is_folder()) return {};
  const std::string path = o.maps ? *o.maps : maps_path(name);
  if (path != "-" && !format::is_file_beside(path, "the map of a program") && !o.maps) return {};
#if defined(TRACECODEC_WITH_SIMDJSON)
  io::open_options how = o.input;
  // The option `compression` applies only to the trace itself.
  how.compression.reset();
  return read_program_map(io::open_input(path, how), o.memory);
#else
  if (!o.maps) return {};
  throw trace_error(trace_errc::unsupported, {.file = path},
                    "this build cannot read maps: it lacks simdjson (TRACECODEC_WITH_SIMDJSON)");
#endif
}
}  // namespace detail

namespace detail {
// Returns the functions of a RapidBin trace, at the addresses that rapidbin::address_map
// assigns to their instructions.
TRACECODEC_FUNC program_map functions_of(const std::string& name, const format::open_options& o) {
  const auto refuse = [&name](const std::string& why) {
    throw trace_error(trace_errc::refused, {.file = name}, why);
  };
  if (o.maps && !o.maps->empty())
    refuse("a trace of this format has no code addresses for a map to name");
  std::vector<program_symbol> all;
  for (const format::symbol_file& file : o.symbols) {
    if (!file.module.empty())
      refuse("a trace of this format has no module '" + file.module + "' to apply symbols to");
    io::open_options how = o.input;
    how.compression.reset();
    io::input in = io::open_input(file.path, how);
    if (!begins_like_wasm(in.peek(8)))
      refuse("its symbols must be the names of a WebAssembly module: " + file.path + " is not one");
    // Distance in bytes between consecutive functions, as in rapidbin::address_map.
    constexpr std::uint64_t apart = std::uint64_t{1} << 32;
    for (wasm_function& f : read_wasm_names(std::move(in), o.memory))
      all.push_back({(std::uint64_t{f.index} + 1) * apart, apart, std::move(f.name)});
  }
  return program_map({}, std::move(all));
}
}  // namespace detail

TRACECODEC_FUNC program_map places_of(const std::string& name, const format::facts& f,
                                      const format::open_options& o,
                                      std::vector<program_module> own) {
  const auto refuse = [&name](const std::string& why) {
    throw trace_error(trace_errc::refused, {.file = name}, why);
  };
  if (!f.has_addresses) return detail::functions_of(name, o);
  program_map map = detail::map_beside(name, f, o);
  if (map.modules().empty() && !own.empty()) map = program_map(std::move(own), map.symbols());
  for (const format::symbol_file& file : o.symbols) {
    io::open_options how = o.input;
    how.compression.reset();
    std::vector<program_symbol> all = read_symbols(io::open_input(file.path, how), o.memory);
    const program_module* module = nullptr;
    if (!file.module.empty() && !file.base) {
      module = map.named(file.module);
      if (module == nullptr) refuse("no module '" + file.module + "' is known to apply symbols to");
    } else if (!file.base && !map.modules().empty()) {
      // The first module is the program itself, because the program has a lower address than the
      // libraries.
      module = &map.modules().front();
    }
    std::uint64_t last = 0;
    for (const program_symbol& s : all) last = std::max(last, s.address);
    // For a position-independent program, nm prints addresses relative to the base of the
    // program.
    std::uint64_t base = file.base.value_or(0);
    if (module != nullptr && last < module->size && !module->has(last)) base = module->base;
    bool any = map.modules().empty();
    for (program_symbol& s : all) {
      s.address += base;
      any = any || map.at(s.address).module != nullptr;
    }
    if (!any && o.warn)
      o.warn(file.path +
             ": no symbol lies in a module of the trace: name the module as MODULE=FILE");
    map.add(std::move(all));
  }
  return map;
}

TRACECODEC_FUNC std::vector<program_module> modules_of(source from, const format::open_options& o) {
  std::vector<program_module> all;
  formats::with(from.format(), [&]<class D>() {
    if constexpr (format::with_modules<D>) all = D::modules(from.take(), o);
  });
  return all;
}

}  // namespace tracecodec::trace
