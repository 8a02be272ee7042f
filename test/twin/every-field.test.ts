import { expect, test } from 'vitest';
import { noting, ODDITIES, withOddField } from './support/fields.ts';
import type { FieldPath, Oddity } from './support/fields.ts';
import { shortLife } from './support/short-life.ts';
import { createRepository } from './support/repository.ts';
import type { Habit } from './support/service/habit.ts';
import { createStage } from './support/stage.ts';
import type { Stage } from './support/stage.ts';

/** What our field of a record is called on the wire. */
const FIELD_OF: Readonly<Record<string, string>> = {
  name: 'title|name',
  order_by: 'ordering|priority',
  article_relationships: 'categories',
  tags_relationship: 'tags',
  parent_id: 'categoryParent',
  long_description: 'longDescription',
  thumbnail_url: 'thumbnailUrl',
  icon_url: 'iconUrl',
  hide_from_search: 'hideFromSearch',
  seo_banner_url: 'seoBannerUrl',
  article_review_date: 'articleReviewDate',
};

/** The sentences that are right for a field: it cannot be read, or what can be read there is another value. */
function rightWords(path: FieldPath): RegExp {
  const parts = path.split(/\.|\[\]/).filter((part) => part !== '' && part !== 'data');
  const name = parts[0] ?? path;
  const ours = FIELD_OF[name] ?? name;
  return new RegExp(
    [
      // What is needed and cannot be read, with the reason.
      `the field \\S+ of the answer is .+; it must be .+, because `,
      `it has no "success": true, so it is not an answer of this API`,
      `\\(data\\.${name} is .+\\)`,
      // A value that can be read: somebody's edit, shown with both sides.
      `conflict \\S+ (?:[\\w, ]*\\b)?(?:${ours})\\b`,
      `drift \\S+ (?:${ours})\\b`,
      `the service does not show (?:${ours}), an edit must contain it`,
      `not sent: (?:${ours}) is .+; it must (?:be|have) `,
      `the service refused it \\(4\\d\\d\\): .*(?:${ours}|tag|category)`,
      // Ids and lists that say other things than the single reads.
      ...(name === 'id' || path === 'data'
        ? [
            'list may be truncated|which may be truncated',
            'the id .+ is in the list twice, with different values',
          ]
        : []),
      // The id of another record is an open draft.
      ...(name === 'isDraft' ? ['somebody has an open draft of it on the site'] : []),
      // Whether there are translations cannot be read, so the original is not deleted, and the run says so.
      ...(name === 'other_articles' ? ['kept \\S+: no file; it has translations that stay'] : []),
    ].join('|'),
  );
}

/**
 * A value that can be read and is not what was sent is somebody's edit: it stands until the file changes that field, and
 * an edit of other fields carries it.
 */
function isStanding(fault: string, path: FieldPath): boolean {
  const ours = FIELD_OF[path.split('.').at(-1) ?? ''] ?? path.split('.').at(-1);
  return new RegExp(`exit 0, but .*: (?:${ours}) is `).test(fault);
}

const EVERY = Object.keys(ODDITIES) as readonly Oddity[];
const REPLIES = ['article', 'category', 'tag'].flatMap((kind) => [`list ${kind}`, `read ${kind}`]);

/** An article that names itself as its draft: there is no other one. */
const OWN_DRAFT: Habit = {
  shapes:
    () =>
    (body, { reply, kind }) => {
      const data = body['data'];
      const isRead = reply === 'read' && kind === 'article' && typeof data === 'object' && data !== null;
      return isRead && 'id' in data ? { ...body, isDraft: { id: data.id } } : body;
    },
};

async function fieldsOfReplies(): Promise<ReadonlyMap<string, ReadonlySet<FieldPath>>> {
  const fields = new Map<string, Set<FieldPath>>();
  const stage = await createStage([OWN_DRAFT, noting(fields)], 1);
  await shortLife(stage);
  await toolLists(stage);
  await stage.close();
  expect([stage.faults, stage.stops]).toEqual([[], []]);
  return fields;
}

const CREATOR = ['username', 'first_name', 'last_name', 'email_address'];
const inside = (name: string, ...inner: readonly string[]): readonly string[] => [
  name,
  ...inner.map((each) => `${name}.${each}`),
];

/** Every field of the API text. */
const FIELDS: Readonly<Record<string, readonly FieldPath[]>> = {
  'list article': [
    'success data timezone limit languages aiSummary',
    'data[].id data[].name data[].status data[].last_edited_date data[].ai_summary',
    ...inside('data[].other_articles'),
    'data[].other_articles[].language data[]._count data[]._count.tracking',
    ...inside('data[].users_articles_created_byTousers', ...CREATOR),
  ],
  'list category': [
    'success data data[].id data[].name data[].order_by',
    'data[].other_categories_categories_language_parentTocategories',
    'data[].other_categories_categories_language_parentTocategories[].language',
    ...inside('data[].users_categories_created_byTousers', ...CREATOR),
    ...inside('data[].article_relationships', 'added_date', 'category_id', 'id', 'site_id'),
    ...inside('data[].other_categories_categories_parent_idTocategories', 'name'),
  ],
  'list tag': [
    'success message data languages data[].id data[].name data[].slug',
    'data[].other_tags data[].other_tags[].language data[].tag_relationship',
    ...inside('data[].users_tags_created_byTousers', ...CREATOR),
    ...['added_by', 'added_date', 'article_id', 'id', 'site_id', 'tag_id'].map(
      (name) => `data[].tag_relationship[].${name}`,
    ),
  ],
  'read article': [
    'success message data newVersion isDraft isDraft.id',
    'categories categories[].id categories[].label categories[].value tags tags[].id tags[].label tags[].value',
    ...inside('data', 'id', 'name', 'content', 'slug', 'excerpt', 'order_by', 'status', 'created_date'),
    ...inside('data', 'article_parent', 'last_edited_Date', 'seo_banner_url', 'hide_from_search'),
    ...inside('data', 'article_review_date', 'language', 'language_parent'),
    'data.tags_relationship data.tags_relationship[].id data.tags_relationship[].tag_id',
    'data.article_relationships data.article_relationships[].id data.article_relationships[].category_id',
  ],
  'read category': [
    'success message data newVersion',
    ...inside('data', 'id', 'name', 'slug', 'order_by', 'parent_id', 'thumbnail_url', 'description'),
    ...inside('data', 'long_description', 'icon_url', 'language', 'language_parent'),
  ],
  'read tag': [
    'success message data newVersion',
    ...inside('data', 'id', 'name', 'slug', 'description', 'long_description', 'language', 'language_parent'),
  ],
  write: ['success message'],
  error: ['success message'],
  tool: [
    'success message data data[].id data[].version data[].name data[].release_timestamp data[].active_version',
    'data[].released_version data[].changelog_features',
    ...['id', 'changelog_version', 'name', 'description', 'image_url'].map(
      (name) => `data[].changelog_features[].${name}`,
    ),
    'data[].site_id data[].article_id data[].url data[].created_date data[].working',
    ...inside('data[].articles', 'id', 'name'),
    'data[].status data[].article_review_date data[].language',
    ...inside('data[].users_articles_created_byTousers', ...CREATOR),
  ],
};

test('every field of the API text is in a reply of these lives', async () => {
  const fields = await fieldsOfReplies();
  const missing = Object.entries(FIELDS).flatMap(([reply, paths]) =>
    paths
      .flatMap((path) => path.split(' '))
      .filter((path) => fields.get(reply)?.has(path) !== true)
      .map((path) => `${reply}: ${path}`),
  );
  expect(missing).toEqual([]);
});

const TOOLS = ['versions', 'links', 'reviews'];

/** The lists that only print. */
async function toolLists(stage: Stage): Promise<void> {
  stage.step('lists');
  const files = createRepository('A');
  files.add('en/articles/linked', 'Linked', { articleReviewDate: '2027-03-01T09:00:00.000Z' }, LINK);
  const laptop = stage.machine('reader', files);
  await stage.run(laptop);
  for (const name of TOOLS)
    for (const form of [[], ['--json']]) {
      const ran = await stage.run(laptop, [name, ...form]);
      if (ran.exit !== 0) stage.stop(ran);
      if (ran.writes > 0) stage.fault(`${name} wrote`);
    }
}

const LINK = '\nSee [a guide](https://example.com/guide).\n';

test('tool: whichever field is odd, the lists are printed, or the sentence names the field', async () => {
  const fields = await fieldsOfReplies();
  const wrong: string[] = [];
  let seed = 1;
  for (const path of fields.get('tool') ?? [])
    for (const oddity of EVERY) {
      const stage = await createStage([withOddField({ reply: 'tool', path, oddity })], ++seed);
      try {
        await toolLists(stage);
        const right = rightWords(path);
        const stops = stage.stops.filter(({ said }) => !right.test(said)).map(({ said }) => said);
        wrong.push(...[...stage.faults, ...stops].map((text) => `${path}, ${oddity}: ${text.slice(0, 500)}`));
      } finally {
        await stage.close();
      }
    }
  expect(wrong).toEqual([]);
}, 600_000);

test.each([...REPLIES, 'write', 'error'])(
  '%s: whichever field is odd, a life ends in sync or with the sentence that names it',
  async (reply) => {
    const fields = await fieldsOfReplies();
    const wrong: string[] = [];
    let seed = 1;
    for (const path of fields.get(reply) ?? []) {
      const right = rightWords(path);
      for (const oddity of EVERY) {
        const stage = await createStage([OWN_DRAFT, withOddField({ reply, path, oddity })], ++seed);
        try {
          await shortLife(stage);
          const faults = stage.faults.filter(
            // What the judge quotes of a run is cut.
            (fault) =>
              !right.test(fault) &&
              !/the field \S+ of the answer is /.test(fault) &&
              !isStanding(fault, path),
          );
          const stops = stage.stops.filter(({ said }) => !right.test(said)).map(({ said }) => said);
          wrong.push(...[...faults, ...stops].map((text) => `${path}, ${oddity}: ${text.slice(0, 500)}`));
        } finally {
          await stage.close();
        }
      }
    }
    expect(wrong).toEqual([]);
  },
  600_000,
);
