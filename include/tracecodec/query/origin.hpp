// Where a value of a trace comes from, and what it reaches: slices through registers and memory.
#pragma once
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <vector>

#include "../config.hpp"
#include "../feed/column_source.hpp"
#include "data_flow.hpp"
#include "deciding_branches.hpp"
#include "memory_questions.hpp"

namespace tracecodec::query {

// Why an origin does not continue.
enum class origin_end : std::uint8_t {
  none,       // it continues at a step
  question,   // bytes that the question is about, in a slice forward
  beginning,  // the register has the value from the beginning of the trace
  // Memory that no instruction before wrote, or that changed afterwards without an instruction of
  // the trace, such as in a system call.
  input,
  not_followed  // the maximum number of steps was reached
};

// Returns the name of the end, such as "not followed", or an empty text for `none`.
TRACECODEC_FUNC std::string_view name(origin_end e) noexcept;

// Bytes of an input, and the step that wrote them.
struct origin_source {
  static constexpr std::size_t no_step = std::numeric_limits<std::size_t>::max();
  place bytes = {};
  origin_end end = origin_end::none;
  std::size_t step = no_step;  // index of the step, if the origin continues
};

// Flow of an instruction that is a part of the slice.
struct origin_flow {
  place to = {};  // size 0 for an instruction that only reads
  flow_kind kind = flow_kind::computation;
  std::vector<std::size_t> inputs = {};  // indices of slice::inputs
};

// Returns the end of an origin that the flow itself is: "input", "unknown" or "constant". Returns an
// empty text if the origin continues with the inputs.
TRACECODEC_FUNC std::string_view end_of(const origin_flow& f) noexcept;

struct origin_step {
  std::uint64_t index = 0, ip = 0;  // of the instruction
  std::uint32_t thread = 0;
  std::vector<origin_flow> flows = {};
  // True for a branch that decided that another step was executed.
  bool decides = false;
  // Number of the branch that decided that this step was executed, which is a step, too, unless the
  // maximum number of steps was reached.
  std::optional<std::uint64_t> decided_by = {};
};

struct slice {
  // Steps in the order in which they are found: from the last instruction to the first or, in a
  // slice forward, from the first to the last.
  std::vector<origin_step> steps = {};
  std::vector<std::vector<origin_source>> inputs = {};
  // Input that the question is about. Unused in a slice forward.
  static constexpr std::size_t question = 0;
  bool is_cut = false;  // true if the maximum number of steps, or of bytes, was reached
};

struct slice_limits {
  static constexpr std::size_t most_steps = std::size_t{1} << 20;
  static constexpr std::size_t most_bytes = std::size_t{1} << 20;  // that a slice forward follows
  std::size_t steps = 1000;
};

// Branches that a slice includes.
struct slice_branches {
  const deciding_branches* deciding = nullptr;  // for the instructions before `at`, or null
  // True to follow the operands of these branches, and the branches that decided them. Otherwise,
  // their operands end as `not_followed`.
  bool follow = false;
};

// Returns the slice backward of `of` before instruction `at`, in thread `thread`. Moves are
// followed byte by byte. Other results depend on all their inputs (flow_rows). Addresses of memory
// are not followed, and branches only as `branches` says. `rows` should have values, so that changes
// from outside the trace are found. `questions` ask `trace`; with an index, a slice through memory
// alone does not read the instructions between. Throws the trace_error of the trace and of the index.
TRACECODEC_FUNC slice origin_of(feed::column_source& trace, flow_rows& rows,
                                memory_questions& questions, const place& of, std::uint32_t thread,
                                std::uint64_t at, const slice_limits& limits = {},
                                const slice_branches& branches = {});

// Returns the slice forward: the instructions from `at` on that use the value, or a value that
// depends on it, and not only as an address. Ends when all these values are overwritten.
TRACECODEC_FUNC slice reach_of(feed::column_source& trace, flow_rows& rows, const place& of,
                               std::uint32_t thread, std::uint64_t at,
                               const slice_limits& limits = {});

}  // namespace tracecodec::query

#if !defined(TRACECODEC_SEPARATE_COMPILATION)
#include "impl/origin.ipp"
#endif
