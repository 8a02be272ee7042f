export const STYLE = `
:root{color-scheme:light dark;--ink:#1c2430;--soft:#5a6675;--line:#d8dee6;--paper:#fff;--wash:#f5f7fa;--add:#d9f2e0;--addink:#0b5a2a;--del:#fde0dd;--delink:#8f1d14;--warn:#8a4b00;--link:#0b5c8a}
@media (prefers-color-scheme:dark){:root{--ink:#e4e9ef;--soft:#9aa7b5;--line:#34404e;--paper:#141a21;--wash:#1c242d;--add:#123d24;--addink:#9be4b4;--del:#4a1a18;--delink:#ffb4ab;--warn:#ffbd6e;--link:#7cc4ee}}
*{box-sizing:border-box}
body{margin:0;font:16px/1.5 system-ui,sans-serif;color:var(--ink);background:var(--paper)}
header,main,footer{max-width:84rem;margin:0 auto;padding:1rem}
h1{font-size:1.3rem;margin:0 0 .25rem}
h2{font-size:1.05rem;margin:1.75rem 0 .5rem}
.where,.note,footer{color:var(--soft);margin:.2rem 0}
.state{display:inline-block;border:1px solid var(--warn);color:var(--warn);border-radius:.3rem;padding:0 .45rem;font-size:.8rem;margin-left:.5rem;vertical-align:middle}
.sum{font-weight:600;margin:.5rem 0}
form{position:sticky;top:0;background:var(--paper);border-block:1px solid var(--line);padding:.6rem 1rem;display:flex;flex-wrap:wrap;gap:.5rem 1rem;z-index:1;align-items:center;max-width:84rem;margin:0 auto}
label{display:inline-flex;gap:.35rem;align-items:center}
select,input{font:inherit;color:inherit;background:var(--wash);border:1px solid var(--line);border-radius:.3rem;padding:.25rem .4rem;max-width:100%}
details{border:1px solid var(--line);border-radius:.4rem;margin:.4rem 0;content-visibility:auto;contain-intrinsic-size:auto 2.8rem}
summary{cursor:pointer;padding:.5rem .75rem;overflow-wrap:anywhere}
summary:hover{background:var(--wash)}
:focus-visible{outline:3px solid var(--link);outline-offset:1px}
.sign{display:inline-block;width:1.2em;font-weight:700;font-family:ui-monospace,monospace}
.create .sign{color:var(--addink)}.delete .sign,.conflict>summary .sign{color:var(--delink)}.update .sign,.drift .sign{color:var(--warn)}
.name{font-weight:600}
.lang{border:1px solid var(--line);border-radius:.3rem;padding:0 .35rem;font-size:.85rem;color:var(--soft)}
.inside{padding:0 .75rem .75rem}
table.fields{border-collapse:collapse;width:100%;table-layout:fixed;margin:.5rem 0}
.fields th,.fields td{border:1px solid var(--line);padding:.35rem .5rem;text-align:start;vertical-align:top;overflow-wrap:anywhere}
.fields thead th{background:var(--wash);font-weight:600}
.fields th:first-child{width:9rem}
code{font-family:ui-monospace,monospace;font-size:.9em;background:var(--wash);padding:.1em .3em;border-radius:.2rem;overflow-wrap:anywhere}
.sides{display:grid;grid-template-columns:1fr 1fr;gap:.75rem;margin-top:.5rem}
.sides.one{grid-template-columns:1fr}
.side{border:1px solid var(--line);border-radius:.3rem;padding:.5rem .75rem;min-width:0;overflow:auto;max-height:40rem}
.side h3{margin:0 0 .4rem;font-size:.8rem;text-transform:uppercase;letter-spacing:.05em;color:var(--soft)}
.side img{max-width:100%}
.side pre{overflow:auto;background:var(--wash);padding:.5rem}
.side table{border-collapse:collapse}.side td,.side th{border:1px solid var(--line);padding:.2rem .4rem}
ins{background:var(--add);color:var(--addink);text-decoration:underline;text-decoration-thickness:2px}
del{background:var(--del);color:var(--delink);text-decoration:line-through}
.picture{border:1px dashed var(--soft);padding:.1rem .4rem;color:var(--soft);font-size:.9em}
a{color:var(--link)}
[hidden]{display:none!important}
@media (max-width:45rem){.sides{grid-template-columns:1fr}.fields th:first-child{width:6rem}}
@media print{form{display:none}.side{max-height:none}details{content-visibility:visible;break-inside:avoid-page}}
`;
