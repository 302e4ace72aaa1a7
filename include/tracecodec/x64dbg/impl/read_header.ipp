// Implementation of read_header.hpp.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "../read_header.hpp"
#include "../recognise.hpp"
#if defined(TRACECODEC_WITH_SIMDJSON)
#include "../../io/text/json.hpp"
#endif

namespace tracecodec::x64dbg {

#if defined(TRACECODEC_WITH_SIMDJSON)
namespace detail {
class header_parser {
 public:
  explicit header_parser(std::string text) { out_.header.text = std::move(text); }

  parsed_header run() {
    const std::string& text = out_.header.text;
    const std::size_t json = text.find_last_not_of('\0') + 1;
    out_.header.hash_algorithm.reset();
    try {
      const io::json_document document(std::string_view(text).substr(0, json),
                                       {{}, {}, {}, "json"});
      const auto object = io::as_object(document.root());
      if (object)
        for (const auto& field : *object) take(field.key, field.value);
      else
        problem(trace_errc::bad_value, "json", "is not an object");
      if (object) require();
    } catch (const trace_error& e) {
      problem(e.code(), e.field(), e.message());
    }
    return std::move(out_);
  }

 private:
  void take(std::string_view key, const io::json_value& value) {
    trace_header& h = out_.header;
    if (key == "ver") {
      ver_ = true;
      const auto n = io::as_integer(value);
      if (n != 1)
        problem(trace_errc::unsupported, "ver", "is " + io::json_text_of(value) + ", expected 1");
    } else if (key == "arch") {
      arch_ = true;
      const auto s = io::as_string(value);
      out_.arch_known = s == "x86" || s == "x64";
      h.arch = s == "x86" ? target::x86 : target::x64;
      if (!out_.arch_known)
        problem(trace_errc::unsupported, "arch",
                "is " + io::json_text_of(value) + ", expected \"x86\" or \"x64\"");
    } else if (key == "compression") {
      compression_ = true;
      if (io::as_string(value) != "")
        problem(trace_errc::unsupported, "compression",
                "is " + io::json_text_of(value) + ", expected \"\": other values are unknown");
    } else if (key == "hashAlgorithm") {
      h.hash_algorithm = text_of(key, value);
    } else if (key == "hash") {
      h.hash = text_of(key, value);
    } else if (key == "path") {
      h.path = text_of(key, value);
    } else {
      h.unknown.emplace_back(key, io::json_text_of(value));
    }
  }
  void require() {
    const auto missing = [this](bool there, const char* key) {
      if (!there) problem(trace_errc::bad_value, key, "is missing in the header");
    };
    missing(ver_, "ver");
    missing(arch_, "arch");
    missing(compression_, "compression");
  }
  std::optional<std::string> text_of(std::string_view key, const io::json_value& value) {
    const auto s = io::as_string(value);
    if (!s) problem(trace_errc::bad_value, std::string(key), "is not a string");
    return s ? std::optional(std::string(*s)) : std::nullopt;
  }
  void problem(trace_errc code, std::string field, std::string message) {
    out_.problems.push_back({code, std::move(field), std::move(message)});
  }

  parsed_header out_ = {};
  bool ver_ = false, arch_ = false, compression_ = false;
};
}  // namespace detail
#endif

TRACECODEC_FUNC parsed_header parse_header(std::string text) {
#if defined(TRACECODEC_WITH_SIMDJSON)
  return detail::header_parser(std::move(text)).run();
#else
  parsed_header unread;
  unread.header.text = std::move(text);
  unread.problems.push_back(
      {trace_errc::unsupported, "json",
       "an x64dbg trace: this build cannot read it: it lacks simdjson (TRACECODEC_WITH_SIMDJSON)"});
  return unread;
#endif
}

TRACECODEC_FUNC std::string read_header_text(io::window& in) {
  const auto fail = [&in](trace_errc code, std::uint64_t offset, const char* field,
                          const std::string& why) {
    if (code != trace_errc::bad_value) in.check_end();
    throw trace_error(code, {in.from().name(), offset, {}, field}, why);
  };
  const auto front = in.look(prefix_codec::size);
  prefix p{};
  const auto done = prefix_codec::decode(front, p);
  if (!begins_like_a_trace(front))
    fail(trace_errc::not_a_trace, prefix_codec::offset_of<&prefix::magic>, "magic",
         front.empty() ? "empty, expected an x64dbg trace"
                       : "not an x64dbg trace: does not begin with TRAC");
  if (!done)
    fail(trace_errc::truncated, done.used, std::string(done.field).c_str(),
         "the trace ends inside the header");
  if (p.length > largest_header)
    fail(trace_errc::bad_value, prefix_codec::offset_of<&prefix::length>, "length",
         "a header of " + std::to_string(p.length) + " bytes, more than " +
             std::to_string(largest_header));
  const std::size_t size = prefix_codec::size + p.length;
  const auto all = in.look(size);
  if (all.size() < size)
    fail(trace_errc::truncated, prefix_codec::size, "json",
         "the trace ends inside the header, after " +
             std::to_string(all.size() - prefix_codec::size) + " of " + std::to_string(p.length) +
             " bytes");
  std::string text(reinterpret_cast<const char*>(all.data()) + prefix_codec::size, p.length);
  in.consume(size);
  return text;
}

TRACECODEC_FUNC trace_header read_header(io::window& in) {
  parsed_header parsed = parse_header(read_header_text(in));
  if (!parsed.problems.empty()) {
    header_problem& first = parsed.problems.front();
    throw trace_error(first.code,
                      {in.from().name(), prefix_codec::size, {}, std::move(first.field)},
                      first.message);
  }
  return std::move(parsed.header);
}

}  // namespace tracecodec::x64dbg
