#pragma once
#include "../std_writer.hpp"

#include <cstddef>
#include <span>
#include <utility>

#include "../../io/error.hpp"
#include "../../io/open.hpp"

namespace tracecodec::rapidbin {

TRACECODEC_LAZY_FUNC std_writer::std_writer(io::owned<io::sink> out, std::string name, dialect d)
    : out_(std::move(out)), name_(std::move(name)), dialect_(d) {}
TRACECODEC_LAZY_FUNC std_writer::std_writer(const std::string& path, dialect d)
    : std_writer(io::open_output(path, io::codec_of_suffix(path)), path, d) {}

TRACECODEC_LAZY_FUNC void std_writer::write(const event& e) {
  constexpr std::size_t buffer_size = std::size_t{64} << 10;
  if (const auto field = not_in_std(e); !field.empty()) [[unlikely]]
    throw trace_error(trace_errc::refused, {name_, {}, written_ + left_out_, std::string(field)},
                      "STD text has no place for it");
  if (!has(dialect_, e.operation)) {
    ++left_out_;
    return;
  }
  if (names_)
    append_std(text_, e, names_);
  else
    append_std(text_, e);
  text_ += '\n';
  ++written_;
  if (text_.size() >= buffer_size) flush();
}
TRACECODEC_LAZY_FUNC void std_writer::write(const event_list& events) {
  for (const event e : events) write(e);
}

TRACECODEC_LAZY_FUNC void std_writer::finish() {
  flush();
  out_->finish();
}

TRACECODEC_LAZY_FUNC void std_writer::flush() {
  out_->write(std::as_bytes(std::span(text_)));
  text_.clear();
}

}  // namespace tracecodec::rapidbin
