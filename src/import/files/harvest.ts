import { inputFiles, readInput } from './input-files.ts';
import type { GivenPath } from './input-files.ts';
import type { Harvest, ReaderOptions, Skipped, System } from '../record.ts';

export interface Harvested {
  readonly harvest: Harvest;
  readonly fileCount: number;
  /** Files of a folder that are none of the system's. */
  readonly passedOver: number;
}

/** Everything that a system's mapping makes of these files; what cannot be read is among the skipped. */
export function harvestOf(system: System, given: readonly GivenPath[], reading: ReaderOptions): Harvested {
  const { files, skipped, passedOver } = inputFiles(given, system.extensions);
  const reader = system.open(reading);
  const broken: Skipped[] = [...skipped];
  for (const file of files) {
    const read = readInput(file);
    if ('text' in read) reader.read(read);
    else broken.push(read);
    if ('garbled' in read) broken.push(read.garbled);
  }
  const { records, skipped: left } = reader.end();
  return { harvest: { records, skipped: [...broken, ...left] }, fileCount: files.length, passedOver };
}
