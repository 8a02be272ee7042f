import { digestOfText } from '../../src/model/digest.ts';
import type { Fields } from '../../src/model/fields.ts';
import { bodyFieldOf, nameFieldOf } from '../../src/model/fields.ts';
import type { Key } from '../../src/model/key.ts';
import { familyFrom, keyOf, parseKey } from '../../src/model/key.ts';
import type { DesiredRecord, DesiredState } from '../../src/model/record.ts';

export interface FileSketch {
  /** Owned fields; name and slug follow from the key unless given. */
  readonly fields?: Fields;
  readonly initial?: Fields;
  /** The body's HTML; default for an article: one paragraph. `null`: no body of ours. */
  readonly body?: string | null;
}

/** A desired state from keys and what differs from the obvious: `{'article/a@en': {body: '<p>a</p>'}}`. */
export function desiredState(
  files: Readonly<Record<string, FileSketch>>,
  defaultLanguage = 'en',
): DesiredState {
  const records = new Map<Key, DesiredRecord>();
  for (const [text, sketch] of Object.entries(files)) {
    const record = desiredRecord(text, sketch, defaultLanguage);
    records.set(record.key, record);
  }
  return {
    records,
    defaultLanguage,
    languages: [...new Set([defaultLanguage, ...[...records.values()].map(({ lang }) => lang)])],
    fileCount: records.size,
    scopeDigest: digestOfText('scope'),
  };
}

function desiredRecord(text: string, sketch: FileSketch, defaultLanguage: string): DesiredRecord {
  const parts = parseKey(text);
  if (parts === undefined) throw new Error(`not a key: ${text}`);
  const { kind, path, lang } = parts;
  const slug = path.slice(path.lastIndexOf('/') + 1);
  const html = sketch.body === undefined ? (kind === 'article' ? `<p>${text}</p>` : null) : sketch.body;
  return {
    key: keyOf(kind, path, lang),
    kind,
    family: familyFrom(kind, path),
    lang,
    isOriginal: lang === defaultLanguage,
    fields: {
      [nameFieldOf(kind)]: `${slug} in ${lang}`,
      slug,
      ...(kind === 'article' ? { categories: [] } : {}),
      ...sketch.fields,
    },
    initial: {
      ...(kind === 'article' ? { excerpt: '', ordering: 0, status: 'published' } : {}),
      ...sketch.initial,
    },
    ...(html === null
      ? {}
      : { body: { field: bodyFieldOf(kind), inputDigest: digestOfText(html), render: () => html } }),
    at: { file: `${lang}/${kind}/${path}.md`, line: 1, column: 1 },
    places: () => ({}),
  };
}
