const COLUMNS = [
  ['case', (row) => row.case],
  ['articles', (row) => number(row.articles)],
  ['latency', (row) => unit(row.latencyMs, 'ms')],
  ['at once', (row) => number(row.concurrency)],
  ['requests', (row) => number(row.requests)],
  ['wall', (row) => unit(row.wallMs, 'ms')],
  ['CPU', (row) => unit(row.cpuMs, 'ms')],
  ['memory', (row) => unit(row.rssMb, 'MB')],
  ['records/s', (row) => number(row.recordsPerS)],
  ['N·L/C', (row) => (row.limitMs ? unit(row.limitMs, 'ms') : '')],
  ['wall / limit', (row) => (row.limitMs ? (row.wallMs / row.limitMs).toFixed(2) : '')],
  ['wall / limit with the real L', (row) => (row.reachMs ? (row.wallMs / row.reachMs).toFixed(2) : '')],
];

/** A Markdown table, to be copied into docs/operations/benchmarks.md; the first column left, numbers right. */
export function printTable(rows) {
  const cells = [COLUMNS.map(([name]) => name), ...rows.map((row) => COLUMNS.map(([, show]) => show(row)))];
  const widths = COLUMNS.map((_, at) => Math.max(...cells.map((line) => line[at].length)));
  const [head, ...body] = cells.map((line) => {
    const padded = line.map((text, at) => (at === 0 ? text.padEnd(widths[at]) : text.padStart(widths[at])));
    return `| ${padded.join(' | ')} |`;
  });
  const rule = widths.map((width, at) => (at === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`));
  console.log([head, `| ${rule.join(' | ')} |`, ...body].join('\n'));
}

function number(value) {
  return value === undefined ? '' : Math.round(value).toLocaleString('en');
}

function unit(value, name) {
  return value === undefined ? '' : `${number(value)} ${name}`;
}
