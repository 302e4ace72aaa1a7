// Script of a report. If the user selects a time range in one chart, the script zooms all charts to
// that range. If scripts are disabled, the charts show the whole trace.
#pragma once

namespace report {

// The script must not contain "</script" or "<!--", because HTML would misinterpret them.
inline constexpr const char* script = R"js(
"use strict";
(() => {
  const across = 2400, least = 10; // the pictures' units: all, and the least that is shown
  const plots = [...document.querySelectorAll(".plot")];
  if (plots.length === 0) return;
  const { first, items, what } = plots[0].dataset;
  const place = x => Number(first) + Number(items) * x / across;
  const whole = n => Math.round(n).toLocaleString("en-US");
  let from = 0, to = across;

  const bar = document.createElement("p");
  const shown = document.createElement("span"), all = document.createElement("button");
  bar.className = "zoom";
  shown.setAttribute("role", "status");
  all.textContent = "Show all";
  bar.append(shown, all);
  const how = document.createElement("p");
  how.className = "soft";
  how.textContent = "Drag across a picture over time to zoom in; a double click shows all again. " +
      "Keys, in a picture: + and - zoom, arrows move, Escape shows all.";
  document.querySelector("nav").append(how);
  document.querySelector("main").append(bar);

  // As the page's own ticks: round numbers, 1, 2 or 5 times a power of ten apart.
  const ticks = (axis, low, high) => {
    axis.replaceChildren();
    const least = (high - low) / (whole(high).length > 9 ? 3 : 4);
    const power = 10 ** Math.floor(Math.log10(least));
    const step = Math.max(1, [1, 2, 5, 10].find(n => n * power * (1 + 1e-9) >= least) * power);
    for (let n = Math.ceil(low / step) * step; !(n > high); n += step) {
      const at = (n - low) / (high - low);
      const aside = 0.2 > at ? 2.5 * at : at > 0.8 ? 2.5 * at - 1.5 : 0.5;
      const label = document.createElement("span");
      label.textContent = whole(n);
      label.style.left = 100 * at + "%";
      label.style.translate = -100 * aside + "%";
      axis.append(label);
    }
  };
  const show = (a, b) => {
    const wide = Math.min(across, Math.max(least, b - a));
    from = Math.min(across - wide, Math.max(0, a));
    to = from + wide;
    for (const plot of plots) {
      const svg = plot.querySelector("svg");
      svg.setAttribute("viewBox", [from, 0, wide, svg.viewBox.baseVal.height].join(" "));
      ticks(plot.querySelector(".x"), place(from), place(to));
    }
    bar.hidden = wide === across;
    shown.textContent = what + " " + whole(place(from)) + " to " + whole(place(to) - 1);
  };
  const showAll = () => show(0, across);

  const watch = svg => {
    let begun = null, pick = null;
    const at = e => {
      const box = svg.getBoundingClientRect();
      const part = Math.min(1, Math.max(0, (e.clientX - box.left) / box.width));
      return from + part * (to - from);
    };
    const end = () => {
      if (pick) pick.remove();
      begun = pick = null;
    };
    svg.addEventListener("pointerdown", e => { if (e.button === 0) begun = at(e); });
    svg.addEventListener("pointermove", e => {
      if (begun === null) return;
      const x = at(e);
      if (!pick) {
        if ((to - from) / 100 > Math.abs(x - begun)) return;
        svg.setPointerCapture(e.pointerId);
        pick = document.createElementNS("http://www.w3.org/2000/svg", "rect");
        pick.setAttribute("class", "pick");
        pick.setAttribute("height", svg.viewBox.baseVal.height);
        svg.append(pick);
      }
      pick.setAttribute("x", Math.min(begun, x));
      pick.setAttribute("width", Math.abs(x - begun));
    });
    svg.addEventListener("pointerup", e => {
      const a = begun, chosen = pick;
      end();
      if (chosen) show(Math.min(a, at(e)), Math.max(a, at(e)));
    });
    svg.addEventListener("pointercancel", end);
    svg.addEventListener("dblclick", showAll);
    svg.addEventListener("keydown", e => {
      const wide = to - from, middle = (from + to) / 2;
      if (e.key === "+") show(middle - wide / 4, middle + wide / 4);
      else if (e.key === "-") show(middle - wide, middle + wide);
      else if (e.key === "ArrowLeft") show(from - wide / 4, to - wide / 4);
      else if (e.key === "ArrowRight") show(from + wide / 4, to + wide / 4);
      else if (e.key === "Escape") showAll();
      else return;
      e.preventDefault();
    });
    svg.setAttribute("tabindex", "0");
  };
  for (const plot of plots) {
    plot.classList.add("live");
    watch(plot.querySelector("svg"));
  }
  all.addEventListener("click", showAll);
  bar.hidden = true;
})();
)js";

// Hash of the script, for the Content-Security-Policy of the page. A test computes the hash again.
inline constexpr const char* script_hash = "sha256-HFvxHU822FyoF9yw0XMeExCzhzlaJOPtZg8zBliq6CY=";

}  // namespace report
