// Converts BT9 traces to text rows. Other conversions are those of any trace.
#include "conversion.hpp"

#include <tracecodec/bt9/descriptor.hpp>
#include <tracecodec/bt9/rows.hpp>

#include <cstdint>
#include <utility>

#include "../selected.hpp"
#include "../write_rows.hpp"

namespace convert {

namespace {

namespace bt9 = tracecodec::bt9;

void bt9_to_rows(tracecodec::trace::source in, const options& o, io::codec compression) {
  bt9::instruction_reader from(std::move(in.input()));
  with_rows<bt9::row>(o, compression, [&](auto& out) {
    return for_each_selected(from, o, [&](std::uint64_t index, const bt9::instruction& i) {
      out.write(bt9::row_of(index, i, from.graph()));
    });
  });
}

}  // namespace

constexpr format_conversion bt9_conversion{.format = &bt9::descriptor::facts,
                                           .to_rows = bt9_to_rows};

}  // namespace convert
