import { budgeted, code, plain } from './comment-text.ts';

export interface PullRequestInput {
  /** Tells the requests of several content folders apart: `docs`. */
  readonly name: string;
  /** Of the files that are proposed, so a request says by itself whether it is about the same edits. */
  readonly digest: string;
  readonly baseUrl: string;
  readonly rows: readonly PullRequestRow[];
  /** What no branch holds, because somebody has to decide. */
  readonly byHand: readonly { readonly what: string; readonly why: string }[];
  /** What could not be read. */
  readonly incomplete: readonly string[];
}

/** One field of one file; `field` is undefined for a file that is new. */
export interface PullRequestRow {
  readonly file: string;
  readonly field?: string;
  readonly before?: string;
  readonly after?: string;
}

const TABLE_ROWS = 50;

/** Edits of the site as the text of a pull request. The first line is hidden, and the same for the same edits. */
export function pullRequestMarkdown(input: PullRequestInput): string {
  const { rows, byHand, incomplete } = input;
  const files = new Set(rows.map(({ file }) => file)).size;
  const head = [
    mark(input.name, input.digest),
    `### Edited on the site: ${files} ${files === 1 ? 'file' : 'files'}`,
    `These edits were made on ${plain(input.baseUrl.replace(/^https?:\/\//, ''))}. Merging brings them into the files. The site stays as it is.`,
    '',
    '| file | field | before | after |',
    '|---|---|---|---|',
  ];
  const foot =
    '<sub>kbsync keeps this up to date until it is merged. If you commit to its branch, kbsync leaves the branch alone from then on. If you close it, kbsync opens a new one when the edits change.</sub>';
  const text = budgeted(head.join('\n'), { foot, rest: 'the changed files show all' });
  for (const row of rows.slice(0, TABLE_ROWS)) text.add(rowLine(row));
  const open = [
    ...byHand.map(({ what, why }) => `- ${code(what)}: ${plain(why)}`),
    ...incomplete.map((each) => `- not read: ${plain(each)}`),
  ];
  if (open.length > 0) {
    text.add('\n**Not in this branch**\n');
    for (const line of open) text.add(line);
  }
  const rest = rows.slice(TABLE_ROWS);
  if (rest.length > 0) {
    text.open(`\n<details><summary>${rest.length} more</summary>\n`, '\n</details>');
    text.add(`\n${head.slice(-2).join('\n')}`);
    for (const row of rest) text.add(rowLine(row));
  }
  return text.end();
}

/** What a request says once nothing is left of it. */
export function closedMarkdown(name: string): string {
  return `${mark(name, 'none')}\nNothing is left to bring in: files and site say the same, or the edits were taken back on the site.\n`;
}

function mark(name: string, digest: string): string {
  return `<!-- kbsync:pull:${name.replaceAll(/[^\w.-]/g, '-')}:${digest} -->`;
}

function rowLine({ file, field, before = '', after = '' }: PullRequestRow): string {
  const values = field === undefined ? ['', 'a new file'] : [before, after].map((value) => plain(value));
  return `| ${code(file)} | ${field ?? ''} | ${values.join(' | ')} |`;
}
