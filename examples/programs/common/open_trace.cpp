#include "open_trace.hpp"

#include <tracecodec/rapidbin/descriptor.hpp>
#include <tracecodec/rapidbin/open.hpp>
#include <tracecodec/rapidbin/trace_options.hpp>
#include <tracecodec/trace/input_files.hpp>

namespace examples {

void require_other_output(const tracecodec::trace::input_files& in, const std::string& out) {
  using relation = tracecodec::trace::overwritten_file::relation;
  const auto found = in.overwritten_by(out);
  if (!found) return;
  const std::string file = found->name == "-" ? "<stdin>" : found->name;
  std::string why = out == "-" ? "standard output" : out;
  why += found->how == relation::same     ? " is the same file as "
         : found->how == relation::inside ? " would lie in the folder "
                                          : " is a folder that holds ";
  why += file;
  why += found->name == in.trace() ? ", the input" : ", a part of the input " + in.trace();
  throw usage_error(why + ": choose another output");
}

namespace rapidbin = tracecodec::rapidbin;

namespace {
// Throws usage_error for the first name that known(kind, name) does not accept.
template <class Known>
void refuse_unknown_names(const rapidbin::selection::by_name& all, Known known) {
  using rapidbin::id_kind;
  const auto check = [&known](id_kind kind, const std::vector<std::string>& names,
                              const std::string& expected) {
    for (const std::string& s : names)
      if (!known(kind, s))
        throw usage_error("--" + std::string(name(kind)) + ": expected " + expected + ", got '" +
                          s + "'");
  };
  check(id_kind::thread, all.threads, "a thread's id, 2 or T2");
  check(id_kind::lock, all.locks, "an id, 16 or L16");
  check(id_kind::variable, all.variables, "an id, 16 or V16");
  check(id_kind::location, all.locations, "an id");
}

// Names of ids are those of STD text, which is yet to be read, or of a RapidBin trace's metadata.
void require_known_names(const tracecodec::trace::source& in, const reading& as) {
  const auto* const wanted = as.own.get<rapidbin::selection>();
  if (wanted == nullptr || wanted->names.empty() ||
      &in.format() == &rapidbin::std_descriptor::facts)
    return;
  const bool has_ids = &in.format() == &rapidbin::descriptor::facts;
  const auto metadata = has_ids ? rapidbin::metadata_of(in.name(), as) : std::nullopt;
  refuse_unknown_names(wanted->names, [&](rapidbin::id_kind kind, const std::string& name) {
    return rapidbin::id_called(kind, name, metadata ? &metadata->names : nullptr).has_value();
  });
}
}  // namespace

tracecodec::trace::source open_trace(const std::string& path, const reading& as,
                                     const std::string& out) {
  using tracecodec::trace::input_files;
  require_other_output(input_files(path, as), out);  // also if it cannot be opened
  tracecodec::trace::source in(path, as);
  require_other_output(input_files(path, as, &in.format()), out);
  require_known_names(in, as);
  return in;
}

}  // namespace examples
