import type { Meaning, Part } from '../tag.ts';
import { KEEP, argument, markdownText, plainName, wrapper } from './part-rule.ts';
import type { PartRules } from './part-rule.ts';

/** Trees of files: Starlight's is a list already; those of Nextra, Fumadocs and Mintlify become one. */
export const FILES: PartRules = {
  filetree: treeOf,
  files: treeOf,
  tree: treeOf,
  filetreecontainer: treeOf,
  filetreefolder: keepEntry,
  filetreefile: keepEntry,
  treefolder: keepEntry,
  treefile: keepEntry,
};

const FOLDERS = new Set(['filetreefolder', 'folder', 'treefolder']);
const ENTRIES = new Set([...FOLDERS, 'filetreefile', 'file', 'treefile']);

function treeOf(part: Part): Meaning | undefined {
  const lines = entries(part.children, 0);
  if (lines.length > 0) return { as: 'text', text: lines.join('\n') };
  return part.closer === undefined ? undefined : wrapper(part);
}

function entries(parts: readonly Part[], depth: number): readonly string[] {
  return parts.flatMap((part) => {
    const name = plainName(part.tag.name);
    const title = argument(part, 'name', 'title');
    if (!ENTRIES.has(name) || title === undefined) return entries(part.children, depth);
    const shown = FOLDERS.has(name) && !title.endsWith('/') ? `${title}/` : title;
    return [`${'  '.repeat(depth)}- ${markdownText(shown)}`, ...entries(part.children, depth + 1)];
  });
}

/** Outside a tree. */
function keepEntry(): Meaning {
  return KEEP;
}
