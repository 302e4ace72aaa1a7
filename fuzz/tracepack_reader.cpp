// Tests all ways of reading tracepack files on any bytes. If bit 0 of the first byte is set,
// checksums are corrected before reading, because otherwise reading would end at a wrong checksum.
// If bit 1 is set, mapped reading is compared with a pipe, otherwise with a stream that can be
// rewound. The remaining bits select how much to skip.
#include <algorithm>

#include "input.hpp"
#include "opened.hpp"
#include "tracecodec/tracepack/reader.hpp"
#include "tracepack_checksums.hpp"

namespace fuzz::tracepack_reader {
namespace {
namespace tracepack = tracecodec::tracepack;

// Limits the content, because a few bytes can claim to be 16 million records.
constexpr std::size_t most = std::size_t{1} << 16;

struct trace {
  bytes content = {};
  std::optional<trace_error> error = {};
  std::size_t lost = 0;
  bool all = false;  // true if reading reached the end or an error
};

using test::opened;
using test::way;

void read_on(tracepack::reader& r, trace& to) {
  for (;;) {
    const std::uint64_t before = r.position();
    const auto b = r.next();
    if (b.bytes.empty()) break;
    require(r.position() >= before + b.bytes.size(), "a position counts all that was read");
    require(b.statics.empty() || b.statics.size() * r.about().shape.size == b.bytes.size(),
            "one static number a record");
    if (!b.statics.empty()) {
      bytes record(r.about().shape.size);
      const std::uint32_t number = b.statics.back();
      require(number < r.static_count(), "a static instruction that there is");
      r.static_record(number, record);
      const std::size_t ip = r.about().shape.ip;
      require(same(view(record).subspan(ip, 8), b.bytes.last(record.size()).subspan(ip, 8)),
              "its address is the record's");
      require(r.static_property(number).length <= tracepack::longest_code,
              "code of a length that there is");
    }
    to.content.insert(to.content.end(), b.bytes.begin(), b.bytes.end());
    if (to.content.size() >= most) return;
  }
  to.all = true;
}
trace read(view in, way how, bool leniently, std::uint64_t skip = 0) {
  trace t;
  t.error = error_of([&] {
    tracepack::reader_options o{.statics = true};
    if (leniently) o.lost = [&t](const trace_error&) { ++t.lost; };
    tracepack::reader r(opened(in, how), o);
    const std::uint64_t over = r.skip(skip);
    require(over <= skip, "no more is skipped than asked for");
    require(r.position() >= over, "a position counts what was skipped");
    if (over == skip || leniently) read_on(r, t);
  });
  require(t.lost <= in.size() / 4, "no damage is told twice");
  return t;
}

// True if the content that was read of both traces is equal.
bool agree(const trace& a, const trace& b) {
  const std::size_t n = std::min(a.content.size(), b.content.size());
  if (!same(view(a.content).first(n), view(b.content).first(n))) return false;
  return !a.all || !b.all || a.content.size() == b.content.size();
}

void run(view in) {
  const unsigned how = take_byte(in);
  bytes mended;
  if ((how & 1U) != 0) {
    mended.assign(in.begin(), in.end());
    mend_checksums(mended);
    in = mended;
  }
  const way other = (how & 2U) != 0 ? way::pipe : way::again;
  const trace all = read(in, way::mapped, false), streamed = read(in, other, false);
  require(agree(all, streamed), "mapped and streamed are the same");
  require(all.error.has_value() == streamed.error.has_value(), "mapped and streamed end alike");
  if (all.error) require(all.error->code() == streamed.error->code(), "by the same error");

  const trace lenient = read(in, way::mapped, true);
  require(lenient.content.size() >= all.content.size() &&
              same(view(lenient.content).first(all.content.size()), all.content),
          "lenient reading has all that strict reading has");
  if (!all.error && all.all)
    require(lenient.lost == 0 && !lenient.error, "what is sound has lost nothing");
  static_cast<void>(read(in, other, true));

  // Skipping to a position that was read before must return the same content, unless a wrong index
  // points elsewhere.
  const std::uint64_t to =
      how >> 2U == 63 ? std::uint64_t{1} << 63 : all.content.size() * (how >> 2U) / 60;
  const trace rest = read(in, other, false, to);
  if (to <= all.content.size() && !all.error && !rest.error && all.all) {
    trace tail;
    tail.content.assign(all.content.begin() + static_cast<std::ptrdiff_t>(to), all.content.end());
    tail.all = all.all;
    require(agree(tail, rest), "skipping leads to the same records");
  }
  static_cast<void>(read(in, way::mapped, false, to));
  static_cast<void>(read(in, way::mapped, true, to));

  static_cast<void>(error_of([&] {
    tracepack::reader r(opened(in, way::mapped));
    const std::uint64_t size = r.content_size();
    const bool index = r.has_index() == true;
    bytes some(1000);
    const std::size_t n = r.read(some);
    require(n <= all.content.size() && same(view(some).first(n), view(all.content).first(n)),
            "reading goes on when the size was asked for");
    require(r.content_size() == size, "the size stays");
    if (!all.error && all.all && !index)
      require(size == all.content.size(), "the size is that of the content");
    if (!all.error && all.all && index)
      require(size == all.content.size(), "an index of what is sound is right");
    r.rewind();
    bytes again(n);
    require(r.read(again) == n && same(again, view(some).first(n)),
            "rewound, it is the same again");
  }));
}
const target registered("tracepack_reader", run);
}  // namespace
}  // namespace fuzz::tracepack_reader
