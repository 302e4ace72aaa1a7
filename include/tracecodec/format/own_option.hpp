// Which types are options of formats' own.
#pragma once

namespace tracecodec::format {

// True for the types of values that own_options holds: each is specialised beside its type.
template <class T> inline constexpr bool is_own_option = false;

}  // namespace tracecodec::format
