// Decodes and encodes entries of a Git index, Protocol Buffers messages and STF records with the
// library and with hand-written code.
#include "compare.hpp"
#include "samples.hpp"
#include "streams_by_hand.hpp"

namespace {

using streams::stf;

template <class T> void add(std::vector<std::byte>& to, T value) {
  const auto* const p = reinterpret_cast<const std::byte*>(&value);
  to.insert(to.end(), p, p + sizeof value);
}
template <class... T> void add_all(std::vector<std::byte>& to, T... values) {
  (add(to, values), ...);
}
void add_number(std::vector<std::byte>& to, std::uint64_t n) {
  for (; n > 0x7f; n >>= 7) to.push_back(static_cast<std::byte>((n & 0x7f) | 0x80));
  to.push_back(static_cast<std::byte>(n));
}

// Returns entries with names of 4 to 67 characters.
std::vector<std::byte> entries(std::size_t n) {
  std::vector<std::byte> all;
  samples::sequence next;
  for (std::size_t i = 0; i < n; ++i) {
    for (int k = 0; k < 60; ++k) all.push_back(static_cast<std::byte>(next()));
    const std::size_t length = 4 + next() % 64;
    add_all(all, static_cast<std::uint8_t>((next() & 0xf0) | length >> 8),
            static_cast<std::uint8_t>(length));
    all.insert(all.end(), length, std::byte{'n'});
    all.insert(all.end(), 8 - (62 + length) % 8, std::byte{0});
  }
  return all;
}

// Returns messages of 1 to 8 fields. Most fields are small numbers, as in most messages.
std::vector<std::byte> messages(std::size_t n) {
  std::vector<std::byte> all;
  samples::sequence next;
  for (std::size_t i = 0; i < n; ++i) {
    std::vector<std::byte> fields;
    for (std::size_t k = 0, last = next() % 8; k <= last; ++k) {
      const std::size_t kind = next() % 8;
      const unsigned type = kind < 4 ? 0 : kind < 6 ? 2 : kind == 6 ? 1 : 5;
      add_number(fields, (k + 1) << 3 | type);
      if (type == 0) add_number(fields, next() >> (24 + next() % 40));
      if (type == 1) add(fields, next());
      if (type == 5) add(fields, static_cast<std::uint32_t>(next()));
      if (type == 2) {
        const std::size_t length = next() % 40;
        add_number(fields, length);
        fields.insert(fields.end(), length, std::byte{'b'});
      }
    }
    add_number(all, fields.size());
    all.insert(all.end(), fields.begin(), fields.end());
  }
  return all;
}

// Returns records in the proportions of a traced program. Each instruction has up to three
// operands, sometimes an access with its content or a target, and then its opcode.
std::vector<std::byte> stf_records(std::size_t n) {
  std::vector<std::byte> all;
  samples::sequence next;
  std::size_t records = 0;
  const auto record = [&](stf what, auto... values) {
    if (records++ < n) add_all(all, what, values...);
  };
  while (records < n) {
    for (std::uint64_t k = next() % 4; k != 0; --k)
      record(stf::reg, static_cast<std::uint16_t>(next() % 32), std::uint8_t{0x21}, next());
    const std::uint64_t what = next() % 16;
    if (what < 5) {
      record(stf::access, next(), std::uint16_t{8}, std::uint16_t{0}, std::uint8_t{1});
      record(stf::content, next());
    }
    if (what == 5 || what == 6) record(stf::target, next());
    if (what == 7 && next() % 16 == 0)
      record(stf::event, std::uint32_t{8}, std::uint8_t{2}, next(), next());
    if (next() % 2 == 0)
      record(stf::opcode32, static_cast<std::uint32_t>(next()));
    else
      record(stf::opcode16, static_cast<std::uint16_t>(next()));
  }
  return all;
}

}  // namespace

int main() {
  for (const std::size_t n : {1000U, 3000U}) {
    const std::vector<std::byte> index = entries(n), proto = messages(n), trace = stf_records(n);
    using namespace streams;
    compare<entry_codec, entry_by_hand>("git_index", index, n);
    compare_parts<entry_codec, entry_by_hand, &entry::name>("git_index", index, n);
    compare<message_codec, message_by_hand>("protobuf", proto, n);
    compare_parts<message_codec, message_by_hand, &message::size>("protobuf", proto, n);
    compare<streams::proto_field_codec, streams::proto_field_by_hand>(
        "protobuf_field",
        [n] {
          // The fields of messages, without the sizes of messages.
          std::vector<std::byte> all;
          const std::vector<std::byte> from = messages(n);
          std::size_t fields = 0;
          for (std::span<const std::byte> in = from; !in.empty() && fields < n;) {
            streams::message m{};
            in = in.subspan(streams::message_by_hand::decode(in, m));
            for (auto f = m.fields.begin(); f != m.fields.end() && fields < n; ++f, ++fields)
              all.insert(all.end(), f.bytes().begin(), f.bytes().end());
          }
          return all;
        }(),
        n);
    compare<stf_codec, stf_by_hand>("stf", trace, n);
    // A record is skipped only as a part of its instruction, which knows the parameters.
    compare_reading<decode_member_of_all<stf_codec, &stf_record::opcode>,
                    decode_member_of_all<stf_by_hand, &stf_record::opcode>>("member/stf", trace, n);
  }
  return failed ? 1 : 0;
}
