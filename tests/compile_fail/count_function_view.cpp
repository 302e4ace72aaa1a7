// A count that a function finds in an array of its own section, where there is one.
// expect: must be read in an earlier section
#include <tracecodec/wire/record.hpp>

namespace wire = tracecodec::wire;

struct list {
  std::uint8_t count;
  wire::array_view<wire::u8> flags;
  wire::array_view<wire::u8> items;
  constexpr unsigned first() const { return flags[0]; }
};
#ifdef FIXED
using codec = wire::record<wire::fields<wire::section<wire::field<&list::count>>,
                                        wire::section<wire::counted<&list::flags, &list::count>>,
                                        wire::section<wire::counted<&list::items, &list::first>>>>;
#else
using codec = wire::record<wire::fields<wire::section<wire::field<&list::count>>,
                                        wire::section<wire::counted<&list::flags, &list::count>,
                                                      wire::counted<&list::items, &list::first>>>>;
#endif
static_assert(!codec::fixed);
