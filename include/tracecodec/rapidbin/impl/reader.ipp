#pragma once
#include "../reader.hpp"

#include <memory>
#include <utility>

#include "../../file/reader.hpp"
#include "../trace_file.hpp"

namespace tracecodec::rapidbin {

class reader::state : public file::reader<trace_file> {
 public:
  using file::reader<trace_file>::reader;
};

TRACECODEC_FUNC reader::reader(io::input in, reader_options options)
    : state_(std::make_unique<state>(std::move(in), options)) {}
TRACECODEC_FUNC reader::reader(const std::string& path, reader_options options)
    : reader(io::open_input(path), options) {}
TRACECODEC_FUNC reader::~reader() = default;

TRACECODEC_FUNC const header& reader::declared() const { return state_->header(); }
TRACECODEC_FUNC event_array reader::mapped_events() const { return state_->mapped_records(); }

TRACECODEC_FUNC event_batch reader::next() {
  const auto b = state_->next();
  return {b.records, b.first, nullptr, b.last};
}
TRACECODEC_FUNC std::uint64_t reader::skip(std::uint64_t n) { return state_->skip(n); }
TRACECODEC_FUNC bool reader::seek(std::uint64_t n) { return state_->seek(n); }
TRACECODEC_FUNC void reader::rewind() { state_->rewind(); }
TRACECODEC_FUNC std::uint64_t reader::count() { return state_->count(); }
TRACECODEC_FUNC std::uint64_t reader::position() const { return state_->position(); }
TRACECODEC_FUNC std::optional<double> reader::progress() const { return state_->progress(); }
TRACECODEC_FUNC const std::string& reader::name() const { return state_->name(); }
TRACECODEC_FUNC std::size_t reader::trailing_bytes() { return state_->trailing_bytes(); }
TRACECODEC_FUNC std::optional<trace_error> reader::complaint() { return state_->complaint(); }

}  // namespace tracecodec::rapidbin
