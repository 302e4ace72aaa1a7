// Rules for sound RapidBin traces, and the summary of a check.
#pragma once
#include <array>
#include <cstdint>

#include "../../io/findings.hpp"

namespace tracecodec::rapidbin {

// Rule that check() verifies. The enumerators are in the order of check_rules.
enum class rule : std::uint8_t {
  damaged,
  header,
  unfinished,
  event_count,
  thread_count,
  lock_count,
  variable_count,
  trailing_bytes,
  bad_line,
  two_spellings,
  left_out_lines,
  more_columns,
  undefined_operation,
  sign_bit,
  child_thread,
  id_above_count,
  lock_taken,
  lock_reentrant,
  lock_not_held,
  before_fork,
  forked_twice,
  after_join,
  begin_not_first,
  after_end,
  unnamed_thread,
  unnamed_lock,
  unnamed_variable,
  unnamed_location,
  metadata_count,
  overlapping_variables,
  held_at_end
};
inline constexpr std::array<check_rule, 31> check_rules{{
    {"damaged", severity::error, "the input cannot be read to its end"},
    {"header", severity::error, "the header is truncated or declares a negative count"},
    {"unfinished", severity::error,
     "a header of zeros before events: the writer was never finished"},
    {"event-count", severity::error, "the header declares a different number of events"},
    {"thread-count", severity::error, "the header declares a different number of threads"},
    {"lock-count", severity::error, "the header declares a different number of locks"},
    {"variable-count", severity::error, "the header declares a different number of variables"},
    {"trailing-bytes", severity::error, "bytes after the last event"},
    {"bad-line", severity::error, "a line of text is not an event"},
    {"two-spellings", severity::note,
     "ids occur both with and without their letter, as in T1 and 1"},
    {"left-out-lines", severity::note,
     "lines of text without an equivalent in RapidBin: wait, notify, notifyAll, dummy"},
    {"more-columns", severity::note, "lines of text have columns after the location"},
    {"undefined-operation", severity::error, "an undefined operation (10 to 15)"},
    {"sign-bit", severity::warning, "the sign bit is set, which readers ignore"},
    {"child-thread", severity::error,
     "a thread above 1,023 is forked or joined: such a thread cannot have events"},
    {"id-above-count", severity::warning,
     "an id is not below the header's count: the ids are not dense, unlike Wasmgrind's"},
    {"lock-taken", severity::error, "a lock is acquired while another thread holds it"},
    {"lock-reentrant", severity::warning, "a lock is acquired by the thread that holds it"},
    {"lock-not-held", severity::error, "a lock is released by a thread that does not hold it"},
    {"before-fork", severity::error, "a thread acted before it was forked"},
    {"forked-twice", severity::error, "a thread is forked a second time"},
    {"after-join", severity::error, "a thread acts after it was joined"},
    {"begin-not-first", severity::error, "begin is not the thread's first event"},
    {"after-end", severity::error, "a thread acts after its end"},
    {"unnamed-thread", severity::error, "the metadata lacks a thread"},
    {"unnamed-lock", severity::error, "the metadata lacks a lock"},
    {"unnamed-variable", severity::error, "the metadata lacks a variable"},
    {"unnamed-location", severity::error, "the metadata lacks a location"},
    {"metadata-count", severity::error, "the metadata has ids that the trace does not use"},
    {"overlapping-variables", severity::warning,
     "two variables share bytes and threads, but race detectors treat them as different memory"},
    {"held-at-end", severity::note, "a lock is still held when the trace ends"},
}};

struct check_summary : rule_counts<check_rules> {
  std::uint64_t events = 0, threads = 0, locks = 0, variables = 0;
};

}  // namespace tracecodec::rapidbin
