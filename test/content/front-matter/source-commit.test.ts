import { expect, test } from 'vitest';
import { sourceCommitIn } from '../../../src/content/front-matter/source-commit.ts';

const COMMIT = 'a1b2c3d4e5';

test.each([
  [`---\ntitle: A\nsourceCommit: ${COMMIT}\n---\nText.\n`, COMMIT],
  [`\uFEFF---\r\nl10n:\r\n  sourceCommit: "${COMMIT}"\r\n---\r\n`, COMMIT],
  [`\n+++\nsource_commit = "${COMMIT}"\n+++\n`, COMMIT],
  [`How to mark a page:\n\n---\nsourceCommit: ${COMMIT}\n---\n`, undefined],
  [`---\ntitle: A\n---\n\n---\nsourceCommit: ${COMMIT}\n---\n`, undefined],
  [`---\nl10n:\n  source: en\n${'  \n'.repeat(3)}    sourceCommit: ${COMMIT}\n---\n`, COMMIT],
])('%j: only the front matter of the page says what it was made from', (text, commit) => {
  expect(sourceCommitIn(text)).toBe(commit);
});

test('a long l10n without a commit is read at once', () => {
  expect(sourceCommitIn(`---\nl10n:\n${'        key: 1\n'.repeat(2000)}title: A\n---\n`)).toBeUndefined();
});
