// Pointer into one area of a file, applied to another area.
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
