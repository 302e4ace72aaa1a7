// A pointer into one area of the file applied to another.
// expect: no matching (member )?function for call to .*locate
#include <tracecodec/wire/types/file_pointer.hpp>

namespace wire = tracecodec::wire;

struct extra;
constexpr wire::file_pointer<wire::u8, extra> pointer{};
#ifdef FIXED
constexpr wire::region<extra> bytes{};
#else
constexpr wire::region<> bytes{};
#endif
static_assert(!pointer.locate(bytes, 1));
