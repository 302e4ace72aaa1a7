// Implementation of file/named_by_content.hpp.
#pragma once
#include "../named_by_content.hpp"

#include <algorithm>
#include <cctype>

#include "../../io/input/byte_order_mark.hpp"
#include "cvp.hpp"
#include "known_files.hpp"
#include "marks.hpp"

namespace tracecodec::file {

namespace detail::known {

// Returns the name of the first element of an XML text, such as "CPU" for "<?xml ...?>\n<CPU>".
TRACECODEC_FUNC std::string_view first_element(std::string_view xml) {
  for (std::size_t at = xml.find('<'); at != xml.npos; at = xml.find('<', at + 1)) {
    const std::string_view name = xml.substr(at + 1);
    if (!name.empty() && std::isalpha(static_cast<unsigned char>(name[0])) != 0)
      return name.substr(0, name.find_first_of(" \t\r\n/>"));
  }
  return {};
}
// Returns true if the beginning of `text` differs from `magic` in at most two bytes.
TRACECODEC_FUNC bool resembles(std::string_view text, std::string_view magic) {
  std::size_t same = 0;
  for (std::size_t i = 0; i != std::min(text.size(), magic.size()); ++i)
    same += text[i] == magic[i];
  return same + 2 >= magic.size();
}

// Returns the first row of `table` that matches, or nullptr if no row matches.
template <class Table> const known_mark* first_that_fits(const Table& table, std::string_view begin,
                                                         std::string_view all) {
  for (const known_mark& row : table)
    if (begin.size() > row.at && begins_as(begin.substr(row.at), row.mark) &&
        all.find(row.has) != all.npos && all.find(row.also) != all.npos)
      return &row;
  return nullptr;
}

// Returns the kind of a tracepack file with a damaged beginning. Returns an empty kind for any
// other file.
TRACECODEC_FUNC known_file damaged_tracepack(std::string_view text) {
  if (text.size() >= 4 && tracepack_magic.starts_with(text))
    return {"tracepack that ends inside its first bytes"};
  if (resembles(text, tracepack_magic)) return {"tracepack whose first bytes are damaged"};
  return {};
}

// Returns `text` without the empty lines and comments at its front.
TRACECODEC_FUNC std::string_view first_line_on(std::string_view text) {
  for (;;) {
    text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
    if (!text.starts_with('#')) return text;
    text.remove_prefix(std::min(text.find('\n'), text.size()));
  }
}

TRACECODEC_FUNC known_file known_text(std::string_view text) {
  text = io::without_byte_order_mark(text);
  if (const known_mark* row = first_that_fits(known_texts, first_line_on(text), text))
    return row->what;
  text = first_line_on(text);
  if (text.starts_with("<?xml") || text.starts_with("<CPU") || text.starts_with("<App")) {
    const std::string_view first = first_element(text);
    if (first == "CPU" || first == "Xed" || first == "App")
      return {"the metadata of an UMTracer trace (trace.xml)", "open its folder"};
    return {"XML"};
  }
  const auto has = [text](std::string_view what) { return text.find(what) != text.npos; };
  if (has("enum") && (has("XED_") || has(syscall_prefix)))
    return {"an enumeration in C that names the numbers of an UMTracer trace",
            "open the trace's folder and name this file (option names)"};
  return {};
}

}  // namespace detail::known

TRACECODEC_FUNC known_file named_by_content(std::span<const std::byte> front) {
  namespace known = detail::known;
  const std::string_view text(reinterpret_cast<const char*>(front.data()), front.size());
  if (const known::known_mark* row = known::first_that_fits(known::known_bytes, text, text)) {
    known_file file = row->what;
    // A match of up to four bytes is not certain, because the bytes may also be the lower half of
    // an address.
    if (file.is != known::weak && known::bytes_of_mark(row->mark) <= 4) file.is = known::sure;
    return file;
  }
  if (const known_file pack = known::damaged_tracepack(text)) return pack;
  // A file with zero bytes contains records and not text. (Checking only the first byte is not
  // sufficient, because an address can begin with any byte. For example, 1 of 128 traces begins
  // with a bracket.)
  if (text.find('\0') == text.npos) return known::known_text(text);
  if (known::is_cvp(front, known::cvp_dialect::cvp1))
    return {"a CVP-1 trace", known::read_cvp1, known::sure};
  if (known::is_cvp(front, known::cvp_dialect::cbp2025))
    return {"a CBP2025 trace", known::read_cbp2025, known::sure};
  return {};
}

TRACECODEC_FUNC bool is_text(std::span<const std::byte> front) {
  return std::all_of(front.begin(), front.end(), [](std::byte b) {
    const auto c = std::to_integer<unsigned char>(b);
    return (c >= ' ' && c != 0x7F) || (c >= '\t' && c <= '\r');
  });
}

}  // namespace tracecodec::file
