import type { Intent, Journal } from '../base.ts';
import type { JournalMark } from '../state/state-text.ts';
import type { LineFile } from './line-file.ts';
import { entryLine, headerLine } from './entries.ts';
import type { Entry, JournalFile, JournalLine } from './entries.ts';

export interface JournalOptions {
  /** What keeps the lines, behind this first one. */
  readonly lines: (header: string) => LineFile;
  readonly origin: string;
  /** What was read from the file; undefined when there is none. */
  readonly found: JournalFile | undefined;
  /** How far the state contains it. */
  readonly absorbed: JournalMark | undefined;
  /** Names a journal that is started again. */
  readonly id: string;
  /** Called before anything is promised to be durable. */
  readonly assertHeld: () => Promise<void>;
}

export interface WritableJournal extends Journal {
  /** How far the journal goes: what a state that is saved now contains. */
  mark(): JournalMark;
  /** Whether it holds entries that the state does not contain. */
  isAhead(): boolean;
  /** Drops entries up to the mark, but for intents without an end. */
  forget(mark: JournalMark): Promise<void>;
  /** Writes and syncs what is left. */
  close(): Promise<void>;
}

/** The journal over a disk; see Journal for what its methods promise. */
export function openJournal(options: JournalOptions): WritableJournal {
  const id = options.found?.id ?? options.id;
  const writer = journalWriter(options, id);
  const open = openIntents(options.found?.lines ?? [], options.absorbed);
  let absorbedSeq = options.absorbed?.seq ?? 0;
  let seq = Math.max(absorbedSeq, options.found?.lines.at(-1)?.seq ?? 0);

  const add = (entry: Entry, mustLast: boolean): Promise<void> => {
    seq += 1;
    return writer.add({ seq, entry, line: entryLine(seq, entry) }, mustLast);
  };

  return {
    intend: async (intent) => {
      if (open.has(intent.op)) throw new Error(`bug: operation ${intent.op} is intended twice`);
      open.set(intent.op, intent);
      try {
        await add({ do: 'intend', intent }, true);
      } catch (error) {
        open.delete(intent.op);
        throw error;
      }
    },
    end: async (op, record) => {
      const intent = open.get(op);
      if (intent === undefined) throw new Error(`bug: operation ${op} is ended and was never intended`);
      if (record !== undefined && record.key !== intent.key) {
        throw new Error(`bug: operation ${op} is for ${intent.key} and is ended with ${record.key}`);
      }
      open.delete(op);
      await add({ do: 'end', op, key: intent.key, record }, false);
    },
    note: (record, how) => add({ do: 'note', record }, how === 'durable'),
    mark: () => {
      const mark = { id, seq, open: [...open.keys()] };
      writer.expect(mark);
      return mark;
    },
    isAhead: () => seq > absorbedSeq,
    forget: async (mark) => {
      absorbedSeq = mark.seq;
      await writer.forget(mark);
    },
    close: () => writer.close(),
  };
}

/** Intents with an unknown outcome, in the order in which they were said. */
export function openIntents(
  lines: readonly JournalLine[],
  absorbed: JournalMark | undefined,
): Map<string, Intent> {
  const open = new Map<string, Intent>();
  for (const { seq, entry } of lines) {
    if (entry.do === 'end') open.delete(entry.op);
    if (entry.do === 'intend' && !isEnded(seq, entry.intent.op, absorbed))
      open.set(entry.intent.op, entry.intent);
  }
  return open;
}

/** Whether the state holds what came of the operation. */
function isEnded(seq: number, op: string, absorbed: JournalMark | undefined): boolean {
  return absorbed !== undefined && seq <= absorbed.seq && !absorbed.open.includes(op);
}

interface Waiting {
  readonly line: JournalLine;
  readonly mustLast: boolean;
  readonly done: () => void;
  readonly failed: (error: unknown) => void;
}

interface JournalWriter {
  add(line: JournalLine, mustLast: boolean): Promise<void>;
  /** From here on a mark is about, so what ends behind it must be there for `forget`. */
  expect(mark: JournalMark): void;
  forget(mark: JournalMark): Promise<void>;
  close(): Promise<void>;
}

/** Lines that are added while a write is under way go out together with the next one and share its fsync. */
function journalWriter(options: JournalOptions, id: string): JournalWriter {
  const { origin, found } = options;
  const lineFile = options.lines(headerLine(id, origin));
  /** What the file holds and may have to be written again, by number. */
  let kept = new Map((found?.lines ?? []).map((line) => [line.seq, line]));
  /** Where the intents of operations without an end stand in `kept`, those of this process. */
  const intended = new Map<string, number>();
  /** The last mark, as long as nothing was forgotten for it. Another one may be of the same line. */
  let expected: JournalMark | undefined;
  let needsStart = found === undefined || found.isTorn;
  let waiting: Waiting[] = [];
  let isClosed = false;
  let last: Promise<void> = Promise.resolve();

  /** One at a time, in the order of the calls; a failure goes to its caller only. */
  const inTurn = (work: () => Promise<void>): Promise<void> => {
    const done = last.then(work);
    last = done.catch(() => undefined);
    return done;
  };

  const write = async (lines: readonly JournalLine[], mustLast: boolean): Promise<void> => {
    if (mustLast) await options.assertHeld();
    const texts = lines.map(({ line }) => line);
    if (!needsStart) return lineFile.append(texts, mustLast);
    await lineFile.start([...textsOf(kept), ...texts]);
    needsStart = false;
  };

  /**
   * A mark that is taken later covers an operation that has ended, both of its lines, so `forget` would drop them: ten thousand
   * creates need not be held in memory until then. Behind a mark that is about, everything is kept.
   */
  const keep = (line: JournalLine): void => {
    const { seq, entry } = line;
    if (expected === undefined && entry.do === 'note') return;
    if (expected === undefined && entry.do === 'end') {
      const begun = intended.get(entry.op);
      if (begun !== undefined) {
        kept.delete(begun);
        intended.delete(entry.op);
        return;
      }
    }
    if (entry.do === 'intend') intended.set(entry.intent.op, seq);
    if (entry.do === 'end') intended.delete(entry.op);
    kept.set(seq, line);
  };

  const flush = async (): Promise<void> => {
    const batch = waiting;
    waiting = [];
    const lines = batch.map(({ line }) => line);
    const mustLast = batch.some((one) => one.mustLast);
    try {
      await write(lines, mustLast);
      for (const line of lines) keep(line);
      for (const { done } of batch) done();
    } catch (error) {
      for (const { failed } of batch) failed(error);
    }
  };

  return {
    expect: (mark) => {
      expected = mark;
    },
    add: (line, mustLast) => {
      if (isClosed) throw new Error('bug: the journal is closed');
      return new Promise((done, failed) => {
        waiting.push({ line, mustLast, done, failed });
        if (waiting.length === 1) void inTurn(flush);
      });
    },
    forget: (mark) =>
      inTurn(async () => {
        const left = [...kept].filter(
          ([seq, { entry }]) =>
            seq > mark.seq || (entry.do === 'intend' && !isEnded(seq, entry.intent.op, mark)),
        );
        kept = new Map(left);
        await (kept.size > 0 ? lineFile.start(textsOf(kept)) : lineFile.remove());
        needsStart = kept.size === 0;
        if (expected === mark) expected = undefined;
      }),
    close: () => {
      isClosed = true;
      return inTurn(() => lineFile.close());
    },
  };
}

function textsOf(lines: ReadonlyMap<number, JournalLine>): readonly string[] {
  return [...lines.values()].map(({ line }) => line);
}
