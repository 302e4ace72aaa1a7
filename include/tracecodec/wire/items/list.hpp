// Lists of variable-length records or values, as lazy views.
#pragma once
#include <cstddef>
#include <span>
#include <type_traits>

#include "args.hpp"
#include "strings.hpp"

namespace tracecodec::wire {

namespace detail {
// Returns true if `W` can receive `N` parameters. Without parameters, does not instantiate `W`, so
// that a record may contain a list of itself.
template <class W, std::size_t N> consteval bool can_receive_parameters() {
  if constexpr (N == 0)
    return true;
  else
    return variable_length_type<W>;
}
// Sets the parameters of `v`, the next element of a list: the list's arguments, and the values that
// `v` carries from the previous element `last`. `last` is null for the first element. Returns false
// if `v` has no argument.
template <class W, class Cursor> TRACECODEC_INLINE constexpr bool set_parameters(
    value_of_t<W>& v, Cursor& arguments, [[maybe_unused]] const value_of_t<W>* last) noexcept {
  if (!arguments.to_next(v)) return false;
  if constexpr (carries<W>)
    if (last != nullptr) W::carry(v, *last);
  return true;
}
}  // namespace detail

// Input range of `size()` elements of wire type `W`, which may vary in size. An iterator decodes an
// element when it reaches the element. The view does not own the bytes. `Args` are the parameters
// of the elements (args.hpp). The view stores the values of these parameters.
template <class W, auto... Args> class list_view {
  static_assert(detail::can_receive_parameters<W, sizeof...(Args)>(),
                "only a record of varying size can receive parameters");

 public:
  using codec = W;
  using value_type = detail::value_of_t<W>;
  using arguments_type = detail::argument_values<Args...>;
  // True if each element receives an element of another view. Such a list ends with the other view
  // or earlier, so its elements may have no bytes.
  static constexpr bool has_each = (detail::is_each_argument<Args> || ...);

  constexpr list_view() = default;
  // Constructs a view of the complete elements at the front of `bytes`, up to the first element
  // that decode rejects.
  constexpr explicit list_view(std::span<const byte> bytes,
                               const typename detail::argument<Args>::type&... args) noexcept
      : p_(bytes.data()), args_(args...) {
    [[maybe_unused]] value_type last{};
    typename arguments_type::cursor arguments(args_);
    for (; has_each || size_ != bytes.size(); ++n_) {
      value_type v{};
      if (!detail::set_parameters<W>(v, arguments, n_ == 0 ? nullptr : &last)) break;
      detail::no_notes none{};
      const std::size_t n = detail::read_element<W>(v, bytes.subspan(size_), none);
      if (n == detail::not_read || (n == 0 && !has_each)) break;
      size_ += n;
      if constexpr (detail::carries<W>) last = v;
    }
  }

  [[nodiscard]] constexpr std::size_t size() const noexcept { return n_; }
  [[nodiscard]] constexpr bool empty() const noexcept { return n_ == 0; }
  [[nodiscard]] constexpr std::span<const byte> bytes() const noexcept { return {p_, size_}; }
  // Returns the values of the elements' parameters.
  [[nodiscard]] constexpr const arguments_type& args() const noexcept { return args_; }

  class iterator {
   public:
    using value_type = typename W::value_type;
    using difference_type = std::ptrdiff_t;
    using reference = const value_type&;
    using pointer = const value_type*;
    using iterator_category = std::input_iterator_tag;
    // The iterator stores the current element, so it is only an input iterator.
    using iterator_concept = std::input_iterator_tag;

    constexpr iterator() = default;
    constexpr iterator(const byte* p, const byte* end, std::size_t n,
                       const arguments_type& args) noexcept
        : p_(p), next_(p), end_(end), left_(n), args_(args) {
      load(nullptr);
    }
    constexpr reference operator*() const& noexcept { return value_; }
    // Returns a copy, because a temporary iterator is destroyed together with its element.
    constexpr value_type operator*() const&& noexcept { return value_; }
    constexpr pointer operator->() const noexcept { return &value_; }
    // Returns the bytes of the current element.
    [[nodiscard]] constexpr std::span<const byte> bytes() const noexcept {
      return {p_, static_cast<std::size_t>(next_ - p_)};
    }
    constexpr iterator& operator++() noexcept {
      p_ = next_;
      if constexpr (has_each) --left_;
      if constexpr (detail::carries<W>) {
        const value_type last = value_;
        load(&last);
      } else {
        load(nullptr);
      }
      return *this;
    }
    constexpr iterator operator++(int) noexcept {
      iterator old = *this;
      ++*this;
      return old;
    }
    friend constexpr bool operator==(const iterator& a, const iterator& b) noexcept {
      return has_each ? a.left_ == b.left_ : a.p_ == b.p_;
    }
    friend constexpr bool operator==(const iterator& a, std::default_sentinel_t) noexcept {
      return a.is_at_end();
    }

   private:
    // Decodes the element at `p_`. All elements were valid when the list was constructed. If their
    // bytes have changed since then, as can happen in a mapped file, the list ends after the first
    // element that is no longer valid.
    constexpr void load(const value_type* last) noexcept {
      if (is_at_end()) return;
      value_ = value_type{};
      detail::no_notes none{};
      const std::size_t n =
          detail::set_parameters<W>(value_, args_, last)
              ? detail::read_element<W>(value_, {p_, static_cast<std::size_t>(end_ - p_)}, none)
              : detail::not_read;
      const bool good = n != detail::not_read && (n != 0 || has_each);
      next_ = good ? p_ + n : end_;
      if constexpr (has_each)
        if (!good) left_ = 1;
    }
    constexpr bool is_at_end() const noexcept { return has_each ? left_ == 0 : p_ == end_; }
    const byte* p_ = nullptr;
    const byte* next_ = nullptr;
    const byte* end_ = nullptr;
    // Number of elements from the current one on, if the list has each<>.
    std::size_t left_ = 0;
    [[no_unique_address]] typename arguments_type::cursor args_{};
    value_type value_{};
  };
  constexpr iterator begin() const noexcept { return iterator(p_, p_ + size_, n_, args_); }
  constexpr std::default_sentinel_t end() const noexcept { return {}; }

 private:
  const byte* p_ = nullptr;
  std::size_t size_ = 0, n_ = 0;
  [[no_unique_address]] arguments_type args_{};

 public:
  // Returns a view of the `n` elements in `bytes`, which a scan has already found valid.
  static constexpr list_view of_checked(std::span<const byte> bytes, std::size_t n,
                                        const arguments_type& args) noexcept {
    list_view v;
    v.args_ = args;
    v.p_ = bytes.data();
    v.size_ = bytes.size();
    v.n_ = n;
    return v;
  }
};

// Ways in which a list ends:
// - times: after `Count` elements (&S::member, &S::function, a callable or a number).
// - to_end: at the end of the input or of the sized<> part.
// - until: after the first element for which `Pred` returns true.
template <auto Count> struct times {};
struct to_end {};
template <auto Pred> struct until {};

namespace detail {
// Implementation of to_end.
template <class End> struct list_end {
  static constexpr bool greedy = true;
  // True if `V` can be an element.
  template <class V> static constexpr bool accepts = true;
  static constexpr std::string_view says = "to the end";
  static constexpr list_ends ends = list_ends::at_end;
  static constexpr std::string_view count{};
  static constexpr const layout_part* condition = nullptr;
  template <class Place> static consteval bool depends_on_earlier() { return true; }
  template <class...> static consteval bool is_unaffected_by() { return true; }
  template <class S> static constexpr extent_type most(const S&) noexcept { return largest_extent; }
  template <class V> static constexpr bool last(const V&) noexcept { return false; }
  // Returns true if a list may end at the current position. The arguments are the result of last()
  // for the latest element, the number of elements so far, and the result of most().
  static constexpr bool complete(bool, extent_type, extent_type) noexcept { return true; }
};
template <auto Count> struct list_end<times<Count>> {
  static constexpr bool greedy = false;
  template <class V> static constexpr bool accepts = true;
  static constexpr list_ends ends = list_ends::counted;
  static constexpr std::string_view count = member_text<Count>;
  static constexpr const layout_part* condition = nullptr;
  static constexpr std::string_view says = count_text<Count>;
  template <class Place> static consteval bool depends_on_earlier() {
    return is_earlier<Count, Place, used_as::count>();
  }
  template <class... Sizes> static consteval bool is_unaffected_by() {
    return detail::is_unaffected_by<Count, Sizes...>();
  }
  template <class S> static constexpr extent_type most(const S& s) noexcept {
    return elements<1>(detail::evaluate<Count>(s));
  }
  template <class V> static constexpr bool last(const V&) noexcept { return false; }
  static constexpr bool complete(bool, extent_type n, extent_type most) noexcept {
    return n == most;
  }
};
template <auto Pred> struct list_end<until<Pred>> : list_end<to_end> {
  static constexpr bool greedy = false;
  template <class V> static constexpr bool accepts =
      std::is_invocable_r_v<bool, decltype(Pred), const V&>;
  static constexpr std::string_view says = "until one ends it";
  static constexpr list_ends ends = list_ends::until;
  static constexpr const layout_part* condition = &part_when<Pred>;
  template <class V> static constexpr bool last(const V& v) noexcept {
    return static_cast<bool>(detail::evaluate<Pred>(v));
  }
  static constexpr bool complete(bool done, extent_type, extent_type) noexcept { return done; }
};

// Compile errors about a list. Compilers print the template argument, which contains the member's
// name.
template <class Name> consteval bool this_member_must_be_a_list_view() {
  static_assert(never<Name>, "list<> needs a member that is a list_view<W>");
  return true;
}
template <class Name> consteval bool this_member_is_a_list_of_its_own_record() {
  static_assert(never<Name>,
                "a record that contains a list of its own kind needs a list_view<inner<S, codec>>, "
                "where codec is a struct that is declared before S and derives from the record");
  return true;
}
template <class Name> consteval bool this_list_has_elements_without_an_end() {
  static_assert(
      never<Name>,
      "an element of a list must have its own end: put an item that extends to the end (rest<>, "
      "skip_rest, if_left<>, list<> with to_end) into a sized<> part");
  return true;
}
template <class Name> consteval bool this_list_has_elements_that_its_predicate_does_not_accept() {
  static_assert(never<Name>, "the predicate of until<> must accept an element of the list");
  return true;
}
template <class Name> consteval bool this_list_needs_a_number_of_elements() {
  static_assert(never<Name>,
                "a list whose elements receive each<&S::view> needs a number of elements: "
                "times<size_of<&S::view>>, times<count>, or prefixed<>");
  return true;
}
template <auto P, class End, class View> consteval bool list_is_good() {
  if constexpr (!requires { typename View::arguments_type; })
    return this_member_must_be_a_list_view<quoted_t<label_of<pointed<P>>>>();
  else if constexpr (std::is_same_v<typename View::value_type, owner_t<P>> &&
                     !requires { View::codec::is_inner; })
    return this_member_is_a_list_of_its_own_record<quoted_t<label_of<pointed<P>>>>();
  else if constexpr (is_greedy<typename View::codec>)
    return this_list_has_elements_without_an_end<quoted_t<label_of<pointed<P>>>>();
  else if constexpr (!End::template accepts<typename View::value_type>)
    return this_list_has_elements_that_its_predicate_does_not_accept<
        quoted_t<label_of<pointed<P>>>>();
  else if constexpr (View::has_each && End::ends != list_ends::counted)
    return this_list_needs_a_number_of_elements<quoted_t<label_of<pointed<P>>>>();
  else
    return true;
}

template <auto P, class End, class... Args> struct bound_list {
  static_assert(list_is_good<P, End, typename view_of<P>::type>());
  using view = typename view_of<P>::type;
  using arguments_type = argument_values<Args::member...>;
  static_assert(std::is_same_v<arguments_type, typename view::arguments_type>,
                "the list's elements must receive the members that its list_view names");
  using element = typename view::codec;
  static_assert(elements_receive_parameters<pointed<P>, element, Args::member...>());
  using value = typename view::value_type;
  static constexpr bool fixed = false;
  static constexpr bool variable_length = true;
  static constexpr bool greedy = End::greedy;
  static constexpr bool nests_records = is_read<element>;
  static constexpr std::string_view label = name_of<P>;
  static constexpr meaning says = meaning::number;
  template <auto> static constexpr bool has = false;
  template <auto M> static constexpr bool is = same_member<P, M>();

  template <class... Sizes> static consteval bool is_unaffected_by() {
    return sizeof...(Args) == 0 && End::template is_unaffected_by<Sizes...>();
  }

  using evaluated = nothing_evaluated;
  template <class S, class Notes>
  TRACECODEC_INLINE static constexpr std::size_t scan(S& s, std::size_t at, const scan_input& in,
                                                      Notes& notes) noexcept {
    return scan_elements(s, at, in, notes, End::most(s));
  }
  // Reads the elements at offset `at`. `most` is the result of End::most(), or the number of
  // elements that precedes them.
  template <class S, class Notes>
  TRACECODEC_INLINE static constexpr std::size_t scan_elements(S& s, std::size_t at,
                                                               const scan_input& in, Notes& notes,
                                                               extent_type most) noexcept {
    constexpr bool is_counted = End::ends == list_ends::counted;
    const byte* const begin = in.begin + at;
    const byte* const end = in.begin + in.size;
    const byte* p = begin;
    extent_type n = 0;
    bool done = false;
    const arguments_type args = arguments_of(s);
    [[maybe_unused]] value last{};
    typename arguments_type::cursor arguments(args);
    for (; (!is_counted || n < most) && !done && (view::has_each || p != end); ++n) {
      // Begin each element with a new value, so that absent members do not keep values of the
      // previous element.
      value v{};
      if (!set_parameters<element>(v, arguments, n == 0 ? nullptr : &last)) [[unlikely]]
        return fail(notes, offset(in, p), errc::invalid_value, &label);
      const std::span<const byte> rest{p, static_cast<std::size_t>(end - p)};
      const std::size_t took = read_element<element>(v, rest, notes);
      if (took == not_read) [[unlikely]] {
        // If elements have parameters, the path to the failing field ends at the list, because
        // extend_path() would read the element without its parameters.
        if constexpr (explains<Notes> && parameters_of<element> == 0)
          extend_path<element>(notes.path, rest, label, n);
        return fail_inside(notes, offset(in, p), label);
      }
      // An element without bytes would make the loop endless, unless another view ends it.
      if (took == 0 && !view::has_each) [[unlikely]]
        return fail(notes, offset(in, p), errc::malformed, &label);
      p += took;
      done = End::last(v);
      if constexpr (carries<element>) last = v;
    }
    if (!End::complete(done, n, most)) return fail(notes, offset(in, p), errc::truncated, &label);
    // A list to the end always ends there, which spares the caller's comparison.
    if constexpr (End::ends == list_ends::at_end) p = end;
    s.*P = view::of_checked({begin, static_cast<std::size_t>(p - begin)},
                            static_cast<std::size_t>(n), args);
    return End::ends == list_ends::at_end ? in.size : offset(in, p);
  }
  template <class S> static constexpr errc prepare(const S& s, evaluated&) noexcept {
    return prepare_elements(s, End::most(s));
  }
  template <class S> static constexpr errc prepare_elements(const S& s, extent_type most) noexcept {
    const view& all = s.*P;
    if (End::ends == list_ends::counted && all.size() > most) return errc::count_mismatch;
    if constexpr (sizeof...(Args) != 0)
      if (!all.empty() && !(all.args() == arguments_of(s))) return errc::invalid_value;
    bool done = false;
    // Elements are decoded only if their values end the list.
    if constexpr (End::ends == list_ends::until)
      for (const value& v : all) {
        if (done) return errc::count_mismatch;
        done = End::last(v);
      }
    return End::complete(done, all.size(), most) ? errc::ok : errc::count_mismatch;
  }
  template <class S, class Notes>
  static constexpr extent_type written(const S& s, evaluated, extent_type, Notes&) noexcept {
    return (s.*P).bytes().size();
  }
  template <class S>
  static constexpr byte* store(const S& s, byte* p, evaluated, const byte*) noexcept {
    const auto bytes = (s.*P).bytes();
    copy(bytes.data(), p, bytes.size());
    return p + bytes.size();
  }
  template <class S, class F> static constexpr void walk(S& s, bool present, F&& f) {
    f(field_info<bound_list>{}, s.*P, present);
  }
  static constexpr void describe(row_list& list, layout_row r) {
    r.name += label;
    r.variable_length = true;
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
  TRACECODEC_INLINE static constexpr std::size_t offset(const scan_input& in,
                                                        const byte* p) noexcept {
    return static_cast<std::size_t>(p - in.begin);
  }
  template <class S>
  TRACECODEC_INLINE static constexpr arguments_type arguments_of(const S& s) noexcept {
    if constexpr (sizeof...(Args) == 0)
      return {};
    else
      return arguments_type(Args::value(s)...);
  }
};

// End of a list whose number of elements precedes the elements.
struct after_its_count : list_end<to_end> {
  static constexpr bool greedy = false;
  static constexpr list_ends ends = list_ends::counted;
  static constexpr bool complete(bool, extent_type n, extent_type most) noexcept {
    return n == most;
  }
};
// List of member `P` that follows the number of its elements, which is stored as wire type `C`.
template <auto P, class C, class... Args> struct bound_prefixed_list
    : bound_list<P, after_its_count, Args...> {
  using base = bound_list<P, after_its_count, Args...>;
  using number = typename C::value_type;
  static_assert(std::is_integral_v<number>, "the number of elements is an integer");
  using evaluated = typename base::evaluated;
  template <class S, class Notes>
  TRACECODEC_INLINE static constexpr std::size_t scan(S& s, std::size_t at, const scan_input& in,
                                                      Notes& notes) noexcept {
    number n{};
    const std::size_t first = read_member<C>(n, at, in, notes, base::label);
    if (first == not_read) [[unlikely]]
      return first;
    return base::scan_elements(s, first, in, notes, elements<1>(n));
  }
  template <class S> static constexpr errc prepare(const S& s, evaluated&) noexcept {
    const errc e = check_count<C>((s.*P).size());
    return e != errc::ok ? e : base::prepare_elements(s, (s.*P).size());
  }
  template <class S, class Notes>
  static constexpr extent_type written(const S& s, evaluated, extent_type, Notes&) noexcept {
    return size_of_element<C>(static_cast<number>((s.*P).size())) + (s.*P).bytes().size();
  }
  template <class S>
  static constexpr byte* store(const S& s, byte* p, evaluated a, const byte* begin) noexcept {
    return base::store(s, store_element<C>(static_cast<number>((s.*P).size()), p), a, begin);
  }
  template <class S, class F> static constexpr void walk(S& s, bool present, F&& f) {
    f(field_info<bound_prefixed_list>{}, s.*P, present);
  }
  static constexpr void describe(row_list& list, layout_row r) {
    r.name += base::label;
    r.variable_length = true;
    r.count = C::type_name();
    r.count += " + list";
    r.type = base::element::type_name();
    r.how = &how;
    list.add(r);
  }
  static constexpr layout_how how{.as = read_as::prefixed,
                                  .element = kept_nodes<typename base::element>,
                                  .prefix = kept_nodes<C>};
};
template <class T> inline constexpr bool is_list_view = false;
template <class W, auto... Args> inline constexpr bool is_list_view<list_view<W, Args...>> = true;
}  // namespace detail

// List of elements that may vary in length, in member `P`, a list_view. `End` is times<count>,
// to_end or until<pred>. decode checks all elements once, so that a later iteration cannot fail. An
// element without bytes is malformed. Each element receives the values that it carries from the
// previous element (previous<>). encode copies the view's bytes. Each of `Args`, such as
// args<&element::m, From>, sets a parameter of each element. encode returns invalid_value for a
// view that stores other values of the parameters.
template <auto P, class End = to_end, class... Args> struct list {
  using owner = owner_t<P>;
  template <class> using bind = detail::bound_list<P, detail::list_end<End>, Args...>;
  static consteval int mentions(std::string_view member) { return member == name_of<P>; }
  template <class Place> static consteval bool depends_on_earlier() {
    return detail::list_end<End>::template depends_on_earlier<Place>() &&
           (Args::template depends_on_earlier<Place>() && ...);
  }
};

// List in member `P`, a list_view, that follows the number of its elements, which has the type
// `Count`. `Args` are the same as for list<>.
template <auto P, class Count, class... Args>
requires detail::is_list_view<member_t<P>>
struct prefixed<P, Count, Args...> {
  using owner = owner_t<P>;
  template <class Policy> using bind =
      detail::bound_prefixed_list<P, infer_t<Count, Policy>, Args...>;
  static consteval int mentions(std::string_view member) { return member == name_of<P>; }
  template <class Place> static consteval bool depends_on_earlier() {
    return (Args::template depends_on_earlier<Place>() && ...);
  }
};

}  // namespace tracecodec::wire
