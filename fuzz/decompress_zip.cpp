// Tests zip archives: from a file, from a pipe, and members by name.
#include <tracecodec/io/compression/zip.hpp>
#include <tracecodec/io/compression/zip_sink.hpp>

#include "decompress.hpp"

namespace fuzz::decompress_zip {
namespace {

class pipe_source final : public io::source {
 public:
  explicit pipe_source(view in) : from_(in) {}
  std::size_t read(std::span<std::byte> out) override { return from_.read(out); }

 private:
  io::memory_source from_;
};

// Returns an archive of two chunks.
bytes compressed(io::codec, view content) {
  bytes out;
  io::zip_sink to(sink_to(out));
  to.write(content.first(content.size() / 2));
  to.start_chunk();
  to.write(content.subspan(content.size() / 2));
  to.finish();
  return out;
}

// Reads at most `most` bytes of content. Returns true if the content ended without an error.
bool read_all(std::unique_ptr<io::source> from, const io::zip_options& o, bytes& content) {
  bool ended = false;
  const auto error = error_of([&] {
    io::zip_source zip(std::move(from), "fuzz", o);
    const auto piece = std::make_unique_for_overwrite<std::byte[]>(4096);
    while (content.size() < most && !ended) {
      const std::size_t n = zip.read({piece.get(), 4096});
      content.insert(content.end(), piece.get(), piece.get() + n);
      ended = n == 0;
    }
  });
  return ended && !error;
}

void run(view in) {
  const view file = in.empty() ? in : in.subspan(1);
  std::vector<io::zip_member> members;
  const auto error = error_of([&] {
    io::memory_source from(file);
    members = io::zip_members(from, "fuzz");
  });
  require(members.size() <= file.size() / 76, "each member has a header and a directory entry");
  bytes from_file, from_pipe;
  const bool ended = read_all(std::make_unique<io::memory_source>(file), {}, from_file);
  if (ended) require(!error.has_value(), "content without an error has a directory");
  read_all(std::make_unique<pipe_source>(file), {}, from_pipe);
  if (!members.empty()) {
    // zip_source reads the first member of that name.
    const auto wanted = std::find_if(members.begin(), members.end(),
                                     [&](const auto& m) { return m.name == members.back().name; });
    bytes one;
    if (read_all(std::make_unique<io::memory_source>(file), {.member = wanted->name}, one))
      require(one.size() == wanted->size, "a member has the size that the directory states");
  }
  try_codec(io::codec::zip, in, compressed);
}
const target registered("decompress_zip", run);

}  // namespace
}  // namespace fuzz::decompress_zip
