// Implementation of umtracer/read_metadata.hpp.
#pragma once
#include <cstdint>
#include <new>
#include <pugixml.hpp>
#include "../read_metadata.hpp"

namespace tracecodec::umtracer {

namespace detail {
class xml_reader {
 public:
  xml_reader(std::span<const std::byte> text, const std::string& file) : file_(file) {
    if (text.size() > largest_xml)
      fail(largest_xml,
           std::to_string(text.size()) + " bytes, but at most " + std::to_string(largest_xml));
    unit_ = unit_of(text);
    text_ = without_zeroes(text);
    // Use parse_fragment, because the file may have several top-level elements.
    constexpr unsigned options =
        pugi::parse_fragment | pugi::parse_cdata | pugi::parse_escapes | pugi::parse_eol;
    const auto r = document_.load_buffer(text_.data(), text_.size(), options, encoding());
    if (r.status == pugi::status_out_of_memory) throw std::bad_alloc();
    if (!r) fail(place(r.offset), "not XML: " + std::string(r.description()));
  }

  // Returns the metadata. Visits the elements without recursion, because deeply nested elements
  // could otherwise exhaust the stack.
  metadata run() {
    metadata m;
    std::size_t parent = xml_element::no_parent;
    for (pugi::xml_node n = first_element(document_); n;) {
      m.elements.push_back({n.name(), text_of(n), parent});
      if (const auto child = first_element(n)) {
        parent = m.elements.size() - 1;
        n = child;
        continue;
      }
      while (n && !next_element(n)) {
        n = n.parent();
        if (parent != xml_element::no_parent) parent = m.elements[parent].parent;
      }
      if (n) n = next_element(n);
    }
    name_parts(m);
    return m;
  }

 private:
  static pugi::xml_node element_from(pugi::xml_node n) {
    while (n && n.type() != pugi::node_element) n = n.next_sibling();
    return n;
  }
  static pugi::xml_node first_element(pugi::xml_node n) { return element_from(n.first_child()); }
  static pugi::xml_node next_element(pugi::xml_node n) { return element_from(n.next_sibling()); }

  static std::string text_of(pugi::xml_node n) {
    std::string all;
    for (const pugi::xml_node c : n.children())
      if (c.type() == pugi::node_pcdata || c.type() == pugi::node_cdata) all += c.value();
    constexpr const char* white = " \t\r\n";
    const std::size_t from = all.find_first_not_of(white);
    return from == std::string::npos ? std::string()
                                     : all.substr(from, all.find_last_not_of(white) - from + 1);
  }

  static void name_parts(metadata& m) {
    m.xed_version = m.find("Xed", "Version");
    m.os_id = m.find("OS", "Id");
    m.os_name = m.find("OS", "Name");
    m.pin_version = m.find("Pin", "Version");
    m.pin_command_line = m.find("Pin", "CommandLine");
    m.pin_working_directory = m.find("Pin", "WorkingDirectory");
    m.app_command_line = m.find("App", "CommandLine");
    m.app_bitness = m.find("App", "Bitness");
    m.app_process_id = m.find("App", "ProcessID");
    for (const xml_element& e : m.elements)
      if (e.parent != xml_element::no_parent && m.elements[e.parent].name == "CPU")
        m.cpu.push_back({e.name, e.text});
  }

  enum class unit : std::uint8_t { byte, utf16_little, utf16_big };

  // Detects the code unit from the byte order mark. Without a mark, detects the code unit from the
  // first character, which is '<'.
  static unit unit_of(std::span<const std::byte> text) {
    if (text.size() < 2) return unit::byte;
    const unsigned first =
        std::to_integer<unsigned>(text[0]) << 8 | std::to_integer<unsigned>(text[1]);
    if (first == 0xFFFE || first == 0x3C00) return unit::utf16_little;
    if (first == 0xFEFF || first == 0x003C) return unit::utf16_big;
    return unit::byte;
  }
  [[nodiscard]] pugi::xml_encoding encoding() const {
    if (unit_ == unit::utf16_little) return pugi::encoding_utf16_le;
    if (unit_ == unit::utf16_big) return pugi::encoding_utf16_be;
    return pugi::encoding_auto;
  }
  [[nodiscard]] unsigned unit_at(std::span<const std::byte> text, std::size_t i) const {
    const unsigned a = std::to_integer<unsigned>(text[i]),
                   b = std::to_integer<unsigned>(text[i + 1]);
    return unit_ == unit::utf16_little ? b << 8 | a : a << 8 | b;
  }

  // Returns the text without null characters at its end. Throws trace_error if the text contains
  // any other null character, because pugixml would stop there without reporting an error.
  std::span<const std::byte> without_zeroes(std::span<const std::byte> text) const {
    const std::size_t width = unit_ == unit::byte ? 1 : 2;
    const auto zero = [&](std::size_t i) {
      return width == 1 ? text[i] == std::byte{} : unit_at(text, i) == 0;
    };
    std::size_t n = text.size() / width * width;
    while (n != 0 && zero(n - width)) n -= width;
    for (std::size_t i = 0; i < n; i += width)
      if (zero(i)) fail(i, "not XML: a character 0");
    return text.first(n);
  }

  // Converts an offset in the UTF-8 text that pugixml creates to an offset in the file.
  [[nodiscard]] std::uint64_t place(std::ptrdiff_t in_utf8) const {
    const auto wanted = static_cast<std::uint64_t>(in_utf8 < 0 ? 0 : in_utf8);
    if (unit_ == unit::byte) return wanted;
    std::uint64_t made = 0;
    std::size_t i = 0;
    for (; i + 2 <= text_.size() && made < wanted; i += 2) {
      const unsigned u = unit_at(text_, i);
      // Each surrogate of a pair accounts for two of the four UTF-8 bytes.
      made += u < 0x80 ? 1U : u < 0x800 || (u >= 0xD800 && u < 0xE000) ? 2U : 3U;
    }
    return i;
  }

  [[noreturn]] void fail(std::uint64_t offset, const std::string& why) const {
    throw trace_error(trace_errc::bad_value, {.file = file_, .offset = offset}, why);
  }

  const std::string& file_;
  unit unit_ = unit::byte;
  std::span<const std::byte> text_ = {};
  pugi::xml_document document_ = {};
};
}  // namespace detail

TRACECODEC_FUNC metadata parse_metadata(std::span<const std::byte> text, const std::string& name) {
  return detail::xml_reader(text, name).run();
}

TRACECODEC_FUNC metadata parse_metadata(std::string_view text, const std::string& name) {
  return parse_metadata(std::as_bytes(std::span(text.data(), text.size())), name);
}

TRACECODEC_FUNC metadata read_metadata(const trace_files& files) {
  files.require(file::xml);
  return parse_metadata(files[file::xml], files.path(file::xml));
}

}  // namespace tracecodec::umtracer
