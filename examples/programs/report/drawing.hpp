// Draws a report's charts as SVG in HTML. A chart stretches to the width of the page. The labels of
// a chart are HTML text beside the SVG, so they keep their size.
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "../common/text.hpp"
#include "html.hpp"

namespace report {

using examples::add_number, examples::fixed, examples::grouped;

// Returns text such as "1 access" or "12,500 accesses". `what` is the plural form of the noun.
inline std::string counted(std::uint64_t n, std::string_view what) {
  const bool two = what.ends_with("sses") || what.ends_with("ches");
  if (n == 1) what.remove_suffix(two ? 2 : 1);
  return grouped(n) + ' ' + std::string(what);
}

// Returns text such as "12,500". If `most` has at least eleven digits, returns a short form such as
// "12.5 G", because an axis has no room for longer numbers. `most` is the largest number on the
// axis. It determines the unit.
inline std::string short_number(std::uint64_t n, std::uint64_t most) {
  if (most < 10'000'000'000 || n == 0) return grouped(n);
  constexpr std::array<const char*, 4> units{"\u00A0G", "\u00A0T", "\u00A0P", "\u00A0E"};
  double v = static_cast<double>(n) / 1e9, top = static_cast<double>(most) / 1e9;
  std::size_t unit = 0;
  for (; top >= 999.5 && unit + 1 < units.size(); ++unit) {
    v /= 1000;
    top /= 1000;
  }
  return fixed(v, top < 9.995 ? 2 : top < 99.95 ? 1 : 0) + units[unit];
}

// Time range of a chart, and its division into buckets.
struct time_axis {
  std::uint64_t first = 0;  // number of the first instruction
  std::uint64_t items = 0, width = 1;
  std::size_t buckets = 0;
  std::string_view what = "instructions";

  static constexpr std::uint64_t across = 2400;  // width of a chart in SVG units
  // Returns the x coordinate at which bucket `i` begins, or `across` after the last bucket.
  [[nodiscard]] std::uint64_t x(std::size_t i) const {
    if (i >= buckets) return across;
    return static_cast<std::uint64_t>(std::llround(
        static_cast<double>(i) * static_cast<double>(width) * across / static_cast<double>(items)));
  }
  [[nodiscard]] std::uint64_t items_in(std::size_t i) const {
    return i + 1 == buckets ? items - width * i : width;
  }
  // Returns text such as "instructions 1,024 to 1,535", or "instruction 1,024" if `n` is 1.
  [[nodiscard]] std::string range(std::uint64_t from, std::uint64_t n) const {
    if (n == 1) return std::string(what.substr(0, what.size() - 1)) + ' ' + grouped(from);
    return std::string(what) + ' ' + grouped(from) + " to " + grouped(from + n - 1);
  }
  [[nodiscard]] std::string place(std::size_t i) const {
    return range(first + width * i, items_in(i));
  }
};

inline std::string two_digits(double v) {
  return v >= 99.95   ? grouped(static_cast<std::uint64_t>(std::llround(v)))
         : v >= 9.995 ? fixed(v, 1)
                      : fixed(v, 2);
}

// Returns the size of `pages` pages (4 KiB each), such as "124 KiB" or "1.25 GiB".
inline std::string size_of_pages(std::uint64_t pages) {
  constexpr std::array<const char*, 6> units{" KiB", " MiB", " GiB", " TiB", " PiB", " EiB"};
  double v = 4 * static_cast<double>(pages);
  std::size_t unit = 0;
  for (; v >= 1024 && unit + 1 < units.size(); ++unit) v /= 1024;
  return (unit == 0 ? grouped(4 * pages) : two_digits(v)) + units[unit];
}

// Rounds `v` up to the nearest number that is 1, 2 or 5 times a power of ten. `v` must be positive.
inline double round_up(double v) {
  const double power = std::pow(10, std::floor(std::log10(v)));
  for (const double step : {1.0, 2.0, 5.0})
    if (v <= step * power * (1 + 1e-9)) return step * power;
  return 10 * power;
}

// Tick of an axis: its position and its label.
struct tick {
  double at = 0;  // fraction of the axis, from 0 to 1
  std::string label = {};
};

// Returns ticks at round instruction numbers, usually two to five.
inline std::vector<tick> ticks_of(const time_axis& t) {
  const std::uint64_t last = t.first + t.items;
  const double steps = grouped(last).size() > 9 ? 3 : 4;  // long labels need more room
  const auto step =
      static_cast<std::uint64_t>(std::max(1.0, round_up(static_cast<double>(t.items) / steps)));
  std::vector<std::uint64_t> all;
  for (std::uint64_t n = (t.first + step - 1) / step * step; n <= last; n += step) all.push_back(n);
  // True if all short labels differ. They can be equal if the chart covers a short part of a trace,
  // far from the beginning of the trace.
  bool differ = true;
  for (std::size_t i = 1; i < all.size(); ++i)
    differ &= short_number(all[i], last) != short_number(all[i - 1], last);
  std::vector<tick> ticks;
  for (const std::uint64_t n : all)
    ticks.push_back({static_cast<double>(n - t.first) / static_cast<double>(t.items),
                     differ ? short_number(n, last) : grouped(n)});
  return ticks;
}

inline void add_x_axis(std::string& s, const time_axis& t) {
  s += "<div class=\"x\" aria-hidden=\"true\">";
  for (const tick& k : ticks_of(t)) {
    // Centre the label below its tick. Near the ends, shift the label to keep it within the chart.
    const double aside = k.at < 0.2 ? 2.5 * k.at : k.at > 0.8 ? 2.5 * k.at - 1.5 : 0.5;
    s += "<span style=\"left:" + fixed(100 * k.at, 2) + "%;translate:-" + fixed(100 * aside, 0) +
         "%\">" + k.label + "</span>";
  }
  (s += "</div><div class=\"unit\" aria-hidden=\"true\">") += t.what;
  s += "</div>";
}

// Begins a chart with a time axis. The data attributes contain the chart's range, which the script
// needs to zoom.
inline void begin_plot(std::string& s, const time_axis& t) {
  s += "<div class=\"plot\" data-first=\"" + std::to_string(t.first) + "\" data-items=\"" +
       std::to_string(t.items) + "\" data-what=\"" + std::string(t.what) + "\">";
}

inline void add_svg(std::string& s, std::string_view classes, const std::string& style,
                    std::uint64_t height, const std::string& label) {
  (s += "<svg class=\"") += classes;
  s += '"' + (style.empty() ? style : " style=\"" + style + '"') + " viewBox=\"0 0 ";
  add_number(s, time_axis::across);
  s += ' ';
  add_number(s, height);
  s += "\" preserveAspectRatio=\"none\" role=\"img\" aria-label=\"" + escaped(label) + "\">";
}

// Index of the last of the eight colours, which represents all other kinds.
inline constexpr std::size_t grey = 7;

// Values of a quantity over time, one for each bucket.
struct series {
  std::string name = {};
  std::size_t colour = 0;
  std::vector<double> values = {};
};
// Part of a whole, and its count.
struct part {
  std::string name = {};
  std::size_t colour = 0;
  std::uint64_t count = 0;
};

// Adds a legend that contains the colour and the name of each entry.
template <class Named> void add_legend(std::string& s, const std::vector<Named>& all) {
  s += "<ul class=\"legend\">";
  for (const Named& one : all)
    s += "<li><svg viewBox=\"0 0 1 1\" aria-hidden=\"true\"><rect class=\"f" +
         std::to_string(one.colour) + "\" width=\"1\" height=\"1\"/></svg>" + escaped(one.name) +
         "</li>";
  s += "</ul>";
}

// Adds a tooltip for each bucket `i`. The tooltip contains the bucket's range and text(i).
template <class Text>
void add_hover(std::string& s, const time_axis& t, std::uint64_t height, Text text) {
  s += "<g class=\"hover\">";
  for (std::size_t i = 0; i < t.buckets; ++i) {
    const std::uint64_t x = t.x(i);
    s += "<rect x=\"" + std::to_string(x) + "\" width=\"" + std::to_string(t.x(i + 1) - x) +
         "\" height=\"" + std::to_string(height) + "\"><title>" + escaped(t.place(i) + text(i)) +
         "</title></rect>";
  }
  s += "</g>";
}

// Adds the grid in the background of a chart. The grid has a vertical line at each tick of the time
// axis, and horizontal lines that divide the height into `steps` equal parts.
inline void add_grid(std::string& s, const time_axis& t, std::uint64_t height, std::size_t steps) {
  s += "<path class=\"grid\" d=\"";
  for (std::size_t i = 1; i < steps; ++i)
    s += "M0 " + std::to_string(height * i / steps) + 'H' + std::to_string(time_axis::across);
  for (const tick& k : ticks_of(t))
    s += 'M' + std::to_string(std::llround(k.at * time_axis::across)) + " 0V" +
         std::to_string(height);
  s += "\"/>";
}

// Adds a line chart with a time axis and up to four lines. `unit` describes the values, such as
// "per 1,000 instructions".
inline void add_lines(std::string& s, const std::string& caption, const time_axis& t,
                      const std::vector<series>& all, const std::string& unit) {
  constexpr std::uint64_t height = 1000;
  double most = 0;
  // True if all values are whole numbers, such as numbers of pages. In that case, the steps of the
  // axis are also whole numbers.
  bool countable = true;
  for (const series& one : all)
    for (const double v : one.values) {
      most = std::max(most, v);
      countable &= v == std::floor(v);
    }
  if (most <= 0) most = 1;
  const double step = std::max(round_up(most / 4), countable ? 1.0 : 0.0);
  const auto steps = static_cast<std::size_t>(std::ceil(most / step - 1e-9));
  most = step * static_cast<double>(steps);
  s += "<figure><figcaption>" + escaped(caption) + ", " + escaped(unit) + "</figcaption>";
  add_legend(s, all);
  const int digits = step < 1 ? static_cast<int>(std::ceil(-std::log10(step) - 1e-9)) : 0;
  begin_plot(s, t);
  s += "<div class=\"y\" aria-hidden=\"true\">";
  for (std::size_t i = steps + 1; i-- > 0;) {
    const double v = step * static_cast<double>(i);
    s += "<span>" +
         (digits != 0 ? fixed(v, digits)
                      : short_number(static_cast<std::uint64_t>(std::llround(v)),
                                     static_cast<std::uint64_t>(std::llround(most)))) +
         "</span>";
  }
  s += "</div>";
  add_svg(s, "chart", "", height, caption + " over time: " + unit);
  add_grid(s, t, height, steps);
  for (std::size_t k = 0; k < all.size(); ++k) {
    s += "<path class=\"l s" + std::to_string(all[k].colour) + "\" d=\"";
    for (std::size_t i = 0; i < t.buckets; ++i) {
      const double v = all[k].values[i] / most;
      const auto y = static_cast<std::uint64_t>(std::llround(height * (1 - v)));
      s += (i == 0 ? "M0 " : "V") + std::to_string(y) + 'H' + std::to_string(t.x(i + 1));
    }
    s += "\"/>";
  }
  add_hover(s, t, height, [&](std::size_t i) {
    std::string tooltip;
    for (const series& one : all) tooltip += "; " + one.name + ' ' + two_digits(one.values[i]);
    return tooltip;
  });
  s += "</svg>";
  add_x_axis(s, t);
  s += "</div></figure>\n";
}

// Adds a stacked chart with a time axis. It shows shares of a whole. The values in `all` are
// counts.
inline void add_shares(std::string& s, const std::string& caption, const time_axis& t,
                       const std::vector<series>& all) {
  constexpr std::uint64_t height = 1000;
  s += "<figure><figcaption>" + escaped(caption) + ", percent</figcaption>";
  begin_plot(s, t);
  s += "<div class=\"y\" aria-hidden=\"true\"><span>100</span><span>50</span><span>0</span></div>";
  add_svg(s, "chart", "", height, caption + " over time");
  std::vector<double> whole(t.buckets), below(t.buckets);
  for (const series& one : all)
    for (std::size_t i = 0; i < t.buckets; ++i) whole[i] += one.values[i];
  const auto y = [&](std::size_t i) {
    const double part = whole[i] > 0 ? below[i] / whole[i] : 0;
    return std::to_string(std::llround(height * (1 - part)));
  };
  for (std::size_t k = 0; k < all.size(); ++k) {
    // Draw the area along its lower edge, then back along its upper edge.
    std::string lower, upper;
    for (std::size_t i = 0; i < t.buckets; ++i)
      lower += (i == 0 ? "M0 " : "V") + y(i) + 'H' + std::to_string(t.x(i + 1));
    for (std::size_t i = 0; i < t.buckets; ++i) below[i] += all[k].values[i];
    for (std::size_t i = t.buckets; i-- > 0;) upper += 'V' + y(i) + 'H' + std::to_string(t.x(i));
    s += "<path class=\"f" + std::to_string(all[k].colour) + "\" d=\"" + lower + upper + "z\"/>";
  }
  add_hover(s, t, height, [&](std::size_t i) {
    std::string tooltip;
    for (const series& one : all)
      if (one.values[i] > 0)
        tooltip += "; " + one.name + ' ' + two_digits(100 * one.values[i] / whole[i]) + '%';
    return tooltip;
  });
  s += "</svg>";
  add_x_axis(s, t);
  s += "</div></figure>\n";
}

// Adds a bar that shows all parts side by side, and a legend of the parts' colours.
inline void add_bar(std::string& s, const std::string& caption, std::vector<part> parts) {
  double whole = 0, at = 0;
  for (const part& p : parts) whole += static_cast<double>(p.count);
  const auto x = [&] {
    return static_cast<std::uint64_t>(whole > 0 ? std::llround(at / whole * time_axis::across) : 0);
  };
  s += "<figure>";
  add_svg(s, "bar", "", 10, caption);
  for (part& p : parts) {
    const std::uint64_t from = x();
    const auto n = static_cast<double>(p.count);
    at += n;
    p.name += ' ' + fixed(whole > 0 ? 100 * n / whole : 0, 2) + '%';
    s += "<rect class=\"f" + std::to_string(p.colour) + "\" x=\"" + std::to_string(from) +
         "\" width=\"" + std::to_string(x() - from) + "\" height=\"10\"><title>" +
         escaped(p.name + ", " + grouped(p.count)) + "</title></rect>";
  }
  s += "</svg>";
  add_legend(s, parts);
  s += "</figure>\n";
}

// Row of a heat map, with a count for each bucket.
struct heat_row {
  // Text beside the row, and text of the row's tooltip.
  std::string label = {}, tooltip = {};
  const std::uint64_t* counts = nullptr;
};

// Converts `n` to a heat from 1 to 8 on a logarithmic scale. The number `most` has heat 8. Returns
// 0 if `n` is 0.
inline unsigned heat_of(std::uint64_t n, std::uint64_t most) {
  if (n == 0) return 0;
  if (most <= 1 || n >= most) return 8;
  const double part = std::log(static_cast<double>(n)) / std::log(static_cast<double>(most));
  return 1 + static_cast<unsigned>(std::min(6.0, part * 7));
}

// Adds a heat map. The map gets the CSS classes "rows" and `kind`, which is a class from style.hpp.
// `what` is the plural form of the noun for the counted items.
inline void add_heat(std::string& s, const std::string& caption, const std::string& kind,
                     const time_axis& t, const std::vector<heat_row>& rows,
                     const std::string& what) {
  constexpr unsigned each = 14;  // height of a row in pixels
  std::uint64_t most = 1;
  for (const heat_row& r : rows)
    most = std::max(most, *std::max_element(r.counts, r.counts + t.buckets));
  s += "<figure><figcaption>" + escaped(caption) +
       "</figcaption><ul class=\"legend heat\"><li>1</li>"
       "<li><svg class=\"rows " +
       kind +
       "\" viewBox=\"0 0 8 1\" preserveAspectRatio=\"none\" "
       "aria-hidden=\"true\">";
  for (unsigned h = 1; h <= 8; ++h)
    s += "<path class=\"h" + std::to_string(h) + "\" d=\"M" + std::to_string(h - 1) +
         " 0h1v1h-1z\"/>";
  s += "</svg></li><li>" + counted(most, what) + " in " + counted(t.width, t.what) + "</li></ul>";
  begin_plot(s, t);
  s += "<div class=\"y rows\">";
  for (const heat_row& r : rows) s += "<span>" + escaped(r.label, 24) + "</span>";
  s += "</div>";
  add_svg(s, "rows " + kind, "height:" + std::to_string(each * rows.size()) + "px",
          each * rows.size(), caption);
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const std::string y = std::to_string(each * k + 1), tall = std::to_string(each - 2);
    s += "<g><title>" + escaped(rows[k].tooltip) + "</title><rect class=\"back\" y=\"" +
         std::to_string(each * k) + "\" width=\"2400\" height=\"" + std::to_string(each) + "\"/>";
    // Adjacent buckets with the same heat form one rectangle, and all rectangles with the same heat
    // form one path.
    std::array<std::string, 9> paths;
    for (std::size_t i = 0; i < t.buckets;) {
      const unsigned heat = heat_of(rows[k].counts[i], most);
      const std::uint64_t from = t.x(i);
      while (i < t.buckets && heat_of(rows[k].counts[i], most) == heat) ++i;
      const std::string wide = std::to_string(t.x(i) - from);
      if (heat != 0)
        paths[heat] +=
            'M' + std::to_string(from) + ' ' + y + 'h' + wide + 'v' + tall + "h-" + wide + 'z';
    }
    for (unsigned h = 1; h <= 8; ++h)
      if (!paths[h].empty())
        s += "<path class=\"h" + std::to_string(h) + "\" d=\"" + paths[h] + "\"/>";
    s += "</g>";
  }
  s += "</svg>";
  add_x_axis(s, t);
  s += "</div></figure>\n";
}

}  // namespace report
