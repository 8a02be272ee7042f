import { replaceFile } from '../disk/disk.ts';
import type { Appender, Disk } from '../disk/disk.ts';

export interface JournalPlace {
  readonly disk: Disk;
  readonly file: string;
  readonly directory: string;
  /** The first line. */
  readonly header: string;
}

/** Lines of text in a file; every method is called when the one before is done. */
export interface LineFile {
  /** Replaces the file, durably. */
  start(lines: readonly string[]): Promise<void>;
  append(lines: readonly string[], mustLast: boolean): Promise<void>;
  remove(): Promise<void>;
  close(): Promise<void>;
}

/**
 * After a write or fsync that failed, what the file holds is not known (a second fsync may report success for pages that
 * were dropped), so nothing more is appended until `start` or `remove`.
 */
export function openLineFile({ disk, file, directory, header }: JournalPlace): LineFile {
  let appender: Appender | undefined;
  let isDirty = false;
  let broken: { readonly error: unknown } | undefined;

  const release = async (): Promise<void> => {
    const closing = appender;
    appender = undefined;
    isDirty = false;
    await closing?.close();
  };

  const renewed = async (renew: () => Promise<void>): Promise<void> => {
    await orBreak(async () => {
      await release();
      await renew();
    });
    broken = undefined;
  };

  const orBreak = async (work: () => Promise<void>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      broken = { error };
      throw error;
    }
  };

  return {
    start: (lines) => renewed(() => replaceFile(disk, file, [header, ...lines, ''].join('\n'), directory)),
    remove: () => renewed(() => disk.remove(file)),
    append: async (lines, mustLast) => {
      if (broken !== undefined) throw broken.error;
      await orBreak(async () => {
        appender ??= await disk.append(file);
        isDirty = true;
        await appender.write(`${lines.join('\n')}\n`);
        if (!mustLast) return;
        await appender.sync();
        isDirty = false;
      });
    },
    close: async () => {
      try {
        if (isDirty && broken === undefined) await appender?.sync();
      } finally {
        await release();
      }
    },
  };
}
