// Layout of RapidBin traces: a header of 18 bytes, followed by events of 8 bytes. All numbers are
// big-endian. A trace has no magic number, and its events are not aligned, because the header size
// is not a multiple of 8. Wasmgrind writes RapidBin traces. RAPID and related tools search the
// traces for data races.
#pragma once
#include <array>
#include <cstdint>
#include <string_view>

#include "../wire/layout/laid_out_as.hpp"
#include "../wire/record.hpp"
#include "../wire/types/view.hpp"

namespace tracecodec::rapidbin {

// Header of a trace. Each count is the number of distinct ids, not the largest id + 1. Writers
// write the header last. If a writer stops early, the header remains all zeros.
struct header {
  std::int16_t threads;
  std::int32_t locks;
  std::int32_t variables;
  std::int64_t events;
  friend constexpr bool operator==(const header&, const header&) = default;
};
using header_codec = wire::record<header, wire::order::big>;
static_assert(wire::is_laid_out_as<header_codec, R"(
Offset  Size  Field
------  ----  ----------------------
0       2     threads      that act, are forked or are joined
2       4     locks        that are acquired, released or requested
6       4     variables    that are read or written
10      8     events
)">);

// Operation of an event. The field can also contain the undefined values 10 to 15.
enum class operation : std::uint8_t {
  acquire = 0,
  release = 1,
  read = 2,
  write = 3,
  fork = 4,
  join = 5,
  begin = 6,
  end = 7,
  request = 8,
  branch = 9
};
inline constexpr std::size_t operation_count = 10;

constexpr bool defined(operation o) noexcept {
  return static_cast<std::size_t>(o) < operation_count;
}

// Names of the operations. name() returns "undefined" for undefined operations.
inline constexpr std::array<std::string_view, operation_count> operation_names{
    "acquire", "release", "read", "write", "fork", "join", "begin", "end", "request", "branch"};
constexpr std::string_view name(operation o) noexcept {
  return defined(o) ? operation_names[static_cast<std::size_t>(o)] : "undefined";
}

// Kind of object that the decor of an event identifies.
enum class operand : std::uint8_t { none, lock, variable, thread };
namespace detail {
// Operands of the operations, indexed by operation. The table is not local to operand_of(), because
// each call would then build the table on the stack again.
inline constexpr std::array<operand, operation_count> operands{
    operand::lock,   operand::lock, operand::variable, operand::variable, operand::thread,
    operand::thread, operand::none, operand::none,     operand::lock,     operand::none};
}  // namespace detail
constexpr operand operand_of(operation o) noexcept {
  return defined(o) ? detail::operands[static_cast<std::size_t>(o)] : operand::none;
}

// Kind of object that an id identifies. Each kind has its own numbering.
enum class id_kind : std::uint8_t { thread, lock, variable, location };
inline constexpr std::size_t id_kind_count = 4;

// Returns "thread", "lock", "variable" or "location".
constexpr std::string_view name(id_kind k) noexcept {
  constexpr std::array<std::string_view, id_kind_count> names{"thread", "lock", "variable",
                                                              "location"};
  return names[static_cast<std::size_t>(k)];
}

// Returns the id kind of the operand `o`, which must not be operand::none.
constexpr id_kind kind_of(operand o) noexcept {
  return o == operand::lock       ? id_kind::lock
         : o == operand::variable ? id_kind::variable
                                  : id_kind::thread;
}

// Largest ids that fit in the 64-bit word of an event.
inline constexpr std::uint16_t largest_thread = 1023;
inline constexpr std::uint64_t largest_decor = 0x3'FFFF'FFFF;
inline constexpr std::uint16_t largest_location = 32767;

// Event, decoded from a 64-bit word. The members are in the order of their bits, starting with the
// most significant bit, which the specification calls bit 0. Members are wider than their bit
// fields because STD text may contain larger numbers.
struct event {
  bool sign;
  std::uint32_t location;
  std::uint64_t decor;
  rapidbin::operation operation;
  std::uint32_t thread;
  friend constexpr bool operator==(const event&, const event&) = default;
};
using event_codec =
    wire::record<wire::fields<wire::bit_slices<
                     std::uint64_t, wire::bits<&event::sign, 1>, wire::bits<&event::location, 15>,
                     wire::bits<&event::decor, 34>, wire::bits<&event::operation, 4>,
                     wire::bits<&event::thread, 10>>>,
                 wire::order::big>;
static_assert(wire::is_laid_out_as<event_codec, R"(
Bits    Width  Field
------  -----  ----------------------
0       1      sign         always 0; every reader ignores it
1-15    15     location     where in the program
16-49   34     decor        a lock, a variable or the other thread, as operand_of() says
50-53   4      operation
54-63   10     thread       which acts
)">);

// Returns true if all ids of `e` fit in the 64-bit word of an event.
constexpr bool fits_word(const event& e) noexcept {
  return e.location <= largest_location && e.thread <= largest_thread && e.decor <= largest_decor;
}

// Random-access range of encoded events. Each event is decoded when it is accessed.
using event_array = wire::array_view<event_codec>;

// View of one encoded event. Each accessor decodes only one field.
class event_view {
 public:
  constexpr explicit event_view(std::span<const std::byte, event_codec::size> bytes) noexcept
      : record_(bytes) {}
  // Creates a view of event `i` of `events`. `i` must be less than events.size().
  constexpr event_view(const event_array& events, std::size_t i) noexcept
      : record_(events.bytes().subspan(i * event_codec::size).first<event_codec::size>()) {}

  [[nodiscard]] constexpr bool sign() const noexcept { return record_.get<&event::sign>(); }
  [[nodiscard]] constexpr std::uint32_t location() const noexcept {
    return record_.get<&event::location>();
  }
  [[nodiscard]] constexpr std::uint64_t decor() const noexcept {
    return record_.get<&event::decor>();
  }
  [[nodiscard]] constexpr rapidbin::operation operation() const noexcept {
    return record_.get<&event::operation>();
  }
  [[nodiscard]] constexpr std::uint32_t thread() const noexcept {
    return record_.get<&event::thread>();
  }
  // Returns the entire event, decoded.
  [[nodiscard]] constexpr event value() const noexcept { return record_.value(); }

 private:
  wire::record_view<event_codec> record_;
};

}  // namespace tracecodec::rapidbin
