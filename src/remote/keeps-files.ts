import { RemoteError } from './error.ts';
import { stopsEverything } from './read-many.ts';
import type { Remote } from './remote.ts';

/** Whether the service says that it keeps images and files: in one request, unless it has said so already. */
export async function keepsFiles(remote: Remote): Promise<boolean> {
  if (remote.capabilities().files === 'yes') return true;
  try {
    // The shortest answer that every service has; what it says of itself stands in the headers.
    await remote.tool('versions', { count: 1 });
  } catch (error) {
    const isAnswer = error instanceof RemoteError && error.status !== undefined;
    if (!isAnswer || stopsEverything(error)) throw error;
  }
  return remote.capabilities().files === 'yes';
}
