import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

/** Of this run. A socket's path may have about a hundred characters, so it is short. */
const NAME = `kbsync-${process.pid}-`;

/**
 * One folder for all that the tests of a run, and the commands that they start, put into the temporary folder. It goes when
 * the run ends, so a test that dies leaves nothing behind. Each project of Vitest asks for it; the first one makes it.
 */
export default function temporaryRoot(): (() => void) | undefined {
  if (basename(tmpdir()).startsWith(NAME)) return undefined;
  const root = mkdtempSync(join(tmpdir(), NAME));
  // PostgreSQL runs as another user, in a folder of its own below this one.
  chmodSync(root, 0o711);
  process.env['TMPDIR'] = root;
  return () => rmSync(root, { recursive: true, force: true });
}
