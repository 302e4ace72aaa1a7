// A trace of any format that is open: its format is recognised by content. open.hpp makes its feed,
// reader.hpp its columns.
//
// x64dbg's traces are read if TRACECODEC_WITH_SIMDJSON and TRACECODEC_WITH_ZYDIS are defined, as meson,
// CMake and pkg-config do where the two libraries are; the metadata of RapidBin with the first,
// UMTracer's with the second.
#pragma once
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "../config.hpp"
#include "../format/open_options.hpp"
#include "../format/opened.hpp"
#include "../io/open.hpp"
#include "../tracepack/lost_records.hpp"

namespace tracecodec::tracepack {
struct about;
class reader;
}  // namespace tracecodec::tracepack

namespace tracecodec::trace {

// Returns all formats. The address of its facts identifies each.
TRACECODEC_FUNC std::span<const format::facts* const> all_formats() noexcept;
// Returns the format called `name`; null if there is none of that name.
TRACECODEC_FUNC const format::facts* find_format(std::string_view name) noexcept;
// Returns whether this build makes instructions of the traces of format `f`: it may lack a library for that.
TRACECODEC_FUNC bool is_readable(const format::facts& f) noexcept;
// Returns the option that only some formats have and that is called `name`; null if there is none.
TRACECODEC_FUNC const format::option* find_option(std::string_view name) noexcept;

namespace detail {
// Returns the format of the folder `path`, by a file that each trace of the format has; null if it is none of them.
const format::facts* format_of_folder(const std::string& path);
}  // namespace detail

// Returns the format of an input at its first byte, by its first records. Consumes nothing. Throws trace_error:
// not_a_trace if the input is empty or matches no format; what read() throws if that is why nothing matches.
TRACECODEC_FUNC const format::facts& recognise(io::input& in);

// Returns the format whose records those of `o.record` become: `o.format`, or else the first that takes them, with threads
// if the table has a column `asid`. Throws trace_error(refused) for a format that takes none; `name` is the trace's.
TRACECODEC_FUNC const format::facts& format_of_record(const std::string& name,
                                                      const format::open_options& o);

// Returns the callback for a pack's damaged frames: on_lost, or else, with `repair`, one that calls warn(). Null if
// damaged frames are errors.
TRACECODEC_FUNC tracepack::on_lost lost_of(const format::open_options& o);

// A trace that is open, and its format: a file, standard input or a pipe; or a folder. Movable.
class source {
 public:
  // "-" is standard input. Throws trace_error: as io::open_input() and recognise(); not_a_trace for
  // a folder that is no trace, and a single file of a trace that is a folder.
  explicit source(const std::string& path, const tracecodec::format::open_options& o = {});
  // Throws trace_error: as recognise(); refused for a format whose traces are folders.
  explicit source(io::input in, const tracecodec::format::open_options& o = {});

  [[nodiscard]] const tracecodec::format::facts& format() const noexcept { return *format_; }
  [[nodiscard]] const std::string& name() const noexcept { return name_; }
  // Returns the input, of a packed trace its content. Only if the trace is not a folder.
  [[nodiscard]] io::input& input();
  // Moves the trace out, to pass it to its format's descriptor.
  [[nodiscard]] tracecodec::format::opened take();
  // Whether the trace can be read a second time.
  [[nodiscard]] bool rewindable();

  // Returns the table that describes its records, which may become records of format(). Null if there is none.
  [[nodiscard]] const std::shared_ptr<const file::record_table>& record() const noexcept {
    return record_;
  }
  // Returns what a tracepack states about itself; format() is then that of its records. Null for other traces.
  [[nodiscard]] const std::shared_ptr<const tracepack::about>& packed() const noexcept {
    return about_;
  }
  [[nodiscard]] bool has_pack() const noexcept { return pack_ != nullptr; }
  // Moves out the reader of a tracepack, at its first record. Null for other traces, and after input().
  [[nodiscard]] std::shared_ptr<tracepack::reader> take_pack() noexcept { return std::move(pack_); }

 private:
  void describe(const std::string& name, const tracecodec::format::open_options& o);
  // Keeps the records that `o` asks for.
  void select(const tracecodec::format::open_options& o);
  void open(io::input in, const tracecodec::format::open_options& o);
  void open_packed(io::input in, const tracecodec::format::open_options& o);

  const tracecodec::format::facts* format_ = nullptr;
  std::string name_ = {};
  std::optional<io::input> input_ = {};
  std::shared_ptr<const file::record_table> record_ = {};
  std::shared_ptr<const tracepack::about> about_ = {};
  std::shared_ptr<tracepack::reader> pack_ = {};  // until input_ is made of it
  tracepack::on_lost lost_ = {};
};

// Throws trace_error(refused) for an option that the format of `from` does not have.
TRACECODEC_FUNC void require_known_options(const source& from, const format::open_options& options);

}  // namespace tracecodec::trace

#if !defined(TRACECODEC_SEPARATE_COMPILATION)
#include "impl/source.ipp"
#endif
