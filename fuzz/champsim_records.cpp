// Tests ChampSim and CloudSuite records: the codec, recognition, and the guess of a record
// size.
#include "target.hpp"
#include "tracecodec/champsim/layout.hpp"
#include "tracecodec/champsim/recognise.hpp"
#include "tracecodec/champsim/record_size.hpp"

namespace fuzz::champsim_records {
namespace {
namespace champsim = tracecodec::champsim;

template <class Codec> void round_trip(view in) {
  typename Codec::value_type r{}, again{};
  const auto read = Codec::decode(in, r);
  require(bool(read) == (in.size() >= Codec::size), "a record is whole or cut, nothing else");
  if (!read) return;
  std::array<std::byte, Codec::size> out{};
  require(bool(Codec::encode(r, out)), "what was read can be written");
  require(bool(Codec::decode(out, again)) && again == r, "decode(encode(r)) == r");
  // The codec does not preserve CloudSuite's padding.
  if (Codec::size == 64) require(same(out, in.first(Codec::size)), "the same bytes");
  require(Codec::load(in.data()) == r, "load and decode agree");
}

template <class Codec> void probe(view in) {
  const auto l = champsim::probe<Codec>(in);
  require(l.plausible <= l.records && l.records <= in.size() / Codec::size, "counts of records");
  require(!l.bad_byte || *l.bad_byte < in.size(), "the bad byte is one of the bytes");
}

void run(view in) {
  round_trip<champsim::instruction_codec>(in);
  round_trip<champsim::cloudsuite_codec>(in);
  probe<champsim::instruction_codec>(in);
  probe<champsim::cloudsuite_codec>(in);
  const auto guess = champsim::guess_record_size(in);
  require(guess.sequential >= 0 && guess.sequential <= 1, "a share");
}
const target registered("champsim_records", run);
}  // namespace
}  // namespace fuzz::champsim_records
