#include "layouts.hpp"

#include <tracecodec/champsim/layout.hpp>
#include <tracecodec/rapidbin/layout.hpp>
#include <tracecodec/umtracer/layout/context.hpp>
#include <tracecodec/umtracer/layout/exec.hpp>
#include <tracecodec/umtracer/layout/instruction.hpp>
#include <tracecodec/umtracer/layout/syscall.hpp>
#include <tracecodec/wire/forms/c_struct.hpp>
#include <tracecodec/wire/forms/imhex.hpp>
#include <tracecodec/wire/forms/json.hpp>
#include <tracecodec/wire/forms/numpy.hpp>
#include <tracecodec/wire/table.hpp>
#include <tracecodec/x64dbg/layout/regdump.hpp>

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "../common/program.hpp"
#include "kaitai_files.hpp"
#if TRACECODEC_OPENS_X64DBG
#include <tracecodec/x64dbg/read_header.hpp>
#endif

namespace view {

namespace trace = tracecodec::trace;

namespace {

// A table with its title, and the name that other forms give it.
struct layout {
  std::string_view title, name;
  std::span<const tracecodec::wire::layout_row> rows;
  std::span<const tracecodec::wire::layout_node> nodes;
  std::span<const tracecodec::wire::kaitai_row> in_kaitai;
};
// Those of a format. Where the file is the first once, if there are two, and then the last to its
// end, `whole`; else `in_kaitai` says what a file is.
struct layouts {
  std::vector<layout> all = {};
  bool whole = false;
  kaitai_file in_kaitai = {};
};

template <class Codec> layout layout_of(std::string_view title, std::string_view name, Codec,
                                        std::span<const tracecodec::wire::kaitai_row> k = {}) {
  return {title, name, tracecodec::wire::layout_table<Codec>, tracecodec::wire::layout_nodes<Codec>,
          k};
}

template <tracecodec::x64dbg::target T> layouts x64dbg_layouts() {
  namespace x64dbg = tracecodec::x64dbg;
  return {
      {layout_of("Prefix, then `length` bytes of JSON", "prefix", x64dbg::prefix_codec{},
                 x64dbg_prefix_in_kaitai),
       layout_of("Instruction, type 0", "block", x64dbg::block_codec<T>{}, x64dbg_block_in_kaitai),
       layout_of("User block, types 128 to 255", "user_block", x64dbg::user_block_codec<T>{},
                 x64dbg_user_block_in_kaitai),
       layout_of("Registers: word N of an instruction's values is the N-th word of REGDUMP",
                 "regdump", x64dbg::regdump_codec<T>{})},
      false,
      x64dbg_in_kaitai(T == x64dbg::target::x86)};
}

layouts umtracer_layouts() {
  namespace umtracer = tracecodec::umtracer;
  return {
      {
          layout_of("exec.vtable begins", "exec_header", umtracer::exec_header_codec{}),
          layout_of("execRec, before its data", "exec_record", umtracer::exec_record_codec{}),
          layout_of("rmContext, before its memory references", "context_record",
                    umtracer::context_record_codec{}),
          layout_of("contextMem", "context_memory", umtracer::context_memory_codec{}),
          layout_of("exec.prev_next.column", "neighbours", umtracer::neighbours_codec{}),
          layout_of("Tables of rows of one size begin", "table_header",
                    umtracer::table_header_codec{}),
          layout_of("ins.itable and module.itable go on", "extra_header",
                    umtracer::extra_header_codec{}),
          layout_of("insRec", "instruction_record", umtracer::instruction_codec{}),
          layout_of("decodedIns", "decoded_instruction", umtracer::decoded_codec{}),
          layout_of("lcSlot", "slot", umtracer::slot_codec{}),
          layout_of("syscall.vtable begins", "syscall_header", umtracer::syscall_header_codec{}),
          layout_of("syscall.offsets", "syscall_place", umtracer::syscall_place_codec{}),
          layout_of("syscallRec", "syscall_record", umtracer::syscall_codec{}),
          layout_of("moduleRec", "module_record", umtracer::module_codec{}),
          layout_of("moduleRec of 64 bytes goes on", "module_version",
                    umtracer::module_version_codec{}),
          layout_of("threadRec", "thread_record", umtracer::thread_codec{}),
          layout_of("addressRange", "address_range", umtracer::address_range_codec{}),
          layout_of("context_map.itable begins", "context_header",
                    umtracer::context_header_codec{}),
          layout_of("regInfo", "register_info", umtracer::register_info_codec{}),
      },
      false,
      umtracer_in_kaitai()};
}

// `narrow`: of 32-bit programs.
layouts layouts_of(tracecodec::trace::format f, bool narrow) {
  using tracecodec::trace::format;
  namespace champsim = tracecodec::champsim;
  namespace rapidbin = tracecodec::rapidbin;
  if (f == format::cloudsuite)
    return {{layout_of("", "cloudsuite_instruction", champsim::cloudsuite_codec{})}, true};
  if (f == format::champsim)
    return {{layout_of("", "instruction", champsim::instruction_codec{})}, true};
  if (has_events(f))
    return {{layout_of("Header", "header", rapidbin::header_codec{}),
             layout_of("Event", "event", rapidbin::event_codec{})},
            true};
  if (f == format::umtracer) return umtracer_layouts();
  return narrow ? x64dbg_layouts<tracecodec::x64dbg::target::x86>()
                : x64dbg_layouts<tracecodec::x64dbg::target::x64>();
}

// The tables that no dtype of NumPy holds, each with the first field that varies; empty: none.
std::string numpy_lacks(const layouts& l) {
  std::string s;
  for (const layout& one : l.all)
    if (const auto* r = tracecodec::wire::detail::first_varying(one.nodes))
      s += (s.empty() ? "" : ", ") + std::string(one.name) + ": " + std::string(r->name.view());
  return s;
}

void add_imports(const layouts& l, std::string& s) {
  std::vector<std::string_view> all;
  for (const layout& one : l.all)
    tracecodec::wire::each_kaitai_import(one.nodes, [&](std::string_view name) {
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

// The tables of format `f` in a form of layout_forms(), which holds all of them.
std::string print_all(const layouts& l, std::string_view f, std::string_view form) {
  if (form == "numpy")
    if (const std::string lacks = numpy_lacks(l); !lacks.empty())
      throw examples::usage_error("what varies in size is no numpy dtype: " + lacks);
  namespace wire = tracecodec::wire;
  std::string s;
  const auto out = [&s](std::string_view piece) { s += piece; };
  const auto title = [&s](std::string_view before, std::string_view what, std::string_view behind) {
    if (!what.empty()) ((s += before) += what) += behind;
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
      wire::print_json(one.name, one.nodes, out);
    } else if (form == "c") {
      title("/* ", one.title, " */\n");
      wire::print_c_struct(one.name, one.nodes, out);
    } else if (form == "imhex") {
      title("// ", one.title, "\n");
      wire::print_imhex(one.name, one.nodes, out);
    } else if (form == "kaitai") {
      title("  # ", one.title, "\n");
      wire::print_kaitai(one.name, one.nodes, out, one.in_kaitai);
    } else {
      title("# ", one.title, "\n");
      wire::print_numpy_dtype(one.name, one.nodes, out);
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

std::string print_layouts(trace::format f, std::string_view form) {
  return print_all(layouts_of(f, false), name(f), form);
}

std::string print_layouts(trace::source from, std::string_view form) {
  const trace::format f = from.format();
  bool narrow = false;
#if TRACECODEC_OPENS_X64DBG
  if (f == trace::format::x64dbg) {
    namespace x64dbg = tracecodec::x64dbg;
    tracecodec::io::window window(std::move(from.input()));
    narrow = x64dbg::read_header(window).arch == x64dbg::target::x86;
  }
#endif
  return print_all(layouts_of(f, narrow), name(f), form);
}

}  // namespace view
