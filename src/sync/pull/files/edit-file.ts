import { fieldEntry, keyFor, neighbourIn, saysField } from '../../../content/document/written-fields.ts';
import type { Neighbour, Spelling } from '../../../content/document/written-fields.ts';
import { termPath } from '../../../content/corpus/implied.ts';
import { bodyOfFile, editedFile, withGap } from '../../../content/front-matter/write.ts';
import type { MatterEntry, MatterValue } from '../../../content/front-matter/write.ts';
import { htmlToMarkdown } from '../../../content/html-to-markdown/html-to-markdown.ts';
import { withKeptBlocks } from '../../../content/html-to-markdown/kept-blocks.ts';
import type { HtmlToMarkdownOptions } from '../../../content/html-to-markdown/options.ts';
import type { NewTitle } from '../../../content/navigations/new-title.ts';
import type { BodyDraft, ContentEditing } from '../../../content/options.ts';
import { headingTitle, isSameTitle } from '../../../content/presets/syntax/heading-title.ts';
import { areSame, pageNodes } from '../../../content/splicing/page-parts.ts';
import { splicedBody } from '../../../content/splicing/splice-body.ts';
import { wordEdits } from '../../../content/word-edits.ts';
import { rawTags } from '../../../content/markdown/raw-html.ts';
import { droppedFrom, sanitise } from '../../../content/markdown/sanitise.ts';
import { bodyFieldOf, fieldsOf, nameFieldOf } from '../../../model/fields.ts';
import { familyFrom, keyIn } from '../../../model/key.ts';
import type { Family } from '../../../model/key.ts';
import type { DesiredRecord } from '../../../model/record.ts';
import type { PullRun } from '../context.ts';
import { conversionOf } from './conversion.ts';
import { inFileForm } from './file-form.ts';
import type { Proposal } from '../proposals/proposal.ts';
import type { Fetched } from '../reading/read-records.ts';
import { writtenField } from './record-file.ts';
import { escapedHtml } from '../../../text/escaped-html.ts';
import { plainText } from '../../../content/source-text.ts';

interface Edited {
  readonly record: Fetched;
  readonly desired: DesiredRecord;
  readonly file: string;
  readonly fields: readonly string[];
  readonly run: PullRun;
  readonly editing: ContentEditing;
}

/** The file with what the site changed in it, or why nobody can write that there. */
export function editedProposal(edited: Edited): Proposal | { readonly why: string } {
  const { record, desired, file, fields, run } = edited;
  const before = run.options.folder.read(file);
  if (before === undefined) return { why: 'the file is gone' };
  const spelling = spellingOf(run);
  const neighbour = neighbourIn(before, spelling);
  const bodyField = bodyFieldOf(record.kind);
  const entries: MatterEntry[] = [];
  let heading: ((body: string) => string) | undefined;
  const named = newTitle(edited);
  const isInNavigation = named !== undefined && edited.editing.entered({ titles: [named] }).size > 0;
  for (const field of fields) {
    if (field === bodyField) continue;
    if (field === nameFieldOf(record.kind) && spelling.dialect !== undefined) {
      const title = titleEdit(before, { ...edited, isInNavigation }, spelling, neighbour);
      heading = title.heading;
      entries.push(...title.entries);
      continue;
    }
    const entry = entryFor(field, edited, spelling, neighbour);
    if ('why' in entry) return entry;
    entries.push(entry.entry);
  }
  // Pelican would show the quotes of YAML.
  if (spelling.dialect?.form === 'pelican' && entries.length > 0) return { why: NO_MATTER };
  const isBody = fields.includes(bodyField);
  // Until its navigation says the new title, a heading that says it is a part of the text.
  const isTitledLast = isInNavigation && isBody;
  const titled = isTitledLast ? before : editedFile(before, entries, heading);
  if (titled === undefined) return { why: NO_MATTER };
  const shown = run.options.spool.get(record.body);
  const own = isBody ? (desired.body?.render() ?? '') : '';
  const wanted = isBody ? inFileForm(record.kind, own, shown, run) : shown;
  const bodied = isBody ? withBody(titled, wanted, edited) : { text: titled };
  if ('why' in bodied) return bodied;
  const shownNow = bodied.isInFull === true ? sanitise(wanted) : wanted;
  const after = isTitledLast ? editedFile(bodied.text, entries, heading) : bodied.text;
  if (after === undefined) return { why: NO_MATTER };
  const shows = shownNow === shown ? {} : { shows: run.options.spool.put(shownNow) };
  return { key: desired.key, record, file, before, after, fields, title: named, ...shows };
}

const NO_MATTER = 'its front matter cannot be edited line by line';

/** Where a navigation says the title, the page alone cannot change it. */
function newTitle({ record, desired, file, fields, run }: Edited): NewTitle | undefined {
  const field = nameFieldOf(record.kind);
  const place = run.options.layout.preset.place(file);
  if (place.role !== 'document' || place.title === undefined || !fields.includes(field)) return undefined;
  if (place.title !== desired.fields[field]) return undefined;
  return { page: file, from: place.title, to: String(record.fields[field] ?? '') };
}

export function spellingOf({ options: { layout } }: Pick<PullRun, 'options'>): Spelling {
  return { fields: layout.fields, values: layout.values, dialect: layout.preset.foreign?.dialect };
}

/** Where a title stands: in front matter, in a heading, in a navigation, or in several of them. */
function titleEdit(
  text: string,
  { record, desired, isInNavigation }: Edited & { readonly isInNavigation: boolean },
  spelling: Spelling,
  neighbour: Neighbour,
): { readonly entries: readonly MatterEntry[]; readonly heading?: (body: string) => string } {
  const field = nameFieldOf(record.kind);
  const next = String(record.fields[field] ?? '');
  const old = String(desired.fields[field] ?? '');
  const body = bodyOfFile(text);
  const found = headingTitle(body);
  const isHeading = found !== undefined && isSameTitle(found.title, old);
  const key = keyFor(field, spelling, neighbour);
  const said = key === undefined ? undefined : neighbour.values.get(key);
  // The page shows its heading; the title of the front matter is another one, for navigations.
  const isOther = isHeading && typeof said === 'string' && !isSameTitle(said, old);
  const isSaid = saysField(field, spelling, neighbour);
  const entry = fieldEntry(field, next, spelling, neighbour);
  const entries =
    entry !== undefined && !isOther && (isSaid || (!isHeading && !isInNavigation)) ? [entry] : [];
  if (!isHeading) return { entries };
  const line = body.slice(found.start, found.end);
  const isEscaped = line.startsWith('<') && escapedHtml(next) !== next;
  const [own = withHeading(line, next)] = isEscaped ? [] : wordEdits(line, found.title, next);
  return {
    entries,
    heading: (now) => {
      const start = now.indexOf(line);
      return start < 0 ? now : `${now.slice(0, start)}${own}${now.slice(start + line.length)}`;
    },
  };
}

/** `# Title` or `<h1>Title</h1>` with another title. */
function withHeading(line: string, title: string): string {
  return line
    .replace(/^( {0,3}#{1,6}[ \t]+)[^\n]*$/, (_, marks: string) => `${marks}${title}`)
    .replace(
      /^(<h1\b[^>]*>)[^]*(<\/h1>[ \t]*)$/i,
      (_, open: string, close: string) => `${open}${escapedHtml(title)}${close}`,
    );
}

function entryFor(
  field: string,
  edited: Edited,
  spelling: Spelling,
  neighbour: Neighbour,
): { readonly entry: MatterEntry } | { readonly why: string } {
  const { record, run } = edited;
  const { of } = fieldsOf(record.kind).get(field) ?? {};
  const written = writtenField(record, field, run.context);
  if (written === undefined) return { why: `its \`${field}\` names a record that has no file` };
  const isTerms = of !== undefined && spelling.dialect !== undefined;
  const key = isTerms ? keyFor(field, spelling, neighbour) : undefined;
  const said = key === undefined ? undefined : neighbour.values.get(key);
  const value = isTerms ? termNames(field, written, said, edited) : written;
  const entry = fieldEntry(field, value, spelling, neighbour);
  return entry === undefined ? { why: `this layout has no key for \`${field}\`` } : { entry };
}

/** Names of tags and categories: those that the file has as it spells them, in its order; new ones as people call them. */
function termNames(
  field: string,
  written: MatterValue,
  said: unknown,
  { record, run }: Pick<Edited, 'record' | 'run'>,
): MatterValue {
  const kind = field === 'tags' ? 'tag' : 'category';
  const paths = Array.isArray(written) ? written.map(String) : written === null ? [] : [String(written)];
  const names: readonly unknown[] = Array.isArray(said) ? said : [said];
  const own = names.filter((name) => typeof name === 'string');
  const kept = own.filter((name) => paths.includes(termPath(name)));
  const known = new Set(kept.map(termPath));
  const added = paths.filter((path) => !known.has(path)).map((path) => termName(kind, path, record, run));
  return [...kept, ...added];
}

export function termName(kind: 'tag' | 'category', path: string, record: Fetched, run: PullRun): string {
  const family: Family = familyFrom(kind, path);
  const { state } = run.options.content;
  const desired =
    state.records.get(keyIn(family, record.lang)) ?? state.records.get(keyIn(family, state.defaultLanguage));
  const shown = run.shown(keyIn(family, state.defaultLanguage));
  const name = desired?.fields['name'] ?? shown?.fields['name'];
  return typeof name === 'string' && termPath(name) === path ? name : path;
}

/** `isInFull`: it has what `html: sanitize` leaves out too, as the site does. */
type Bodied = { readonly text: string; readonly isInFull?: true } | { readonly why: string };

function withBody(text: string, wanted: string, edited: Edited): Bodied {
  const { record, desired, file, run, editing } = edited;
  const draftOf = (whole: string): BodyDraft | undefined => editing.draft(desired.key, plainText(whole));
  const rewritten = (body: string): string | undefined => editedFile(text, [], () => body);
  const draft = draftOf(text);
  if (draft === undefined || draft.body !== bodyOfFile(text))
    return { why: 'its text cannot be taken apart' };
  const redraft = (body: string): BodyDraft | undefined => {
    const whole = rewritten(body);
    return whole === undefined ? undefined : draftOf(whole);
  };
  const options = conversionOf(record, file, run, draft);
  const made = bodyFor(text, wanted, { desired, draft, redraft, options, run });
  if (!('why' in made)) return textWith(made.body, rewritten);
  if (options.html === 'sanitize' && keepsWhatIsDropped(draft, wanted)) {
    const asWritten = (body: string): BodyDraft | undefined => {
      const next = redraft(body);
      return next === undefined ? undefined : inFull(next);
    };
    const whole = bodyFor(text, wanted, {
      desired,
      draft: inFull(draft),
      redraft: asWritten,
      options,
      run,
    });
    if (!('why' in whole)) return { ...textWith(whole.body, rewritten), isInFull: true };
  }
  return made;
}

function textWith(body: string, rewritten: (body: string) => string | undefined): Bodied {
  const after = rewritten(body);
  return after === undefined ? { why: 'its line ends are mixed' } : { text: after };
}

function inFull(draft: BodyDraft): BodyDraft {
  return { ...draft, render: draft.renderAll };
}

/**
 * Whether the site shows things that `html: sanitize` leaves out, and all those that the file has. Such a text came from the site, and
 * only with them are the two comparable; what an author wrote and no sync ever sent would be taken for deleted.
 */
function keepsWhatIsDropped(draft: BodyDraft, wanted: string): boolean {
  const there = counted(wanted);
  return (
    there.size > 0 &&
    [...counted(draft.renderAll(draft.markdown))].every(([what, count]) => count <= (there.get(what) ?? 0))
  );
}

function counted(html: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { what } of droppedFrom(rawTags(html))) counts.set(what, (counts.get(what) ?? 0) + 1);
  return counts;
}

function bodyFor(
  text: string,
  wanted: string,
  own: OwnBody,
): { readonly body: string } | { readonly why: string } {
  const { draft, redraft, options, run } = own;
  const spliced = splicedBody({ draft, redraft, wanted, layout: run.options.layout.preset.name, options });
  if ('body' in spliced) return spliced;
  const body = ownBody(text, wanted, own);
  if (body !== undefined) return { body };
  const line = plainText(text).split('\n').length - draft.body.split('\n').length + spliced.line;
  return { why: `line ${line}: ${spliced.why}` };
}

interface OwnBody {
  readonly desired: DesiredRecord;
  readonly draft: BodyDraft;
  readonly redraft: (body: string) => BodyDraft | undefined;
  readonly options: HtmlToMarkdownOptions;
  readonly run: PullRun;
}

/** Our own layout says everything: the whole text anew, with the author's blocks where they are the same. */
function ownBody(
  text: string,
  wanted: string,
  { desired, draft, redraft, options, run }: OwnBody,
): string | undefined {
  if (run.options.layout.preset.foreign !== undefined) return undefined;
  const written = bodyOfFile(text);
  const before = htmlToMarkdown(draft.render(draft.markdown), options).markdown;
  const { markdown: after } = htmlToMarkdown(wanted, options);
  const body = withGap(written, withKeptBlocks({ written, before, after, lang: desired.lang }));
  const next = redraft(body);
  if (next === undefined) return undefined;
  return areSame(pageNodes(next.render(next.markdown), options), pageNodes(wanted, options))
    ? body
    : undefined;
}
