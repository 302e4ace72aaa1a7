// Tests that the tracepack reader returns what the writer received. The first 8 bytes select kind
// and level, records per frame, properties, record size, where records are torn, and what is
// skipped. The other bytes are either the records themselves, or select copies of earlier words
// with a few changed bytes, which resemble a program.
#include <algorithm>
#include <array>

#include "input.hpp"
#include "tracecodec/tracepack/reader.hpp"
#include "tracecodec/tracepack/writer.hpp"

namespace fuzz::tracepack_round_trip {
namespace {
namespace tracepack = tracecodec::tracepack;

tracepack::about described(unsigned size, unsigned slots) {
  tracepack::about a;
  a.kind = tracepack::record_kind::described;
  a.shape.size = static_cast<std::uint16_t>(8 * (1 + size % 40));
  a.shape.ip = static_cast<std::uint16_t>(8 * (slots % (a.shape.size / 8U)));
  for (std::uint16_t at = 0; at != a.shape.size && a.shape.slots.size() != tracepack::most_slots;
       at = static_cast<std::uint16_t>(at + 8)) {
    if (at == a.shape.ip) continue;
    if ((slots >> at / 8U % 8 & 1) != 0)
      a.shape.slots.push_back(at);
    else
      a.shape.bases.push_back(static_cast<std::uint16_t>(at + slots % 8));
  }
  if (size >= 240)
    // A size that the model does not cover.
    a.shape.size = static_cast<std::uint16_t>(a.shape.size + 3);
  return a;
}

// Returns records that are generated from pairs of bytes. The first byte of a pair selects one of
// the 64 previous words to repeat, and the second byte changes the copy.
bytes grown(view in, std::size_t most) {
  bytes all;
  while (in.size() >= 2 && all.size() < most) {
    const std::size_t back = std::to_integer<std::size_t>(in[0]) % 64 + 1;
    const unsigned change = std::to_integer<unsigned>(in[1]);
    in = in.subspan(2);
    std::array<std::byte, 8> word{};
    if (8 * back <= all.size())
      std::copy_n(all.end() - static_cast<std::ptrdiff_t>(8 * back), 8, word.begin());
    word[change % 16 < 8 ? change % 16 : 0] ^= static_cast<std::byte>(change >> 4);
    all.insert(all.end(), word.begin(), word.end());
  }
  return all;
}

std::uint64_t at_most(unsigned part, std::uint64_t n) { return n * part / 255; }

void run(view in) {
  std::array<unsigned, 8> drawn{};
  for (unsigned& d : drawn) d = take_byte(in);
  tracepack::pack_options o;
  switch (drawn[0] % 4) {
    case 0:
      break;
    case 1:
      o.about = tracepack::about_cloudsuite();
      break;
    case 2:
      o.about = described(drawn[3], drawn[4]);
      break;
    default:
      o.about.kind = tracepack::record_kind::bytes;
      o.about.shape = {.size = static_cast<std::uint16_t>(1 + drawn[3])};
  }
  o.level = (drawn[0] & 16U) != 0 ? tracepack::level::high : tracepack::level::fast;
  o.about.frame_records = 1 + drawn[1] % 100;
  o.about.properties = static_cast<std::uint8_t>(drawn[2] % 8);
  const std::size_t size = o.about.shape.size;
  bytes content = (drawn[0] & 8U) != 0 ? grown(in, 100 * size) : bytes(in.begin(), in.end());
  content.resize(std::min<std::size_t>(content.size(), 30'000));

  bytes file;
  tracepack::writer w(sink_to(file), o);
  const std::size_t whole = content.size() / size;
  std::vector<tracepack::property> properties;
  if ((drawn[0] & 32U) != 0) {
    for (std::size_t i = 0; i != whole; ++i) {
      tracepack::property p;
      const auto b = std::to_integer<std::uint8_t>(content[i * size + drawn[5] % size]);
      p.branch = b;
      p.length = b % 16;
      std::fill(p.code.begin(), p.code.end(), static_cast<std::byte>(b >> 2));
      properties.push_back(p);
    }
    w.write(view(content).first(whole * size), properties);
    w.write(view(content).subspan(whole * size));
  } else {
    const auto cut = static_cast<std::size_t>(at_most(drawn[5], content.size()));
    w.write(view(content).first(cut));
    w.write(view(content).subspan(cut));
  }
  w.finish();

  const auto open = [&](bool map) { return map ? in_memory(file) : stream_of(file); };
  bytes out;
  tracepack::reader r(open((drawn[0] & 64U) != 0), {.statics = true});
  std::size_t record = 0;
  for (auto b = r.next(); !b.bytes.empty(); b = r.next()) {
    for (std::size_t i = 0; i != b.statics.size() && !properties.empty(); ++i) {
      const tracepack::property is = r.static_property(b.statics[i]),
                                &given = properties[record + i];
      if ((drawn[2] & tracepack::has_classes) != 0)
        require(is.branch == given.branch, "the class comes back");
      if ((drawn[2] & tracepack::has_lengths) != 0)
        require(is.length == given.length, "the length comes back");
      if ((drawn[2] & 6U) == 6)
        require(std::equal(is.code.begin(), is.code.begin() + is.length, given.code.begin()),
                "the code comes back");
    }
    record += b.bytes.size() / size;
    out.insert(out.end(), b.bytes.begin(), b.bytes.end());
  }
  require(out == content, "decode(encode(x)) == x");
  require(r.position() == content.size(), "the position is the end");

  tracepack::reader skipping(open(true));
  require(skipping.content_size() == content.size(), "the index knows the size");
  require(skipping.has_index() == true, "there is an index");
  const std::uint64_t first = at_most(drawn[6], content.size()),
                      second = at_most(drawn[7], content.size() - first);
  require(skipping.skip(first) == first, "as much is skipped as asked for");
  bytes some(100);
  const std::size_t n = skipping.read(some);
  require(
      same(view(some).first(n), view(content).subspan(static_cast<std::size_t>(first)).first(n)),
      "skipping is exact");
  const std::uint64_t over = skipping.skip(second);
  require(over == std::min<std::uint64_t>(second, content.size() - first - n),
          "it ends at the end");
  const std::size_t m = skipping.read(some);
  require(same(view(some).first(m),
               view(content).subspan(static_cast<std::size_t>(first + n + over)).first(m)),
          "and the second time");
}
const target registered("tracepack_round_trip", run);
}  // namespace
}  // namespace fuzz::tracepack_round_trip
