// Converts BT9 traces to text rows. Other conversions are those of any trace.
#include "conversion.hpp"

#include <tracecodec/bt9/descriptor.hpp>
#include <tracecodec/bt9/rows.hpp>

#include <cstdint>
#include <exception>
#include <utility>

#include "../../common/progress.hpp"
#include "../write_rows.hpp"

namespace convert {

namespace {

namespace bt9 = tracecodec::bt9;

void bt9_to_rows(tracecodec::trace::source in, const options& o, io::codec compression) {
  bt9::instruction_reader from(std::move(in.input()));
  with_rows<bt9::row>(o, compression, [&](auto& out) -> std::exception_ptr {
    examples::progress_line progress(o.in);
    std::uint64_t left = o.part.limit.value_or(~std::uint64_t{0});
    try {
      from.skip(o.part.skip);
      for (auto b = from.next(); b.size() != 0 && left != 0; b = from.next()) {
        stop_if_interrupted();
        for (std::uint64_t n = b.first; const bt9::instruction& i : b)
          if (left != 0) out.write(bt9::row_of(n++, i, from.graph())), --left;
        progress.at(from.progress());
      }
    } catch (const io::interruption&) {
      throw;
    } catch (const tracecodec::trace_error&) {
      return std::current_exception();
    }
    return nullptr;
  });
}

}  // namespace

constexpr format_conversion bt9_conversion{.format = &bt9::descriptor::facts,
                                           .to_rows = bt9_to_rows};

}  // namespace convert
