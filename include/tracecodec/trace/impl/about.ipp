// The functions of trace/about.hpp.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "../../rapidbin/layout.hpp"
#include "../../umtracer/files.hpp"
#include "../about.hpp"
#if TRACECODEC_OPENS_X64DBG
#include "../../io/window.hpp"
#include "../../x64dbg/read_header.hpp"
#endif
#if defined(TRACECODEC_WITH_PUGIXML)
#include "../../umtracer/read_metadata.hpp"
#endif

namespace tracecodec::trace {

namespace detail {

class statements {
 public:
  void add(std::string name, const std::string& value) {
    const bool known =
        std::any_of(all_.begin(), all_.end(), [&name](const stated& s) { return s.name == name; });
    if (!value.empty() && !known) all_.push_back({std::move(name), value});
  }
  void add(std::string name, const std::optional<std::string>& value) {
    if (value) add(std::move(name), *value);
  }
  [[nodiscard]] std::vector<stated> take() noexcept { return std::move(all_); }

 private:
  std::vector<stated> all_ = {};
};

inline void add_x64dbg([[maybe_unused]] io::input in, [[maybe_unused]] statements& to) {
#if TRACECODEC_OPENS_X64DBG
  io::window window(std::move(in));
  const x64dbg::trace_header h = x64dbg::read_header(window);
  to.add("program", h.path);
  to.add("arch", std::string(x64dbg::arch_name(h.arch)));
  if (h.hash) to.add("hash_algorithm", h.hash_algorithm);
  to.add("hash", h.hash);
  for (const auto& [key, value] : h.unknown) to.add(key, value);
#endif
}

inline void add_rapidbin(io::input in, statements& to) {
  std::array<std::byte, rapidbin::header_codec::size> bytes{};
  rapidbin::header h{};
  // Of a file that is too short reading it reports that.
  if (in.read(bytes) != bytes.size() || !rapidbin::header_codec::decode(bytes, h)) return;
  to.add("threads", std::to_string(h.threads));
  to.add("locks", std::to_string(h.locks));
  to.add("variables", std::to_string(h.variables));
  to.add("events", std::to_string(h.events));
}

inline void add_umtracer([[maybe_unused]] const std::string& folder,
                         [[maybe_unused]] statements& to) {
#if defined(TRACECODEC_WITH_PUGIXML)
  const auto read = [&folder]() -> std::optional<umtracer::metadata> {
    try {
      return umtracer::read_metadata(umtracer::trace_files(folder));
    } catch (const trace_error& e) {
      if (e.code() == trace_errc::not_a_trace) return std::nullopt;  // trace.xml is missing
      throw;
    }
  };
  const auto found = read();
  if (!found) return;
  const umtracer::metadata& m = *found;
  to.add("command_line", m.app_command_line);
  to.add("bitness", m.app_bitness);
  to.add("process_id", m.app_process_id);
  to.add("system", m.os_name);
  if (m.pin_version) to.add("recorder", "Pin " + *m.pin_version);
  to.add("recorder_command_line", m.pin_command_line);
  to.add("recorder_folder", m.pin_working_directory);
  if (m.xed_version) to.add("xed", std::string(umtracer::xed_date(*m.xed_version)));
#endif
}

}  // namespace detail

TRACECODEC_FUNC std::vector<stated> about(const tracepack::about& pack) {
  detail::statements all;
  all.add("program", pack.program);
  all.add("arguments", pack.arguments);
  all.add("recorder", pack.recorder);
  all.add("machine", pack.machine);
  all.add("date", pack.date);
  all.add("region", pack.region);
  all.add("comment", pack.comment);
  return all.take();
}

TRACECODEC_FUNC std::vector<stated> about(source from) {
  if (from.packed() != nullptr) return about(*from.packed());
  detail::statements all;
  if (from.format() == format::x64dbg) detail::add_x64dbg(std::move(from.input()), all);
  if (from.format() == format::rapidbin) detail::add_rapidbin(std::move(from.input()), all);
  if (from.format() == format::umtracer) detail::add_umtracer(from.name(), all);
  return all.take();
}

}  // namespace tracecodec::trace
