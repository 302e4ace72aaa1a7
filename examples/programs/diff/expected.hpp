// Differences between two runs that the user expects: kinds of differences, addresses, and values
// that certain instructions write.
#pragma once
#include <tracecodec/analysis/instruction_code.hpp>
#include <tracecodec/analysis/relocation.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "report.hpp"

namespace diff {

namespace analysis = tracecodec::analysis;

// Differences that are ignored, parsed from the words of --ignore.
struct ignored {
  std::set<std::string> of_kind = {};
  bool addresses = false;
  std::set<std::string, std::less<>> mnemonics = {};

  // Adds a word of --ignore. Returns false if `word` is invalid.
  bool add(const std::string& word);
  // Returns a description of the words that add() accepts, for error messages.
  static std::string expected();
  [[nodiscard]] bool wants(const char* kind) const { return of_kind.count(kind) == 0; }
};

// Predicate for a pair of instructions. It is true if the text of either instruction contains one
// of the specified mnemonics or prefixes. The class caches recent results.
class written_by {
 public:
  written_by(const std::set<std::string, std::less<>>& mnemonics, assembly a, assembly b)
      : mnemonics_(mnemonics), a_(std::move(a)), b_(std::move(b)) {}

  bool operator()(const diff_step& a, const diff_step& b) { return is_one(a, a_) || is_one(b, b_); }

 private:
  struct cached {
    std::uint64_t ip = 0;
    bool is_known = false, value = false;
    analysis::instruction_code code = {};
  };
  // Text callback and cache for one of the traces.
  struct side {
    explicit side(assembly as) : read(std::move(as)) {}
    assembly read;
    std::vector<cached> known = std::vector<cached>(1024);
  };
  [[nodiscard]] bool is_one(const diff_step& i, side& of) const;
  [[nodiscard]] bool has_one(std::string text) const;

  std::set<std::string, std::less<>> mnemonics_;
  side a_, b_;
};

// Regions from --relocate: "auto" for those that the traces show, or in the form "A=B" or "A=B+SIZE". A region begins at A in the first trace
// and at B in the second trace. Without SIZE, the region extends to the next B or to the end of the
// address space.
class moved_regions {
 public:
  // Adds a region, or all with "auto". Returns false if `s` is invalid.
  bool add(const std::string& s);
  // Returns true if the regions must be found in the traces.
  [[nodiscard]] bool automatic() const noexcept { return automatic_; }
  // Returns the relocation that all regions describe. Throws usage_error if regions overlap, or
  // if there are regions in addition to "auto".
  [[nodiscard]] analysis::relocation relocation() const;

 private:
  std::vector<analysis::moved_region> all_ = {};
  bool automatic_ = false;
};

}  // namespace diff
