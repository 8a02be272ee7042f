import type { FieldValue } from '../../model/fields.ts';
import { frontMatter } from '../front-matter/read.ts';
import type { MatterEntry, MatterValue } from '../front-matter/write.ts';
import type { ContentOptions } from '../options.ts';
import type { Dialect } from '../presets/preset.ts';
import { OPPOSITE, flattened } from './foreign-document.ts';
import { plainText } from '../source-text.ts';

export interface Spelling extends Pick<ContentOptions, 'fields' | 'values'> {
  /** Undefined for our own layout. */
  readonly dialect: Dialect | undefined;
}

/** The front matter that a new line is written into: of the file itself, or of one beside a new file. */
export interface Neighbour {
  readonly values: ReadonlyMap<string, unknown>;
}

/** A file's front matter, keys inside of keys as `sidebar.order`; empty where it cannot be read. */
export function neighbourIn(text: string, { dialect }: Spelling): Neighbour {
  const { values, problems } = frontMatter(plainText(text), dialect?.form);
  return { values: problems.length > 0 ? new Map() : flattened(values) };
}

/** The key under which a file of this layout says a field, as it spells it; undefined: it has none for it. */
export function keyFor(field: string, spelling: Spelling, { values }: Neighbour): string | undefined {
  return foundKey(field, spelling, values)?.key;
}

/** Whether the file itself says the field. */
export function saysField(field: string, spelling: Spelling, { values }: Neighbour): boolean {
  const key = keyFor(field, spelling, { values });
  return key !== undefined && values.has(key);
}

/** A field as this layout writes it; undefined: it has no key for it. */
export function fieldEntry(
  field: string,
  value: FieldValue,
  spelling: Spelling,
  neighbour: Neighbour,
): MatterEntry | undefined {
  const found = foundKey(field, spelling, neighbour.values);
  if (found === undefined) return undefined;
  return [found.key, writtenValue(field, value, found, { spelling, said: neighbour.values.get(found.key) })];
}

interface FoundKey {
  readonly key: string;
  readonly isOpposite: boolean;
}

function foundKey(
  field: string,
  { dialect, fields }: Spelling,
  values: ReadonlyMap<string, unknown>,
): FoundKey | undefined {
  const own = Object.hasOwn(fields, field) ? fields[field] : undefined;
  const names = own === undefined ? (dialect === undefined ? [field] : (dialect.fields[field] ?? [])) : [own];
  const plain = (key: string): string => (dialect?.hasCaselessKeys === true ? key.toLowerCase() : key);
  const spelled = new Map([...values.keys()].map((key) => [plain(key), key]));
  const candidates = names.map((name) => {
    const bare = name.replace(/^!/, '');
    return { key: spelled.get(plain(bare)), bare, isOpposite: OPPOSITE.test(name) };
  });
  const said = candidates.find(({ key }) => key !== undefined) ?? candidates[0];
  return said === undefined ? undefined : { key: said.key ?? said.bare, isOpposite: said.isOpposite };
}

function writtenValue(
  field: string,
  value: FieldValue,
  { key, isOpposite }: FoundKey,
  { spelling, said }: { readonly spelling: Spelling; readonly said: unknown },
): MatterValue {
  const words = Object.entries(spelling.values?.[field] ?? {});
  const word = words.find(([, meant]) => meant === value)?.[0];
  if (word !== undefined) return word;
  if (spelling.dialect === undefined) return value;
  const isFlag = typeof said === 'boolean' || (said === undefined && key !== 'status');
  if (field === 'status' && isFlag) return (value === 'published') === isOpposite;
  return typeof value === 'boolean' && isOpposite ? !value : value;
}
