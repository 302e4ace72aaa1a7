// A record: from one description its size, decode, encode, a named walk and a layout table.
//
//   struct header { std::int16_t threads; std::int32_t locks; };        // plain members suffice
//   using header_codec = wire::record<header, wire::order::big>;
//
//   using event_codec = wire::record<wire::fields<                       // or say more
//       wire::bit_slices<std::uint32_t, wire::bits<&event::op, 4>, wire::bits<&event::id, 28>>>,
//       wire::order::big>;
#pragma once
#include <cstddef>
#include <span>
#include <type_traits>
#include <utility>

#include "describe.hpp"
#include "engine/sections.hpp"

namespace tracecodec::wire {

// The layout table of a codec, kept once in the program.
template <class Codec> inline constexpr auto layout_table = Codec::layout();

// `What` is a plain struct (an aggregate of plain members, std::array, nested structs), or
// fields<...>. `O` is the byte order of every field that does not say otherwise, `P` the placement,
// `T` the target whose pointer width `word` stands for. Nothing throws or allocates; everything is
// constexpr.
template <class What, order O = order::little, placement P = placement::packed,
          target T = target::x64>
struct record {
 private:
  using described = detail::described<What, policy<O, P, T>>;
  using sections = typename described::sections;  // bound_sections<...>
  using only = typename described::first;  // the first section; of a fixed record the only one

 public:
  using value_type = typename described::value_type;
  static constexpr order byte_order = O;
  static constexpr bool has_order = false;  // its fields have
  static constexpr bool fixed = described::fixed;
  // Bytes of a record of fixed size. 0 if the size varies: see extent().
  static constexpr std::size_t size = fixed ? only::size : 0;
  // Bytes of its first section, if that is of fixed size, else 0: every record begins with them.
  static constexpr std::size_t front_size = only::fixed ? only::size : 0;
  static constexpr std::size_t alignment = P == placement::natural ? only::alignment : 1;
  // Whether decode refuses some bytes: a constant, a condition on a value, what is computed.
  static constexpr bool refuses = sections::refuses || sections::computes;
  static constexpr bool scanned = !fixed;  // as an item of another record
  static constexpr bool greedy = sections::greedy;
  // Bytes of its first section that are constants.
  static constexpr std::size_t constant_bytes = only::constant_bytes;
  // What the constant of that name in its first section must be, for a message; empty if none is.
  static constexpr text constant_text(std::string_view field) noexcept {
    return only::constant_text(field);
  }

  // That section's items, for what is made of a description beside the record (columns.hpp).
  using front = only;

  // Whether value_type lies in memory as the record lies on the wire, so that decode is one move
  // and an array of value_type may be laid over aligned input.
  static constexpr bool object_layout = [] {
    if constexpr (fixed)
      return only::template lies_like<value_type>();
    else
      return false;
  }();
  // The same without padding, whose bytes an object does not keep.
  static constexpr bool object_bytes = object_layout && only::gapless;

  // Decodes a record of fixed size from exactly its bytes: cannot fail.
  TRACECODEC_INLINE static constexpr value_type decode(std::span<const byte, size> in) noexcept
      requires(fixed && !refuses) {
    return load(in.data());
  }

  // Decodes the record at the front of `in` into `s`. Views in `s` point into `in`. truncated if
  // `in` ends inside the record; refused_value, malformed or not_as_computed if its description does
  // not allow what is there. Then `used` and `field` say where, and only the members of sections
  // before that one are set for certain.
  TRACECODEC_INLINE static constexpr result decode(std::span<const byte> in,
                                                   value_type& s) noexcept {
    if constexpr (fixed && !refuses) {
      if (in.size() < size) [[unlikely]]
        return sections::truncated(s, 0, 0, in.size());
      load_into(s, in.data());
      return {size};
    } else {
      return sections::decode(in, s);
    }
  }

  // Where what decode() refuses of `in` stands: "kind", or "options[3].kind" of an element of a list.
  static constexpr text path(std::span<const std::byte> in) noexcept {
    value_type s{};
    const result r = decode(in, s);
    if constexpr (scanned) {
      detail::path_notes notes{};
      note_failure(in, notes);
      if (notes.last != nullptr) {
        if (r.field.data() != notes.last->data()) {
          notes.way += ".";
          notes.way += r.field;
        }
        return notes.way;
      }
    }
    return r.field;
  }

  // Encodes `s` to the front of `out`, in which no view of `s` lies; padding becomes zero.
  // no_space, does_not_fit or count_mismatch: nothing was written, and `used` and `field` say which
  // field it would be. (That a checksum does not fit is known only when all is written.)
  TRACECODEC_INLINE static constexpr result encode(const value_type& s,
                                                   std::span<byte> out) noexcept {
    if constexpr (fixed && !sections::computes) {
      if (const errc e = sections::check(s); e != errc::ok) [[unlikely]]
        return sections::refused(s, e);
      if (out.size() < size) [[unlikely]]
        return sections::no_space(s, out.size());
      store(s, out.data());
      return {size};
    } else {
      return sections::encode(s, out);
    }
  }

  // Its first section alone, where the rest is written in pieces: members that fit it.
  TRACECODEC_INLINE static constexpr void store_front(const value_type& s,
                                                      std::span<byte, front_size> out) noexcept
      requires(front_size != 0) {
    only::store(s, out.data(), {});
  }

  // Bytes that encode writes for `s`.
  static constexpr std::size_t extent(const value_type& s) noexcept {
    return static_cast<std::size_t>(
        with_computed(s, [](const value_type& whole) { return sections::written(whole); }));
  }

  // Calls f(name, member) for each field in wire order; absent conditional fields are left out.
  template <class F> static constexpr void walk(const value_type& s, F&& f) { walk_present(s, f); }
  template <class F> static constexpr void walk(value_type& s, F&& f) { walk_present(s, f); }

  // The same with what is known when the program is compiled: f(field_info, member, present), also
  // for absent fields, whose member then says nothing.
  template <class F>
  TRACECODEC_INLINE static constexpr void walk_fields(const value_type& s, F&& f) {
    sections::walk(s, f);
  }
  // The same without a record: every field is absent, and no condition is asked.
  template <class F> static constexpr void walk_absent(F&& f) {
    const value_type nothing{};
    sections::walk(nothing, f, false);
  }

  // Member `M` alone, decoded from the bytes of a record of fixed size, or from the front of one
  // that begins with a section of fixed size, which holds it.
  template <auto M>
  TRACECODEC_INLINE static constexpr auto get(std::span<const byte, front_size> in) noexcept
      requires(front_size != 0) {
    static_assert(only::template has<M>, "no field of this record holds that member");
    return only::template get<M>(in.data());
  }
  // The same to where it shall be: a large array is not moved once more.
  template <auto M>
  TRACECODEC_INLINE static constexpr void get_into(member_t<M>& to,
                                                   std::span<const byte, front_size> in) noexcept
      requires(front_size != 0) {
    static_assert(only::template has<M>, "no field of this record holds that member");
    only::template get_into<M>(to, in.data());
  }
  // Offset in bytes of member `M`, in the same.
  template <auto M> static constexpr std::size_t offset_of = only::template offset_of<M>;
  // The wire type of the bytes there: of a bit slice the word that it shares, else the field's own.
  template <auto M> using word_of =
      typename front::template item<front::item_of(name_of<M>)>::codec;
  // Where in the word bit slice `M` lies, as constants.
  template <auto M> static constexpr slice slice_of =
      front::template item<front::item_of(name_of<M>)>::slice_of(name_of<M>, offset_of<M>);

  // The layout table: a std::array of layout_row, in wire order.
  static constexpr auto layout() noexcept {
    constexpr std::size_t n = [] {
      detail::row_list counting;
      describe(counting, {});
      return counting.n;
    }();
    std::array<layout_row, n> rows{};
    detail::row_list list{rows.data()};
    describe(list, {});
    return rows;
  }

  // As a field of another record: `size` bytes at `p`. store expects a value for which fits().
  TRACECODEC_INLINE static constexpr value_type load(const byte* p) noexcept requires fixed {
    value_type s{};
    load_into(s, p);
    return s;
  }
  TRACECODEC_INLINE static constexpr void store(const value_type& s,
                                                byte* p) noexcept requires fixed {
    if constexpr (sections::computes) {
      static_cast<void>(sections::encode(s, {p, size}));
      return;
    }
    if constexpr (object_layout) {
      if (!std::is_constant_evaluated()) {
        std::memcpy(p, &s, size);
        only::zero_gaps(p);
        return;
      }
    }
    only::store(s, p, {});
  }
  static constexpr bool fits(const value_type& s) noexcept { return refusal(s) == errc::ok; }
  // Why it cannot be written. (encode of the record around it names the member itself.)
  static constexpr errc check(const value_type& s) noexcept requires fixed { return refusal(s); }
  static constexpr void describe(detail::row_list& list, layout_row r) noexcept {
    if (!r.name.view().empty()) r.name += ".";
    sections::describe(list, r);
  }
  static constexpr text type_name() noexcept { return std::string_view("record"); }

  // Whether decode accepts the record of fixed size at `p`, and if not, what of it fails.
  static constexpr errc accepts(const byte* p) noexcept requires(fixed&& refuses) {
    value_type s{};
    return sections::decode({p, size}, s).error;
  }
  static constexpr detail::failure refused(const byte* p) noexcept requires(fixed&& refuses) {
    value_type s{};
    const scan_result r = sections::scan(s, {p, size});
    return {r.at, r.field};
  }

  // As a field of varying size (scan.hpp): `answer` is what its counts and conditions said.
  using answer = typename sections::answer;
  TRACECODEC_INLINE static constexpr scan_result scan(
      value_type& s, std::span<const byte> in) noexcept requires scanned {
    return sections::scan(s, {in.data(), in.size()});
  }
  template <class Notes>
  static constexpr void note_failure(std::span<const std::byte> in,
                                     Notes& notes) noexcept requires scanned {
    value_type s{};
    static_cast<void>(sections::scan(s, 0, {in.data(), in.size()}, notes));
  }
  static constexpr errc prepare(const value_type& s, answer& a) noexcept requires scanned {
    if constexpr (sections::computes) {
      value_type whole = s;
      if (sections::complete(whole).field != nullptr) return errc::does_not_fit;
      return detail::to_caller(sections::prepare(whole, a));
    } else {
      return detail::to_caller(sections::prepare(s, a));
    }
  }
  static constexpr std::uint64_t written(const value_type& s,
                                         const answer& a) noexcept requires scanned {
    return with_computed(s, [&](const value_type& whole) {
      detail::no_notes none{};
      return sections::written(whole, a, 0, none);
    });
  }
  TRACECODEC_INLINE static constexpr byte* store(const value_type& s, byte* p,
                                                 const answer& a) noexcept requires scanned {
    return with_computed(s, [&](const value_type& whole) {
      byte* const end = sections::store(whole, p, a, p);
      static_cast<void>(sections::finish(whole, {p, static_cast<std::size_t>(end - p)}));
      return end;
    });
  }

 private:
  TRACECODEC_INLINE static constexpr errc refusal(const value_type& s) noexcept {
    if constexpr (sections::computes) {
      value_type whole = s;
      return sections::complete(whole).field != nullptr ? errc::does_not_fit
                                                        : sections::check(whole);
    } else {
      return sections::check(s);
    }
  }
  template <class F>
  TRACECODEC_INLINE static constexpr auto with_computed(const value_type& s, F&& f) noexcept {
    if constexpr (sections::computes) {
      value_type whole = s;
      static_cast<void>(sections::complete(whole));
      return f(whole);
    } else {
      return f(s);
    }
  }
  template <class S, class F> static constexpr void walk_present(S& s, F&& f) {
    const auto one = [&f](auto info, auto& member, bool present) {
      if (present) f(info.name, member);
    };
    sections::walk(s, one);
  }
  TRACECODEC_INLINE static constexpr void load_into(value_type& s, const byte* p) noexcept {
    if constexpr (object_layout) {
      if (!std::is_constant_evaluated()) {
        std::memcpy(&s, p, size);  // 19 instructions for a ChampSim record; 27 field by field
        return;
      }
    }
    only::load(s, p, {});
  }
};

}  // namespace tracecodec::wire
