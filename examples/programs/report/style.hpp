// Style sheet of a report, with colours for light screens, dark screens and paper. The layout
// adapts to all screen widths, including phones.
#pragma once

namespace report {

inline constexpr const char* style = R"(
:root{color-scheme:light dark;--back:#fff;--text:#1b1f24;--soft:#57606a;--line:#d0d7de;
--panel:#f6f8fa;--tint:#cfe3f5;--edge:#1b1f2433;--bad:#b3261e;--warn:#8a5300;--heat:#9a3412;
--c0:#1f6fb4;--c1:#c2410c;--c2:#15803d;--c3:#7c3aed;--c4:#be185d;--c5:#0e7490;--c6:#a16207;
--c7:#6b7280}
@media (prefers-color-scheme:dark){:root{--back:#0f1419;--text:#e6e9ed;--soft:#a3adb8;
--line:#36404a;--panel:#192028;--tint:#1d3d5c;--edge:#e6e9ed44;--bad:#ff8a80;--warn:#f0b45a;--heat:#ffb27a;
--c0:#6cb6ff;--c1:#ff9e64;--c2:#5fd38d;--c3:#b794f6;--c4:#ff7ab2;--c5:#4fd1e0;--c6:#e3c341;
--c7:#9aa5b1}}
*{box-sizing:border-box}
body{margin:0 auto;max-width:88rem;padding:1rem;background:var(--back);color:var(--text);
font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;overflow-wrap:break-word}
h1,header p,p code,.bad{overflow-wrap:anywhere}
h1{font-size:1.5rem;line-height:1.25;margin:.5rem 0}
h2{font-size:1.2rem;margin:2.5rem 0 .75rem;padding-top:.75rem;border-top:1px solid var(--line)}
h3{font-size:1rem;margin:1.5rem 0 .5rem}
p{margin:.5rem 0;max-width:48rem}
nav ul{display:flex;flex-wrap:wrap;gap:.25rem 1.25rem;margin:.75rem 0;padding:0;list-style:none;
font-size:.875rem}
nav a{color:var(--c0)}
.cols{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(26rem,100%),1fr));
gap:0 2.5rem;align-items:start}
.cols>div{min-width:0}.cols:has(details[open]){grid-template-columns:minmax(0,1fr)}
.cols h3{margin-top:1rem}
.soft,figcaption,.unit{color:var(--soft);font-size:.875rem}
code,pre{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;
font-size:.875em;unicode-bidi:isolate}
.bad{border-left:4px solid var(--bad);background:var(--panel);padding:.5rem 1rem;margin:1rem 0}
.error{color:var(--bad)}.warning{color:var(--warn)}.note{color:var(--soft)}
dl{display:grid;grid-template-columns:repeat(auto-fill,minmax(10rem,1fr));gap:.75rem;margin:1rem 0}
dl div{background:var(--panel);border:1px solid var(--line);border-radius:6px;padding:.5rem .75rem}
dt{color:var(--soft);font-size:.8125rem}
dd{margin:0;font-size:1.15rem;font-variant-numeric:tabular-nums}
dd small{display:block;color:var(--soft);font-size:.8125rem}
.scroll{overflow-x:auto;margin:.75rem 0;max-width:100%;
background:linear-gradient(90deg,var(--back) 30%,transparent) 0 0/3rem 100% no-repeat local,
linear-gradient(270deg,var(--back) 30%,transparent) 100% 0/3rem 100% no-repeat local,
linear-gradient(90deg,var(--edge),transparent) 0 0/.75rem 100% no-repeat scroll,
linear-gradient(270deg,var(--edge),transparent) 100% 0/.75rem 100% no-repeat scroll var(--back)}
table{border-collapse:collapse;font-size:.875rem;overflow-wrap:normal}
th,td{text-align:left;padding:.25rem .75rem .25rem 0;border-bottom:1px solid var(--line);
vertical-align:top}
th{color:var(--soft);font-weight:600}
td code,td:first-child{white-space:nowrap}
#findings td:last-child{min-width:14rem;overflow-wrap:anywhere}
.n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
th.n{white-space:normal}
td.share{min-width:6rem;
background:linear-gradient(var(--tint),var(--tint)) 0 .05rem/var(--share) 1.1rem no-repeat content-box}
figure{margin:1rem 0}
figcaption{margin-bottom:.25rem}
svg{display:block;width:100%;max-width:100%;background:var(--panel)}
.plot{margin-top:.6rem;display:grid;grid-template-columns:auto minmax(0,1fr);column-gap:.5rem}
.y{display:flex;flex-direction:column;justify-content:space-between;text-align:right;
color:var(--soft);font-size:.75rem;font-variant-numeric:tabular-nums}
.y{min-width:7.5rem}
.y span{line-height:0}
.y.rows{justify-content:flex-start}
.y.rows span{line-height:14px;height:14px;white-space:nowrap;
font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;
font-size:11px}
.x{grid-column:2;position:relative;height:1.25rem;color:var(--soft);font-size:.75rem;
font-variant-numeric:tabular-nums;white-space:nowrap}
.x span{position:absolute;top:.15rem}
.unit{grid-column:2;font-size:.75rem;text-align:center}
.chart{height:200px}.bar{height:28px}
.legend{display:flex;flex-wrap:wrap;gap:.25rem 1rem;margin:.35rem 0;padding:0;list-style:none;
font-size:.8125rem}
.legend svg{display:inline-block;width:.75rem;height:.75rem;vertical-align:-1px;margin-right:.35rem;
background:none}
.legend.heat{gap:0 .35rem;align-items:center;color:var(--soft)}
.legend.heat svg{width:8rem;margin:0}
.grid{stroke:var(--line);stroke-width:1;vector-effect:non-scaling-stroke}
.l{fill:none;stroke-width:1.75;vector-effect:non-scaling-stroke;stroke-linejoin:round}
.f0{fill:var(--c0)}.f1{fill:var(--c1)}.f2{fill:var(--c2)}.f3{fill:var(--c3)}.f4{fill:var(--c4)}
.f5{fill:var(--c5)}.f6{fill:var(--c6)}.f7{fill:var(--c7)}
.s0{stroke:var(--c0)}.s1{stroke:var(--c1)}.s2{stroke:var(--c2);stroke-dasharray:6 3}
.s3{stroke:var(--c3)}
.hover rect{fill:var(--text);fill-opacity:0}.hover rect:hover{fill-opacity:.12}
.rows{shape-rendering:crispEdges}
.rows path{fill:var(--heat)}.rows.threads path{fill:var(--c0)}
.h1{fill-opacity:.16}.h2{fill-opacity:.27}.h3{fill-opacity:.38}.h4{fill-opacity:.5}
.h5{fill-opacity:.62}.h6{fill-opacity:.74}.h7{fill-opacity:.87}.h8{fill-opacity:1}
.live svg{cursor:crosshair;touch-action:pan-y}.pick{fill:var(--text);fill-opacity:.2}
.zoom{position:sticky;bottom:0;margin:0;padding:.5rem 0;background:var(--back);max-width:none;
border-top:1px solid var(--line)}
.zoom button{font:inherit;margin-left:.5rem}
.back{fill:var(--panel);fill-opacity:0}.rows g:hover .back{fill:var(--line);fill-opacity:.6}
summary{cursor:pointer;white-space:nowrap}
pre{overflow-x:auto;margin:.25rem 0;padding:.5rem .75rem;background:var(--panel);
border-radius:6px;line-height:1.4;overflow-wrap:normal}
pre i{font-style:normal;color:var(--soft)}
@media (max-width:40rem){.y{min-width:2.25rem}.y.rows span{font-size:10px}.chart{height:140px}
.x span:not(:first-child):not(:last-child){display:none}
h2{margin-top:1.75rem}pre i+i{display:none}}
@media print{body{max-width:none}nav,.zoom{display:none}
svg,details,dl div{break-inside:avoid;print-color-adjust:exact}}
)";

}  // namespace report
