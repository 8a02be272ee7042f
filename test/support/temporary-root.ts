import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * One folder for all that the tests of a run, and the commands that they start, put into the temporary folder. It goes when
 * the run ends, so a test that dies leaves nothing behind.
 */
export default function temporaryRoot(): () => void {
  const root = mkdtempSync(join(tmpdir(), 'kbsync-tests-'));
  // PostgreSQL runs as another user, in a folder of its own below this one.
  chmodSync(root, 0o711);
  process.env['TMPDIR'] = root;
  return () => rmSync(root, { recursive: true, force: true });
}
