// Records of an STF trace (github.com/sparcians/stf_spec), which stores the instructions of a RISC-V
// program. A record is a descriptor of one byte and a payload. All integers are little-endian, and
// records are not aligned.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "../wire/items/list.hpp"
#include "../wire/items/strings.hpp"
#include "../wire/layout/laid_out_as.hpp"
#include "../wire/record.hpp"
#include "../wire/rules/choice.hpp"
#include "../wire/rules/constant.hpp"
#include "../wire/types/view.hpp"

namespace tracecodec::stf {

// Kind of a record: its descriptor.
enum class record_kind : std::uint8_t {
  comment = 3,
  isa = 4,
  encoding = 5,
  trace_info = 6,
  features = 7,
  process = 8,
  force_pc = 9,
  vector_length = 10,
  extended_isa = 13,
  end_header = 19,
  target = 31,
  reg = 40,
  ready_reg = 41,
  page_table_walk = 50,
  access = 60,
  content = 61,
  bus_access = 62,
  bus_content = 63,
  event = 100,
  event_target = 101,
  micro_op = 230,
  opcode32 = 240,
  opcode16 = 241
};
constexpr std::string_view name(record_kind k) noexcept {
  using enum record_kind;
  return wire::name_among<comment, isa, encoding, trace_info, features, process, force_pc,
                          vector_length, extended_isa, end_header, target, reg, ready_reg,
                          page_table_walk, access, content, bus_access, bus_content, event,
                          event_target, micro_op, opcode32, opcode16>(k);
}

// Meaning of a register record: the state of a register before the instruction, or an operand.
enum class operand_role : std::uint8_t { state = 1, source = 2, destination = 3 };
constexpr std::string_view name(operand_role r) noexcept {
  using enum operand_role;
  return wire::name_among<state, source, destination>(r);
}
enum class register_class : std::uint8_t { general = 1, floating = 2, vector = 3, control = 4 };
constexpr std::string_view name(register_class c) noexcept {
  using enum register_class;
  return wire::name_among<general, floating, vector, control>(c);
}
enum class access_kind : std::uint8_t { read = 1, write = 2 };
constexpr std::string_view name(access_kind k) noexcept {
  return wire::name_among<access_kind::read, access_kind::write>(k);
}

// Bits of `features`.
inline constexpr std::uint64_t event64_feature = 0x80000;
// Bits of `cause`.
inline constexpr std::uint64_t interrupt_bit = std::uint64_t{1} << 63,
                               mode_change_bit = std::uint64_t{1} << 62;

struct record {
  // State that earlier records determine: the size of vector registers in bits, and true if the
  // cause of an event has 64 bits.
  std::uint32_t vector_bits;
  bool has_event64;

  record_kind descriptor;
  wire::array_view<wire::character> text;
  std::uint16_t isa, encoding;  // 1 is RISC-V; 1 is RV32 and 2 is RV64
  std::uint8_t generator;       // number of the program that made the trace
  std::array<std::uint8_t, 3> version;
  std::uint64_t features;
  std::uint32_t hardware_thread, process, thread;
  std::uint64_t pc;
  std::uint32_t length;  // size of vector registers from here on, in bits
  std::uint16_t reg;     // number of the register within its class
  operand_role role;
  register_class kind;
  std::uint64_t value;
  wire::array_view<wire::u64le> values;  // of a vector register
  std::uint64_t address;
  std::uint16_t size;
  std::uint32_t attributes;
  access_kind direction;
  std::uint64_t walk_index;
  std::uint32_t page_size;
  std::uint8_t levels;
  wire::array_view<wire::u64le> entries;  // physical address and entry of each level
  std::uint8_t source_type, source_index;
  std::uint64_t cause;
  wire::array_view<wire::u64le> arguments;
  std::uint8_t micro_size;
  std::uint32_t opcode;

  [[nodiscard]] constexpr bool ends_instruction() const noexcept {
    return descriptor == record_kind::opcode16 || descriptor == record_kind::opcode32;
  }
  [[nodiscard]] constexpr bool ends_header() const noexcept {
    return descriptor == record_kind::end_header || ends_instruction();
  }
  [[nodiscard]] constexpr bool is_of_vector() const noexcept {
    return kind == register_class::vector;
  }
  [[nodiscard]] constexpr std::size_t vector_words() const noexcept {
    return vector_bits / 64 + (vector_bits % 64 != 0 ? 1 : 0);
  }
  [[nodiscard]] constexpr std::size_t walk_words() const noexcept {
    return std::size_t{2} * levels;
  }
  // Return the state for the next record.
  [[nodiscard]] constexpr std::uint32_t next_vector_bits() const noexcept {
    return descriptor == record_kind::vector_length ? length : vector_bits;
  }
  [[nodiscard]] constexpr bool next_has_event64() const noexcept {
    return descriptor == record_kind::features ? (features & event64_feature) != 0 : has_event64;
  }
};

// The most frequent records come first, because decode compares the descriptors in this order.
using record_codec = wire::record<wire::fields<
    wire::previous<&record::vector_bits, &record::next_vector_bits>,
    wire::previous<&record::has_event64, &record::next_has_event64>,
    wire::field<&record::descriptor>,
    wire::choice<
        &record::descriptor, wire::on<record_kind::opcode32, wire::address_field<&record::opcode>>,
        wire::on<record_kind::opcode16, wire::address_field<&record::opcode, wire::u16le>>,
        wire::on<record_kind::reg, wire::field<&record::reg>,
                 wire::bit_slices<std::uint8_t, wire::bits<&record::role, 4>,
                                  wire::bits<&record::kind, 4>>,
                 wire::choice<
                     &record::is_of_vector, wire::on<false, wire::address_field<&record::value>>,
                     wire::on<true, wire::counted<&record::values, &record::vector_words>>>>,
        wire::on<record_kind::access, wire::address_field<&record::address>,
                 wire::field<&record::size>, wire::field<&record::attributes, wire::u16le>,
                 wire::field<&record::direction>>,
        wire::on_any<wire::values<record_kind::content, record_kind::bus_content>,
                     wire::address_field<&record::value>>,
        wire::on_any<
            wire::values<record_kind::force_pc, record_kind::target, record_kind::event_target>,
            wire::address_field<&record::pc>>,
        wire::on_any<wire::values<record_kind::comment, record_kind::extended_isa>,
                     wire::prefixed<&record::text, std::uint32_t>>,
        wire::on<record_kind::isa, wire::field<&record::isa>>,
        wire::on<record_kind::encoding, wire::field<&record::encoding>>,
        wire::on<record_kind::trace_info, wire::field<&record::generator>,
                 wire::field<&record::version>, wire::prefixed<&record::text, std::uint16_t>>,
        wire::on<record_kind::features, wire::address_field<&record::features>>,
        wire::on<record_kind::process, wire::field<&record::hardware_thread>,
                 wire::field<&record::process>, wire::field<&record::thread>>,
        wire::on<record_kind::vector_length, wire::field<&record::length>>,
        wire::on<record_kind::end_header>,
        wire::on<record_kind::ready_reg, wire::field<&record::reg>>,
        wire::on<record_kind::page_table_walk, wire::address_field<&record::address>,
                 wire::field<&record::walk_index>, wire::field<&record::page_size>,
                 wire::field<&record::levels>,
                 wire::counted<&record::entries, &record::walk_words>>,
        wire::on<record_kind::bus_access, wire::address_field<&record::address>,
                 wire::field<&record::size>, wire::field<&record::source_type>,
                 wire::field<&record::source_index>, wire::field<&record::attributes>,
                 wire::field<&record::direction>>,
        wire::on<
            record_kind::event,
            wire::choice<&record::has_event64, wire::on<true, wire::address_field<&record::cause>>,
                         wire::on<false, wire::address_field<&record::cause, wire::u32le>>>,
            wire::prefixed<&record::arguments, std::uint8_t>>,
        wire::on<record_kind::micro_op, wire::field<&record::micro_size>,
                 wire::address_field<&record::opcode>>>>>;

// Header: the records up to END_HEADER. The first two records have no other place.
struct header {
  std::array<char, 5> magic;  // descriptor and text of IDENTIFIER, and descriptor of VERSION
  std::uint32_t major, minor;
  wire::list_view<record_codec> records;

  // Returns true if END_HEADER, and not an instruction, ends the header.
  [[nodiscard]] constexpr bool is_complete() const noexcept {
    bool complete = false;
    for (const record& r : records) complete = r.descriptor == record_kind::end_header;
    return complete;
  }
  // Return the state for the first instruction.
  [[nodiscard]] constexpr std::uint64_t start_pc() const noexcept {
    std::uint64_t pc = 0;
    for (const record& r : records)
      if (r.descriptor == record_kind::force_pc) pc = r.pc;
    return pc;
  }
  [[nodiscard]] constexpr std::uint32_t vector_bits() const noexcept {
    std::uint32_t bits = 0;
    for (const record& r : records) bits = r.next_vector_bits();
    return bits;
  }
  [[nodiscard]] constexpr bool has_event64() const noexcept {
    bool has = false;
    for (const record& r : records) has = r.next_has_event64();
    return has;
  }
};
using header_codec = wire::record<wire::in_struct_order<
    header, wire::constant<&header::magic, "\1STF\2">, wire::constant<&header::major, 1>,
    wire::at<wire::list<&header::records, wire::until<&record::ends_header>>,
             wire::choice<&header::is_complete, wire::on<true>>>>>;

}  // namespace tracecodec::stf
