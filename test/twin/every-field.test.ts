import { expect, test } from 'vitest';
import { noting, ODDITIES, withOddField } from './support/fields.ts';
import type { FieldPath, Oddity } from './support/fields.ts';
import { shortLife } from './support/short-life.ts';
import { createStage } from './support/stage.ts';

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

async function fieldsOfReplies(): Promise<ReadonlyMap<string, ReadonlySet<FieldPath>>> {
  const fields = new Map<string, Set<FieldPath>>();
  const stage = await createStage([noting(fields)], 1);
  await shortLife(stage);
  await stage.close();
  expect([stage.faults, stage.stops]).toEqual([[], []]);
  return fields;
}

test.each([...REPLIES, 'write'])(
  '%s: whichever field is odd, a life ends in sync or with the sentence that names it',
  async (reply) => {
    const fields = await fieldsOfReplies();
    expect([...fields.keys()].filter((name) => name !== 'error').sort()).toEqual(
      [...REPLIES, 'write'].sort(),
    );
    const wrong: string[] = [];
    let seed = 1;
    for (const path of fields.get(reply) ?? []) {
      const right = rightWords(path);
      for (const oddity of EVERY) {
        const stage = await createStage([withOddField({ reply, path, oddity })], ++seed);
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
