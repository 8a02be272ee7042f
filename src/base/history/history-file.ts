import { join } from 'node:path';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { digestOfText } from '../../model/digest.ts';
import { BaseError } from '../base.ts';
import type { Disk } from '../disk/disk.ts';
import { explainedDisk } from '../disk/explained-disk.ts';
import { realDisk } from '../disk/real-disk.ts';
import { openLineFile } from '../journal/line-file.ts';
import { show } from '../state/record-text.ts';
import { damaged, jsonOf } from '../state/state-text.ts';
import type { History, HistoryBound, HistoryUse, PastRun, PastRuns, RunHead, Step } from './history.ts';
import { changesOf } from './past-changes.ts';

/** Of format 1, every line is deflated. */
const FORMAT = 2;
const FORMATS: readonly unknown[] = [1, FORMAT];
const SUFFIX = '.log';
const RUN = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;

/** Beginning a run's log makes room for it; nothing is written before its first step. */
export function openHistory(
  folder: string,
  { head, bound, disk: realOrOther = realDisk }: HistoryOptions,
): History {
  const disk = explainedDisk(realOrOther);
  const header = lineOf({ kbsync: 'run', format: FORMAT, ...head });
  const path = join(folder, `${head.run}${SUFFIX}`);
  const file = openLineFile({ disk, file: path, directory: folder, header });
  let last: Promise<void> = Promise.resolve();
  let isStarted = false;
  let waiting: Waiting[] = [];

  const start = async (): Promise<void> => {
    await disk.makeDirectory(folder);
    await makeRoom(folder, bound, disk);
    // Two runs of one name are one run: nothing of the first is lost.
    if ((await disk.size(path)) === 0) await file.start([]);
    isStarted = true;
  };

  const flush = async (): Promise<void> => {
    const batch = waiting;
    waiting = [];
    try {
      if (!isStarted) await start();
      const lines = batch.map(({ line }) => line);
      await file.append(
        lines,
        batch.some(({ mustLast }) => mustLast),
      );
      for (const { done } of batch) done();
    } catch (error) {
      for (const { failed } of batch) failed(error);
    }
  };

  return {
    add: (step) =>
      new Promise((done, failed) => {
        const mustLast = step.do === 'intend' && step.action === 'update';
        waiting.push({ line: lineOf(step), mustLast, done, failed });
        if (waiting.length === 1) last = last.then(flush);
      }),
    close: () => last.then(() => file.close()),
  };
}

export interface HistoryOptions {
  readonly head: RunHead;
  readonly bound: HistoryBound;
  readonly disk?: Disk;
}

/** Lines that come while a write is under way go out together and share its fsync. */
interface Waiting {
  readonly line: string;
  readonly mustLast: boolean;
  readonly done: () => void;
  readonly failed: (error: unknown) => void;
}

async function makeRoom(folder: string, bound: HistoryBound, disk: Disk): Promise<void> {
  const files = await filesIn(folder, disk);
  const sizes = await Promise.all(files.map((file) => disk.size(join(folder, file))));
  let bytes = sizes.reduce((sum, size) => sum + size, 0);
  for (const [index, file] of files.entries()) {
    if (files.length - index < bound.runs && bytes <= bound.bytes) return;
    await disk.remove(join(folder, file));
    bytes -= sizes[index] as number; // one for each file
  }
}

async function filesIn(folder: string, disk: Disk): Promise<readonly string[]> {
  return (await disk.list(folder)).filter(
    (name) => name.endsWith(SUFFIX) && RUN.test(name.slice(0, -SUFFIX.length)),
  );
}

/** The runs whose logs are in a folder. */
export function openPastRuns(folder: string, realOrOther: Disk = realDisk): PastRuns {
  const disk = explainedDisk(realOrOther);
  const names = async (): Promise<readonly string[]> =>
    (await filesIn(folder, disk)).map((name) => name.slice(0, -SUFFIX.length));
  return {
    names,
    read: async (run) => {
      if (!RUN.test(run)) return undefined;
      const file = join(folder, `${run}${SUFFIX}`);
      const bytes = await disk.read(file);
      return bytes === undefined ? undefined : runFrom(new TextDecoder().decode(bytes), file);
    },
    use: async (): Promise<HistoryUse> => {
      const files = await filesIn(folder, disk);
      const sizes = await Promise.all(files.map((file) => disk.size(join(folder, file))));
      return { runs: files.length, bytes: sizes.reduce((sum, size) => sum + size, 0) };
    },
  };
}

function runFrom(text: string, file: string): PastRun {
  const [first = '', ...lines] = text.split('\n');
  const header = jsonIn(first);
  if (header?.['kbsync'] !== 'run') throw damaged(file, 'it is not the log of a run of kbsync');
  if (!FORMATS.includes(header['format'])) {
    const found = `${file} has format ${show(header['format'])}`;
    throw new BaseError('newer-format', `${found}; this kbsync reads format ${FORMAT}.`);
  }
  // What follows the last line end was cut off while it was written: nothing stood on it.
  const steps = lines.slice(0, -1).map((line, index) => {
    const step = jsonIn(line);
    if (step === undefined) throw damaged(file, `line ${index + 2} does not fit its checksum`);
    return step as unknown as Step; // its checksum says that this kbsync wrote it
  });
  const { kbsync: _, format: _format, ...head } = header;
  return { head: head as unknown as RunHead, changes: changesOf(steps) };
}

/** From here on deflating pays: setting it up costs more than all else that a create's line needs. */
const DEFLATED_CHARS_MIN = 2_000;

const SUM_CHARS = 16;

/** A checksum, then JSON, deflated where it is long: a text before and after is little more than one of them. */
function lineOf(value: object): string {
  const json = JSON.stringify(value);
  const isLong = json.length >= DEFLATED_CHARS_MIN;
  return `${digestOfText(json)} ${isLong ? deflateRawSync(json).toString('base64') : json}`;
}

function jsonIn(line: string): Readonly<Record<string, unknown>> | undefined {
  const sum = line.slice(0, SUM_CHARS);
  const said = line.slice(SUM_CHARS + 1);
  try {
    const json = said.startsWith('{') ? said : inflateRawSync(Buffer.from(said, 'base64')).toString('utf8');
    return digestOfText(json) === sum ? jsonOf(json) : undefined;
  } catch {
    return undefined;
  }
}
