// How much HTML comes across as clean Markdown, beside turndown and hast-util-to-mdast (rehype-remark) alone.
//   npm run build && node scripts/fidelity.mjs [FOLDER]
// FOLDER holds the unpacked development corpora; without it they are unpacked from ../shared/corpora. Writes a table.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  hastFromHtml,
  hastToMdast,
  mdastGfm,
  mdastToMarkdown,
} from '../build/content/html-to-markdown/lazy.js';
import { htmlToMarkdown } from '../build/content/html-to-markdown/html-to-markdown.js';
import { normalForm, withoutAddedIds } from '../build/content/html-to-markdown/normal-form.js';
import { loadDesired } from '../build/content/load-content.js';
import { renderedBody } from '../build/content/markdown/render.js';
import { sanitise } from '../build/content/markdown/sanitise.js';
import TurndownService from 'turndown';
import { gfm } from 'turndown-plugin-gfm';

const ARCHIVES = join(import.meta.dirname, '../../shared/corpora');
const given = process.argv[2];
const root = given ?? mkdtempSync(join(tmpdir(), 'kbsync-fidelity-'));
if (given === undefined) {
  if (!existsSync(ARCHIVES)) throw new Error('the development corpora are not beside the repository');
  for (const name of ['dev-neutral', 'dev-imports'])
    execFileSync('tar', ['-xJf', join(ARCHIVES, `${name}.tar.xz`), '-C', root]);
}

const turndown = new TurndownService({
  headingStyle: 'atx',
  codeBlockStyle: 'fenced',
  bulletListMarker: '-',
});
turndown.use(gfm);

const sets = [
  ...(await Promise.all(['cncf-glossary', 'hetzner-tutorials', 'otel-docs'].map(neutral))),
  ['Zendesk (Tubi)', zendesk()],
  ['Ghost (fixtures)', ghost()],
  ['WordPress (blocks)', wordpress(['wporg-documentation-2022', 'jekyll-import', 'tryghost-migrate-wp-xml'])],
  [
    'WordPress (pasted)',
    wordpress(['hexo-migrator-wordpress', 'contentful-wordpress-exporter', 'wordpress-importer']),
  ],
  ['cases: hast-util-to-mdast', hastCases()],
  ['cases: turndown and its plugins', turndownCases()],
  ['cases: flexmark', flexmarkCases()],
  ['cases: html-to-markdown (Go)', goCases()],
];

console.log(
  '| texts | n | clean Markdown | with HTML blocks | not exact | without cleaning: clean | turndown | rehype-remark | ms/text |',
);
console.log('|---|---|---|---|---|---|---|---|---|');
const elements = new Map();
const cleanings = new Map();
const inexact = [];
for (const [name, texts] of sets) {
  const row = { clean: 0, blocks: 0, inexact: 0, bare: 0, turndown: 0, remark: 0 };
  let ms = 0;
  for (const { at, html, lang } of texts) {
    const started = performance.now();
    const made = htmlToMarkdown(html, { lang, html: 'sanitize', clean: true });
    ms += performance.now() - started;
    const kept = made.rawBlocks.filter(({ scope }) => scope !== 'inline');
    if (!made.isExact) {
      row.inexact += 1;
      inexact.push(`${name}: ${at}`);
    } else if (kept.length > 0) row.blocks += 1;
    else row.clean += 1;
    count(elements, new Set(kept.map(({ element, reason }) => `\`${element}\`: ${reason}`)));
    count(cleanings, new Set(made.cleaned.map((each) => each.name)));
    const uncleaned = htmlToMarkdown(html, { lang, html: 'sanitize', clean: false });
    if (uncleaned.isExact && uncleaned.rawBlocks.every(({ scope }) => scope === 'inline')) row.bare += 1;
    if (comesBack(() => turndown.turndown(html), html, lang)) row.turndown += 1;
    if (comesBack(() => remarkAlone(html), html, lang)) row.remark += 1;
  }
  const n = texts.length;
  const share = (part) => `${((100 * part) / n).toFixed(1)} %`;
  console.log(
    `| ${[name, n, share(row.clean), share(row.blocks), row.inexact, share(row.bare), share(row.turndown), share(row.remark), (ms / n).toFixed(1)].join(' | ')} |`,
  );
}
console.log('\nWhat keeps HTML blocks (texts):');
for (const [what, n] of most(elements).slice(0, 25)) console.log(`- ${n} ${what}`);
console.log('\nCleaning (texts):');
for (const [what, n] of most(cleanings)) console.log(`- ${n} ${what}`);
console.log('\nNot exact:');
for (const at of inexact) console.log(`- ${at}`);
if (given === undefined) rmSync(root, { recursive: true, force: true });

/** As exact as ours has to be: the page as it was, cleaned or not. */
function comesBack(convert, html, lang) {
  try {
    const rendered = renderedBody(convert(), {
      links: new Map(),
      html: 'sanitize',
      needsSanitiser: true,
      lang,
    });
    const original = parse(sanitise(html));
    return normalForm(withoutAddedIds(parse(rendered), original)) === normalForm(original);
  } catch {
    return false;
  }
}

function remarkAlone(html) {
  const tree = hastToMdast().toMdast(parse(html), { document: true });
  return mdastToMarkdown().toMarkdown(tree, { extensions: [mdastGfm().gfmToMarkdown()] });
}

function parse(html) {
  return hastFromHtml().fromHtml(html, { fragment: true });
}

async function neutral(name) {
  const { state } = await loadDesired({
    contentDir: '.',
    cwd: join(root, 'neutral/dev', name),
    nowMs: Date.now(),
    defaultLanguage: 'en',
    languages: { 'zh-cn': 'zh-CN' },
    preset: 'kbsync',
    fields: { categoryParent: 'parent' },
    defaults: {},
    components: {},
    urls: {
      article: '/{lang}/articles/{slug}',
      category: '/{lang}/categories/{slug}',
      tag: '/{lang}/tags/{slug}',
    },
    assetsBaseUrl: 'https://cdn.example.com',
    html: 'sanitize',
    ignoreKeys: ['sourcePath'],
    allow: new Set(['dead-link', 'dead-anchor', 'missing-image']),
  });
  const texts = [...state.records.values()].flatMap(({ at, lang, body }) =>
    body === undefined ? [] : [{ at: at.file, lang, html: body.render() }],
  );
  return [name, texts];
}

function zendesk() {
  const folder = join(root, 'imports/zendesk/tubi');
  return filesIn(folder, '.json').flatMap((file) =>
    deep(JSON.parse(readFileSync(file, 'utf8')), 'body').map((html, at) => ({
      at: `body ${at}`,
      lang: 'en',
      html,
    })),
  );
}

function ghost() {
  return ['ghost-fixtures', 'ghost-fixtures-2017'].flatMap((name) =>
    filesIn(join(root, 'imports/ghost', name), '.json').flatMap((file) => {
      try {
        return deep(JSON.parse(readFileSync(file, 'utf8')), 'html').map((html, at) => ({
          at: `${file.split('/').at(-1)} ${at}`,
          lang: 'en',
          html,
        }));
      } catch {
        return [];
      }
    }),
  );
}

function wordpress(names) {
  return names.flatMap((name) =>
    filesIn(join(root, 'imports/wordpress', name), '.xml').flatMap((file) =>
      [
        ...readFileSync(file, 'utf8').matchAll(
          /<content:encoded><!\[CDATA\[([\s\S]*?)\]\]><\/content:encoded>/g,
        ),
      ].flatMap(([, html], at) =>
        html.trim() === '' ? [] : [{ at: `${file.split('/').at(-1)} ${at}`, lang: 'en', html }],
      ),
    ),
  );
}

function hastCases() {
  const folder = join(root, 'imports/html-markdown-cases/hast-util-to-mdast');
  return filesIn(folder, 'index.html').map((file) => ({
    at: file.slice(folder.length + 1),
    lang: 'en',
    html: readFileSync(file, 'utf8'),
  }));
}

function turndownCases() {
  return ['turndown', 'turndown-plugin-gfm', 'joplin-turndown-plugin-gfm'].flatMap((name) =>
    filesIn(join(root, 'imports/html-markdown-cases', name), '.html').flatMap((file) => {
      const tree = parse(readFileSync(file, 'utf8'));
      return inputs(tree, readFileSync(file, 'utf8')).map((html, at) => ({
        at: `${name} ${at + 1}`,
        lang: 'en',
        html,
      }));
    }),
  );
}

function inputs(node, source) {
  return (node.children ?? []).flatMap((child) => {
    if (child.type !== 'element') return [];
    if (!(child.properties.className ?? []).includes('input')) return inputs(child, source);
    const first = child.children[0];
    const last = child.children.at(-1);
    return first === undefined ? [''] : [source.slice(first.position.start.offset, last.position.end.offset)];
  });
}

function flexmarkCases() {
  return filesIn(join(root, 'imports/html-markdown-cases/flexmark'), '.md').flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/^`{32} example ([^\n]*)\n([\s\S]*?)^`{32}$/gm)].map(
      ([, at, text]) => ({
        at,
        lang: 'en',
        html: text.split(/^\.$/m)[1] ?? '',
      }),
    ),
  );
}

function goCases() {
  const folder = join(root, 'imports/html-markdown-cases/johanneskaufmann-html-to-markdown');
  return filesIn(folder, '.in.html').map((file) => ({
    at: file.slice(folder.length + 1),
    lang: 'en',
    html: readFileSync(file, 'utf8'),
  }));
}

function filesIn(folder, end) {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(end))
    .sort()
    .map((name) => join(folder, name));
}

/** Every non-empty text under `key`, however deep. */
function deep(value, key) {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, each]) =>
    name === key && typeof each === 'string' ? (each.trim() === '' ? [] : [each]) : deep(each, key),
  );
}

function count(sums, names) {
  for (const name of names) sums.set(name, (sums.get(name) ?? 0) + 1);
}

function most(sums) {
  return [...sums].sort(([, a], [, b]) => b - a);
}
