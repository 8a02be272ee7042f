/** The peers from the npm registry, in exact versions, in a folder of the machine's temporary files: never in this repo. */
import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const INSTALL_MS = 240_000;

/** Where the package is, once it is there; throws with npm's last words otherwise. Kept from run to run. */
export async function installed({ name, version }) {
  const folder = join(
    tmpdir(),
    'kbsync-bench-peers',
    `${name.replace(/^@/, '').replace('/', '-')}-${version}`,
  );
  const home = join(folder, 'node_modules', name);
  if (versionIn(home) === version) return home;
  mkdirSync(folder, { recursive: true });
  const args = ['install', '--ignore-scripts', '--no-save', '--no-audit', '--no-fund', '--prefix', folder];
  console.error(`installing ${name}@${version}`);
  try {
    await promisify(execFile)('npm', [...args, `${name}@${version}`], { timeout: INSTALL_MS, cwd: folder });
  } catch (error) {
    const words = String(error.stderr ?? error.message)
      .trim()
      .split('\n');
    throw new Error(`npm install ${name}@${version}: ${words.slice(0, 3).join(' ')}`, { cause: error });
  }
  if (versionIn(home) !== version) throw new Error(`npm install ${name}@${version} left no ${home}`);
  return home;
}

function versionIn(home) {
  try {
    return JSON.parse(readFileSync(join(home, 'package.json'), 'utf8')).version;
  } catch {
    return undefined;
  }
}
