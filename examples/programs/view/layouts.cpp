#include "layouts.hpp"

#include <tracecodec/emit/c_struct.hpp>
#include <tracecodec/emit/imhex.hpp>
#include <tracecodec/emit/json.hpp>
#include <tracecodec/emit/numpy.hpp>
#include <tracecodec/trace/layouts.hpp>
#include <tracecodec/wire/table.hpp>

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../common/program.hpp"
#include "format_view.hpp"

namespace view {

namespace trace = tracecodec::trace;

namespace {

// Layout of a record, and additions to the layout for a .ksy file.
struct layout : tracecodec::format::layout {
  std::span<const tracecodec::emit::kaitai_row> in_kaitai = {};
};
// Layouts of a format, and a description of how their records form a file.
struct layouts {
  std::vector<layout> all = {};
  // True if a file consists of records with the last layout. If there are two layouts, a single
  // record with the first layout precedes these records. If `whole` is false, `in_kaitai` describes
  // the structure of a file.
  bool whole = false;
  kaitai_file in_kaitai = {};
};

// Returns the layouts of format `f`. If `narrow` is true, returns the layouts for 32-bit programs.
layouts tables_of(const tracecodec::format::facts& f, bool narrow) {
  const format_view& view = view_of(f);
  layouts l;
  for (const tracecodec::format::layout& one : trace::layouts_of(f, narrow)) {
    l.all.push_back({one});
    if (view.fields_in_kaitai != nullptr) l.all.back().in_kaitai = view.fields_in_kaitai(one.name);
  }
  if (view.in_kaitai != nullptr)
    l.in_kaitai = view.in_kaitai(narrow);
  else
    l.whole = true;
  return l;
}

// Returns a list of the layouts that a NumPy dtype cannot express, with the first field of variable
// size in each layout. Returns an empty string if NumPy can express all layouts.
std::string numpy_lacks(const layouts& l) {
  std::string s;
  for (const layout& one : l.all)
    if (const auto* r = tracecodec::emit::detail::first_varying(one.nodes))
      s += (s.empty() ? "" : ", ") + std::string(one.name) + ": " + std::string(r->name.view());
  return s;
}

void add_imports(const layouts& l, std::string& s) {
  std::vector<std::string_view> all;
  for (const layout& one : l.all)
    tracecodec::emit::each_kaitai_import(one.nodes, [&](std::string_view name) {
      if (std::find(all.begin(), all.end(), name) == all.end()) all.push_back(name);
    });
  if (!all.empty()) s += "  imports:\n";
  for (const std::string_view name : all) ((s += "    - ") += name) += '\n';
}
void begin_kaitai(const layouts& l, std::string_view f, std::string& s) {
  const auto add = [&s](auto&&... pieces) { ((s += pieces), ...); };
  add("meta:\n  id: ", f, "\n");
  add_imports(l, s);
  if (l.whole || !l.in_kaitai.seq.empty()) add("seq:\n", l.in_kaitai.seq);
  if (l.whole && l.all.size() == 2)
    add("  - id: ", l.all[0].name, "\n    type: ", l.all[0].name, "\n");
  if (l.whole) add("  - id: records\n    type: ", l.all.back().name, "\n    repeat: eos\n");
  add("types:\n", l.in_kaitai.types);
}
void end_imhex(const layouts& l, std::string& s) {
  s.insert(0, s.find("LEB128 ") == s.npos ? "import std.mem;\n\n"
                                          : "import std.mem;\nimport type.leb128;\n\n");
  if (!l.whole) return;
  const layout& last = l.all.back();
  s += '\n';
  if (l.all.size() == 2) ((s += l.all[0].name) += " begin @ 0;\n");
  (s += last.name) += " records[while(!std::mem::eof())] @ ";
  s += l.all.size() == 2 ? "sizeof(" + std::string(l.all[0].name) + ")" : "0";
  s += ";\n";
}

// Returns the layouts of format `f` in the form named `form`, which must be one of layout_forms().
// Throws usage_error if that form cannot express the layouts.
std::string print_all(const layouts& l, std::string_view f, std::string_view form) {
  if (form == "numpy")
    if (const std::string lacks = numpy_lacks(l); !lacks.empty())
      throw examples::usage_error("a numpy dtype cannot have a variable size: " + lacks);
  namespace emit = tracecodec::emit;
  namespace wire = tracecodec::wire;
  std::string s;
  const auto out = [&s](std::string_view piece) { s += piece; };
  const auto title = [&s](std::string_view before, std::string_view what, std::string_view after) {
    if (!what.empty()) ((s += before) += what) += after;
  };
  if (form == "c") s += "#include <stdint.h>\n\n";
  if (form == "numpy") s += "import numpy\n\n";
  if (form == "json") s += "[";
  if (form == "kaitai") begin_kaitai(l, f, s);
  const char* between = "";
  for (const layout& one : l.all) {
    s += between;
    between = form == "json" ? ",\n" : form == "kaitai" ? "" : "\n";
    if (form == "text") {
      title("", one.title, "\n");
      wire::print_table(one.rows, out);
    } else if (form == "markdown") {
      title("", one.title, "\n\n");
      wire::print_markdown(one.rows, out);
    } else if (form == "json") {
      emit::print_json(one.name, one.nodes, out);
    } else if (form == "c") {
      title("/* ", one.title, " */\n");
      emit::print_c_struct(one.name, one.nodes, out);
    } else if (form == "imhex") {
      title("// ", one.title, "\n");
      emit::print_imhex(one.name, one.nodes, out);
    } else if (form == "kaitai") {
      title("  # ", one.title, "\n");
      emit::print_kaitai(one.name, one.nodes, out, one.in_kaitai);
    } else {
      title("# ", one.title, "\n");
      emit::print_numpy_dtype(one.name, one.nodes, out);
    }
  }
  if (form == "json") s += "]\n";
  if (form == "imhex") end_imhex(l, s);
  return s;
}

}  // namespace

examples::choices layout_forms() {
  return {{"text", {}},  {"json", {}},        {"markdown", {"md"}}, {"c", {}},
          {"numpy", {}}, {"kaitai", {"ksy"}}, {"imhex", {"hexpat"}}};
}

std::string print_layouts(const tracecodec::format::facts& f, std::string_view form) {
  return print_all(tables_of(f, false), f.name, form);
}

std::string print_layouts(trace::source from, std::string_view form) {
  const tracecodec::format::facts& f = from.format();
  return print_all(tables_of(f, trace::is_narrow(std::move(from))), f.name, form);
}

}  // namespace view
