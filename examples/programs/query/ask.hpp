// The questions of trace_query.
#pragma once
#include <tracecodec/analysis/address_span.hpp>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "../common/reading.hpp"
#include "../view/shown.hpp"

namespace ask {

struct question {
  std::string_view name, operand, text;
  bool reads, writes, changes;  // accesses that the question is about
  // True for the last access, or the first one. Otherwise all accesses are answers.
  bool last, first;
};
inline constexpr std::string_view addresses = "ADDRESS[-LAST|+SIZE]";
inline constexpr std::array all_questions{
    question{"last-write", addresses, "the last instruction that writes any of the bytes", false,
             true, false, true, false},
    question{"next-write", addresses, "the first instruction that writes any of the bytes", false,
             true, false, false, true},
    question{"last-read", addresses, "the last instruction that reads any of the bytes", true,
             false, false, true, false},
    question{"next-read", addresses, "the first instruction that reads any of the bytes", true,
             false, false, false, true},
    question{"accesses", addresses, "all instructions that read or write any of the bytes", true,
             true, false, false, false},
    question{"changes", addresses,
             "all instructions that write another value than the bytes had; if the trace has no "
             "values, all that write",
             false, true, true, false, false},
};

// Returns the question. Throws usage_error if there is none of that name.
const question* question_named(const std::string& name);

struct options {
  std::string trace = {};
  const question* what = nullptr;
  tracecodec::analysis::address_span bytes = {};
  std::optional<std::uint64_t> before = {}, after = {}, most = {};
  std::optional<std::string> index = {};
  bool no_index = false;
  view::form form = view::form::compact;
  examples::reading as = {};
};

// Prints the answers. Returns false if there is none.
bool ask(const options& o);

}  // namespace ask
