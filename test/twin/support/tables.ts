import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = join(import.meta.dirname, '..');

/** A stop that is right: the service leaves nothing else, and the run says why and what to do. */
export interface RightEnd {
  readonly habit: string;
  /** `*`: every life. */
  readonly life: string;
  readonly exit: number;
  /** Must be in what the run says. */
  readonly words: string;
}

export interface KnownFault {
  readonly habit: string;
  readonly life: string;
  readonly what: string;
  readonly finding: string;
}

/** `habit | lives | exit | words` a line. */
export function rightEnds(): readonly RightEnd[] {
  return rowsOf('ends.txt').flatMap(([habit = '', lives = '', exit = '', words = '']) =>
    lives.split(/, */).map((life) => ({ habit, life, exit: Number(exit), words })),
  );
}

/** `habit | lives | what is wrong | finding` a line. */
export function knownFaults(): readonly KnownFault[] {
  return rowsOf('known-faults.txt').flatMap(([habit = '', lives = '', what = '', finding = '']) =>
    lives.split(/, */).map((life) => ({ habit, life, what, finding })),
  );
}

function rowsOf(file: string): readonly (readonly string[])[] {
  return readFileSync(join(FOLDER, file), 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.startsWith('#'))
    .map((line) => line.split('|').map((cell) => cell.trim()));
}
