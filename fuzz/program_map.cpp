// Tests a program's map, or nm's output if the first byte is 'S'.
#include "target.hpp"
#include "tracecodec/program/map_json.hpp"
#include "tracecodec/program/read_map.hpp"
#include "tracecodec/program/read_symbols.hpp"

namespace fuzz::program_map {
namespace {
namespace io = tracecodec::io;

io::input input_of(view in) { return io::open_bytes(in, "fuzz", {.compression = io::codec::none}); }

void look_up(const tracecodec::program_map& map, std::uint64_t address) {
  const tracecodec::program_place p = map.at(address);
  if (p.module != nullptr)
    require(p.module->base + p.module_offset == address && p.module_offset < p.module->size,
            "a module has the address");
  if (p.symbol != nullptr)
    require(p.symbol->address + p.symbol_offset == address &&
                (p.symbol->size == 0 || p.symbol_offset < p.symbol->size),
            "a symbol has the address");
}

void run(view in) {
  const bool symbols = take_byte(in) == 'S';
  tracecodec::program_map map;
  if (error_of([&] {
        map = symbols ? tracecodec::program_map({}, tracecodec::read_symbols(input_of(in)))
                      : tracecodec::read_program_map(input_of(in));
      }))
    return;
  for (const auto& m : map.modules()) {
    require(map.at(m.base).module == &m, "a module's first address");
    for (const std::uint64_t a : {m.base - 1, m.base, m.base + (m.size - 1), m.base + m.size})
      look_up(map, a);
  }
  for (const auto& s : map.symbols())
    for (const std::uint64_t a : {s.address - 1, s.address, s.address + s.size}) look_up(map, a);
  std::string text;
  tracecodec::add_program_map(text, map);
  std::string again;
  tracecodec::add_program_map(
      again, tracecodec::read_program_map(input_of(std::as_bytes(std::span(text)))));
  require(text == again, "what is written is read");
}
const target registered("program_map", run);
}  // namespace
}  // namespace fuzz::program_map
