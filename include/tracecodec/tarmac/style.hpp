// Styles of Tarmac text, as an option for writing it.
#pragma once
#include <array>
#include <cstdint>
#include <string_view>

#include "../format/option.hpp"
#include "../format/own_option.hpp"

namespace tracecodec::tarmac {

enum class style : std::uint8_t { it, es };

// Returns the style of a text that begins with `front`.
constexpr style style_of(std::string_view front) noexcept {
  return front.find(" ES ") < front.find(" IT ") ? style::es : style::it;
}

}  // namespace tracecodec::tarmac

template <> inline constexpr bool tracecodec::format::is_own_option<tracecodec::tarmac::style> =
    true;

namespace tracecodec::tarmac {

inline constexpr std::array<format::option_value, 2> style_names{{{"it"}, {"es"}}};
inline constexpr format::option style_option = format::choice_option<style, style_names>(
    {.name = "tarmac-style",
     .value = "STYLE",
     .help = "Write Tarmac text in the style of Fast Models (it) or of processors (es), with a "
             "diagram of 16 bytes for each memory access. Default: the style of a Tarmac trace, "
             "otherwise it",
     .traces = "Tarmac traces",
     .expected = "it or es",
     .use = format::option_use::output});

}  // namespace tracecodec::tarmac
