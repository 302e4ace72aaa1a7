// Function that returns a name as a std::string. The string no longer exists when the name is
// written.
// expect: name\(e\) must be a std::string_view
#include <tracecodec/rows/json_lines.hpp>

#include <string>

namespace rows = tracecodec::rows;

enum class kind { read };
#ifdef FIXED
std::string_view name(kind) { return "read"; }
#else
std::string name(kind) { return "read"; }
#endif

struct row {
  kind what = kind::read;
};
void add(std::string& s) { rows::json_form::add(s, row{}); }
