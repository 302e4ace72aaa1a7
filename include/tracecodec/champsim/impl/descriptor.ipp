// Implementation of champsim/descriptor.hpp.
#pragma once
#include <array>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "../../file/record_table.hpp"
#include "../check.hpp"
#include "../descriptor.hpp"
#include "../recognise.hpp"
#include "../register_numbers.hpp"
#include "../table_check.hpp"
#include "../thread_records.hpp"

namespace tracecodec::champsim {

namespace detail {

TRACECODEC_FUNC bool set_branch_rules(format::own_options& to, const std::string& value) {
  if (value != "2022" && value != "2023") return false;
  to.set(value == "2022" ? branch_rules::of_2022 : branch_rules::current);
  return true;
}
TRACECODEC_FUNC bool set_register_numbers(format::own_options& to, const std::string& value) {
  const std::optional<register_numbers> numbers = parse_register_numbers(value);
  if (numbers) to.set(*numbers);
  return numbers.has_value();
}
TRACECODEC_FUNC std::string_view lacking_for_branch_rules(const format::own_options& in) {
  return in.has<branch_rules>() ? "registers that branch rules depend on" : "";
}
TRACECODEC_FUNC std::string_view lacking_for_register_numbers(const format::own_options& in) {
  return in.has<register_numbers>() ? "register numbers to map" : "";
}

TRACECODEC_FUNC format::match probe(const format::front& f, usual_record wanted) {
  const judgement standard = champsim::probe<instruction_codec>(f.bytes);
  if (standard.records == 0)
    return wanted == usual_record::standard ? format::match::too_short : format::match::none;
  const bool fits = recognise_records(f.bytes, standard, f.begins_as_another()) == wanted;
  return fits ? format::match::likely : format::match::none;
}

TRACECODEC_FUNC void select(format::opened& from, const format::open_options& o,
                            usual_record records) {
  const bool cloudsuite = records == usual_record::cloudsuite;
  io::input& in = *from.input;
  if (o.thread && cloudsuite) {
    auto table = from.record != nullptr
                     ? from.record
                     : std::make_shared<const file::record_table>(cloudsuite_table());
    in = keep_thread(std::move(in), std::move(table), *o.thread);
    if (from.record != nullptr)
      from.record = std::make_shared<const file::record_table>(from.record->with_header(0));
  }
  if (const auto* const numbers = o.own.get<register_numbers>())
    in = from.record != nullptr ? renumber_registers(std::move(in), *numbers, *from.record)
                                : renumber_registers(std::move(in), *numbers, cloudsuite);
}

TRACECODEC_FUNC format::check_summary check(format::opened from, const format::on_finding& report,
                                            const check_options& how, usual_record records) {
  constexpr reader_options trusted{.trust = true};
  io::input in = std::move(*from.input);
  const check_summary sum =
      from.record != nullptr ? champsim::check(std::move(in), from.record, report, how, trusted)
      : records == usual_record::cloudsuite
          ? champsim::check<cloudsuite_instruction>(std::move(in), report, how, trusted)
          : champsim::check<instruction>(std::move(in), report, how, trusted);
  return format::summary_of(sum.records, sum);
}

}  // namespace detail

TRACECODEC_FUNC std::optional<format::mismatch> descriptor::explain(const format::front& f) {
  reason why = why_no_records(f.bytes, champsim::probe<instruction_codec>(f.bytes), f.size,
                              "; name the format to read it anyway");
  return format::mismatch{why.offset, std::move(why.text)};
}

TRACECODEC_FUNC std::span<const format::layout> descriptor::layouts(bool) {
  static const std::array all{format::layout_of<instruction_codec>("", "instruction")};
  return all;
}
TRACECODEC_FUNC std::span<const format::layout> cloudsuite_descriptor::layouts(bool) {
  static const std::array all{format::layout_of<cloudsuite_codec>("", "cloudsuite_instruction")};
  return all;
}

}  // namespace tracecodec::champsim
