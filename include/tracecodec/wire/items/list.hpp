// Lists of variable-length records or values, as lazy views.
#pragma once
#include <cstddef>
#include <span>
#include <type_traits>

#include "given.hpp"

namespace tracecodec::wire {

namespace detail {
// Reads a value of wire type `W`, of fixed size or variable length, from the front of `in`.
template <class W>
TRACECODEC_INLINE constexpr scan_result scan_element(typename W::value_type& v,
                                                     std::span<const byte> in) noexcept {
  if constexpr (scanned_type<W>) {
    return W::scan(v, in);
  } else {
    if (in.size() < W::size) return {0, errc::truncated};
    if constexpr (may_refuse<W>)
      if (const errc e = W::accepts(in.data()); e != errc::ok) return {0, e};
    v = W::load(in.data());
    return {W::size};
  }
}
}  // namespace detail

// Input range of `size()` elements of wire type `W`, which may vary in size. An iterator decodes an
// element when it reaches the element. The view does not own its bytes. `Given` are the parameters
// of the elements (given.hpp), and the view stores the values of the parameters.
template <class W, auto... Given> class list_view {
  static_assert(sizeof...(Given) == 0 || scanned_type<W>,
                "only a record of varying size can receive parameters");

 public:
  using codec = W;
  using value_type = typename W::value_type;
  using given_type = detail::given_values<Given...>;

  constexpr list_view() = default;
  // Views the complete elements at the front of `bytes`, up to the first element that decode
  // rejects.
  constexpr explicit list_view(std::span<const byte> bytes,
                               const member_t<Given>&... given) noexcept
      : p_(bytes.data()), given_(given...) {
    for (; size_ != bytes.size(); ++n_) {
      value_type v{};
      given_.to(v);
      const scan_result r = detail::scan_element<W>(v, bytes.subspan(size_));
      if (!r || r.at == 0) break;
      size_ += r.at;
    }
  }

  [[nodiscard]] constexpr std::size_t size() const noexcept { return n_; }
  [[nodiscard]] constexpr bool empty() const noexcept { return n_ == 0; }
  [[nodiscard]] constexpr std::span<const byte> bytes() const noexcept { return {p_, size_}; }
  // Returns the values of the elements' parameters.
  [[nodiscard]] constexpr const given_type& given() const noexcept { return given_; }

  class iterator {
   public:
    using value_type = typename W::value_type;
    using difference_type = std::ptrdiff_t;
    using reference = const value_type&;
    using pointer = const value_type*;
    using iterator_category = std::input_iterator_tag;
    // An input iterator, because it stores the element that it refers to.
    using iterator_concept = std::input_iterator_tag;

    constexpr iterator() = default;
    constexpr iterator(const byte* p, const byte* end, const given_type& given) noexcept
        : p_(p), next_(p), end_(end), given_(given) {
      load();
    }
    constexpr reference operator*() const& noexcept { return value_; }
    // Returns a copy, because the element is destroyed together with a temporary iterator.
    constexpr value_type operator*() const&& noexcept { return value_; }
    constexpr pointer operator->() const noexcept { return &value_; }
    // Returns the bytes of the current element.
    [[nodiscard]] constexpr std::span<const byte> bytes() const noexcept {
      return {p_, static_cast<std::size_t>(next_ - p_)};
    }
    constexpr iterator& operator++() noexcept {
      p_ = next_;
      load();
      return *this;
    }
    constexpr iterator operator++(int) noexcept {
      iterator old = *this;
      ++*this;
      return old;
    }
    friend constexpr bool operator==(const iterator& a, const iterator& b) noexcept {
      return a.p_ == b.p_;
    }
    friend constexpr bool operator==(const iterator& a, std::default_sentinel_t) noexcept {
      return a.p_ == a.end_;
    }

   private:
    // Decodes the element at `p_`. All elements were valid when the list was made. If their bytes
    // have changed since then, as in a mapped file, the list ends after the first element that is
    // no longer valid.
    constexpr void load() noexcept {
      if (p_ == end_) return;
      value_ = value_type{};
      given_.to(value_);
      const scan_result r =
          detail::scan_element<W>(value_, {p_, static_cast<std::size_t>(end_ - p_)});
      next_ = r && r.at != 0 ? p_ + r.at : end_;
    }
    const byte* p_ = nullptr;
    const byte* next_ = nullptr;
    const byte* end_ = nullptr;
    [[no_unique_address]] given_type given_{};
    value_type value_{};
  };
  constexpr iterator begin() const noexcept { return iterator(p_, p_ + size_, given_); }
  constexpr std::default_sentinel_t end() const noexcept { return {}; }

 private:
  const byte* p_ = nullptr;
  std::size_t size_ = 0, n_ = 0;
  [[no_unique_address]] given_type given_{};

 public:
  // Returns a view of `n` elements in `bytes`. A scan has already found them valid.
  static constexpr list_view of_scanned(std::span<const byte> bytes, std::size_t n,
                                        const given_type& given) noexcept {
    list_view v;
    v.given_ = given;
    v.p_ = bytes.data();
    v.size_ = bytes.size();
    v.n_ = n;
    return v;
  }
};

// Where a list ends:
// - times: after `Count` elements (&S::member, &S::function, a callable or a number).
// - to_end: at the end of the input or of the limited<> part.
// - until: after the first element for which `Pred` returns true.
template <auto Count> struct times {};
struct to_end {};
template <auto Pred> struct until {};

namespace detail {
// Implementation of to_end.
template <class End> struct list_end {
  static constexpr bool greedy = true;
  // True if `V` can be an element.
  template <class V> static constexpr bool can_ask = true;
  static constexpr std::string_view says = "to the end";
  static constexpr list_ends ends = list_ends::at_end;
  static constexpr std::string_view count{};
  static constexpr const layout_part* condition = nullptr;
  template <class Place> static consteval bool depends_on_earlier() { return true; }
  template <class S> static constexpr extent_type most(const S&) noexcept { return largest_extent; }
  template <class V> static constexpr bool last(const V&) noexcept { return false; }
  // Returns true if a list may end here. The arguments are the result of last() for the latest
  // element, the number of elements, and the result of most().
  static constexpr bool complete(bool, extent_type, extent_type) noexcept { return true; }
};
template <auto Count> struct list_end<times<Count>> {
  static constexpr bool greedy = false;
  template <class V> static constexpr bool can_ask = true;
  static constexpr list_ends ends = list_ends::counted;
  static constexpr std::string_view count = member_asked<Count>;
  static constexpr const layout_part* condition = nullptr;
  static constexpr std::string_view says = count_asked<Count>;
  template <class Place> static consteval bool depends_on_earlier() {
    return is_earlier<Count, Place>();
  }
  template <class S> static constexpr extent_type most(const S& s) noexcept {
    return elements<1>(detail::ask<Count>(s));
  }
  template <class V> static constexpr bool last(const V&) noexcept { return false; }
  static constexpr bool complete(bool, extent_type n, extent_type most) noexcept {
    return n == most;
  }
};
template <auto Pred> struct list_end<until<Pred>> : list_end<to_end> {
  static constexpr bool greedy = false;
  template <class V> static constexpr bool can_ask =
      std::is_invocable_r_v<bool, decltype(Pred), const V&>;
  static constexpr std::string_view says = "until one ends it";
  static constexpr list_ends ends = list_ends::until;
  static constexpr const layout_part* condition = &part_when<Pred>;
  template <class V> static constexpr bool last(const V& v) noexcept {
    constexpr auto pred = Pred;
    return static_cast<bool>(pred(v));
  }
  static constexpr bool complete(bool done, extent_type, extent_type) noexcept { return done; }
};

// Compile errors about a list. g++ prints the member's name first, clang prints the message first.
template <class Name> struct this_member_must_be_a_list_view {
  static_assert(never<Name>, "list<> needs a member that is a list_view<W>");
  static constexpr bool good = true;
};
template <class Name> struct this_list_has_elements_without_an_end {
  static_assert(never<Name>,
                "an element of a list must have its own end: put what extends to the end (rest<>, "
                "skip_rest, if_left<>, list<> with to_end) into a limited<> part");
  static constexpr bool good = true;
};
template <class Name> struct this_list_has_a_predicate_of_something_else {
  static_assert(never<Name>, "the predicate of until<> must accept an element of the list");
  static constexpr bool good = true;
};
template <auto P, class End, class View> consteval bool list_is_good() {
  if constexpr (!requires { typename View::given_type; })
    return this_member_must_be_a_list_view<quoted_t<label_of<pointed<P>>>>::good;
  else if constexpr (is_greedy<typename View::codec>)
    return this_list_has_elements_without_an_end<quoted_t<label_of<pointed<P>>>>::good;
  else if constexpr (!End::template can_ask<typename View::value_type>)
    return this_list_has_a_predicate_of_something_else<quoted_t<label_of<pointed<P>>>>::good;
  else
    return true;
}

template <auto P, class End, class... Given> struct bound_list {
  static_assert(list_is_good<P, End, typename view_of<P>::type>());
  using view = typename view_of<P>::type;
  using given_type = given_values<Given::member...>;
  static_assert(std::is_same_v<given_type, typename view::given_type>,
                "the list's elements must receive the members that its list_view names");
  using element = typename view::codec;
  using value = typename view::value_type;
  static constexpr bool fixed = false;
  static constexpr bool scanned = true;
  static constexpr bool greedy = End::greedy;
  static constexpr std::string_view label = name_of<P>;
  static constexpr meaning says = meaning::number;
  template <auto> static constexpr bool has = false;
  template <auto M> static constexpr bool is = same_member<P, M>();

  using answer = nothing_asked;
  template <class S, class Notes>
  TRACECODEC_INLINE static constexpr scan_result scan(S& s, std::size_t at, const scan_input& in,
                                                      Notes& notes) noexcept {
    const extent_type most = End::most(s);
    const auto all = in.behind(at);
    std::size_t size = 0;
    extent_type n = 0;
    bool done = false;
    const given_type given = told(s);
    for (; n < most && !done && size != all.size(); ++n) {
      // A new value per element, so that absent members do not keep values of the previous element.
      value v{};
      given.to(v);
      const scan_result r = scan_element<element>(v, all.subspan(size));
      if (!r) {
        // The path of an element with parameters is not noted, because note_failure() would read
        // the element without its parameters.
        if constexpr (sizeof...(Given) == 0)
          note_failure<element>(notes, all.subspan(size), label, n);
        return {at + size + r.at, r.error, r.field == nullptr ? &label : r.field};
      }
      // An element without bytes would make the loop endless.
      if (r.at == 0) return {at + size, errc::malformed, &label};
      size += r.at;
      done = End::last(v);
    }
    if (!End::complete(done, n, most)) return {at + size, errc::truncated, &label};
    s.*P = view::of_scanned(all.first(size), static_cast<std::size_t>(n), given);
    return {at + size};
  }
  template <class S> static constexpr errc prepare(const S& s, answer&) noexcept {
    const view& all = s.*P;
    const extent_type most = End::most(s);
    if (all.size() > most) return errc::count_mismatch;
    if constexpr (sizeof...(Given) != 0)
      if (!all.empty() && !(all.given() == told(s))) return errc::invalid_value;
    bool done = false;
    for (const value& v : all) {
      if (done) return errc::count_mismatch;
      done = End::last(v);
    }
    return End::complete(done, all.size(), most) ? errc::ok : errc::count_mismatch;
  }
  template <class S, class Notes>
  static constexpr extent_type written(const S& s, answer, extent_type, Notes&) noexcept {
    return (s.*P).bytes().size();
  }
  template <class S>
  static constexpr byte* store(const S& s, byte* p, answer, const byte*) noexcept {
    const auto bytes = (s.*P).bytes();
    copy(bytes.data(), p, bytes.size());
    return p + bytes.size();
  }
  template <class S, class F> static constexpr void walk(S& s, bool present, F&& f) {
    f(field_info<bound_list>{}, s.*P, present);
  }
  static constexpr void describe(row_list& list, layout_row r) {
    r.name += label;
    r.scanned = true;
    r.count = std::string_view("list ");
    r.count += End::says;
    r.type = element::type_name();
    r.how = &how;
    list.add(r);
  }

  static constexpr layout_how how{.as = read_as::list,
                                  .element = kept_nodes<element>,
                                  .count = End::count,
                                  .ends = End::ends,
                                  .last = End::condition};

 private:
  template <class S> TRACECODEC_INLINE static constexpr given_type told(const S& s) noexcept {
    if constexpr (sizeof...(Given) == 0)
      return {};
    else
      return given_type(Given::value(s)...);
  }
};
}  // namespace detail

// List of elements that may vary in length, in member `P`, a list_view. `End` is times<count>,
// to_end or until<pred>. decode scans the elements once, so that later iteration meets no errors.
// An element without bytes is malformed. encode copies the view's bytes. `Given`, such as
// given<&element::m, From>, sets a parameter of each element. encode returns invalid_value for a
// view whose elements had other parameters.
template <auto P, class End = to_end, class... Given> struct list {
  using owner = owner_t<P>;
  template <class> using bind = detail::bound_list<P, detail::list_end<End>, Given...>;
  static consteval int mentions(std::string_view member) { return member == name_of<P>; }
  template <class Place> static consteval bool depends_on_earlier() {
    return detail::list_end<End>::template depends_on_earlier<Place>() &&
           (Given::template depends_on_earlier<Place>() && ...);
  }
};

}  // namespace tracecodec::wire
