/** A repository's measures as text, and all of them as one Markdown table. */

export function reportText(report) {
  const { name, init, read, check, articles, text } = report;
  const lines = [`\n${name}`];
  const say = (label, value) => value !== '' && lines.push(`  ${label.padEnd(12)}${value}`);
  say(
    'init',
    init.refused === undefined
      ? `${init.preset}, ${init.content}, ${init.languages.join(' ') || 'no language'} (${seconds(init.seconds)})`
      : `refused: ${init.refused}`,
  );
  if (init.linesByHand > 0) say('by hand', `${init.linesByHand} lines`);
  if (read !== undefined) say('read', `${read.preset}, ${read.content}, ${read.languages.join(' ')}`);
  if (check === undefined) return lines.join('\n');
  if (check.failed !== undefined) return [...lines, `  check       failed: ${check.failed}`].join('\n');
  const codes = Object.entries(check.problems);
  say(
    'errors',
    codes
      .filter(([, count]) => count.error > 0)
      .map(([code, count]) => `${code} ${count.error}`)
      .join(', '),
  );
  say(
    'warnings',
    codes
      .filter(([, count]) => count.warning > 0)
      .map(([code, count]) => `${code} ${count.warning}`)
      .join(', '),
  );
  say(
    'articles',
    `${articles.planned} planned of ${articles.found} files, ${articles.categories} categories`,
  );
  for (const [reason, folders] of Object.entries(articles.leftOut)) {
    const most = Object.entries(folders).sort(([, a], [, b]) => b - a);
    const sum = most.reduce((total, [, count]) => total + count, 0);
    say(
      'left out',
      `${sum} ${reason}: ${most
        .slice(0, 4)
        .map(([folder, count]) => `${folder} ${count}`)
        .join(', ')}${most.length > 4 ? ', …' : ''}`,
    );
  }
  say(
    'words',
    `${text.wordsLost} of ${text.words} lost (${percent(text.wordsLost, text.words)}); ${text.overAThird} pages lose more than a third, ${text.overAThirdUnsaid} of them unsaid`,
  );
  const raw = Object.entries(text.raw).sort(([, a], [, b]) => b.times - a.times);
  say(
    'raw',
    raw
      .map(
        ([kind, { times, pages, unsaid }]) =>
          `${kind} ${times} in ${pages} pages${unsaid > 0 ? ` (${unsaid} unsaid)` : ''}`,
      )
      .join(', '),
  );
  say('root links', text.rootLinks === 0 ? '' : `${text.rootLinks} lead nowhere`);
  say('faults', faultsText(text));
  if (report.withFiles !== undefined) say('files kept', faultsText(report.withFiles.text));
  say('cost', `check ${seconds(check.seconds)}, ${Math.round(check.megabytes)} MB`);
  return lines.join('\n');
}

function faultsText({ withFault, pages, faults }) {
  const most = Object.entries(faults).sort(([, a], [, b]) => b - a);
  const kinds = most.map(([fault, count]) => `${fault} ${count}`).join(', ');
  return `${withFault} of ${pages} pages (${percent(withFault, pages)})${kinds === '' ? '' : `: ${kinds}`}`;
}

const COLUMNS = [
  ['repository', ({ name }) => name.replace('+', '/')],
  [
    'init',
    ({ init }) =>
      init.refused === undefined ? `${init.preset}, ${init.content}, ${init.languages.length}` : 'refused',
  ],
  ['by hand', ({ init }) => String(init.linesByHand)],
  ['files', ({ articles }) => String(articles?.found ?? '')],
  ['articles', ({ articles }) => String(articles?.planned ?? '')],
  ['errors', ({ check }) => String(sum(check, 'error'))],
  ['warnings', ({ check }) => String(sum(check, 'warning'))],
  ['words lost', ({ text }) => (text === undefined ? '' : percent(text.wordsLost, text.words))],
  [
    '> 1/3 lost (unsaid)',
    ({ text }) => (text === undefined ? '' : `${text.overAThird} (${text.overAThirdUnsaid})`),
  ],
  [
    'raw syntax, pages (unsaid)',
    ({ text, faulty }) =>
      text === undefined ? '' : `${faulty.filter(({ raw }) => raw?.length > 0).length} (${text.rawUnsaid})`,
  ],
  ['root links to nowhere', ({ text }) => String(text?.rootLinks ?? '')],
  ['pages with a fault', ({ text }) => (text === undefined ? '' : percent(text.withFault, text.pages))],
  [
    'with files kept',
    ({ withFiles }) =>
      withFiles === undefined ? '' : percent(withFiles.text.withFault, withFiles.text.pages),
  ],
  ['s', ({ check }) => (check === undefined ? '' : check.seconds.toFixed(1))],
  ['MB', ({ check }) => (check === undefined ? '' : String(Math.round(check.megabytes)))],
];

export function tableText(reports) {
  const rows = [
    COLUMNS.map(([title]) => title),
    COLUMNS.map(() => '---'),
    ...reports.map((report) => COLUMNS.map(([, show]) => show(report))),
  ];
  const table = rows.map((row) => `| ${row.join(' | ')} |`).join('\n');
  const kept = reports.flatMap(({ withFiles }) => withFiles?.text ?? []);
  return `\n${table}\n\n${sumText(reports.flatMap(({ text }) => text ?? []))}${kept.length === 0 ? '' : `\nif the service keeps files, ${sumText(kept)}`}`;
}

function sumText(texts) {
  const all = texts.reduce((total, { pages }) => total + pages, 0);
  const withFault = texts.reduce((total, text) => total + text.withFault, 0);
  return `${withFault} of ${all} pages have a fault that a reader sees (${percent(withFault, all)})`;
}

function sum(check, severity) {
  return Object.values(check?.problems ?? {}).reduce((total, count) => total + count[severity], 0);
}

function percent(part, whole) {
  return whole === 0 ? '0 %' : `${((100 * part) / whole).toFixed(1)} %`;
}

function seconds(value) {
  return `${value.toFixed(1)} s`;
}
