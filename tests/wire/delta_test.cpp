// Tests values that are stored relative to others, and values carried from record to record.
#include <tracecodec/wire/items/delta.hpp>
#include <tracecodec/wire/items/list.hpp>
#include <tracecodec/wire/items/strings.hpp>
#include <tracecodec/wire/rules/choice.hpp>
#include <tracecodec/wire/rules/sized.hpp>
#include <tracecodec/wire/rules/when.hpp>

#include <algorithm>

#include "whole.hpp"

namespace wire = tracecodec::wire;
using wire::errc;
using namespace wire_test;

namespace {

// Jump of a trace: the program counter relative to the last one, and the target relative to the
// program counter. After a switch of the thread, the program counter starts again at 0.
struct jump {
  std::uint64_t last_pc, pc, target;
  bool switches;
  constexpr std::uint64_t next_pc() const { return switches ? 0 : target; }
};
using jump_codec =
    wire::record<wire::fields<wire::previous<&jump::last_pc, &jump::next_pc>,
                              wire::delta<&jump::pc, &jump::last_pc>,
                              wire::delta<&jump::target, &jump::pc>, wire::field<&jump::switches>>>;
struct jumps {
  std::uint8_t n;
  wire::list_view<jump_codec> all;
};
using jumps_codec = wire::record<
    wire::fields<wire::field<&jumps::n>, wire::list<&jumps::all, wire::times<&jumps::n>>>>;

TEST_CASE("carries a value from element to element, until the description starts again") {
  // Zigzag varints: 8001 is 64, 0f is -8, 06 is 3, 0a is 5, 02 is 1.
  const auto bytes = hex<"03 8001 0f 00  06 0a 01  02 02 00">;
  const jumps j = comes_back<jumps_codec>(bytes);
  std::vector<std::uint64_t> pcs, targets;
  for (const jump& one : j.all) {
    pcs.push_back(one.pc);
    targets.push_back(one.target);
  }
  CHECK(pcs == std::vector<std::uint64_t>{64, 59, 1});
  CHECK(targets == std::vector<std::uint64_t>{56, 64, 2});

  // A view of the bytes alone finds the same elements.
  const wire::list_view<jump_codec> again(std::span<const byte>(bytes).subspan(1));
  REQUIRE(again.size() == 3);
  auto second = again.begin();
  ++second;
  CHECK(second->pc == 59);
  CHECK(second->last_pc == 56);
}

TEST_CASE("decodes and encodes single records, with a last value that the caller sets") {
  const auto bytes = hex<"06 0a 01">;
  jump alone{};
  REQUIRE(jump_codec::decode(bytes, alone));
  CHECK(alone.pc == 3);

  jump after{};
  jump_codec::carry(after, {0, 0, 0x1000, false});
  CHECK(after.last_pc == 0x1000);
  REQUIRE(jump_codec::decode(bytes, after));
  CHECK(after.pc == 0x1003);
  CHECK(after.target == 0x1008);
  std::array<byte, 3> out{};
  REQUIRE(jump_codec::encode(after, out));
  CHECK(out == bytes);
  jump_codec::carry(after, {0, 0, 0x1000, true});
  CHECK(after.last_pc == 0);
}

TEST_CASE("computes differences modulo the range of the member") {
  const auto wraps = hex<"01 01 00 00">;  // -1 from 0, then 0 more
  const jumps j = comes_back<jumps_codec>(wraps);
  CHECK(j.all.begin()->pc == 0xffffffffffffffff);

  // Differences in a byte: from -128 to 127, also from 0xffff to 0 and back.
  struct near {
    std::uint16_t base, value;
  };
  using codec = wire::record<
      wire::fields<wire::field<&near::base>, wire::delta<&near::value, &near::base, std::int8_t>>>;
  CHECK(comes_back<codec>(hex<"ffff 01">).value == 0);
  CHECK(comes_back<codec>(hex<"0000 ff">).value == 0xffff);
  CHECK(comes_back<codec>(hex<"0001 80">).value == 0x80);
  std::array<byte, 3> out{};
  const auto r = codec::encode({0x100, 0x180}, out);
  CHECK(r.error == errc::does_not_fit);
  CHECK(r.field == "value");
  CHECK(r.used == 2);

  // Differences that are never negative: in an unsigned varint.
  struct later {
    std::uint32_t base, value;
  };
  using rising = wire::record<
      wire::fields<wire::field<&later::base>,
                   wire::delta<&later::value, &later::base, wire::uleb128_of<std::uint32_t>>>>;
  CHECK(comes_back<rising>(hex<"10000000 8001">).value == 0x90);
  CHECK(comes_back<rising>(hex<"10000000 ffffffff0f">).value == 0xf);
  CHECK(refused<rising>(hex<"10000000 ffffffff1f">) == refusal{errc::malformed, "value", 4});
}

TEST_CASE("starts a list with a value of the enclosing record") {
  struct sample {
    std::uint32_t last, time;
  };
  using sample_codec = wire::record<wire::fields<wire::previous<&sample::last, &sample::time>,
                                                 wire::delta<&sample::time, &sample::last>>>;
  struct samples {
    std::uint32_t start;
    std::uint8_t n;
    wire::list_view<sample_codec, &sample::last> all;
  };
  using codec = wire::record<wire::fields<wire::field<&samples::start>, wire::field<&samples::n>,
                                          wire::list<&samples::all, wire::times<&samples::n>,
                                                     wire::args<&sample::last, &samples::start>>>>;
  const samples s = comes_back<codec>(hex<"e8030000 03 02 02 04">);
  std::vector<std::uint32_t> times;
  for (const sample& one : s.all) times.push_back(one.time);
  CHECK(times == std::vector<std::uint32_t>{1001, 1002, 1004});
}

// Event of a track in a Standard MIDI File. The first byte after the time is a status, or a data
// byte if the status is that of the event before (running status). Meta events end running status.
struct event {
  std::uint32_t time;
  std::uint8_t running, first, key, value, type;
  wire::array_view<wire::u8> data;
  constexpr bool has_status() const { return first >= 0x80; }
  constexpr std::uint8_t status() const { return has_status() ? first : running; }
  constexpr std::uint8_t carried() const { return status() < 0xf0 ? status() : std::uint8_t{}; }
  constexpr std::uint8_t number() const { return has_status() ? key : first; }
};
template <int Status> using on_channel =
    wire::on_range<Status, Status + 15, wire::when<&event::has_status, wire::field<&event::key>>,
                   wire::field<&event::value>>;
template <int Status> using on_program =
    wire::on_range<Status, Status + 15, wire::when<&event::has_status, wire::field<&event::key>>>;
using event_codec = wire::record<wire::fields<
    wire::vlq<&event::time>, wire::previous<&event::running, &event::carried>,
    wire::field<&event::first>,
    wire::choice<&event::status, on_channel<0x80>, on_channel<0x90>, on_program<0xc0>,
                 wire::on<0xff, wire::field<&event::type>,
                          wire::prefixed<&event::data, wire::vlq_of<std::uint32_t>>>>>>;
struct track {
  std::uint32_t size;
  wire::list_view<event_codec> events;
};
using track_codec =
    wire::record<wire::fields<wire::literal<"MTrk">, wire::field<&track::size>,
                              wire::sized<&track::size, wire::list<&track::events>>>,
                 wire::order::big>;

TEST_CASE("reads a track with running status, the example of the MIDI file specification") {
  const track t = comes_back<track_codec>(
      hex<"4d54726b 0000003b 00ff580404021808 00ff510307a120 00c005 00c12e 00c246 00923060 003c60"
          "60914340 60904c20 8140823040 003c40 00814340 00804c40 00ff2f00">);
  std::string notes;
  std::uint32_t time = 0;
  for (const event& e : t.events) {
    time += e.time;
    if (e.status() >> 4 == 9)
      notes += std::to_string(time) + ":" + std::to_string(e.status() & 15) + ":" +
               std::to_string(e.number()) + " ";
  }
  CHECK(notes == "0:2:48 0:2:60 96:1:67 192:0:76 ");
  CHECK(t.events.size() == 14);
  // A data byte after a meta event has no status.
  CHECK(refused<track_codec>(hex<"4d54726b 00000006 00ff2f00 003c">).error == errc::invalid_value);
}

// Name that shares its first characters with the last name, as in an index of git (version 4).
struct entry {
  std::uint8_t last_size, kept;
  std::array<char, 16> last;
  wire::array_view<wire::u8> rest;
  constexpr std::array<char, 16> name() const {
    std::array<char, 16> all = last;
    for (std::size_t i = 0; i < rest.size() && kept + i < all.size(); ++i)
      all[kept + i] = static_cast<char>(rest[i]);
    return all;
  }
  constexpr std::uint8_t size() const { return static_cast<std::uint8_t>(kept + rest.size()); }
};
constexpr auto fits_last = [](const entry& e) { return e.kept <= e.last_size; };
using entry_codec =
    wire::record<wire::fields<wire::previous<&entry::last, &entry::name>,
                              wire::previous<&entry::last_size, &entry::size>,
                              wire::field<&entry::kept>, wire::terminated<&entry::rest>>>;

TEST_CASE("carries text that later elements share") {
  struct names {
    wire::list_view<entry_codec> all;
  };
  using codec = wire::record<wire::fields<wire::list<&names::all>>>;
  names n{};
  REQUIRE(codec::decode(hex<"00 7372632f612e6300 04 622e6300 04 622e6800">, n));
  std::string all;
  for (const entry& e : n.all) {
    CHECK(fits_last(e));
    const auto text = e.name();
    all.append(text.data(), e.size()) += ' ';
  }
  CHECK(all == "src/a.c src/b.c src/b.h ");
}

// Index of git, version 4: each name is stored as the number of characters to remove from the end
// of the name before, and the characters to add. git itself made the index, of these files:
//   src/a.c src/b.c src/lib/b.h src/lib/beta.h z
constexpr auto git_index =
    hex<"4449524300000004000000056b0cacd63a63818d6b0cacd63a63818d0000fe000051c265000081a4"
        "000000000000000000000002587be6b4c3f93f93c489c0111bba5596147a26cb0007007372632f61"
        "2e63006b0cacd63a63818d6b0cacd63a63818d0000fe000051c266000081a4000000000000000000"
        "000002587be6b4c3f93f93c489c0111bba5596147a26cb000703622e63006b0cacd63a63818d6b0c"
        "acd63a63818d0000fe000051c267000081a4000000000000000000000002587be6b4c3f93f93c489"
        "c0111bba5596147a26cb000b036c69622f622e68006b0cacd63a63818d6b0cacd63a63818d0000fe"
        "000051c268000081a4000000000000000000000002587be6b4c3f93f93c489c0111bba5596147a26"
        "cb000e026574612e68006b0cacd63a63818d6b0cacd63a63818d0000fe000051c269000081a40000"
        "00000000000000000002587be6b4c3f93f93c489c0111bba5596147a26cb00010e7a00d667a1fb69"
        "9e4b99958c61791adbf9e9cf783d39">;
struct git_entry {
  std::array<char, 32> last;
  std::uint8_t last_size;
  std::array<std::uint32_t, 10> stat;
  std::array<std::uint8_t, 20> id;
  std::uint16_t flags;  // the length of the name in the low 12 bits
  std::uint8_t removed;
  wire::array_view<wire::character> added;

  constexpr bool fits() const { return removed <= last_size; }
  constexpr std::array<char, 32> name() const {
    std::array<char, 32> all{};
    for (std::size_t i = 0; i < size(); ++i)
      all[i] = i < kept() ? last[i] : static_cast<char>(added[i - kept()]);
    return all;
  }
  constexpr std::size_t kept() const { return static_cast<std::size_t>(last_size - removed); }
  constexpr std::uint8_t size() const {
    return static_cast<std::uint8_t>(std::min(kept() + added.size(), last.size()));
  }
};
using git_entry_codec = wire::record<
    wire::fields<
        wire::previous<&git_entry::last, &git_entry::name>,
        wire::previous<&git_entry::last_size, &git_entry::size>, wire::field<&git_entry::stat>,
        wire::field<&git_entry::id>, wire::field<&git_entry::flags>, wire::vlq<&git_entry::removed>,
        wire::choice<&git_entry::fits, wire::on<true, wire::terminated<&git_entry::added>>>>,
    wire::order::big>;
struct git_file {
  std::uint32_t version, count;
  wire::list_view<git_entry_codec> entries;
  std::array<std::uint8_t, 20> sum;
};
using git_codec = wire::record<
    wire::fields<
        wire::literal<"DIRC">, wire::constant<&git_file::version, 4>, wire::field<&git_file::count>,
        wire::list<&git_file::entries, wire::times<&git_file::count>>, wire::field<&git_file::sum>>,
    wire::order::big>;

TEST_CASE("reads and writes the names of an index of git") {
  git_file file{};
  const auto r = git_codec::decode(git_index, file);
  REQUIRE(r);
  CHECK(r.used == git_index.size());
  std::string names;
  std::vector<std::byte> again;
  git_entry last{};
  for (const git_entry& e : file.entries) {
    names.append(e.name().data(), e.size()) += ' ';
    CHECK((e.flags & 0xfff) == e.size());
    git_entry copy = e;
    if (again.empty())
      copy.last = {}, copy.last_size = 0;
    else
      git_entry_codec::carry(copy, last);
    const std::size_t at = again.size();
    again.resize(at + git_entry_codec::extent(copy));
    CHECK(git_entry_codec::encode(copy, std::span(again).subspan(at)));
    last = copy;
  }
  CHECK(names == "src/a.c src/b.c src/lib/b.h src/lib/beta.h z ");
  CHECK(std::ranges::equal(again, file.entries.bytes()));
}

TEST_CASE("refuses to remove more characters than the name before has") {
  // The second entry removes 3 of 7 characters. The number is at offset 145, before the text.
  auto damaged = git_index;
  CHECK(damaged[145] == std::byte{3});
  damaged[145] = std::byte{8};
  git_file file{};
  const auto r = git_codec::decode(damaged, file);
  CHECK(r.error == errc::invalid_value);
  CHECK(r.used == 146);
}

TEST_CASE("names the element that fails, and shows what a value is relative to") {
  CHECK(refused<jumps_codec>(hex<"03 02 02 00 02 ffffffffffffffffff7f 00">) ==
        refusal{errc::malformed, "target", 5});
  CHECK(refused<jumps_codec>(hex<"03 02 02 00 02 02 01 80">) == refusal{errc::truncated, "pc", 7});
  const auto rows = jump_codec::layout();
  REQUIRE(rows.size() == 3);
  CHECK(rows[0].name.view() == "pc");
  CHECK(rows[0].values->are == wire::values_are::relative);
  CHECK(rows[0].values->base == "last_pc");
  std::string names;
  jump_codec::walk(jump{}, [&](std::string_view name, const auto&) { names += name; });
  CHECK(names == "pctargetswitches");
}

}  // namespace
