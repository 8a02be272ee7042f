import { kindOf, langOf, type Key } from '../../../model/key.ts';
import { problemMessage, showPlace } from '../../../model/problem.ts';
import type { Change } from '../../../plan/plan.ts';
import type { WatchEvent } from '../../../sync/watch/event.ts';
import { counted, lasting } from '../../print/numbers.ts';
import { visible } from '../../../model/visible.ts';
import type { Screen } from '../../print/screen.ts';

export interface WatchPrint {
  readonly screen: Screen;
  readonly now: () => number;
  /** ` --env staging`, or empty. */
  readonly setup: string;
  /** Where a page is read: its whole address. */
  readonly pageOf: (kind: Change['kind'], lang: string, slug: string) => string;
}

type Painted = Exclude<WatchEvent, { type: 'problems' }>;

/** One line an event: time, sign, what, how long, address. With `--json` one object a line. */
export function watchPrinter({ screen, now, setup, pageOf }: WatchPrint) {
  const { outPaint } = screen;
  const line = (sign: string, text: string): void => {
    screen.answer(`${outPaint.dim(clockText(now()))}  ${sign} ${text}`);
  };
  const signs: Readonly<Record<string, string>> = {
    '~': outPaint.yellow('~'),
    '+': outPaint.green('+'),
    '!': outPaint.red('!'),
    x: outPaint.red('x'),
  };
  const sign = (name: string): string => signs[name] ?? name;

  const sent = ({
    result,
    change,
    isRepaired,
    alsoSent,
    durationMs,
  }: Extract<WatchEvent, { type: 'sent' }>) => {
    const what = result.outcome === 'done' ? whatChanged(change, isRepaired, alsoSent) : result.message;
    const mark = result.outcome !== 'done' ? 'x' : change.action === 'create' ? '+' : '~';
    const page = pageOf(change.kind, change.lang, change.slug);
    const end =
      result.outcome === 'done' ? `  ${String(Math.round(durationMs)).padStart(5)} ms  ${visible(page)}` : '';
    line(sign(mark), `${shortKey(change.key)}  ${visible(what)}${end}`);
  };

  const text = (event: Painted): void => {
    switch (event.type) {
      case 'sent':
        return sent(event);
      case 'whole':
        return;
      case 'many': {
        const { files, updated, unchanged, failed, durationMs } = event;
        const rest = failed === 0 ? '' : `, ${failed} failed`;
        const sum = `${updated} sent, ${unchanged} unchanged${rest}, ${lasting(durationMs)}`;
        return line(sign('~'), `${counted(files, 'file')} at once: ${sum}`);
      }
      case 'same':
        return line('=', `${shortKey(event.key)}  only spacing, nothing sent`);
      case 'outside':
        return line('=', `${shortKey(event.key)}  not part of this run, nothing sent`);
      case 'problem': {
        const { problem } = event;
        const stays = problem.severity === 'error' ? '  (published version stays)' : '';
        const mark = problem.severity === 'error' ? 'x' : '!';
        return line(
          sign(mark),
          `${visible(showPlace(problem.at))}  ${visible(problemMessage(problem))}${stays}`,
        );
      }
      case 'removed': {
        const [first] = event.keys;
        const prune = `kbsync sync --prune${setup}`;
        if (event.keys.length > 3)
          return line(
            '-',
            `${counted(event.keys.length, 'record')} without a file, still published; ${prune} deletes them`,
          );
        for (const key of first === undefined ? [] : event.keys)
          line('-', `${shortKey(key)}  still published; ${prune} deletes it`);
        return undefined;
      }
      case 'conflict': {
        const { key, fields } = event.conflict;
        const names = fields.map(({ field }) => field).join(', ');
        const command = `kbsync resolve${setup} ${key} --local (or --remote)`;
        return line(
          sign('!'),
          `${shortKey(key)}  conflict: ${visible(names)} was changed on both sides; ${visible(command)} resolves it`,
        );
      }
      case 'drift': {
        const names = event.drift.fields.map(({ field }) => field).join(', ');
        return line(
          sign('!'),
          `${shortKey(event.drift.key)}  ${visible(names)} was edited on the site; left as it is`,
        );
      }
      case 'waiting':
        return line(sign('!'), `${shortKey(event.key)}  not sent: ${visible(event.message)}`);
      case 'refused': {
        const { message, flag } = event.refusal;
        return line(
          sign('!'),
          `nothing is sent: ${visible(message)}${flag === undefined ? '' : `; ${flag} goes on`}`,
        );
      }
      case 'redirects':
        return line(sign('~'), `old addresses: ${counted(event.count, 'redirect')} sent`);
      case 'trouble':
        return line('…', visible(event.message));
    }
  };
  return {
    event: (event: WatchEvent): void => {
      if (event.type === 'problems') return;
      if (screen.isJson) screen.answer(JSON.stringify(jsonOf(event, now())));
      else text(event);
    },
    note: (sentence: string): void => {
      if (screen.isJson) screen.talk(sentence);
      else screen.answer(`${outPaint.dim(clockText(now()))}  ${sentence}`);
    },
  };
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

function jsonOf(event: Painted, nowMs: number): object {
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
