// Record codec. From one description, the codec derives its size, the functions decode and encode,
// a walk by name, and a layout table.
//
//   struct header { std::int16_t threads; std::int32_t locks; };        // plain members suffice
//   using header_codec = wire::record<header, wire::order::big>;
//
//   using event_codec = wire::record<                            // only what is special
//       wire::in_struct_order<event, wire::bit_slices<std::uint32_t, wire::bits<&event::op, 4>,
//                                                     wire::bits<&event::id, 28>>>,
//       wire::order::big>;
#pragma once
#include <cstddef>
#include <span>
#include <type_traits>
#include <utility>

#include "describe.hpp"
#include "engine/sections.hpp"

namespace tracecodec::wire {

// Layout table of a codec, stored once per program.
template <class Codec> inline constexpr auto layout_table = Codec::layout();

// Codec of one record. `What` is a plain struct (an aggregate of plain members, std::array and
// nested structs), in_struct_order<...> or fields<...>. `O` is the byte order of fields whose
// description does not specify an order. `P` is the placement. `T` is the target, which determines
// the width of `word`. No function throws or allocates, and everything is constexpr.
template <class What, order O = order::little, placement P = placement::packed,
          target T = target::x64>
struct record {
 private:
  using described = detail::described<What, policy<O, P, T>>;
  using sections = typename described::sections;  // bound_sections<...>
  // The first section, which is the only section if the size is fixed.
  using only = typename described::first;

 public:
  using value_type = typename described::value_type;
  static constexpr order byte_order = O;
  // False, because each field has its own byte order.
  static constexpr bool has_order = false;
  static constexpr bool fixed = described::fixed;
  // Size in bytes of a fixed-size record, or 0 if the size varies (see extent()).
  static constexpr std::size_t size = fixed ? only::size : 0;
  // Size in bytes of the first section, or 0 if the size of the first section varies.
  static constexpr std::size_t front_size = only::fixed ? only::size : 0;
  static constexpr std::size_t alignment = P == placement::natural ? only::alignment : 1;
  // True if decode rejects some bytes: wrong constants, values that the description does not allow,
  // or wrong computed values.
  static constexpr bool refuses = sections::refuses || sections::computes;
  // True if the record is a variable-length item when it is part of another record.
  static constexpr bool variable_length = !fixed;
  static constexpr bool greedy = sections::greedy;
  static constexpr bool nests_records = sections::nests_records;
  // Number of parameters. An enclosing record, a file or the caller sets the parameters before
  // decode.
  static constexpr std::size_t parameters = described::parameters;
  // List of the parameters that are carried from record to record (previous<>).
  using carried = typename described::carried;
  // Sets the carried parameters of the record `next`, which follows the record `last`.
  static constexpr void carry(value_type& next, const value_type& last) noexcept {
    detail::carry(carried{}, next, last);
  }
  // Number of bytes of constants in the first section.
  static constexpr std::size_t constant_bytes = only::constant_bytes;
  // Returns the required text of the constant `field` in the first section, for messages. Returns
  // an empty text if the first section has no constant called `field`.
  static constexpr text constant_text(std::string_view field) noexcept {
    return only::constant_text(field);
  }

  // The first section. columns.hpp builds columns from its items.
  using front = only;

  // True if value_type has the same layout in memory as the record has on the wire. In that case,
  // decode is a single copy of the bytes, and aligned input can be viewed in place as an array of
  // value_type.
  static constexpr bool object_layout = [] {
    if constexpr (fixed)
      return only::template lies_like<value_type>();
    else
      return false;
  }();
  // True if object_layout is true and the layout contains no padding. (An object does not preserve
  // its padding bytes.)
  static constexpr bool object_bytes = object_layout && only::gapless;

  // Decodes a fixed-size record from exactly `size` bytes. This function cannot fail.
  TRACECODEC_INLINE static constexpr value_type decode(std::span<const byte, size> in) noexcept
      requires(fixed && !refuses) {
    return load(in.data());
  }

  // Decodes the record at the front of `in` into `s`. Views in `s` point into `in`. Returns
  // truncated if `in` ends inside the record. Returns invalid_value, malformed, wrong_size or
  // not_as_computed if the description does not allow the bytes. After an error, `used` and `field`
  // locate the failure, and any members of `s` may have been set.
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

  // Returns the size of the record at the front of `in` without decoding the record. Values are
  // checked only if the size depends on them, so decode() may reject a record that skip() accepts.
  // Returns the error of decode() if the size cannot be determined.
  TRACECODEC_INLINE static constexpr result skip(std::span<const byte> in) noexcept
      requires(parameters == 0) {
    const std::size_t n = sections::template skip<value_type>({in.data(), in.size()});
    if (n == detail::not_read) [[unlikely]]
      return not_skipped(in);
    return {n};
  }

  // Explains how bytes of another type are decoded.
  template <class Input, class S>
  requires(!std::is_convertible_v<const Input&, std::span<const byte>> ||
           !std::is_same_v<S, value_type>) static result decode(const Input&, S&) {
    static_assert(std::is_same_v<S, value_type>,
                  "decode sets an object of the struct that the record describes");
    static_assert(std::is_convertible_v<const Input&, std::span<const byte>>,
                  "decode reads std::byte: pass std::as_bytes(std::span(input))");
    return {};
  }

  // Returns the path of the field at which decode() fails in `in`, such as "kind", or
  // "options[3].kind" inside an element of a list. Returns an empty text if decode() succeeds.
  static constexpr text path(std::span<const std::byte> in) noexcept {
    value_type s{};
    if constexpr (variable_length) {
      detail::failure_path path{};
      if (detail::scan_failure r{}; detail::read_again<record>(s, in, r) != detail::not_read)
        return {};
      const std::string_view field = *sections::explain(s, {in.data(), in.size()}, &path).field;
      if (path.way.length == 0) return field;
      if (path.last == nullptr || field.data() != path.last->data()) path.end(field);
      return path.way;
    } else {
      return decode(in, s).field;
    }
  }

  // Encodes `s` to the front of `out`, which must not overlap the bytes of views in `s`. Padding
  // becomes zero. After an error (no_space, does_not_fit, count_mismatch, invalid_value), nothing
  // was written, and `used` and `field` locate the failing field. The only exception is a checksum
  // that does not fit, which is detected only after the whole record was written.
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

  // Encodes only the first section, for callers that write the rest in pieces. The members must fit
  // their fields.
  TRACECODEC_INLINE static constexpr void store_front(const value_type& s,
                                                      std::span<byte, front_size> out) noexcept
      requires(front_size != 0) {
    only::store(s, out.data(), {});
  }

  // Returns the number of bytes that encode writes for `s`.
  static constexpr std::size_t extent(const value_type& s) noexcept {
    return static_cast<std::size_t>(
        with_computed(s, [](const value_type& whole) { return sections::written(whole); }));
  }

  // Calls f(name, member) for each field in wire order, skipping absent conditional fields.
  template <class F> static constexpr void walk(const value_type& s, F&& f) { walk_present(s, f); }
  template <class F> static constexpr void walk(value_type& s, F&& f) { walk_present(s, f); }

  // Calls f(field_info, member, present) for each field in wire order. field_info contains the
  // compile-time properties of the field. `f` is also called for absent fields, whose members have
  // no meaning.
  template <class F>
  TRACECODEC_INLINE static constexpr void walk_fields(const value_type& s, F&& f) {
    sections::walk(s, f);
  }
  // Calls f(field_info, member, false) for each field, without a record and without evaluating
  // conditions.
  template <class F> static constexpr void walk_absent(F&& f) {
    const value_type nothing{};
    sections::walk(nothing, f, false);
  }

  // Decodes only member `M`. In a variable-size record, `M` must be in the fixed-size section at
  // the beginning.
  template <auto M>
  TRACECODEC_INLINE static constexpr auto get(std::span<const byte, front_size> in) noexcept
      requires(front_size != 0) {
    static_assert(only::template has<M>, "no field of this record holds that member");
    return only::template get<M>(in.data());
  }
  // Decodes member `M` directly into `to`, which saves a copy of a large array.
  template <auto M>
  TRACECODEC_INLINE static constexpr void get_into(member_t<M>& to,
                                                   std::span<const byte, front_size> in) noexcept
      requires(front_size != 0) {
    static_assert(only::template has<M>, "no field of this record holds that member");
    only::template get_into<M>(to, in.data());
  }
  // Offset of member `M` in bytes from the start of the record.
  template <auto M> static constexpr std::size_t offset_of = only::template offset_of<M>;
  // Wire type of the bytes that store member `M`: the shared word for a bit slice, otherwise the
  // field's wire type.
  template <auto M> using word_of =
      typename front::template item<front::item_of(name_of<M>)>::codec;
  // Returns the offset of `member` in the bytes that encode writes for `s`, or 0 if they do not
  // contain the member.
  static constexpr std::size_t offset_in(
      const value_type& s, std::string_view member) noexcept requires variable_length {
    detail::failure_notes notes{};
    notes.sought = member;
    static_cast<void>(sections::measured(s, notes));
    return notes.place == detail::not_read ? 0 : notes.place;
  }
  // Compile-time position of bit slice `M` in its word.
  template <auto M> static constexpr slice slice_of =
      front::template item<front::item_of(name_of<M>)>::slice_of(name_of<M>, offset_of<M>);

  // Returns the layout table: a std::array of layout_row in wire order.
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

  // Decodes the record as a field of another record, from `size` bytes at `p`. store() encodes the
  // record, and requires that fits() returns true for the value.
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
  // Returns the error for a record that cannot be written, or ok if the record can be written. (If
  // an enclosing record cannot be encoded, its error names only the field that contains this
  // record.)
  static constexpr errc check(const value_type& s) noexcept requires fixed { return refusal(s); }
  static constexpr void describe(detail::row_list& list, layout_row r) noexcept {
    if (!r.name.view().empty()) r.name += ".";
    sections::describe(list, r);
  }
  static constexpr text type_name() noexcept { return std::string_view("record"); }

  // Returns ok if decode accepts the fixed-size record at `p`, or the error if decode rejects it.
  // refused() returns the field that failed.
  static constexpr errc accepts(const byte* p) noexcept requires(fixed&& refuses) {
    value_type s{};
    return sections::decode({p, size}, s).error;
  }
  static constexpr detail::failure refused(const byte* p) noexcept requires(fixed&& refuses) {
    value_type s{};
    const scan_result r = sections::scan(s, {p, size});
    return {r.at, r.field};
  }

  // Interface of a variable-length field (scan.hpp). `evaluated` holds the evaluated counts and
  // conditions.
  using evaluated = typename sections::evaluated;
  TRACECODEC_INLINE static constexpr scan_result scan(
      value_type& s, std::span<const byte> in) noexcept requires variable_length {
    return sections::scan(s, {in.data(), in.size()});
  }
  // Reads a record like scan(), but returns only the record's size, or not_read.
  TRACECODEC_INLINE static constexpr std::size_t read(
      value_type& s, std::span<const byte> in) noexcept requires variable_length {
    return sections::read(s, {in.data(), in.size()});
  }
  // Returns the place of the failure of read(), and the reason.
  static constexpr detail::scan_failure explain(
      const value_type& s, std::span<const byte> in) noexcept requires variable_length {
    return sections::explain(s, {in.data(), in.size()}, nullptr);
  }
  // Extends `path` to the field at which decode() fails in `in`.
  static constexpr void extend_path(std::span<const std::byte> in,
                                    detail::failure_path& path) noexcept requires variable_length {
    value_type s{};
    path.last = nullptr;
    static_cast<void>(sections::explain(s, {in.data(), in.size()}, &path));
  }
  static constexpr errc prepare(const value_type& s,
                                evaluated& a) noexcept requires variable_length {
    if constexpr (sections::computes) {
      value_type whole = s;
      if (sections::complete(whole).field != nullptr) return errc::does_not_fit;
      return detail::to_caller(sections::prepare(std::as_const(whole), a));
    } else {
      return detail::to_caller(sections::prepare(s, a));
    }
  }
  static constexpr std::uint64_t written(const value_type& s,
                                         const evaluated& a) noexcept requires variable_length {
    return with_computed(s, [&](const value_type& whole) {
      detail::no_notes none{};
      return sections::written(whole, a, 0, none);
    });
  }
  TRACECODEC_INLINE static constexpr byte* store(
      const value_type& s, byte* p, const evaluated& a) noexcept requires variable_length {
    return with_computed(s, [&](const value_type& whole) {
      byte* const end = sections::store(whole, p, a, p);
      static_cast<void>(sections::finish(whole, {p, static_cast<std::size_t>(end - p)}));
      return end;
    });
  }

 private:
  // Returns the error of decode().
  [[gnu::cold, gnu::noinline]] static constexpr result not_skipped(
      std::span<const byte> in) noexcept {
    value_type s{};
    return decode(in, s);
  }
  TRACECODEC_INLINE static constexpr errc refusal(const value_type& s) noexcept {
    if constexpr (sections::computes) {
      value_type whole = s;
      return sections::complete(whole).field != nullptr ? errc::does_not_fit
                                                        : sections::check(std::as_const(whole));
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
        // This copy takes 19 instructions for a ChampSim record, instead of 27 for field-by-field
        // loads.
        std::memcpy(&s, p, size);
        return;
      }
    }
    only::load(s, p, {});
  }
};

}  // namespace tracecodec::wire
