/** What people do to a page in a web editor: each changes a parse5 tree of the page, or returns undefined where the page has no place for it. */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseFragment, serialize } from 'parse5';

/** Nobody edits a word in there. */
const UNSEEN = new Set(
  'script style svg math select button template noscript textarea title object iframe audio video canvas form'.split(
    ' ',
  ),
);
const BLOCK = /^(?:p|ul|ol|pre|table|blockquote|div|dl|h[1-6]|hr|section|article|figure)$/;

/** Chooses by `random`; `serial` makes each text its own. `pasted`: what Word puts on the clipboard. */
export function edited(html, kind, { random, serial, pasted }) {
  const root = parseFragment(html, { scriptingEnabled: false });
  const all = [...walk(root)];
  const pick = (list) => (list.length === 0 ? undefined : list[Math.floor(random() * list.length)]);
  const done = EDITS[kind]({ root, all, pick, serial, random, pasted });
  return done === false ? undefined : serialize(root);
}

const named = (all, pattern) => all.filter(({ nodeName }) => pattern.test(nodeName));
/** A block that holds nothing but words and marks, and some of them. */
const holdsText = (node) =>
  textOf(node).trim().length > 10 && ![...walk(node)].some(({ nodeName }) => BLOCK.test(nodeName));
const texts = (all) => named(all, /^p$/).filter(holdsText);
const wordIn = (all, pick, wanted = () => true) =>
  pick(
    all.flatMap((node) =>
      node.nodeName === '#text' && wanted(node)
        ? [...node.value.matchAll(/(?<![\w&;-])[a-z]{5,}(?![\w-])/g)].map((match) => ({
            node,
            at: match.index,
            word: match[0],
          }))
        : [],
    ),
  );

function replaceWord({ node, at, word }, by) {
  node.value = `${node.value.slice(0, at)}${by}${node.value.slice(at + word.length)}`;
}

/** Puts these nodes in the place of the word. */
function splitWord({ node, at, word }, html) {
  const { parentNode } = node;
  const rest = text(node.value.slice(at + word.length), parentNode);
  node.value = node.value.slice(0, at);
  insert(parentNode, parentNode.childNodes.indexOf(node) + 1, [...nodesOf(html, parentNode), rest]);
}

const isIn = (node, pattern) =>
  node !== undefined && (pattern.test(node.nodeName) || isIn(node.parentNode, pattern));
const LINKLESS = (node) =>
  !isIn(node, /^(?:a|pre|code|h[1-6]|strong|b|em|i)$/) && isIn(node, /^(?:p|li|td|dd)$/);

const EDITS = {
  word: ({ all, pick, serial }) => {
    const found = wordIn(all, pick);
    if (found === undefined) return false;
    replaceWord(found, `edited${serial}`);
  },
  'two words': ({ all, pick, serial }) => {
    const first = wordIn(all, pick);
    const second = wordIn(all, pick, (node) => node !== first?.node);
    if (first === undefined || second === undefined) return false;
    replaceWord(first, `one${serial}`);
    replaceWord(second, `two${serial}`);
  },
  'word of a heading': ({ all, pick, serial }) => {
    const found = wordIn(all, pick, (node) => isIn(node, /^h[1-6]$/));
    if (found === undefined) return false;
    replaceWord(found, `edited${serial}`);
  },
  'words added': ({ all, pick, serial }) => {
    const found = wordIn(all, pick, (node) => isIn(node, /^(?:p|li|td|dd)$/));
    if (found === undefined) return false;
    replaceWord(found, `${found.word} and (since 2.${serial}) also *this* one`);
  },
  'bold added': ({ all, pick }) => {
    const found = wordIn(all, pick, LINKLESS);
    if (found === undefined) return false;
    splitWord(found, `<strong>${found.word}</strong>`);
  },
  'link added': ({ all, pick, serial }) => {
    const found = wordIn(all, pick, LINKLESS);
    if (found === undefined) return false;
    splitWord(found, `<a href="https://example.org/new/${serial}?a=1&amp;b=2">${found.word}</a>`);
  },
  'code added': ({ all, pick }) => {
    const found = wordIn(all, pick, LINKLESS);
    if (found === undefined) return false;
    splitWord(found, `<code>${found.word}</code>`);
  },
  'address of a link': ({ all, pick, serial }) => {
    const link = pick(
      named(all, /^a$/).filter((node) => attribute(node, 'href') !== undefined && textOf(node).trim() !== ''),
    );
    if (link === undefined) return false;
    attribute(link, 'href').value = `https://example.org/moved/${serial}`;
  },
  'picture swapped': ({ all, pick, serial }) => {
    const image = pick(named(all, /^img$/).filter((node) => attribute(node, 'src') !== undefined));
    if (image === undefined) return false;
    attribute(image, 'src').value = `https://example.org/pictures/${serial}.png`;
  },
  'paragraph added': ({ all, pick, serial }) => {
    const found = pick(texts(all));
    if (found === undefined) return false;
    after(found, `<p>A new paragraph ${serial}, with <em>words</em> in it.</p>`);
  },
  'paragraph deleted': ({ all, pick }) => {
    const found = pick(texts(all));
    if (found === undefined) return false;
    remove(found);
  },
  'paragraph split': ({ all, pick }) => {
    const found = wordIn(all, pick, ({ parentNode }) => parentNode.nodeName === 'p' && holdsText(parentNode));
    if (found === undefined || found.at === 0) return false;
    const { node, at } = found;
    const { parentNode } = node;
    const index = parentNode.childNodes.indexOf(node);
    const rest = [text(node.value.slice(at), parentNode), ...parentNode.childNodes.splice(index + 1)];
    node.value = node.value.slice(0, at).trimEnd();
    const [made] = nodesOf('<p></p>', parentNode.parentNode);
    insert(made, 0, rest);
    insert(parentNode.parentNode, parentNode.parentNode.childNodes.indexOf(parentNode) + 1, [made]);
  },
  'item added': ({ all, pick, serial }) => {
    const item = pick(named(all, /^li$/).filter(holdsText));
    if (item === undefined) return false;
    const isLoose = item.childNodes.some(({ nodeName }) => nodeName === 'p');
    after(item, isLoose ? `<li><p>A new item ${serial}</p></li>` : `<li>A new item ${serial}</li>`);
  },
  'item moved': ({ all, pick }) => {
    const list = pick(named(all, /^[uo]l$/).filter((node) => named(node.childNodes, /^li$/).length > 2));
    if (list === undefined) return false;
    const items = named(list.childNodes, /^li$/);
    const [item] = items.splice(-1);
    remove(item);
    insert(list, list.childNodes.indexOf(items[0]), [item]);
  },
  'item deleted': ({ all, pick }) => {
    const list = pick(named(all, /^[uo]l$/).filter((node) => named(node.childNodes, /^li$/).length > 2));
    if (list === undefined) return false;
    remove(pick(named(list.childNodes, /^li$/)));
  },
  'row added': ({ all, pick, serial }) => {
    const row = pick(
      named(all, /^tr$/).filter((node) => node.childNodes.some(({ nodeName }) => nodeName === 'td')),
    );
    if (row === undefined) return false;
    const [copy] = nodesOf(serialize({ nodeName: '#document-fragment', childNodes: [row] }), row.parentNode);
    for (const cell of copy.childNodes)
      if (/^t[dh]$/.test(cell.nodeName)) setText(cell, `new cell ${serial}`);
    insert(row.parentNode, row.parentNode.childNodes.indexOf(row) + 1, [copy]);
  },
  'word of a cell': ({ all, pick, serial }) => {
    const found = wordIn(all, pick, (node) => isIn(node, /^t[dh]$/));
    if (found === undefined) return false;
    replaceWord(found, `edited${serial}`);
  },
  'line of code': ({ all, pick, serial }) => {
    const code = pick(
      named(all, /^pre$/).flatMap((node) =>
        [...walk(node)].filter(({ nodeName, value }) => nodeName === '#text' && /\S\n/.test(value)),
      ),
    );
    if (code === undefined) return false;
    code.value = code.value.replace(/(\S)\n/, `$1\nnew --line ${serial} <file>\n`);
  },
  'heading added': ({ all, pick, serial }) => {
    const found = pick(texts(all));
    if (found === undefined) return false;
    after(found, `<h3>New heading ${serial}</h3><p>Its text.</p><ul><li>One</li><li>Two</li></ul>`);
  },
  'table added': ({ all, pick, serial }) => {
    const found = pick(texts(all));
    if (found === undefined) return false;
    after(
      found,
      `<table><tbody><tr><td>Name</td><td>Value ${serial}</td></tr><tr><td>a | b</td><td>2</td></tr></tbody></table>`,
    );
  },
  'pasted from Word': ({ all, pick, pasted }) => {
    const found = pick(texts(all));
    const html = pick(pasted);
    if (found === undefined || html === undefined) return false;
    after(found, html);
  },
  'pasted words': ({ all, pick, serial }) => {
    const found = wordIn(all, pick, LINKLESS);
    if (found === undefined) return false;
    splitWord(
      found,
      `${found.word}<span style="font-size: 11pt; font-family: Calibri, sans-serif; mso-fareast-language: EN-US;">&nbsp;(\u201Csmart\u201D\u00A0text\u00A0${serial}\u00A0\u2013 don\u2019t\u2026)</span>`,
    );
  },
};

export const KINDS = Object.keys(EDITS);

/** The bodies of HTML files of a folder, smaller ones: what a paste brings. */
export function pastesIn(folder) {
  return readdirSync(folder)
    .filter((name) => /\.html?$/i.test(name))
    .sort()
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .map((html) => /<body[^>]*>([\s\S]*)<\/body>/i.exec(html)?.[1] ?? html)
    .filter((html) => html.length < 60_000);
}

function* walk(node) {
  for (const child of node.childNodes ?? []) {
    if (UNSEEN.has(child.nodeName)) continue;
    yield child;
    yield* walk(child);
  }
}

function textOf(node) {
  return node.nodeName === '#text' ? node.value : (node.childNodes ?? []).map(textOf).join('');
}

const attribute = (node, wanted) => node.attrs?.find(({ name }) => name === wanted);

function text(value, parentNode) {
  return { nodeName: '#text', value, parentNode };
}

function nodesOf(html, parentNode) {
  const context = parentNode.nodeName.startsWith('#') ? undefined : parentNode;
  const { childNodes } = context === undefined ? parseFragment(html) : parseFragment(context, html, {});
  return childNodes;
}

function insert(parentNode, index, nodes) {
  for (const node of nodes) node.parentNode = parentNode;
  parentNode.childNodes.splice(index, 0, ...nodes);
}

function after(node, html) {
  const { parentNode } = node;
  insert(parentNode, parentNode.childNodes.indexOf(node) + 1, nodesOf(html, parentNode));
}

function remove(node) {
  const { childNodes } = node.parentNode;
  childNodes.splice(childNodes.indexOf(node), 1);
}

function setText(node, value) {
  node.childNodes = [text(value, node)];
}
