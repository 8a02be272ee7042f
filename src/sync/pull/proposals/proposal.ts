import type { Spooled } from '../../../content/files/folder.ts';
import type { NewEntries, NewPage } from '../../../content/navigations/entered-pages.ts';
import type { NewLabel } from '../../../content/navigations/new-label.ts';
import type { NewTitle } from '../../../content/navigations/new-title.ts';
import type { ContentEditing } from '../../../content/options.ts';
import type { Key } from '../../../model/key.ts';
import type { Fetched } from '../reading/read-records.ts';
import type { PulledText } from '../report.ts';

/** A file as it would be after the pull. */
export interface Proposal {
  readonly key: Key;
  readonly record: Fetched;
  readonly file: string;
  /** Undefined: there is no such file yet. */
  readonly before: string | undefined;
  readonly after: string;
  /** What is brought in; of a new file everything that it says. */
  readonly fields: readonly string[];
  /** Other fields of the record, which the author changed and no sync has sent yet. */
  readonly rest?: readonly string[];
  /** The text that the file will show, where the service shows another form of it. */
  readonly shows?: Spooled;
  readonly text?: PulledText | undefined;
  /** How navigations name it, if it is a new page of a layout that has some. */
  readonly entry?: NewPage | undefined;
  /** What navigations call it from now on, if they say its title. */
  readonly title?: NewTitle | undefined;
  /** What `file`, a navigation, calls a category from now on that has no file of its own. */
  readonly label?: NewLabel | undefined;
}

/** The texts of these proposals, and of the navigations that name their new pages. */
export function draftsOf(
  proposals: readonly Proposal[],
  editing: Pick<ContentEditing, 'entered'>,
): ReadonlyMap<string, string> {
  const texts = proposals.map(({ file, after }) => [file, after] as const);
  return new Map([...texts, ...textsOf(editing.entered(entriesOf(proposals)))]);
}

/** What navigations have to say of the pages of these proposals. */
export function entriesOf(proposals: readonly Proposal[]): Required<NewEntries> {
  return {
    pages: proposals.flatMap(({ entry }) => entry ?? []),
    titles: proposals.flatMap(({ title }) => title ?? []),
    labels: proposals.flatMap(({ label }) => label ?? []),
  };
}

/** Navigations as texts by path. */
export function textsOf(entered: ReturnType<ContentEditing['entered']>): ReadonlyMap<string, string> {
  return new Map([...entered].map(([path, { text }]) => [path, text]));
}

export function isProposal(made: object): made is Proposal {
  return 'after' in made;
}
