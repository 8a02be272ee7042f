import { expect, test } from 'vitest';
import { levelsOpened } from '../../../src/content/markdown/levels.ts';

test.each([
  ['lists', `Text.\n\n${'- '.repeat(1200)}a\n`, 1200],
  ['numbered lists and quotations', `${'1. > '.repeat(600)}a`, 1200],
  ['quotations without blanks', `${'>'.repeat(1200)}a`, 1200],
  ['lists below an item', `- a\n\n  ${'* '.repeat(1200)}a`, 1200],
  ['the line behind fenced code', `\`\`\`\nx\n\`\`\`\n${'- '.repeat(1200)}a`, 1200],
  ['code in backticks that is no fence', `\`\`\`a\`\`\`\n\n${'- '.repeat(1200)}a`, 1200],
  ['a rule', `${'- '.repeat(1200)}\n\n${'* '.repeat(1200)}\n`, 0],
  ['dashes and digits', `${'-'.repeat(1200)}a\n${'1'.repeat(1200)}. a\n`, 0],
  ['fenced code', `~~~ md\n${'> '.repeat(1200)}a\n\`\`\`\n${'> '.repeat(1200)}a\n~~~\n`, 0],
  ['a plain text', '- a\n  - b\n\n> > c\n', 0],
])('levels that a line opens: %s', (_, body, levels) => {
  expect(levelsOpened(body)).toBe(levels);
});
