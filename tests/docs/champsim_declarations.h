// Declarations that ChampSim provides for a tracereader: the structs for records, the part of an
// instruction that a tracereader uses, and the tracereader. Names and types are ChampSim's, but the
// code is not. TRACECODEC_CHAMPSIM is the year of the tree that they match:
//   2023  the release 2023-08: a file's name is passed by value
//   2024  the release 2024-12, and master and develop of 2025
//   2026  an instruction has an origin, and a tracereader returns an optional
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#ifndef TRACECODEC_CHAMPSIM
#define TRACECODEC_CHAMPSIM 2024
#endif

struct input_instr {
  unsigned long long ip;
  unsigned char is_branch, branch_taken;
  unsigned char destination_registers[2], source_registers[4];
  unsigned long long destination_memory[2], source_memory[4];
};

struct cloudsuite_instr {
  unsigned long long ip;
  unsigned char is_branch, branch_taken;
  unsigned char destination_registers[4], source_registers[4];
  unsigned long long destination_memory[4], source_memory[4];
  unsigned char asid[2];
};

namespace champsim {

// Converts from an integer only explicitly.
struct address {
  std::uint64_t value = 0;
  address() = default;
  explicit address(std::uint64_t v) : value(v) {}
};

#if TRACECODEC_CHAMPSIM == 2026
// The core that executes an instruction, and the address space that the instruction belongs
// to.
class origin {
  std::uint32_t consumer_, producer_;

 public:
  constexpr origin(std::uint32_t consumer, std::uint32_t producer)
      : consumer_(consumer), producer_(producer) {}
  [[nodiscard]] constexpr std::uint32_t producer() const { return producer_; }
  [[nodiscard]] constexpr origin with_producer(std::uint32_t other) const {
    return origin{consumer_, other};
  }
};
using cpu_type = origin;
constexpr cpu_type third_core{3, 3};
#else
using cpu_type = std::uint8_t;
constexpr cpu_type third_core = 3;
#endif

}  // namespace champsim

struct ooo_model_instr {
#if TRACECODEC_CHAMPSIM == 2023
  std::uint64_t ip = 0, branch_target = 0;
  [[nodiscard]] std::uint64_t address() const { return ip; }
  [[nodiscard]] std::uint64_t target() const { return branch_target; }
#else
  champsim::address ip{}, branch_target{};
  [[nodiscard]] std::uint64_t address() const { return ip.value; }
  [[nodiscard]] std::uint64_t target() const { return branch_target.value; }
#endif
  bool branch_taken = false;
#if TRACECODEC_CHAMPSIM == 2026
  champsim::origin origin;
  [[nodiscard]] std::uint32_t space() const { return origin.producer(); }
  ooo_model_instr(champsim::origin o, input_instr i)
      : ip{i.ip}, branch_taken{i.branch_taken != 0}, origin{o} {}
  ooo_model_instr(champsim::origin o, cloudsuite_instr i)
      : ip{i.ip}, branch_taken{i.branch_taken != 0}, origin{o.with_producer(i.asid[0])} {}
#else
  std::array<std::uint8_t, 2> asid;
  [[nodiscard]] std::uint32_t space() const { return asid[0]; }
  ooo_model_instr(std::uint8_t cpu, input_instr i)
      : ip{i.ip}, branch_taken{i.branch_taken != 0}, asid{{cpu, cpu}} {}
  ooo_model_instr(std::uint8_t, cloudsuite_instr i)
      : ip{i.ip}, branch_taken{i.branch_taken != 0}, asid{{i.asid[0], i.asid[1]}} {}
#endif
};

namespace champsim {

#if TRACECODEC_CHAMPSIM == 2026
using next_instruction = std::optional<ooo_model_instr>;
#else
using next_instruction = ooo_model_instr;
#endif

class tracereader {
  struct held {
    virtual ~held() = default;
    virtual next_instruction next() = 0;
    [[nodiscard]] virtual bool eof() const = 0;
  };
  template <class T> struct holder final : held {
    T it;
    explicit holder(T t) : it(std::move(t)) {}
    next_instruction next() override { return it(); }
    [[nodiscard]] bool eof() const override { return it.eof(); }
  };
  std::unique_ptr<held> held_;

 public:
  template <class T> explicit tracereader(T t) : held_(std::make_unique<holder<T>>(std::move(t))) {}
  next_instruction operator()() { return held_->next(); }
  [[nodiscard]] bool eof() const { return held_->eof(); }
};

inline ooo_model_instr apply_branch_target(ooo_model_instr branch, const ooo_model_instr& target) {
  branch.branch_target = branch.branch_taken ? target.ip : decltype(target.ip){};
  return branch;
}

// Opens ChampSim's own readers. Here it only throws.
template <template <class, class> class Reader, class Record, class Cpu>
tracereader get_tracereader_for_type(const std::string& name, Cpu) {
  throw std::runtime_error(name);
}

}  // namespace champsim

template <class Record, class Stream> struct repeatable_reader_t;

#if TRACECODEC_CHAMPSIM == 2023
champsim::tracereader get_tracereader(std::string fname, std::uint8_t cpu, bool is_cloudsuite,
                                      bool repeat);
#else
champsim::tracereader get_tracereader(const std::string& fname, champsim::cpu_type cpu,
                                      bool is_cloudsuite, bool repeat);
#endif
