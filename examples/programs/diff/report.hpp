// Prints the differences that trace_diff finds.
#pragma once
#include <tracecodec/analysis/diff.hpp>
#include <tracecodec/analysis/find_relocation.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "../common/output.hpp"

namespace diff {

namespace analysis = tracecodec::analysis;
using analysis::diff_step;

// Callback that returns the text of an instruction, or an empty string if the trace contains no
// text.
using assembly = std::function<std::string(const diff_step&)>;
// Callback that adds the text of an event, such as "acquire".
using event_text = std::function<void(std::string& to, const diff_step&)>;

// Numbers of the first instructions of both traces that have no counterpart, or of the instructions
// at which one of the traces ends.
struct divided {
  std::uint64_t a = 0, b = 0;
};

// Printer of the differences between two traces. It prints the first `most` differences of each
// kind, and then the number of further differences.
class report {
 public:
  report(examples::output& out, analysis::differences wanted, std::uint64_t most, bool as_json)
      : out_(out), wanted_(wanted), most_(most), as_json_(as_json) {}

  // Sets the callbacks for the text of instructions in the first and in the second trace. The
  // callbacks apply to all instructions that are printed after this call.
  void read_as(assembly a, assembly b) {
    read_a_ = std::move(a);
    read_b_ = std::move(b);
  }
  // Sets the callback that returns the name of a register by its number. An empty text stands for the
  // name of an x86 register.
  void name_registers(std::function<std::string(std::uint8_t)> name) {
    register_name_ = std::move(name);
  }
  // Sets the callbacks for the text of events in the first and in the second trace. Call this
  // function before the first event.
  void name_events(event_text a, event_text b) {
    event_a_ = std::move(a);
    event_b_ = std::move(b);
  }

  // Prints two instructions at the same ip if they have a difference of a wanted kind.
  void differs(const diff_step& a, const diff_step& b, analysis::differences d,
               std::span<const analysis::value_difference> values);

  void diverges(const analysis::divergence& d);
  // Returns the place of the first divergence.
  [[nodiscard]] const std::optional<divided>& first() const noexcept { return first_; }

  // Prints the number of differences that were not printed.
  void finish();

  // Returns the number of pairs of instructions at the same ip that have a difference of a wanted
  // kind.
  [[nodiscard]] std::uint64_t differing() const noexcept { return differing_; }

 private:
  // Maximum number of instructions to print from each trace at a divergence.
  static constexpr std::size_t shown = 5;

  static std::string place(const diff_step& a, const diff_step& b);
  // Adds text such as ", memory read 0x1000 | 0x2000 0x3000" if the two lists differ.
  template <class List, class Add>
  void lists(std::string_view title, const List& a, const List& b, Add add);
  void code(std::string_view before, const diff_step& i);
  // Adds a byte in hexadecimal form, such as " 9f".
  void add_byte(unsigned b);
  // Adds a line such as "and 3,802 more divergences".
  void more(std::uint64_t all, const char* one, const char* many);
  void outcomes(const diff_step& a, const diff_step& b);
  void outcome(const diff_step& i);
  // Adds text such as ", rax 0x1 | 0x2" or ", [0x7ffe10] 01 00 | 02 00". For values after the
  // instruction, the text begins with " written".
  void value(const analysis::value_difference& v);
  static std::string text(const diff_step* i, const assembly& read);
  // Adds text such as "  ; mov eax, ebx", or "  ; mov eax, ebx | nop" if the code differs.
  void reads(const diff_step* a, const diff_step* b);
  // Adds text such as "-     17        0x401000  ; nop". The number is the index of the instruction
  // in each trace.
  void line(char kind, const diff_step* a, const diff_step* b, bool part = false);
  void only(char kind, std::span<const diff_step> all, std::uint64_t count, bool first);

  examples::output& out_;
  analysis::differences wanted_;
  std::uint64_t most_;
  bool as_json_;
  assembly read_a_ = {}, read_b_ = {};
  event_text event_a_ = {}, event_b_ = {};
  std::function<std::string(std::uint8_t)> register_name_ = {};
  std::uint64_t differing_ = 0, divergences_ = 0;
  std::optional<divided> first_ = {};
};

// Number of differences of one kind, for records that are not instructions.
struct own_count {
  // Names of the kind: `key` in JSON output, and `title` in text output.
  std::string_view key, title;
  std::uint64_t count = 0;
};

enum class verdict : std::uint8_t {
  same,
  differ,
  // The traces are equal up to the point where one trace is damaged.
  same_so_far
};

// Appends the summary to `s`. `to_the_end` is true if both traces were compared to the end.
// `others` contains the numbers of differences in records other than instructions, and `moved` the
// regions that were found, or nullptr. `first` is the first divergence.
void write_summary(std::string& s, const std::string& a, const std::string& b,
                   const analysis::diff_summary& sum, std::uint64_t threads_a,
                   std::uint64_t threads_b, analysis::differences wanted, verdict found,
                   bool to_the_end, bool as_json, std::span<const own_count> others,
                   const analysis::found_relocation* moved, const std::optional<divided>& first);

}  // namespace diff
