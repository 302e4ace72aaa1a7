// The blocks of a pcapng file with their options, described.
#include <tracecodec/wire.hpp>

#include "pcapng.hpp"

namespace {

using namespace tracecodec::wire;

struct option {
  std::uint16_t code, size;
  array_view<character> value;
};
using option_codec =
    record<in_struct_order<option, computed<&option::size, size_of<&option::value>>,
                           at<counted<&option::value, &option::size>, align<4>>>>;
enum class kind : std::uint32_t { interface = 1, packet = 6, section = 0x0A0D0D0A };
struct block {
  kind type;
  std::uint32_t size, magic;
  std::uint16_t major, minor, link, reserved;
  std::int64_t section_size;
  std::uint32_t longest, interface, time_high, time_low, captured, original;
  array_view<u8> data;
  list_view<option_codec> options;
  std::uint32_t size_again;
  constexpr std::uint32_t body() const { return size < 12 ? 0 : size - 12; }
};
using block_codec = record<fields<
    field<&block::type>, computed<&block::size, extent_of<>>,
    sized<
        &block::body,
        choice<&block::type,
               on<kind::section, constant<&block::magic, 0x1A2B3C4D>, field<&block::major>,
                  field<&block::minor>, field<&block::section_size>, list<&block::options, to_end>>,
               on<kind::interface, field<&block::link>, field<&block::reserved>,
                  field<&block::longest>, list<&block::options, to_end>>,
               on<kind::packet, field<&block::interface>, field<&block::time_high>,
                  field<&block::time_low>, computed<&block::captured, size_of<&block::data>>,
                  field<&block::original>, counted<&block::data, &block::captured>, align<4>,
                  list<&block::options, to_end>>,
               otherwise<rest<&block::data>>>>,
    computed<&block::size_again, extent_of<>>>>;

}  // namespace

bool pcapng::sum_up(std::span<const std::byte> file, summary& s) {
  block b{};
  while (!file.empty()) {
    const auto result = block_codec::decode(file, b);
    if (!result) return false;
    file = file.subspan(result.used);
    s.options += b.options.size();
    if (b.type != kind::packet) continue;
    ++s.packets;
    s.bytes += b.data.size();
  }
  return true;
}
