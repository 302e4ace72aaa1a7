// A format that the library does not know: its description, its mapping, and its descriptor.
#pragma once
#include <array>
#include <cstdint>
#include <tracecodec/feed/of.hpp>
#include <tracecodec/file.hpp>
#include <tracecodec/format/facts.hpp>
#include <tracecodec/format/file_descriptor.hpp>
#include <tracecodec/wire/rules/constant.hpp>

namespace toy {

namespace feed = tracecodec::feed;
namespace file = tracecodec::file;
namespace format = tracecodec::format;
namespace map = tracecodec::feed::map;
namespace wire = tracecodec::wire;

struct header {
  std::array<char, 4> magic;
  std::uint32_t version;
  std::uint64_t steps;  // how many follow
};
enum class kind : std::uint8_t { plain, load, store, jump };
struct step {
  std::uint64_t ip;
  std::uint16_t thread;
  kind what;
  std::uint64_t address;  // of the data, or where the jump goes
};
using header_codec =
    wire::record<wire::fields<wire::constant<&header::magic, "STEP">,
                              wire::constant<&header::version, 1>, wire::field<&header::steps>>>;
using step_file = file::of<
    "STEP trace", file::header<header_codec>,
    file::records<wire::record<step>, file::counted_by<&header::steps>, file::each<"step">>>;
using step_feed =
    feed::of<step_file, map::ip<&step::ip>, map::asid<&step::thread>,
             map::branch<feed::branch_class::direct_jump, map::is<&step::what, kind::jump>>,
             map::target<&step::address>,
             map::source_memory<&step::address, map::is<&step::what, kind::load>>,
             map::destination_memory<&step::address, map::is<&step::what, kind::store>>>;

struct step_descriptor : format::file_descriptor<step_file, step_feed> {
  static constexpr format::facts facts{
      .name = "step", .title = "STEP", .family = "STEP", .thread = "thread"};
};

}  // namespace toy
