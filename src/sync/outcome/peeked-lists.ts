import type { Kind } from '../../model/key.ts';
import { KINDS } from '../../model/key.ts';
import { once } from '../../model/once.ts';
import type { ListTags } from '../../remote/writing/list-steps.ts';
import type { PeekedList, Remote, RemoteList } from '../../remote/remote.ts';

export type Lists = Readonly<Record<Kind, RemoteList>>;

/** The three lists, each as its last answer in this run has it. */
export interface Peeked {
  /** Digests of their bytes. */
  readonly lists: Readonly<Record<Kind, string>>;
  /** Their ETags, if the service has some for all three that can be trusted. */
  readonly tags?: ListTags;
  readonly answers: Readonly<Record<Kind, PeekedList>>;
  /** Of these the service said only that nothing changed. */
  readonly unsent: readonly Kind[];
  /** What the service sent; undefined if it has not sent all three. */
  readonly read: (() => Lists) | undefined;
}

/** In three requests. `tags`: lists that have not changed are not sent. Nothing may be decided on such a one but that nothing changed. */
export async function peekLists(
  remote: Remote,
  known: Partial<Pick<Peeked, 'lists' | 'tags'>> | undefined,
): Promise<Peeked> {
  const [category, tag, article] = await Promise.all(
    KINDS.map((kind) => remote.peek(kind, known?.lists?.[kind] ?? '', known?.tags?.[kind])),
  );
  if (category === undefined || tag === undefined || article === undefined) {
    throw new Error('bug: three kinds give three lists');
  }
  return peekedOf({ category, tag, article });
}

function peekedOf(answers: Peeked['answers']): Peeked {
  const { category, tag, article } = answers;
  const each = <T>(of: (list: PeekedList) => T): Readonly<Record<Kind, T>> => ({
    category: of(category),
    tag: of(tag),
    article: of(article),
  });
  const tags = each((list) => list.tag ?? '');
  const unsent = KINDS.filter((kind) => answers[kind].list === undefined);
  return {
    answers,
    lists: each(({ digest }) => digest),
    ...(KINDS.every((kind) => tags[kind] !== '') ? { tags } : {}),
    unsent,
    read: unsent.length === 0 ? once(() => each(({ list }) => sent(list)())) : undefined,
  };
}

/** The three lists as the service sends them: what it has not sent yet is asked for again. */
export async function sentLists(
  remote: Remote,
  peeked: Peeked,
): Promise<Peeked & { readonly read: () => Lists }> {
  const { answers, lists, unsent } = peeked;
  const more = await Promise.all(
    unsent.map(async (kind) => [kind, await remote.peek(kind, lists[kind])] as const),
  );
  const whole = more.length === 0 ? peeked : peekedOf({ ...answers, ...Object.fromEntries(more) });
  if (whole.read === undefined) throw new Error('bug: a list without a condition was not sent');
  return { ...whole, read: whole.read };
}

function sent(list: PeekedList['list']): () => RemoteList {
  if (list === undefined) throw new Error('bug: a list that was not sent is read');
  return list;
}
