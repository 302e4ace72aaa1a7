// Unpacks a tracepack. The output is the packed content, byte for byte, even if the content does
// not consist of records.
#include <tracecodec/io/error.hpp>
#include <tracecodec/io/os/interruption.hpp>
#if defined(TRACECODEC_WITH_ZSTD)
#include <tracecodec/tracepack/open.hpp>
#include <tracecodec/tracepack/recognise.hpp>
#endif

#include <cstddef>
#include <cstdint>
#include <exception>
#include <span>
#include <utility>
#include <vector>

#include "../common/described.hpp"
#include "../common/progress.hpp"
#include "conversion.hpp"

namespace convert {

#if defined(TRACECODEC_WITH_ZSTD)
void unpack(const options& o, io::codec compression) {
  namespace tracepack = tracecodec::tracepack;
  if (o.part.skip != 0 || o.part.limit || examples::has_shard(o.part))
    throw usage_error(
        "--to content writes all packed bytes: leave out --skip, --limit and --shard");
  io::input in = io::open_input(o.in, o.as.input);
  if (!tracepack::begins_like_a_pack(in.peek(tracepack::magic.size())))
    throw usage_error("--to content is for tracepack: IN is not a tracepack");
  const auto lost = tracecodec::trace::lost_of(o.as);
  tracepack::reader from(std::move(in), {.lost = lost, .threads = o.as.threads});
  const std::uint32_t size = from.about().shape.size;
  io::input content = tracepack::open_content(std::move(from), lost);
  const auto out = io::open_output(o.out, compression, o.packing);
  std::vector<std::byte> held(std::size_t{1} << 16);
  std::uint64_t written = 0;
  std::exception_ptr failure;
  {
    examples::progress_line progress(o.in);
    for (;;) {
      std::size_t n = 0;
      try {
        n = content.read(held);
      } catch (const io::interruption&) {
        throw;
      } catch (...) {
        failure = std::current_exception();
      }
      if (n == 0) break;
      stop_if_interrupted();
      out->write(std::span(held).first(n));
      written += n;
      progress.at(content.progress());
    }
  }
  finish(*out, (written + size - 1) / size, failure, o);
}
#else
void unpack(const options& /*o*/, io::codec /*compression*/) {
  throw usage_error(
      "--to content: this build cannot read tracepack: it lacks zstd (TRACECODEC_WITH_ZSTD)");
}
#endif

}  // namespace convert
