#include "conversion.hpp"

#include <tracecodec/format/option.hpp>

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "format_conversion.hpp"

namespace convert {

void say(const std::string& message) { examples::note("trace_convert", message); }

bool appears(std::uint64_t written, const std::exception_ptr& failure, const options& o) {
  if (!failure && written == 0)
    throw tracecodec::trace_error(tracecodec::trace_errc::refused, {o.out},
                                  "not written: no records are left of " + o.in);
  // Discard an incomplete file by default, because it would look like a whole trace. Output that
  // went to standard output cannot be discarded.
  return !failure || ((o.keep_whole || o.as.repair || o.out == "-") && written != 0);
}

void report_failure(std::uint64_t written, const std::exception_ptr& failure, const options& o) {
  if (!failure) return;
  if (!o.as.repair || written == 0) std::rethrow_exception(failure);
  try {
    std::rethrow_exception(failure);
  } catch (const tracecodec::trace_error& e) {
    say(std::string("cut: ") + e.what() + "; " + some(written, "record") +
        (written == 1 ? " before it is written" : " before it are written"));
  }
}

namespace {

using examples::option_use;
using own_option = tracecodec::format::option;

// Returns the first format-specific option for which chosen(option) is true, or null.
template <class Chosen> const own_option* find_own_option(Chosen chosen) {
  for (const format* const f : tracecodec::trace::all_formats())
    for (const own_option* const o : f->options)
      if (chosen(*o)) return o;
  return nullptr;
}

std::string as_written(const own_option& o) { return "--" + std::string(o.name); }

// Returns true if the option specifies further input files.
bool names_files(const own_option& o, const options& in) {
  return o.files != nullptr && !o.files(in.as.own).empty();
}

// Returns the options in `output` that do not apply to the rows of any format.
tracecodec::format::own_options without_row_options(tracecodec::format::own_options output) {
  for (const format_conversion* const one : all_conversions())
    if (one->take_row_options != nullptr) one->take_row_options(output);
  return output;
}

}  // namespace

std::string given_option(const tracecodec::format::own_options& in, option_use use) {
  const own_option* const found = find_own_option([&in, use](const own_option& one) {
    return one.use == use && one.is_set != nullptr && one.is_set(in);
  });
  return found != nullptr ? as_written(*found) : "";
}

std::string joined(const std::vector<std::string>& words, std::string_view before_last) {
  std::string text;
  for (std::size_t i = 0; i != words.size(); ++i) {
    if (i != 0) text += i + 1 == words.size() ? before_last : std::string_view(", ");
    text += words[i];
  }
  return text;
}

std::string disassembled_formats(std::string_view before_last) {
  std::vector<std::string> all;
  for (const format* const f : tracecodec::trace::all_formats())
    if (const format_conversion& own = conversion_of(*f);
        own.disassembles && own.has_code == nullptr)
      all.emplace_back(f->title);
  return joined(all, before_last);
}

void require_row_options(const options& o, const format& from, bool disassembles) {
  examples::require_own_options(without_row_options(o.output), option_use::output, {}, "OUT");
  if (o.guard_formulas && o.rows != row_form::csv)
    throw usage_error("--guard-formulas is for CSV: OUT is not");
  examples::require_own_options(o.as.own, option_use::rows, from, "IN");
  examples::require_own_options(o.output, option_use::output, from, "IN");
  if (const own_option* const other = find_own_option(
          [&](const own_option& one) { return names_files(one, o) && !from.has(one); }))
    examples::require_own_options(o.as.own, other->use, from, "IN");
  if (o.disassembly && !disassembles)
    throw usage_error("--disassembly is for " + disassembled_formats(" and ") +
                      " traces, and tracepack with code: IN is neither");
}

void require_folder_options(const options& o, const format& to) {
  const std::string trace = trace_of(to, to.title);
  if (o.out == "-") throw usage_error(trace + " is a folder: name OUT");
  if (o.compression) throw usage_error("--codec is for files: " + trace + " is a folder");
  if (o.block_size) throw usage_error("--block-size is for files: " + trace + " is a folder");
  // Options that specify further input files never apply if OUT is a folder, regardless of IN's
  // format.
  bool given = false;
  std::vector<std::string> all;
  for (const format* const f : tracecodec::trace::all_formats())
    for (const own_option* const one : f->options) {
      if (one->files == nullptr) continue;
      given = given || names_files(*one, o);
      const std::string name = as_written(*one);
      if (std::find(all.begin(), all.end(), name) == all.end()) all.push_back(name);
    }
  if (given) throw usage_error(joined(all, " and ") + " do not apply: OUT is " + trace);
}

}  // namespace convert
