// Writes profiles in the format of pprof, as its profile.proto describes them.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "../../config.hpp"
#include "../../io/output/sink.hpp"
#include "../../wire/items/strings.hpp"
#include "../../wire/items/varint.hpp"
#include "../../wire/record.hpp"
#include "../../wire/rules/constant.hpp"
#include "../../wire/rules/sized.hpp"

namespace tracecodec::analysis {

// The messages of a profile that pprof_writer writes, with all their fields in ascending order. A
// literal is a key of Protocol Buffers: the number of the field times 8, plus 0 for a varint or 2
// for a part after its size. A profile is a sequence of such messages, in any order. Names and
// units are numbers of strings.
namespace pprof {

using size_type = wire::uleb128_of<std::uint64_t>;

// Field 1 of the profile: what the values of the samples count.
struct sample_type {
  std::uint64_t bytes, type, unit;
};
using sample_type_codec = wire::record<wire::fields<
    wire::literal<"\x0a">, wire::sized<wire::prefix<&sample_type::bytes, size_type>,
                                       wire::literal<"\x08">, wire::leb128<&sample_type::type>,
                                       wire::literal<"\x10">, wire::leb128<&sample_type::unit>>>>;

// Field 2: a stack and its values. Both lists consist of varints.
struct sample {
  std::uint64_t bytes, location_bytes, value_bytes;
  wire::array_view<wire::u8> locations;  // innermost function first
  wire::array_view<wire::u8> values;     // one for each sample_type
};
using sample_codec = wire::record<
    wire::fields<wire::literal<"\x12">,
                 wire::sized<wire::prefix<&sample::bytes, size_type>, wire::literal<"\x0a">,
                             wire::sized<wire::prefix<&sample::location_bytes, size_type>,
                                         wire::rest<&sample::locations>>,
                             wire::literal<"\x12">,
                             wire::sized<wire::prefix<&sample::value_bytes, size_type>,
                                         wire::rest<&sample::values>>>>>;

// Field 3: a module whose functions have names in the profile.
struct mapping {
  std::uint64_t bytes, id, start, limit, offset, path, build_id;
};
using mapping_codec = wire::record<wire::fields<
    wire::literal<"\x1a">,
    wire::sized<wire::prefix<&mapping::bytes, size_type>, wire::literal<"\x08">,
                wire::leb128<&mapping::id>, wire::literal<"\x10">, wire::leb128<&mapping::start>,
                wire::literal<"\x18">, wire::leb128<&mapping::limit>, wire::literal<"\x20">,
                wire::leb128<&mapping::offset>, wire::literal<"\x28">, wire::leb128<&mapping::path>,
                wire::literal<"\x30">, wire::leb128<&mapping::build_id>,
                wire::literal<"\x38\x01">>>>;

// Field 4: an address, and the function that contains it.
struct location {
  std::uint64_t bytes, id, mapping, address, line_bytes, function;
};
using location_codec = wire::record<wire::fields<
    wire::literal<"\x22">,
    wire::sized<wire::prefix<&location::bytes, size_type>, wire::literal<"\x08">,
                wire::leb128<&location::id>, wire::literal<"\x10">,
                wire::leb128<&location::mapping>, wire::literal<"\x18">,
                wire::leb128<&location::address>, wire::literal<"\x22">,
                wire::sized<wire::prefix<&location::line_bytes, size_type>, wire::literal<"\x08">,
                            wire::leb128<&location::function>>>>>;

// Field 5.
struct function {
  std::uint64_t bytes, id, name, system_name;
};
using function_codec = wire::record<wire::fields<
    wire::literal<"\x2a">,
    wire::sized<wire::prefix<&function::bytes, size_type>, wire::literal<"\x08">,
                wire::leb128<&function::id>, wire::literal<"\x10">, wire::leb128<&function::name>,
                wire::literal<"\x18">, wire::leb128<&function::system_name>>>>;

// Field 6. Strings are numbered from 0. The first one is empty.
struct string {
  wire::array_view<wire::character> text;
};
using string_codec =
    wire::record<wire::fields<wire::literal<"\x32">, wire::prefixed<&string::text, size_type>>>;

// Fields 11 and 12: a sample is made after each `period` units of `type`. Field 14: the name of the
// sample type that viewers show first.
struct period {
  std::uint64_t bytes, type, unit, period, shown;
};
using period_codec = wire::record<wire::fields<
    wire::literal<"\x5a">,
    wire::sized<wire::prefix<&period::bytes, size_type>, wire::literal<"\x08">,
                wire::leb128<&period::type>, wire::literal<"\x10">, wire::leb128<&period::unit>>,
    wire::literal<"\x60">, wire::leb128<&period::period>, wire::literal<"\x70">,
    wire::leb128<&period::shown>>>;

}  // namespace pprof

// Writer of a profile. The sink usually compresses with gzip, as pprof does. Memory does not grow
// with the profile. Errors of the sink propagate. The caller must finish the sink after finish().
//
//   pprof_writer to(sink, {{"instructions", "count"}});
//   const auto function = to.add_function("main");
//   const auto location = to.add_location(0, 0x401136, function);
//   to.add_sample({{location}}, {{17}});
//   to.finish();
class pprof_writer {
 public:
  struct type {
    std::string_view name, unit;
  };
  // Creates a profile whose samples have a value of each type. Viewers show the last one first.
  pprof_writer(io::sink& to, std::span<const type> types);

  // Adds a module, and returns its number. `limit` is the address after its last byte.
  std::uint64_t add_mapping(std::uint64_t start, std::uint64_t limit, std::string_view path,
                            std::string_view build_id);
  // Adds a function, and returns its number.
  std::uint64_t add_function(std::string_view name);
  // Adds an address in a function, and returns its number. `mapping` is 0 if the module is unknown.
  std::uint64_t add_location(std::uint64_t mapping, std::uint64_t address, std::uint64_t function);
  // Adds a stack, which is a list of locations, innermost function first, and one value for each
  // type.
  void add_sample(std::span<const std::uint64_t> locations, std::span<const std::uint64_t> values);
  // Writes what is buffered.
  void finish();

 private:
  std::uint64_t add_string(std::string_view text);
  template <class Codec, class Message> void add(const Message& m, std::size_t variable = 0);

  io::sink* to_;
  std::vector<std::byte> buffer_ = {};
  std::size_t used_ = 0;
  std::vector<std::byte> locations_ = {}, values_ = {};  // scratch space of add_sample()
  std::uint64_t strings_ = 0, mappings_ = 0, functions_ = 0, all_locations_ = 0;
};

}  // namespace tracecodec::analysis

#if !defined(TRACECODEC_SEPARATE_COMPILATION)
#include "impl/pprof.ipp"
#endif
