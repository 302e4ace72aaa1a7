// Opens a trace of any format, recognised by content. open.hpp provides the feed of the trace, and
// reader.hpp provides its columns.
//
// x64dbg traces need TRACECODEC_WITH_SIMDJSON and TRACECODEC_WITH_ZYDIS, which meson, CMake and
// pkg-config define if the two libraries are available. RapidBin metadata need
// TRACECODEC_WITH_SIMDJSON, and UMTracer traces need TRACECODEC_WITH_ZYDIS.
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

// Returns the facts of all formats. The address of a facts object identifies a format.
TRACECODEC_FUNC std::span<const format::facts* const> all_formats() noexcept;
// Returns the format called `name`, or null if there is none.
TRACECODEC_FUNC const format::facts* find_format(std::string_view name) noexcept;
// Returns true if this build can read instructions from traces of format `f`. Returns false if the
// build lacks a library that the format needs.
TRACECODEC_FUNC bool is_readable(const format::facts& f) noexcept;
// Returns the format-specific option called `name`, or null if there is none.
TRACECODEC_FUNC const format::option* find_option(std::string_view name) noexcept;

namespace detail {
// Recognises the format of the folder `path` by a file that every trace of the format has.
// Returns null if no format matches.
const format::facts* format_of_folder(const std::string& path);
}  // namespace detail

// Recognises the format of an input by its first records. The input must be at its first byte. No
// bytes are consumed. Throws trace_error(not_a_trace) if the input is empty or matches no format.
// If a read error prevents the recognition, throws the read error instead.
TRACECODEC_FUNC const format::facts& recognise(io::input& in);

// Returns the format to which the records of table `o.record` are converted: `o.format` if it is
// set, otherwise CloudSuite if the table has a column `asid`, otherwise ChampSim. Throws
// trace_error(refused) for a format that does not accept tables. `name` is the name of the trace in
// errors.
TRACECODEC_FUNC const format::facts& format_of_record(const std::string& name,
                                                      const format::open_options& o);

// Returns the callback for damaged frames of a tracepack: the option tracepack::on_lost if it is
// set, or a callback that calls warn() if `repair` is set. If neither is set, returns an empty
// callback, and damaged frames are errors.
TRACECODEC_FUNC tracepack::on_lost lost_of(const format::open_options& o);

// Open trace and its format. The trace may be a file, standard input, a pipe or a folder. Objects
// are movable.
class source {
 public:
  // Opens `path`, or standard input for "-". Throws trace_error like io::open_input() and
  // recognise(). Throws trace_error(not_a_trace) for a folder that is not a trace, and for a single
  // file of a trace that is a folder.
  explicit source(const std::string& path, const tracecodec::format::open_options& o = {});
  // Opens the trace in `in`. Throws trace_error like recognise(). Throws trace_error(refused) for a
  // format whose traces are folders.
  explicit source(io::input in, const tracecodec::format::open_options& o = {});

  [[nodiscard]] const tracecodec::format::facts& format() const noexcept { return *format_; }
  [[nodiscard]] const std::string& name() const noexcept { return name_; }
  // Returns the input, or the content of a tracepack. The trace must not be a folder.
  [[nodiscard]] io::input& input();
  // Moves the trace out of this object, so that the trace can be passed to the descriptor of its
  // format.
  [[nodiscard]] tracecodec::format::opened take();
  // Returns true if the trace can be read a second time.
  [[nodiscard]] bool rewindable();

  // Returns the table that describes the records of the trace, or null if there is no table.
  // These records are converted to records of format().
  [[nodiscard]] const std::shared_ptr<const file::record_table>& record() const noexcept {
    return record_;
  }
  // Returns the header of a tracepack, or null for other traces. format() is the format of the
  // records in the tracepack.
  [[nodiscard]] const std::shared_ptr<const tracepack::about>& packed() const noexcept {
    return about_;
  }
#if defined(TRACECODEC_WITH_ZSTD)
  [[nodiscard]] bool has_pack() const noexcept { return pack_ != nullptr; }
  // Moves out the reader of a tracepack, at its first record. Returns null for other traces,
  // and after a call to input().
  [[nodiscard]] std::shared_ptr<tracepack::reader> take_pack() noexcept { return std::move(pack_); }
#endif

 private:
  void describe(const std::string& name, const tracecodec::format::open_options& o);
  // Restricts the trace to the records that `o` selects.
  void select(const tracecodec::format::open_options& o);
  void open(io::input in, const tracecodec::format::open_options& o);
  void open_packed(io::input in, const tracecodec::format::open_options& o);

  const tracecodec::format::facts* format_ = nullptr;
  std::string name_ = {};
  std::optional<io::input> input_ = {};
  std::shared_ptr<const file::record_table> record_ = {};
  std::shared_ptr<const tracepack::about> about_ = {};
#if defined(TRACECODEC_WITH_ZSTD)
  std::shared_ptr<tracepack::reader> pack_ = {};  // null once input_ reads the content
#endif
  tracepack::on_lost lost_ = {};
};

// Throws trace_error(refused) for an option that the format of `from` does not have.
TRACECODEC_FUNC void require_known_options(const source& from, const format::open_options& options);

}  // namespace tracecodec::trace

#if !defined(TRACECODEC_SEPARATE_COMPILATION)
#include "impl/source.ipp"
#endif
