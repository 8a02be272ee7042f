import { kindOf, langOf, type Key } from '../../../model/key.ts';
import { problemMessage, showPlace } from '../../../model/problem.ts';
import type { Problem } from '../../../model/problem.ts';
import type { Change } from '../../../plan/plan.ts';
import type { WatchEvent } from '../../../sync/watch/event.ts';
import { findingOf, findingSentence, listedFindings, moreLine } from '../../print/problems.ts';
import { counted, lasting } from '../../print/terminal/numbers.ts';
import { visible } from '../../../model/visible.ts';
import type { Screen } from '../../print/terminal/screen.ts';

export interface WatchPrint {
  readonly screen: Screen;
  readonly now: () => number;
  /** ` --env staging`, or empty. */
  readonly setup: string;
  /** The database of a preview, which nothing else writes to; undefined: readers see what is sent. */
  readonly preview?: string;
  /** Where a page is read: its whole address. */
  readonly pageOf: (kind: Change['kind'], lang: string, slug: string) => string;
}

/** What has lines of its own; problems come one by one. */
type Shown = Exclude<WatchEvent, { type: 'problems' }>;

interface Line {
  /** `~` sent · `+` made · `=` nothing to send · `-` without a file · `!` needs a look · `x` not sent · `…` trouble */
  readonly sign: '~' | '+' | '=' | '-' | '!' | 'x' | '…';
  readonly text: string;
}

/** One line an event: time, sign, what, how long, address. With `--json` one object a line. */
export function watchPrinter(options: WatchPrint) {
  const { screen, now } = options;
  const { outPaint } = screen;
  const signs: Readonly<Record<Line['sign'], string>> = {
    '~': outPaint.yellow('~'),
    '+': outPaint.green('+'),
    '!': outPaint.red('!'),
    x: outPaint.red('x'),
    '=': '=',
    '-': '-',
    '…': '…',
  };
  const answer = (text: string): void => screen.answer(`${outPaint.dim(clockText(now()))}  ${text}`);
  const show = (lines: readonly Line[]): void => {
    for (const { sign, text } of lines) answer(`${signs[sign]} ${text}`);
  };
  /** Problems come in a row: hundreds of one kind would push everything else out of the window. */
  const problems: Problem[] = [];
  return {
    event: (event: WatchEvent): void => {
      if (!screen.isJson && event.type === 'problem') {
        problems.push(event.problem);
        return;
      }
      show(problemLines(problems.splice(0), screen.isVerbose));
      if (event.type === 'problems') return;
      if (screen.isJson) screen.answer(JSON.stringify(jsonOf(event, now())));
      else show(linesOf(event, options));
    },
    note: (sentence: string): void => {
      if (screen.isJson) screen.talk(sentence);
      else answer(sentence);
    },
  };
}

function linesOf(event: Shown, options: Pick<WatchPrint, 'setup' | 'preview' | 'pageOf'>): readonly Line[] {
  const { setup } = options;
  switch (event.type) {
    case 'sent':
      return [sentLine(event, options)];
    case 'whole':
      return [];
    case 'many': {
      const { files, updated, unchanged, failed, durationMs } = event;
      const rest = failed === 0 ? '' : `, ${failed} failed`;
      const sum = `${updated} sent, ${unchanged} unchanged${rest}, ${lasting(durationMs)}`;
      return [{ sign: '~', text: `${counted(files, 'file')} at once: ${sum}` }];
    }
    case 'same':
      return [{ sign: '=', text: `${shortKey(event.key)}  only spacing, nothing sent` }];
    case 'outside':
      return [{ sign: '=', text: `${shortKey(event.key)}  not part of this run, nothing sent` }];
    case 'problem':
      return problemLines([event.problem], true);
    case 'removed':
      return removedLines(event.keys, options);
    case 'conflict': {
      const { key, fields } = event.conflict;
      const names = visible(fields.map(({ field }) => field).join(', '));
      const command = visible(`kbsync resolve${setup} ${key} --local (or --remote)`);
      const text = `${shortKey(key)}  conflict: ${names} was changed on both sides; ${command} resolves it`;
      return [{ sign: '!', text }];
    }
    case 'drift': {
      const names = visible(event.drift.fields.map(({ field }) => field).join(', '));
      const text = `${shortKey(event.drift.key)}  ${names} was edited on the site; left as it is`;
      return [{ sign: '!', text }];
    }
    case 'waiting':
      return [{ sign: '!', text: `${shortKey(event.key)}  not sent: ${visible(event.message)}` }];
    case 'refused': {
      const { message, flag } = event.refusal;
      const wayOut = flag === undefined ? '' : `; ${flag} goes on`;
      return [{ sign: '!', text: `nothing is sent: ${visible(message)}${wayOut}` }];
    }
    case 'redirects':
      return [{ sign: '~', text: `old addresses: ${counted(event.count, 'redirect')} sent` }];
    case 'trouble':
      return [{ sign: '…', text: visible(event.message) }];
  }
}

type Sent = Extract<WatchEvent, { type: 'sent' }>;

function sentLine(event: Sent, { pageOf }: Pick<WatchPrint, 'pageOf'>): Line {
  const { result, change, isRepaired, alsoSent, durationMs } = event;
  const key = shortKey(change.key);
  if (result.outcome !== 'done') return { sign: 'x', text: `${key}  ${visible(result.message)}` };
  const what = visible(whatChanged(change, isRepaired, alsoSent));
  const page = visible(pageOf(change.kind, change.lang, change.slug));
  return {
    sign: change.action === 'create' ? '+' : '~',
    text: `${key}  ${what}  ${String(Math.round(durationMs)).padStart(5)} ms  ${page}`,
  };
}

/** As `kbsync check` lists them: of many of one kind, the first three and how many more there are. */
function problemLines(problems: readonly Problem[], isVerbose: boolean): readonly Line[] {
  return listedFindings(problems.map(findingOf), isVerbose).flatMap((listed): readonly Line[] => {
    const { finding, more } = listed;
    const isError = finding.severity === 'error';
    const stays = isError ? '  (not sent; what is published stays)' : '';
    const sign = isError ? 'x' : '!';
    const line = {
      sign,
      text: `${visible(showPlace(finding.at))}  ${visible(findingSentence(finding))}${stays}`,
    } as const;
    return more === 0 ? [line] : [line, { sign, text: moreLine(listed) }];
  });
}

/** More than this many are counted, not named. */
const REMOVED_NAMED_MAX = 3;

function removedLines(
  keys: readonly Key[],
  { setup, preview }: Pick<WatchPrint, 'setup' | 'preview'>,
): readonly Line[] {
  const isEach = keys.length <= REMOVED_NAMED_MAX;
  const end =
    preview === undefined
      ? `still published; kbsync sync --prune${setup} deletes ${isEach ? 'it' : 'them'}`
      : `still in the preview; it begins anew if you stop, delete ${visible(preview)} and start again`;
  if (isEach) return keys.map((key) => ({ sign: '-', text: `${shortKey(key)}  ${end}` }));
  return [{ sign: '-', text: `${counted(keys.length, 'record')} without a file, ${end}` }];
}

function whatChanged(change: Change, isRepaired: boolean, alsoSent: number): string {
  const names = change.action === 'create' ? 'new' : change.fields.map(({ field }) => field).join(', ');
  const also = alsoSent === 0 ? '' : `; ${counted(alsoSent, 'linking page')} sent too`;
  return `${isRepaired ? 'repaired, ' : ''}${names}${also}`;
}

/** `billing/refunds@en`; only articles go without their kind. */
function shortKey(key: Key): string {
  return visible(kindOf(key) === 'article' ? key.slice('article/'.length) : key);
}

/** `10:42:17`, as clocks on the wall show it. */
function clockText(nowMs: number): string {
  const at = new Date(nowMs);
  return [at.getHours(), at.getMinutes(), at.getSeconds()]
    .map((part) => String(part).padStart(2, '0'))
    .join(':');
}

function jsonOf(event: Shown, nowMs: number): object {
  const head = { format: 1, time: new Date(nowMs).toISOString() };
  switch (event.type) {
    case 'whole': {
      const { report, fileCount, isFirst } = event;
      const { summary, requests, durationMs } = report;
      return { ...head, type: isFirst ? 'first' : 'whole', files: fileCount, summary, requests, durationMs };
    }
    case 'sent': {
      const { result, change, isRepaired, alsoSent, durationMs } = event;
      const { key, action, outcome, message } = result;
      const fields = change.fields.map(({ field }) => field);
      return {
        ...head,
        type: 'sent',
        key,
        lang: langOf(key),
        action,
        outcome,
        message,
        fields,
        isRepaired,
        alsoSent,
        durationMs,
      };
    }
    case 'problem': {
      const { problem } = event;
      const { code, severity, at } = problem;
      return { ...head, type: 'problem', code, severity, message: problemMessage(problem), ...at };
    }
    default:
      return { ...head, ...event };
  }
}
