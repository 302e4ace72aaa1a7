// Writes the instructions of any trace as lines of text, for formats whose lines are instructions or
// memory accesses.
#pragma once
#include <tracecodec/feed/columns.hpp>
#include <tracecodec/feed/listed.hpp>
#include <tracecodec/file/writer.hpp>
#include <tracecodec/trace/reader.hpp>
#include <tracecodec/trace/source.hpp>

#include <cstddef>
#include <cstdint>
#include <exception>
#include <optional>
#include <utility>

#include "../../common/progress.hpp"
#include "../conversion.hpp"
#include "../pack_output.hpp"

namespace convert {

// Numbers of values that a trace does not store.
struct unknown_values {
  std::uint64_t lengths = 0;   // instructions of unknown length
  std::uint64_t sizes = 0;     // memory accesses of unknown size
  std::uint64_t switches = 0;  // instructions that follow one of another thread
};

// Calls each(index, instruction) for the part of a trace that the options select. If the trace does
// not store the length of an instruction, the next instruction determines it, unless it is too far
// away. Returns the error that ended the trace early, or null.
template <class Each> std::exception_ptr for_each_listed(tracecodec::trace::reader& from,
                                                         const options& o, unknown_values& unknown,
                                                         Each each) {
  namespace feed = tracecodec::feed;
  using feed::column;
  const bool has_size = from.has().has(column::size);
  from.want(feed::column_set{column::ip, column::memory, column::thread} |
            (has_size ? feed::column_set{column::size} : feed::column_set{}));
  std::optional<feed::listed_instruction> last;
  std::uint64_t index = o.part.skip;
  std::optional<std::uint32_t> thread;
  const auto write_last = [&](std::uint64_t next_ip) {
    if (!last) return;
    constexpr std::uint64_t longest = 15;
    const std::uint64_t distance = next_ip - last->ip;
    if (last->length == 0 && distance != 0 && distance <= longest)
      last->length = static_cast<std::uint32_t>(distance);
    unknown.lengths += last->length == 0;
    for (const feed::listed_access& a : last->list) unknown.sizes += a.size == 0;
    each(index++, *last);
  };
  examples::progress_line progress(o.in);
  feed::columns batch;
  for (bool begun = false;;) {
    try {
      if (!std::exchange(begun, true)) go_to(from, o.part);
      if (!from.next(batch)) break;
    } catch (const io::interruption&) {
      throw;
    } catch (...) {
      write_last(0);
      return std::current_exception();
    }
    stop_if_interrupted();
    const auto& memory = batch.memory();
    for (std::size_t row = 0; row != batch.size(); ++row) {
      write_last(batch.ip()[row]);
      last.emplace();
      last->ip = batch.ip()[row];
      if (has_size) last->length = batch.code_size()[row];
      for (std::size_t i = memory.begin(row); i != memory.end(row); ++i)
        last->list.push_back(
            {memory.address[i], static_cast<std::uint32_t>(memory.size[i]), memory.write[i] != 0});
      unknown.switches += thread && *thread != batch.thread()[row];
      thread = batch.thread()[row];
    }
    progress.at(from.progress());
  }
  write_last(0);
  return nullptr;
}

// Throws usage_error if the output is a tracepack.
inline void refuse_pack(const options& o) {
  if (is_packed(o)) throw usage_error("tracepack does not store lines of text");
}

// Writes a file described by `File`. lines(index, instruction, sink) calls sink(line) for the lines
// of an instruction.
template <class File, class Lines> unknown_values write_listed(tracecodec::trace::source in,
                                                               const options& o,
                                                               io::codec compression, Lines lines) {
  refuse_pack(o);
  tracecodec::trace::reader from(std::move(in), o.as);
  tracecodec::file::writer<File> out(io::open_output(o.out, compression, o.packing),
                                     output_name(o));
  unknown_values unknown;
  const auto failure = for_each_listed(from, o, unknown, [&](std::uint64_t index, const auto& i) {
    lines(index, i, [&out](const auto& line) { out.write(line); });
  });
  if (unknown.switches != 0)
    say(some(unknown.switches, "instruction") +
        " that follow one of another thread: the lines do not store threads");
  finish(out, out.written(), failure, o);
  return unknown;
}

}  // namespace convert
