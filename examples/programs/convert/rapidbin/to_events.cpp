// Converts RapidBin to STD text and STD text to RapidBin. Also converts either format to itself, to
// extract a part of a trace, to renumber the trace or to repair it.
#include <tracecodec/io/compression/codecs.hpp>
#include <tracecodec/io/input/mapped_file.hpp>
#include <tracecodec/io/os/filesystem.hpp>
#include <tracecodec/io/output/atomic_file.hpp>
#include <tracecodec/io/output/size_limit.hpp>
#include <tracecodec/rapidbin/reader/metadata_match.hpp>
#include <tracecodec/rapidbin/reader/occurring_ids.hpp>
#include <tracecodec/rapidbin/reader/occurring_names.hpp>
#include <tracecodec/rapidbin/reader/renumber.hpp>
#include <tracecodec/rapidbin/reader/sharers.hpp>
#include <tracecodec/rapidbin/std_writer.hpp>
#include <tracecodec/rapidbin/writer.hpp>
#include <tracecodec/trace/input_files.hpp>
#include <tracecodec/trace/source.hpp>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <system_error>
#include <utility>

#include "../../common/open_trace.hpp"
#include "conversion.hpp"
#include "cut_effects.hpp"
#include "event_names.hpp"
#include "events.hpp"

namespace convert {

namespace {

// Returns true if the metadata in `file` contain only names. A conversion of STD text writes such a
// file, so the file may be replaced.
bool has_names_alone([[maybe_unused]] const std::string& file) {
#if defined(TRACECODEC_WITH_SIMDJSON)
  const auto metadata = rapidbin::metadata_of(file, {.own = {rapidbin::metadata_file{file}}});
  return metadata && !metadata->has_records();
#else
  return false;
#endif
}

// Opens the metadata file for OUT before OUT itself is written. Returns null if no metadata file is
// written, for one of two reasons: OUT is not a regular file, or OUT is a whole copy of IN and
// shares IN's metadata file. Throws usage_error if an existing metadata file must not be replaced.
std::unique_ptr<io::atomic_file> metadata_output(const options& o, const std::string& in,
                                                 const format& from) {
  std::error_code ignored;
  if (o.out == "-" || (std::filesystem::exists(io::path_of(o.out), ignored) &&
                       !std::filesystem::is_regular_file(io::path_of(o.out), ignored)))
    return nullptr;
  const std::string to = rapidbin::metadata_path(o.out);
  if (to == o.out)
    throw usage_error(
        o.out + ": the metadata would have the same name: choose another OUT, or --no-metadata");
  const auto* const file = o.as.own.get<rapidbin::metadata_file>();
  const bool own = io::same_file(file != nullptr ? file->path : rapidbin::metadata_path(in), to);
  if (own && is_text(from) && has_names_alone(to)) return std::make_unique<io::atomic_file>(to);
  if (own) {
    if (!renumbers(o) && !mends(o) && !is_part(o)) return nullptr;
    throw usage_error("OUT's metadata would replace IN's, " + to +
                      ": choose another OUT, or --no-metadata");
  }
  examples::require_other_output(tracecodec::trace::input_files(o.in, o.as, &from), to);
#if defined(TRACECODEC_WITH_SIMDJSON)
  if (std::filesystem::exists(io::path_of(to), ignored)) {
    try {
      (void)rapidbin::metadata_of(o.out, {.own = {rapidbin::metadata_file{to}}});
    } catch (const tracecodec::trace_error&) {
      throw usage_error(
          to + " exists and is not RapidBin metadata: choose another OUT, or --no-metadata");
    }
  }
#endif
  return std::make_unique<io::atomic_file>(to);
}

// Opens the metadata file for OUT, because names may occur later in the text. Returns null if
// metadata_output() returns null, or if an existing file must not be replaced. If the result is
// null, OUT gets no names.
std::unique_ptr<io::atomic_file> output_of_later_names(const options& o, const std::string& in) {
  try {
    return metadata_output(o, in, rapidbin::std_descriptor::facts);
  } catch (const usage_error&) {
    return nullptr;
  }
}

// Output trace together with its metadata file. Readers use any metadata file next to a trace, so
// finish() deletes an outdated file before the new trace appears. If the program is killed between
// these two steps, the trace has no metadata. An error before finish() changes neither file. If
// write_metadata() is not called, only OUT is written.
class trace_with_metadata final : public io::sink {
 public:
  trace_with_metadata(const std::string& trace, std::unique_ptr<io::atomic_file> metadata)
      : trace_(trace), metadata_(std::move(metadata)), there_(rapidbin::metadata_path(trace)) {}

  void write(std::span<const std::byte> bytes) override { trace_.write(bytes); }
  [[nodiscard]] bool patchable() const override { return trace_.patchable(); }
  void patch(std::uint64_t offset, std::span<const std::byte> bytes) override {
    trace_.patch(offset, bytes);
  }
  // Writes the metadata. Call this function before finish().
  void write_metadata(const std::string& text) {
    const auto bytes = std::as_bytes(std::span(text));
    metadata_->write(bytes);
    written_ = true;
    std::error_code ignored;
    replaces_other_ = std::filesystem::exists(io::path_of(there_), ignored) &&
                      !std::ranges::equal(io::mapped_file(there_).bytes(), bytes);
  }
  void finish() override {
    if (!written_) return trace_.finish();
    trace_.prepare();
    metadata_->prepare();
    io::check_mapped_files();
    if (replaces_other_) metadata_->withdraw();
    trace_.finish();
    metadata_->finish();
  }

 private:
  io::atomic_file trace_;
  std::unique_ptr<io::atomic_file> metadata_;
  std::string there_;
  bool written_ = false, replaces_other_ = false;
};

// Checks the metadata options for renumbered text. Existing metadata cannot be used, because its
// ids differ from the new ids. `named` is true if OUT gets its own metadata, which contain the
// names in the text.
void leave_metadata_aside(const options& o, const std::string& in, bool named) {
  const auto* const file = o.as.own.get<rapidbin::metadata_file>();
  if (file != nullptr && !file->path.empty())
    throw usage_error("--renumber of text cannot use --metadata: the numbers differ");
  std::error_code ignored;
  const std::string beside = rapidbin::metadata_path(o.out);
  if (!named && o.out != "-" && std::filesystem::exists(io::path_of(beside), ignored))
    throw usage_error(beside + " would be read as the metadata of OUT: choose another OUT");
  if (file == nullptr && std::filesystem::exists(io::path_of(rapidbin::metadata_path(in)), ignored))
    say("the metadata is ignored: its numbers are those of the text");
}

// Prints a note if a metadata file of another trace exists next to OUT, because readers would use
// that file for the text in OUT.
void note_other_metadata(const options& o) {
  const std::string beside = rapidbin::metadata_path(o.out);
  std::error_code ignored;
  if (o.out == "-" || !(renumbers(o) || is_part(o)) ||
      !std::filesystem::exists(io::path_of(beside), ignored))
    return;
  say(beside +
      " will be read as the metadata of OUT, but belongs to another trace: choose another OUT, or "
      "read it with --no-metadata");
}

}  // namespace

void to_events(tracecodec::trace::source source, const options& o, const format& to,
               io::codec compression) {
  const format& from = source.format();
  io::input in = std::move(source.input());
  const std::string name = in.name();
  rapidbin::open_options how = how_to_open(o, from);
  cut_effects cut(o);
  if (mends(o)) how.well_formed = cut.well_formed();
  const bool text_in = how.text, renumbered_text = text_in && renumbers(o);
  const bool packed = !is_text(to);
  how.fitting = packed;
  const auto* const file = o.as.own.get<rapidbin::metadata_file>();
  const bool keeps_names = packed && text_in && (file == nullptr || !file->path.empty());
  const bool named_text = keeps_names && rapidbin::has_names(in.peek(io::input::peek_limit));
  if (packed && renumbered_text) leave_metadata_aside(o, name, named_text);
  // Text output contains names, so it needs the metadata of a binary trace. RapidBin output needs
  // any metadata, unless text is renumbered. The new ids then differ from the ids in the metadata.
  const bool with_metadata = packed ? !renumbered_text : !text_in;
  auto metadata = with_metadata ? rapidbin::metadata_of(in, text_in, o.as) : std::nullopt;
  how.names = metadata ? &*metadata : nullptr;
  const bool with_names = metadata.has_value() || named_text;
  auto beside = packed && with_names ? metadata_output(o, name, from)
                : keeps_names        ? output_of_later_names(o, name)
                                     : nullptr;
  const auto events = rapidbin::open_events(std::move(in), std::move(how));
  const auto names = names_of(*events, metadata ? &metadata->names : nullptr);
  if (!mends(o)) events->skip(o.part.skip);
  const std::uint64_t limit = mends(o) ? all_events : o.part.limit.value_or(all_events);
  trace_with_metadata* both = nullptr;  // object that `out` owns
  auto out = [&] {
    if (!beside) return io::open_output(o.out, compression, o.packing);
    auto files = std::make_unique<trace_with_metadata>(o.out, std::move(beside));
    both = files.get();
    return io::compress(compression, io::bounded(std::move(files), o.out, o.packing.most_bytes),
                        o.out, o.packing);
  }();
  if (!packed) {
    const auto d = o.output.value_or(rapidbin::dialect::wasmgrind);
    rapidbin::std_writer text(std::move(out), output_name(o), d);
    if (metadata) metadata->names = rapidbin::names_for_std(metadata->names);
    if (text_in || (metadata && !metadata->names.empty())) text.set_names(names);
    const auto failure = for_each_events(*events, limit, [&](const auto& batch) {
      text.write(batch.events);
      cut.add(batch);
    });
    if (text.left_out() != 0)
      say(std::to_string(text.left_out()) +
          (text.left_out() == 1 ? " request or branch left out"
                                : " requests and branches left out") +
          ": RAPID's dialect has none");
    finish(text, cut.of_the_trace(text.written()), failure, o);
    note_other_metadata(o);
  } else {
    rapidbin::writer trace(std::move(out), output_name(o));
    rapidbin::occurring_ids written;
    rapidbin::occurring_names in_text(names);
    rapidbin::sharers shared;
    const auto failure = for_each_events(*events, limit, [&](const auto& batch) {
      trace.write(batch.events);
      cut.add(batch);
      if (both == nullptr) return;
      for (const rapidbin::event e : batch.events) {
        if (metadata) written.add(e), shared.add(e);
        if (keeps_names && events->named() != 0) in_text.add(e);
      }
    });
    if (both != nullptr) {
      // Ids that were not written are omitted from the metadata.
      const auto* r = dynamic_cast<const rapidbin::renumbered_events*>(events.get());
      rapidbin::metadata own;
      if (metadata) {
        own = written.part_of(r ? r->numbers()(*metadata) : *metadata);
        own.shared_variables = shared.shared();
      }
      if (keeps_names) own.names = names_for_json(in_text.take());
      if (with_names || !own.names.empty()) both->write_metadata(rapidbin::metadata_text(own));
    }
    if (events->named() != 0 && (both == nullptr || !keeps_names))
      say("OUT has only numbers: there is no metadata file to store the names in IN");
    finish(trace, cut.of_the_trace(trace.written()), failure, o);
  }
  cut.report();
  say_mended(*events, o);
}

}  // namespace convert
