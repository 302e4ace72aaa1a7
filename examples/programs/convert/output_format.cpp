#include "output_format.hpp"

#include "format_conversion.hpp"

namespace convert {

const format* format_of_options(const tracecodec::format::own_options& output) {
  for (const format_conversion* const one : all_conversions())
    if (one->is_requested != nullptr && one->is_requested(output)) return one->format;
  return nullptr;
}

const format& format_of_name(const format& in, const std::string& path) {
  const format_conversion& own = conversion_of(in);
  if (is_folder(path))
    for (const conversion_target& t : own.targets)
      if (t.to->is_folder() || t.makes_folders) return *t.to;
  if (const format* const named = examples::output_name(path).format(&in)) return *named;
  // Tracepacks store only records like ChampSim's.
  return own.from_described != nullptr ? in : *written_formats().front();
}

}  // namespace convert
