// What trace_diff prints.
#pragma once
#include <tracecodec/analysis/diff.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "../common/output.hpp"

namespace diff {

namespace analysis = tracecodec::analysis;
using analysis::diff_step;

// How an instruction reads; empty if the trace does not tell.
using assembly = std::function<std::string(const diff_step&)>;

// Differences of two traces, the first `most` of each kind, then how many there are.
class report {
 public:
  report(examples::output& out, analysis::differences wanted, std::uint64_t most, bool as_json)
      : out_(out), wanted_(wanted), most_(most), as_json_(as_json) {}

  // Of the instructions that follow: those of the first trace, and of the second.
  void read_as(assembly a, assembly b) {
    read_a_ = std::move(a);
    read_b_ = std::move(b);
  }

  // Two instructions at the same ip, which differ in what is wanted or in something else.
  void differs(const diff_step& a, const diff_step& b, analysis::differences d,
               std::span<const analysis::value_difference> values);

  void diverges(const analysis::divergence& d);

  // Says how many are not shown.
  void finish();

  // How many instructions at equal ips differ in what is wanted.
  [[nodiscard]] std::uint64_t differing() const noexcept { return differing_; }

 private:
  static constexpr std::size_t shown = 5;  // instructions of a divergence, of each trace

  static std::string place(const diff_step& a, const diff_step& b);
  // ", memory read 0x1000 | 0x2000 0x3000", if they differ.
  template <class List, class Add>
  void lists(std::string_view title, const List& a, const List& b, Add add);
  void code(std::string_view before, const diff_step& i);
  // " 9f"
  void add_byte(unsigned b);
  // "acquire", "request 0x200", "fork 3", "undefined 11"
  void event(std::string_view before, const diff_step& i);
  // "and 3,802 more divergences"
  void more(std::uint64_t all, const char* one, const char* many);
  void outcomes(const diff_step& a, const diff_step& b);
  void outcome(const diff_step& i);
  // ", rax 0x1 | 0x2", ", [0x7ffe10] 01 00 | 02 00"; " written" if the instruction left it so.
  void value(const analysis::value_difference& v);
  static std::string text(const diff_step* i, const assembly& read);
  // "  ; mov eax, ebx", or "  ; mov eax, ebx | nop" if the code is not the same.
  void reads(const diff_step* a, const diff_step* b);
  // "-     17        0x401000  ; nop": numbers of the instruction in both traces.
  void line(char kind, const diff_step* a, const diff_step* b, bool part = false);
  void only(char kind, std::span<const diff_step> all, std::uint64_t count, bool first);

  examples::output& out_;
  analysis::differences wanted_;
  std::uint64_t most_;
  bool as_json_;
  assembly read_a_ = {}, read_b_ = {};
  std::uint64_t differing_ = 0, divergences_ = 0;
};

// Differences of what is no instruction in two UMTracer traces.
struct event_counts {
  std::uint64_t events = 0, syscalls = 0, contexts = 0;
  [[nodiscard]] bool any() const noexcept { return events + syscalls + contexts != 0; }
};

enum class verdict : std::uint8_t { same, differ, same_so_far };  // up to damage, the last

// `to_the_end`: nothing was left out, for damage or as they did not meet again.
void write_summary(std::string& s, const std::string& a, const std::string& b,
                   const analysis::diff_summary& sum, std::uint64_t threads_a,
                   std::uint64_t threads_b, analysis::differences wanted, verdict found,
                   bool to_the_end, bool as_json, const event_counts* others = nullptr);

}  // namespace diff
