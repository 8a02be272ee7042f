import { readFileSync } from 'node:fs';

/** `package.json` beside `src` or `dist`. */
export function packageVersion(): string {
  return /"version": *"([^"]+)"/.exec(packageText())?.[1] ?? 'unknown';
}

/** The Node.js that runs this, and the one that the package needs: `20.19.0`, `>=20.19`. */
export function nodeVersions(): { readonly running: string; readonly needed: string } {
  return { running: process.versions.node, needed: /"node": *"([^"]+)"/.exec(packageText())?.[1] ?? '' };
}

function packageText(): string {
  return readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
}
