// Lines of the load traces of ML-DPC, a championship of data prefetching with machine learning: the
// loads that reach the last-level cache.
#pragma once
#include <cstdint>

#include "../feed/of.hpp"
#include "../file/describe.hpp"
#include "../wire/items/number_text.hpp"
#include "../wire/items/strings.hpp"
#include "../wire/record.hpp"
#include "../wire/rules/constant.hpp"

namespace tracecodec::mldpc {

// Line such as "3659, 1024, 7f1c2a40, 40a1b2, 0".
struct load {
  std::uint64_t instruction;  // number of the instruction in the program
  std::uint64_t cycle;
  std::uint64_t address;
  std::uint64_t pc;
  std::uint8_t hit;  // 1 if the last-level cache contains the line, otherwise 0

  // Returns true for a load that no table of small numbers contains. Used for recognition.
  [[nodiscard]] constexpr bool is_plausible() const noexcept {
    return address >= 0x1000 && pc >= 0x1000;
  }
};
namespace detail {
inline constexpr wire::number_form decimal{10, 1, 1}, hexadecimal{16, 1, 1};
}
using load_codec = wire::record<wire::in_struct_order<
    load, wire::number_text<&load::instruction>,
    wire::at<wire::literal<",">, wire::number_text<&load::cycle, detail::decimal>>,
    wire::at<wire::literal<",">, wire::number_text<&load::address, detail::hexadecimal>>,
    wire::at<wire::literal<",">, wire::number_text<&load::pc, detail::hexadecimal>>,
    wire::at<wire::literal<",">,
             wire::in_range<&load::hit, std::uint8_t{0}, std::uint8_t{1},
                            wire::number_text_of<std::uint8_t, detail::decimal>>,
             wire::literal<"\n">>>>;

using trace_file =
    file::of<"ML-DPC trace",
             file::records<load_codec, file::each<"load">, file::lines<4, &load::is_plausible>>>;
using trace_feed =
    feed::of<trace_file, feed::map::ip<&load::pc>, feed::map::source_memory<&load::address>>;

// Calls to(load) for each memory that an instruction reads. `index` is its number in the trace. The
// number replaces the unknown cycle, and the last-level cache contains no line.
template <class Accesses, class Sink>
void write_instruction(std::uint64_t index, std::uint64_t ip, const Accesses& all, Sink&& to) {
  for (const auto& a : all)
    if (!a.write) to(load{index, index, a.address, ip, 0});
}

}  // namespace tracecodec::mldpc
