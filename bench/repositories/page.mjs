/** One page as a reader sees it, judged from its HTML and its source alone; nothing here is shared with the product. */
import { Parser } from 'htmlparser2';
import { labelsOf, mediaOf, proseOf, wordsOf, wordsOfSource } from './words.mjs';

/** Syntax of generators and of Markdown that a reader would see as it was typed. Looked for outside code. */
const RAW = [
  ['{% … %}', /\{%-?\s*\w[^%\n]*%\}/g],
  ['{{< … >}}', /\{\{[<%][^\n]*?[>%]\}\}/g],
  ['{{#include}}', /\{\{#(?:\w*include|playground|title)\b[^\n]*?\}\}/g],
  ['{{ … }}', /\{\{(?![<%#])[^{}\n]*\}\}|\{\{-? ?\w+\(\{[^{}]{0,500}\}\) ?-?\}\}/g],
  ['::: name', /(?:^|\n)\s*:{3,}(?: ?\{?[A-Za-z.][^\n]*)?(?=\n|$)/g],
  // As Python-Markdown takes it: words, a title in quotes, and nothing behind it.
  [
    '!!! name',
    /(?:^|\n)\s*(?:!!!|\?\?\?\+?) (?:[\p{L}\p{N}_-]+(?: +[\p{L}\p{N}_-]+)*(?: +"[^\n]*")?|"[^\n]*")[ \t]*(?=\n|$)/gu,
  ],
  ['=== "name"', /(?:^|\n)\s*===[!+]? "[^"\n]*"/g],
  ['/// name', /(?:^|\n)\s*\/{3,}(?: [\w-]+[^\n]*)?(?=\n|$)/g],
  [
    '{.class} or {#id}',
    /\{:? ?[.#][A-Za-z][^{}\n]*\}|\{:[^{}\n]*\}|\{ ?[a-z][\w-]*=[^{}\n]*\}(?=[ \t]*(?:\n|$))/g,
  ],
  ['[[link]]', /\[\[[^\]\n]+\]\]/g],
  ['[!NOTE]', /\[![A-Za-z-]+(?:\|[^\]\n]*)?\]/g],
  ['?> or !>', /(?:^|\n)[?!]> /g],
  ['{* file *}', /\{\*[ \t]+[\w./-]+\.\w+[^\n{}]*?\*\}/g],
  ['--8<--', /-{1,3}8<-{1,3}/g],
  ['<<< file', /(?:^|\n)<<<\s*\S/g],
  [':icon:', /:(?:octicons|material|fontawesome|simple|fa|icon)-[\w-]+:/g],
  ['<Name>', /<\/?[A-Z][\w.]*(?:\s[^<>\n]*)?\/?>/g],
  ['import … from', /(?:^|\n)(?:import|export)\s[^\n]*?(?:from\s*['"]|= )/g],
  // A blank before the last stars: no Markdown makes that bold (https://spec.commonmark.org/0.31.2/#right-flanking-delimiter-run).
  ['**bold**', /\*\*(?=[^\s*])[^*\n]*[^\s*]\*\*/g],
  ['[text](address)', /\[[^\]\n]*\]\((?:https?:|\.{0,2}\/|#)[^)\s]*\)/g],
  ['# heading', /(?:^|\n)#{1,6} [^\n]+/g],
  ['``` fence', /(?:^|\n)\s*(?:`{3,}|~{3,})/g],
  ['| table |', /(?:^|\n)\s*\|[^\n]*\|\s*\n\s*\|[-: |]+\|/g],
];

/** What generators replace inside code too. */
const RAW_IN_CODE = [
  ['{{#include}} in code', /\{\{#(?:\w*include|playground)\b[^\n]*?\}\}/g],
  ['--8<-- in code', /^\s*-{1,3}8<-{1,3} ["'][^\n]*/gm],
];

/** A page that loses fewer words than this is too short to judge by its share. */
const WORDS_LOST_MIN = 10;

const FENCE = /^[ \t>]*(`{3,}|~{3,})[^\n]*\n([^]*?)^[ \t>]*\1/gm;

/** `/files/DIGEST/NAME`: where a service that keeps files shows what it was sent. */
const KEPT_FILE = /^\/files\/[0-9a-f]{64}\/[^/]+$/;

export function pageFaults({ source, html, title, isMdx, isKnown }) {
  const page = read(html);
  const raw = [...found(RAW, page.prose), ...found(RAW_IN_CODE, page.code)]
    .filter(
      // `Map\<String>`, `Map&lt;String>` and `Map&#x3C;String>` are text that the author wants to be seen.
      ({ kind, example }) =>
        kind !== '<Name>' ||
        !['\\<', '&lt;', '&#60;', '&#x3C;', '&#x3c;'].some((sign) =>
          source.includes(`${sign}${example.slice(1, -1)}`),
        ),
    )
    .filter(
      ({ kind, example }) => kind !== '# heading' || !source.includes(`\\${example.trim().slice(0, 40)}`),
    );
  const seen = counted(wordsOf(`${title} ${page.text} ${page.attributes}`));
  const wanted = wordsOfSource(source);
  const lost = [];
  for (const word of wanted) {
    const left = seen.get(word) ?? 0;
    if (left === 0) lost.push(word);
    else seen.set(word, left - 1);
  }
  const whole = ` ${wordsOf(`${title} ${page.text} ${page.attributes}`).join(' ')} `;
  const labelsLost = labelsOf(source).filter((label) => {
    const words = wordsOf(label).join(' ');
    return words !== '' && !whole.includes(` ${words} `);
  });
  const isLost = lost.length >= WORDS_LOST_MIN && lost.length > wanted.length / 3;
  const rootLinks = page.links.filter(
    (url) => /^\/(?!\/)/.test(url) && !KEPT_FILE.test(url) && !isKnown(url.replace(/[?#].*$/, '')),
  );
  const relative = page.links.filter((url) => /^(?![a-z][a-z0-9+.-]*:|[/#?])./i.test(url));
  // From the root: there the knowledge base shows its own pages, and no file of this repository but those it was sent.
  const images = page.images.filter(
    (url) => url === '' || (/^(?![a-z][a-z0-9+.-]*:|\/\/)./i.test(url) && !KEPT_FILE.test(url)),
  );
  // `#top` is the top of every page: https://html.spec.whatwg.org/multipage/browsing-the-web.html#the-indicated-part-of-the-document
  const anchors = page.links.filter(
    (url) => /^#(?!top$)./i.test(url) && !page.ids.has(url.slice(1)) && !page.ids.has(decoded(url.slice(1))),
  );
  const media = mediaOf(source);
  const picturesLost = media.pictures - page.images.length;
  const embedsLost = media.embeds.filter((url) => !url.includes('{{') && !html.includes(lastPart(url)));
  // What a component is given as an attribute, or brings from another file, is code by intent: only lines outside of fences can have become code.
  const lines = new Set(
    proseOf(source)
      .split('\n')
      .map((line) => line.trim()),
  );
  // A page may show a line both as code and as text.
  const fenced = new Set(
    [...source.matchAll(FENCE)].flatMap(([, , code]) => code.split('\n').map((line) => line.trim())),
  );
  const codeOfLines = page.codeBlocks
    .map((text) => text.trim().split('\n')[0].trim())
    .filter((first) => first !== '' && lines.has(first) && !fenced.has(first)).length;
  const faults = [
    ...(raw.length > 0 ? ['raw syntax'] : []),
    ...(isLost ? ['a third of the words lost'] : []),
    ...(labelsLost.length > 0 ? ['labels lost'] : []),
    ...(page.headings.some((heading) => sameText(heading, title)) ? ['title twice'] : []),
    ...(rootLinks.length > 0 ? ['root links to nowhere'] : []),
    ...(relative.length > 0 ? ['relative links'] : []),
    ...(images.length > 0 ? ['pictures without an address'] : []),
    ...(picturesLost > 0 ? ['pictures lost'] : []),
    ...(embedsLost.length > 0 ? ['videos and frames lost'] : []),
    ...(anchors.length > 0 ? ['anchors to nowhere'] : []),
    ...(isMdx && !BRINGS_CODE.test(source) && codeOfLines > 0 ? ['text as code'] : []),
    // A page of nothing but its title has no text to lose.
    ...(wanted.length - wordsOf(title).length >= WORDS_LOST_MIN &&
    wordsOf(page.text).length === 0 &&
    page.images.length === 0
      ? ['empty']
      : []),
  ];
  return {
    faults,
    raw,
    words: wanted.length,
    wordsLost: lost.length,
    isLost,
    lost: lost.slice(0, 12),
    labelsLost: labelsLost.slice(0, 5),
    rootLinks: rootLinks.length,
    embedsLost: embedsLost.slice(0, 3),
    links: [...rootLinks, ...relative, ...anchors].slice(0, 5),
  };
}

/** Parts of other files, and components that show commands: their code has no fence in the page. */
const BRINGS_CODE = /^import\s[^\n]*\.mdx?['"]|<include\b|<(?:PackageManagerTabs|CodeBlock)\b/m;

function found(patterns, text) {
  return patterns.flatMap(([kind, pattern]) => {
    const matches = text.match(pattern) ?? [];
    return matches.length === 0
      ? []
      : [{ kind, count: matches.length, example: matches[0].trim().slice(0, 80) }];
  });
}

/** What is left of an address when it becomes a link to watch it elsewhere: `/embed/ID?x` is `watch?v=ID`. */
function lastPart(url) {
  return (
    url
      .replace(/[?#].*$/, '')
      .split('/')
      .findLast((part) => part !== '') ?? url
  );
}

const BLOCKS = new Set(
  'p div h1 h2 h3 h4 h5 h6 li ul ol dl dt dd table tr td th pre blockquote details summary figure figcaption section hr br'.split(
    ' ',
  ),
);

function read(html) {
  const page = {
    text: '',
    prose: '',
    code: '',
    attributes: '',
    links: [],
    images: [],
    ids: new Set(),
    headings: [],
    codeBlocks: [],
  };
  let code = 0;
  let pre = 0;
  // A formula shows TeX, which is not looked at.
  let formula = 0;
  let heading;
  const parser = new Parser({
    onopentag: (name, attributes) => {
      if (BLOCKS.has(name)) {
        page.text += '\n';
        // A heading may begin with the sign of one: `### # Columns`.
        page.prose += /^h[1-6]$/.test(name) ? '\n·' : '\n';
      }
      if (name === 'code' || name === 'pre' || name === 'kbd' || name === 'samp') code += 1;
      if (name === 'span' && (formula > 0 || /\bmath\b/.test(attributes.class ?? ''))) formula += 1;
      if (name === 'pre') {
        pre += 1;
        page.codeBlocks.push('');
      }
      if (attributes.id !== undefined) page.ids.add(attributes.id);
      if (name === 'a' && attributes.name !== undefined) page.ids.add(attributes.name);
      if (name === 'a' && attributes.href !== undefined) page.links.push(attributes.href.trim());
      if (name === 'img') page.images.push((attributes.src ?? '').trim());
      if (name === 'h1') heading = '';
      page.attributes += ` ${attributes.alt ?? ''} ${attributes.title ?? ''}`;
    },
    ontext: (text) => {
      page.text += text;
      if (code > 0) page.code += text;
      if (pre > 0) page.codeBlocks[page.codeBlocks.length - 1] += text;
      page.prose += code + formula > 0 ? text.replaceAll(/[^\s]/g, '·') : text;
      if (heading !== undefined) heading += text;
    },
    onclosetag: (name) => {
      if (BLOCKS.has(name)) {
        page.text += '\n';
        page.prose += '\n';
      }
      if (name === 'code' || name === 'pre' || name === 'kbd' || name === 'samp') code -= 1;
      if (name === 'pre') pre -= 1;
      if (name === 'span' && formula > 0) formula -= 1;
      if (name === 'h1' && heading !== undefined) {
        page.headings.push(heading);
        heading = undefined;
      }
    },
  });
  parser.end(html);
  return page;
}

function counted(words) {
  const counts = new Map();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

function sameText(a, b) {
  const plain = wordsOf(a).join(' ');
  return plain !== '' && plain === wordsOf(b).join(' ');
}

function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
