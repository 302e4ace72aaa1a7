// Properties of every described file (file/): its reader, its writer and its check agree.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "input.hpp"
#include "tracecodec/file.hpp"

namespace fuzz::described_file {
namespace file = tracecodec::file;

// All records in encoded form, and the error that ended them.
struct trace {
  bool opened = false;
  bool ended = false;  // true if the last record is an end mark
  std::vector<bytes> records = {};
  std::optional<trace_error> error = {};
};

template <class Codec> bytes encoded(const typename Codec::value_type& r) {
  bytes out(Codec::extent(r));
  require(bool(Codec::encode(r, out)), "what was decoded can be encoded");
  return out;
}

template <class File> trace read(io::input in, bool lenient) {
  trace all;
  all.error = error_of([&] {
    typename File::reader r(std::move(in), {.lenient = lenient});
    all.opened = true;
    bool last = false;
    for (auto b = r.next(); b.size() != 0; b = r.next()) {
      require(b.first == all.records.size(), "batches follow each other");
      require(!last, "no record follows the last batch");
      last = b.last;
      for (const auto& one : b) {
        require(!all.ended, "no record follows the end mark");
        all.ended = File::mark::ends(one);
        all.records.push_back(encoded<typename File::codec>(one));
      }
      if (!b.last) encoded<typename File::codec>(b.following());
    }
  });
  return all;
}

template <class File> void seek(view in, bool mapped, const trace& all, std::uint64_t n) {
  static_cast<void>(error_of([&] {
    typename File::reader r(input_of(in, mapped), {.lenient = true});
    require(r.seek(n) == (n < all.records.size()), "a record that exists is reached");
    if (n >= all.records.size()) return;
    const auto b = r.next();
    require(b.first == n &&
                encoded<typename File::codec>(b[0]) == all.records[static_cast<std::size_t>(n)],
            "seeking leads to the same record");
  }));
}

template <class File> void write(view in, const trace& all) {
  bytes out;
  const auto refused = error_of([&] {
    typename File::reader r(in_memory(in), {.lenient = true});
    typename File::writer w(sink_to(out), "out");
    for (auto b = r.next(); b.size() != 0; b = r.next()) w.write(b.records);
    w.finish();
  });
  if (File::mark::there && !all.ended)
    return require(refused.has_value(), "the writer needs an end mark");
  // Writing fails only if a one-byte count is too small for the number of records.
  if (refused) return require(all.records.size() > 255, "what was read is written");
  const trace again = read<File>(stream_of(out), false);
  require(!again.error, "what is written is sound");
  require(again.records == all.records, "and the same");
}

template <class File> void run_as(view in, unsigned how) {
  const bool mapped = (how & 1U) != 0;
  const trace strict = read<File>(input_of(in, mapped), false),
              other = read<File>(input_of(in, !mapped), false),
              lenient = read<File>(input_of(in, mapped), true);
  require(strict.records == other.records, "mapped or not, the same records");
  require(strict.error.has_value() == other.error.has_value(), "and the same end");
  if (strict.error)
    require(strict.error->what() == std::string(other.error->what()), "and the same error");
  const auto found = File::check(input_of(in, mapped), [](const auto&) {});
  std::uint64_t broken = 0;
  for (const auto n : found.found) broken += n;
  require((broken != 0) == strict.error.has_value(), "reader and check agree");
  if (File::probe(in, in.size()) == file::match::certain)
    require(strict.opened, "what is certain can be opened");
  if (!lenient.opened) return;
  if (lenient.error) return require(in.empty(), "a lenient reader takes any records");
  require(!strict.opened || strict.records == lenient.records, "strict or not, the same records");
  write<File>(in, lenient);
  seek<File>(in, mapped, lenient, how >> 3U);
}

}  // namespace fuzz::described_file
