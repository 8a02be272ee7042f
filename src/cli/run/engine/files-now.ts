import type { DesiredState } from '../../../model/record.ts';
import type { OutcomeMemory } from '../../../sync/outcome/known-outcome.ts';
import type { SyncPolicy } from '../../../sync/report.ts';
import { type FilesRead } from '../read-files.ts';
import { readForService } from '../read-for-service.ts';
import type { LoadedBase } from '../../../base/base.ts';
import { counted } from '../../print/terminal/numbers.ts';
import { outcomesOf } from '../../../session/outcome-file.ts';
import { publishable, withBareCategories } from '../../../sync/publishable.ts';
import { type Uploading } from '../upload-run.ts';
import type { SignalledRun, Prepared } from './prepare.ts';

interface FilesNow {
  readonly desired: () => DesiredState;
  readonly outcomes: OutcomeMemory | undefined;
  /** undefined: no command publishes files. */
  readonly uploading: Uploading | undefined;
}

/** What the files want: they are read again when a command has published some of them, because only then their addresses are known. */
export function filesNow(
  { flags, world, options, printer, signal }: SignalledRun,
  { settings, access, files }: Prepared,
  { base, policy }: { readonly base: LoadedBase; readonly policy: SyncPolicy },
): FilesNow {
  const bound = { version: world.version, address: access.address.href, base, policy };
  const desiredIn = (read: FilesRead): DesiredState =>
    read.hasErrors && options.ignoresProblems !== true
      ? withBareCategories(publishable(read.content, base.state), read.content, base.state).desired
      : read.content.state;
  const outcomesIn = (read: FilesRead) => outcomesOf(settings.cacheFile, { ...bound, content: read.content });
  let desired = desiredIn(files);
  let outcomes = outcomesIn(files);
  const { uploads } = files;
  if (uploads === undefined) return { desired: () => desired, outcomes, uploading: undefined };
  return {
    desired: () => desired,
    outcomes: latest(() => outcomes),
    uploading: {
      upload: (digests) => {
        printer.emit({ type: 'note', text: `uploading ${counted(digests.size, 'file')}` });
        const pending = [...(desired.files ?? [])].filter(([digest]) => digests.has(digest));
        return uploads.upload(new Map(pending), signal);
      },
      again: async () => {
        const read = await readForService(settings, flags, world, { access, uploads });
        outcomes = outcomesIn(read);
        desired = desiredIn(read);
        return desired;
      },
    },
  };
}

/** Of the files as they were read last. */
function latest(outcomes: () => OutcomeMemory | undefined): OutcomeMemory {
  return {
    read: () => outcomes()?.read(),
    beforeEdits: () => outcomes()?.beforeEdits?.(),
    write: (outcome) => outcomes()?.write(outcome),
    writeAfter: (outcome, checksum) => outcomes()?.writeAfter?.(outcome, checksum),
  };
}
