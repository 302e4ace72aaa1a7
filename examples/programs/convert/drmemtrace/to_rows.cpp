// Converts drmemtrace traces to text rows: the records, including markers.
#include <tracecodec/drmemtrace/descriptor.hpp>
#include <tracecodec/drmemtrace/rows.hpp>

#include <exception>
#include <vector>

#include "../../common/progress.hpp"
#include "../write_rows.hpp"
#include "conversion.hpp"

namespace convert {

void drmemtrace_to_rows(tracecodec::trace::source in, const options& o, io::codec compression) {
  namespace drmemtrace = tracecodec::drmemtrace;
  refuse_for_drmemtrace(o);
  tracecodec::trace::require_known_options(in, o.as);
  drmemtrace::row_reader from(std::move(in.input()), o.as.thread);
  with_rows<drmemtrace::row>(o, compression, [&](auto& out) -> std::exception_ptr {
    examples::progress_line progress(o.in);
    constexpr std::uint64_t all = ~std::uint64_t{0};
    std::uint64_t skip = o.part.skip, left = o.part.limit.value_or(all);
    std::vector<drmemtrace::row> batch;
    do {
      try {
        from.next(batch);
      } catch (const io::interruption&) {
        throw;
      } catch (...) {
        return std::current_exception();
      }
      stop_if_interrupted();
      for (const drmemtrace::row& r : batch) {
        if (skip != 0) {
          --skip;
        } else if (left != 0) {
          out.write(r);
          --left;
        }
      }
      progress.at(from.progress());
    } while (!batch.empty() && left != 0);
    return nullptr;
  });
}

}  // namespace convert
