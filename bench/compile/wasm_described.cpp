// The sections of a WebAssembly module, described. There is no parser by hand to compare with.
#include <tracecodec/wire.hpp>

#include "wasm.hpp"

namespace {

using namespace tracecodec::wire;

using number = uleb128_of<std::uint32_t>;
struct header {
  std::array<char, 4> magic;
  std::uint32_t version;
};
struct type {
  std::uint8_t form;
  array_view<u8> parameters, results;
};
struct limits {
  bool has_most;
  std::uint32_t least, most;
};
struct import {
  array_view<character> module, name;
  std::uint8_t kind;
  std::uint32_t type;
  std::uint8_t value;
  limits size;
  bool is_mutable;
};
struct exported {
  array_view<character> name;
  std::uint8_t kind;
  std::uint32_t index;
};
struct locals {
  std::uint32_t count;
  std::uint8_t type;
};
using header_codec = record<
    in_struct_order<header, constant<&header::magic, "\0asm">, constant<&header::version, 1>>>;
using type_codec =
    record<in_struct_order<type, constant<&type::form, 0x60>, prefixed<&type::parameters, number>,
                           prefixed<&type::results, number>>>;
using limits_codec = record<in_struct_order<limits, leb128<&limits::least>,
                                            when<&limits::has_most, leb128<&limits::most>>>>;
using import_codec = record<
    in_struct_order<import, prefixed<&import::module, number>, prefixed<&import::name, number>,
                    choice<&import::kind, on<0, leb128<&import::type>>,
                           on<1, field<&import::value>, field<&import::size, limits_codec>>,
                           on<2, field<&import::size, limits_codec>>,
                           on<3, field<&import::value>, field<&import::is_mutable>>>>>;
using export_codec =
    record<in_struct_order<exported, prefixed<&exported::name, number>, leb128<&exported::index>>>;
using locals_codec = record<in_struct_order<locals, leb128<&locals::count>>>;

struct function {
  std::uint32_t size;
  list_view<locals_codec> variables;
  array_view<u8> code;
};
using function_codec =
    record<fields<sized<prefix<&function::size, number>, prefixed<&function::variables, number>,
                        rest<&function::code>>>>;
struct module_section {
  std::uint8_t id;
  std::uint32_t size;
  array_view<character> name;
  list_view<type_codec> types;
  list_view<import_codec> imports;
  list_view<number> type_of_function;
  list_view<export_codec> exports;
  list_view<function_codec> functions;
  array_view<u8> data;
};
template <class Size, class S = module_section> using section_codec = record<in_struct_order<
    S, sized<prefix<&S::size, Size>,
             choice<&S::id, on<0, prefixed<&S::name, number>, rest<&S::data>>,
                    on<1, prefixed<&S::types, number>>, on<2, prefixed<&S::imports, number>>,
                    on<3, prefixed<&S::type_of_function, number>>,
                    on<7, prefixed<&S::exports, number>>, on<10, prefixed<&S::functions, number>>,
                    otherwise<rest<&S::data>>>>>>;

}  // namespace

bool wasm::sum_up(std::span<const std::byte> file, summary& s) {
  header h{};
  if (!header_codec::decode(file, h)) return false;
  file = file.subspan(header_codec::size);
  module_section section{};
  while (!file.empty()) {
    const auto result = section_codec<number>::decode(file, section);
    if (!result) return false;
    file = file.subspan(result.used);
    if (section.id == 10)
      for (const function& f : section.functions) s.code += f.code.size();
    if (section.id == 2) s.imports += section.imports.size();
  }
  return true;
}
