// Records that --record describes, packed as they are, with their table.
#include <tracecodec/file/record_table.hpp>

#include <cstddef>
#include <cstdint>
#include <exception>
#include <utility>
#include <vector>

#include "../common/described.hpp"
#include "conversion.hpp"
#include "record_output.hpp"

namespace convert {

void pack_described(const options& o) {
  const std::size_t size = o.as.record->size();
  tracepack::about about = tracepack::about_described(*o.as.record);
  if (auto before = examples::about_of(o.in, o.as)) {
    about.program = std::move(before->program);
    about.arguments = std::move(before->arguments);
    about.recorder = std::move(before->recorder);
    about.machine = std::move(before->machine);
    about.date = std::move(before->date);
    about.region = std::move(before->region);
    about.comment = std::move(before->comment);
  }
  take_over(about, o);
  const auto out = open_pack(o, std::move(about));
  std::vector<std::byte> held;
  std::uint64_t written = 0;
  const std::exception_ptr failure = examples::for_each_described(
      o.in, o.as, o.part, examples::everything, [&](std::uint64_t, const std::byte* r) {
        held.insert(held.end(), r, r + size);
        if (++written % 1024 != 0) return;
        stop_if_interrupted();
        out->write(held);
        held.clear();
      });
  out->write(held);
  finish(*out, written, failure, o);
}

}  // namespace convert
