import type { Post } from './notify.ts';

const TIME_MS = 10_000;

/** Posts JSON; follows no redirect and reads nothing of the answer but its status. */
export const postJson: Post = async (url, body) => {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'user-agent': 'kbsync-fleet' },
      body: JSON.stringify(body),
      redirect: 'error',
      signal: AbortSignal.timeout(TIME_MS),
    });
    await response.body?.cancel();
    return response.ok;
  } catch {
    return false;
  }
};
