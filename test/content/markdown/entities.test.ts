import { expect, test } from 'vitest';
import { COPIED_CHARS_MAX, entityCopies } from '../../../src/content/markdown/entities.ts';

const many = '&amp;'.repeat(40_000);

test.each([
  ['a paragraph', many],
  ['a quotation', `> [!NOTE]\n> ${many}\n`],
  ['lines of one paragraph', '&amp; and\n'.repeat(40_000)],
  ['numbers that are no list', `Text\n${'2. &amp;\n'.repeat(40_000)}`],
  ['words between them', `&#38; ${'some more words '.repeat(30)}`.repeat(2000)],
  ['bars that are no table', `| a | b\n|---\n${'&amp;|\n'.repeat(40_000)}`],
])('%s of entities costs the parser their square', (_, body) => {
  expect(entityCopies(body)).toBeGreaterThan(COPIED_CHARS_MAX);
});

test.each([
  ['blocks of code', `\`\`\`\n${many}\n\n${many}\n\`\`\`\n`],
  ['a block of HTML', `<table><tr><td>${many}\n${many}</td></tr></table>\n`],
  ['text as it is written', `<pre>\n${many}\n\n${many}\n</pre>\n`],
  ['a comment', `<!-- ${many}\n\n${many} -->\n`],
  ['many paragraphs', 'a &amp; b &lt; c\n\n'.repeat(40_000)],
  ['items of a list', '- a &amp; b &lt; c\n'.repeat(40_000)],
  ['headings', '# a &amp; b\n'.repeat(40_000)],
  ['rows of a table', `| a | b |\n|---|---|\n${'| &amp; | &lt; |\n'.repeat(40_000)}`],
  ['signs that are no entities', '& &a &; '.repeat(40_000)],
])('%s do not', (_, body) => {
  expect(entityCopies(body)).toBeLessThan(COPIED_CHARS_MAX / 4);
});
