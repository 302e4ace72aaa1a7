#include <array>
#include <span>
#include <string>
#include <vector>

#include "../common/json.hpp"
#include "../common/text.hpp"
#include "named_calls.hpp"
#include "question.hpp"

namespace ask {

namespace {

// A frame of a folded stack must not contain the character that separates frames.
std::string frame_of(const std::string& name) {
  std::string frame = examples::printable(name);
  for (char& c : frame)
    if (c == ';') c = ':';
  return frame;
}

// Prints each stack, and the instructions of its innermost function.
void print_folded(const named_tree& tree, text_output& out) {
  std::vector<std::string> path;
  tree.walk([&](const named_call& c, std::size_t depth) {
    path.resize(depth);
    path.push_back(frame_of(tree.name(c)));
    if (c.own == 0) return true;
    for (const std::string& frame : path) (out.text() += &frame == path.data() ? "" : ";") += frame;
    out.text() += ' ' + std::to_string(c.own) + '\n';
    out.end_record();
    return true;
  });
}

// Prints a profile for speedscope (file-format-schema.json), with a sample for each stack.
void print_speedscope(const named_tree& tree, const std::string& trace, text_output& out) {
  std::uint64_t sum = 0;
  examples::json to(out.text());
  to.object().key("$schema").string("https://www.speedscope.app/file-format-schema.json");
  to.key("shared").object().key("frames").array();
  for (const std::string& name : tree.names()) {
    to.object().key("name").string(name).end_object();
    out.end_record();
  }
  to.end_array().end_object();
  to.key("profiles").array().object().key("type").string("sampled").key("name").string(trace);
  to.key("unit").string("none").key("samples").array();
  std::vector<std::size_t> path;
  tree.walk([&](const named_call& c, std::size_t depth) {
    path.resize(depth);
    path.push_back(c.name);
    if (c.own == 0) return true;
    to.array();
    for (const std::size_t frame : path) to.number(frame);
    to.end_array();
    out.end_record();
    return true;
  });
  to.end_array().key("weights").array();
  tree.walk([&](const named_call& c, std::size_t) {
    if (c.own != 0) to.number(c.own);
    sum += c.own;
    out.end_record();
    return true;
  });
  to.end_array().key("startValue").number(0U).key("endValue").number(sum);
  to.end_object().end_array().end_object();
  out.text() += '\n';
}

bool export_calls(const options& o) {
  const examples::choices forms{{"folded"}, {"speedscope"}};
  const auto form = examples::choose(forms, o.operands[0]);
  if (!form)
    throw examples::usage_error("export: expected " + examples::one_of(forms) + ", got '" +
                                o.operands[0] + "'");
  return answer_calls(o, [&](const named_tree& tree, text_output& out) {
    if (*form == "folded")
      print_folded(tree, out);
    else
      print_speedscope(tree, o.trace, out);
  });
}

constexpr std::array about_exports{
    question{"export",
             "folded|speedscope",
             "the stacks of calls for a flame graph: folded lines, or a profile for speedscope",
             {.range = true, .json = false, .output = true},
             export_calls},
};

}  // namespace

std::span<const question> export_questions() { return about_exports; }

}  // namespace ask
