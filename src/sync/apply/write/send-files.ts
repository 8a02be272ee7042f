import type { LocalFile } from '../../../model/record.ts';
import type { Change } from '../../../plan/plan.ts';
import { RemoteError } from '../../../remote/error.ts';
import { isLongWait } from '../../../remote/http/retry.ts';
import { stopsEverything } from '../../../remote/read-many.ts';
import type { Result } from '../../report.ts';
import { desiredOf, resultOf, type FileEnd, type Run } from '../../run.ts';

/**
 * Has the service keep the files that a record shows, before the record shows them. Each is asked for once in a run, and sent
 * if it is not there. Answers the record's own result if one of them is not kept: then the record must wait.
 */
export async function sendFiles(change: Change, run: Run): Promise<Result | undefined> {
  for (const digest of desiredOf(change, run).files ?? []) {
    const file = run.desired.files?.get(digest);
    if (file === undefined) throw new Error(`bug: ${change.key} shows a file that the state does not have`);
    const begun = run.files.get(digest) ?? sendFile(digest, file, run);
    run.files.set(digest, begun);
    const { outcome, message } = await begun;
    if (outcome === 'failed' || outcome === 'skipped') return resultOf(change, outcome, message, change.id);
  }
  return undefined;
}

async function sendFile(digest: string, file: LocalFile, run: Run): Promise<FileEnd> {
  if (file.withoutAddress !== undefined)
    return { outcome: 'failed', message: `${file.path}: ${file.withoutAddress}` };
  try {
    if (await run.remote.hasFile(digest)) return { outcome: 'kept' };
    const bytes = await file.read();
    if (bytes === undefined)
      return { outcome: 'failed', message: `${file.path} changed while the run was under way; run again` };
    await run.remote.storeFile(digest, file.name, bytes);
    return { outcome: 'sent' };
  } catch (error) {
    if (!(error instanceof RemoteError)) throw error;
    if (stopsEverything(error)) run.stop = error.message;
    const outcome = error.code === 'aborted' || isLongWait(error) ? 'skipped' : 'failed';
    return {
      outcome,
      message: `the service does not keep ${file.path}: ${error.serviceMessage ?? error.message}`,
    };
  }
}
