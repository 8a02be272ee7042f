import { expect, test } from 'vitest';
import { translated } from '../support/translated.ts';

const BODY =
  '<Promo title="Buy" href="/buy">\n\nToday *only*.\n\n</Promo>\n\n<Widget title="W" href="/w" description="Small" />\n';

const html = (rules: Parameters<typeof translated>[2] extends infer O ? NonNullable<O> : never): string =>
  translated('plain', BODY, rules).html;

test('keep leaves the text, and of the arguments what people read', () => {
  expect(html({ rules: { Promo: 'keep', Widget: 'keep' } })).toBe(
    '<p><strong><a href="/buy">Buy</a></strong></p>\n<p>Today <em>only</em>.</p>\n<p><strong><a href="/w">W</a></strong></p>\n<p>Small</p>',
  );
});

test('{content} is what is inside; a replacement without it leaves what is inside below', () => {
  expect(html({ rules: { Promo: { replace: '> {content}' }, Widget: 'drop' } })).toContain('Today');
  expect(html({ rules: { Promo: { replace: '**{title}** {content} (ad)' }, Widget: 'drop' } })).toBe(
    '<p><strong>Buy</strong></p>\n<p>Today <em>only</em>.</p>\n<p>(ad)</p>',
  );
  expect(
    html({ rules: { Promo: { replace: 'Advertisement:' }, Widget: { replace: '({title}{none})' } } }),
  ).toBe('<p>Advertisement:</p>\n<p>Today <em>only</em>.</p>\n<p>(W)</p>');
});

test('* stands for all that has no rule and no meaning', () => {
  const { problems, html: page } = translated('plain', `${BODY}\n<Note>Known.</Note>\n`, {
    rules: { '*': 'drop' },
  });
  expect(problems).toEqual([]);
  expect(page).toBe(
    '<div class="admonition note">\n<p class="admonition-title">Note</p>\n<p>Known.</p>\n</div>',
  );
});

test('a rule goes before what a name means', () => {
  expect(translated('plain', '<Note>Known.</Note>\n', { rules: { Note: 'keep' } }).html).toBe(
    '<p>Known.</p>',
  );
});

test.each(['docusaurus', 'vitepress', 'nextra', 'plain'] as const)(
  '%s: signs at the edge of bold text beside letters without blanks are inside it',
  (layout) => {
    const { html: page } = translated(layout, '请看**（注）**文。**「重要」**です `**（注）**文`\n');
    expect(page).toBe(
      '<p>请看<strong>（注）</strong>文。<strong>「重要」</strong>です <code>**（注）**文</code></p>',
    );
    expect(translated(layout, 'A**(b)**c\n').html).toBe('<p>A**(b)**c</p>');
  },
);

test('a host name in angles is no component, unless something ends it', () => {
  expect(translated('plain', 'Mind <example.com> here. <B />\n', {})).toMatchObject({
    html: '<p>Mind &lt;example.com&gt; here.</p>',
    problems: ['1:26 <B>'],
  });
  expect(translated('plain', '<a.b>Text</a.b> <a.b /> <B />\n', {}).problems).toHaveLength(3);
});

test('the name of a container is the whole word, also with accents', () => {
  const body = ':::varování\n\nText.\n\n:::\n';
  expect(translated('docusaurus', body, {}).problems).toEqual(['1:1 :::varování']);
  expect(translated('docusaurus', body, { rules: { varování: 'keep' } }).html).toBe('<p>Text.</p>');
  const file = translated('docusaurus', ':::poznámka.md\n\nText.\n\n:::\n', {});
  expect(file).toMatchObject({ problems: [], html: expect.stringContaining(':::poznámka.md') as string });
});
