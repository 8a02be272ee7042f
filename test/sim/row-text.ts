import type { DesiredRecord } from '../../src/model/record.ts';
import type { Row } from './service.ts';

export function lookKey(id: string, lang: string): string {
  return `${id}@${lang}`;
}

export function versionOf({ id, version }: Row): string {
  return `${id}.${version}`;
}

/** Whether the lists show that it was edited. */
export function isVisible(before: Row | undefined, after: Row): boolean {
  if (after.kind === 'article') return true;
  // A translation that was deleted and made again between two lists leaves no trace either.
  if (after.parent !== null) return false;
  if (before === undefined) return true;
  const names = after.kind === 'tag' ? ['name', 'slug'] : ['name', 'priority'];
  return names.some((name) => before.fields[name] !== after.fields[name]);
}

/** Without the mark of a slug that was moved out of the way. */
export function slugOf({ fields }: Row): string {
  return String(fields['slug']).replace(/--kbsync-[0-9a-f]{8}$/, '');
}

export function stampKeyOf(row: Row): string | undefined {
  return /<!-- kbsync (?:1|2 \S+) (\S+)/.exec(
    String(row.fields['content'] ?? row.fields['longDescription']),
  )?.[1];
}

export function bodyTextOf({ kind, fields }: Row): string {
  const name = kind === 'article' ? 'content' : kind === 'tag' ? 'longDescription' : 'description';
  return String(fields[name]).replaceAll(/\s*<!--.*?-->\s*/g, '');
}

export function uidOf(row: Row): string {
  return /\[(u\d+)\]/.exec(bodyTextOf(row))?.[1] ?? '';
}

export function sayingOf(row: Row): string {
  const { fields } = row;
  return JSON.stringify([
    row.kind,
    row.lang ?? 'en',
    fields['title'] ?? fields['name'],
    slugOf(row),
    bodyTextOf(row),
  ]);
}

export function bodyTextOfDesired(record: DesiredRecord): string {
  return record.body?.render() ?? String(record.fields['description']);
}

export function uidOfDesired(record: DesiredRecord): string {
  return /\[(u\d+)\]/.exec(bodyTextOfDesired(record))?.[1] ?? '';
}

export function sayingOfDesired(record: DesiredRecord): string {
  const { kind, lang, fields } = record;
  return JSON.stringify([
    kind,
    lang,
    fields['title'] ?? fields['name'],
    fields['slug'],
    bodyTextOfDesired(record),
  ]);
}
