import { expect, test } from 'vitest';
import { TITLE_TOKENS } from '../../../src/service/search/index-articles.ts';
import { migrationSteps } from '../../../src/service/store/migrations.ts';

test('suggestions ask PostgreSQL for what its index of titles holds, to the letter', () => {
  const statements = migrationSteps('postgres').flat();
  expect(statements).toContainEqual(
    expect.stringContaining(`using gin (${TITLE_TOKENS.replace('s.tokens', 'tokens')})`),
  );
});
