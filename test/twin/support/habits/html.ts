import type { Habit } from '../service/habit.ts';

/** A body on its way into the store; `keeps` says that the comment at its end outlives it. */
function body(change: (html: string) => string, keeps: 'comments' | 'no-comments' = 'comments'): Habit {
  return {
    stores: (value, field) => {
      if (typeof value !== 'string' || (field !== 'content' && field !== 'longDescription') || value === '')
        return value;
      const comments = /(?:\s*<!--(?:(?!-->)[\s\S])*-->)*\s*$/.exec(value)?.[0] ?? '';
      const words = value.slice(0, value.length - comments.length);
      return keeps === 'comments'
        ? change(words) + comments
        : change(words.replaceAll(/<!--[\s\S]*?-->/g, ''));
    },
  };
}

/** Of the whole body, comments and all. */
const anywhere = (change: (html: string) => string): Habit => ({
  stores: (value, field) =>
    typeof value === 'string' && (field === 'content' || field === 'longDescription') ? change(value) : value,
});

/** Changes text between tags only, outside of `pre` and `code`. */
const words =
  (change: (text: string) => string) =>
  (html: string): string =>
    html.replaceAll(/(<(pre|code|a)\b[\s\S]*?<\/\2>|<[^>]*>)|([^<]+)/g, (whole, markup: string | undefined) =>
      markup === undefined ? change(whole) : whole,
    );

const strip = (tags: string) => (html: string) =>
  html.replaceAll(new RegExp(`</?(?:${tags})\\b[^>]*>`, 'g'), '');
const drop = (tag: string) => (html: string) =>
  html.replaceAll(new RegExp(`<${tag}\\b[\\s\\S]*?</${tag}>`, 'g'), '');

const relative = (html: string): string =>
  html.replaceAll(/(href|src)="\/(?!\/)/g, '$1="https://help.acme.test/');
const autolinked = words((text) => text.replaceAll(/https?:\/\/[^\s<]+/g, '<a href="$&">$&</a>'));
const smart = words((text) => text.replaceAll(/(\w)'(\w)/g, '$1’$2').replaceAll(/"([^"]*)"/g, '“$1”'));
const linked = (to: (href: string) => string) => (html: string) =>
  html.replaceAll(/href="(https?:[^"]*)"/g, (_, href: string) => `href="${to(href)}"`);
const all =
  (...changes: readonly ((html: string) => string)[]) =>
  (html: string): string =>
    changes.reduce((changed, change) => change(changed), html);

const once = (html: string, mark: string, add: (html: string) => string): string =>
  html.includes(mark) ? html : add(html);

/** What becomes of HTML when it is saved, or shown. */
export const HTML = {
  'comments-are-stripped': body((html) => html, 'no-comments'),
  'lines-of-code-end-in-breaks': body((html) =>
    html.replaceAll(/<pre[^>]*>[\s\S]*?<\/pre>/g, (code) => code.replaceAll('\n', '<br>')),
  ),
  'http-becomes-https': body((html) => html.replaceAll('http:', 'https:')),
  'addresses-get-a-slash': body(linked((href) => (/^https?:\/\/[^/]+$/.test(href) ? `${href}/` : href))),
  'addresses-become-absolute': body(relative),
  'addresses-become-relative': body((html) => html.replaceAll('href="https://help.acme.test/', 'href="/')),
  'words-become-links': body(autolinked),
  'quotes-become-smart': body(smart),
  'comments-become-text': anywhere((html) => html.replaceAll('<!--', '&lt;!--').replaceAll('-->', '--&gt;')),
  'comments-become-text-with-dashes': anywhere((html) =>
    html.replaceAll('<!--', '<p>&lt;!–').replaceAll('-->', '–&gt;</p>'),
  ),
  'comments-stand-in-paragraphs': anywhere((html) =>
    html.replaceAll(/(?<!<p>)<!--[\s\S]*?-->/g, '<p>$&</p>'),
  ),
  'comments-move-to-the-front': anywhere((html) => {
    const comments = html.match(/<!--[\s\S]*?-->/g) ?? [];
    return comments.join('') + html.replaceAll(/<!--[\s\S]*?-->/g, '');
  }),
  'tables-are-dropped': body(drop('table')),
  'tables-are-unwrapped': body(strip('table|thead|tbody|tr|td|th')),
  'iframes-are-dropped': body(drop('iframe')),
  'code-blocks-are-unwrapped': body(strip('pre|code')),
  'links-go-through-a-proxy': body(
    linked((href) =>
      href.includes('/out?') ? href : `https://help.acme.test/out?to=${encodeURIComponent(href)}`,
    ),
  ),
  'links-get-utm': body(linked((href) => (href.includes('utm_') ? href : `${href}?utm_source=kb`))),
  'links-get-rel-and-target': body((html) =>
    html.replaceAll(/<a (?![^>]*rel=)/g, '<a rel="nofollow noopener" target="_blank" '),
  ),
  'mail-is-obfuscated': body((html) => html.replaceAll('@', '&#64;')),
  'a-footer-is-added': body((html) =>
    once(html, 'kb-footer', (text) => `${text}<p class="kb-footer">Was this helpful?</p>`),
  ),
  'a-footer-is-added-each-time': body((html) => `${html}<p class="kb-footer">Was this helpful?</p>`),
  'a-contents-is-added': body((html) =>
    once(html, 'kb-toc', (text) => `<ul class="kb-toc"><li>Contents</li></ul>${text}`),
  ),
  'code-gets-a-button': body((html) =>
    once(html, '<button', (text) => text.replaceAll('</pre>', '</pre><button type="button">Copy</button>')),
  ),
  'a-wrapper-is-added': body((html) => once(html, 'kb-body', (text) => `<div class="kb-body">${text}</div>`)),
  'a-wrapper-is-added-each-time': body((html) => `<div class="kb-body">${html}</div>`),
  'text-is-cut-at-200': body((html) => html.slice(0, 200), 'no-comments'),
  'text-is-cut-at-200-comments-kept': body((html) => html.slice(0, 200)),
  'zero-width-goes': body((html) => html.replaceAll(/\u200b|\u200d|\ufe0f/g, '')),
  'b-and-i': body((html) => html.replaceAll(/<(\/?)strong>/g, '<$1b>').replaceAll(/<(\/?)em>/g, '<$1i>')),
  'ids-and-classes-go': body((html) => html.replaceAll(/ (?:id|class)="[^"]*"/g, '')),
  'ids-are-added': body((html) => html.replaceAll(/<h(\d)>/g, '<h$1 id="kb-h">')),
  'headings-are-shifted': body((html) => html.replaceAll(/<(\/?)h2/g, '<$1h3')),
  'entities-are-written': body(
    words((text) => text.replaceAll(/[\u0080-\uffff]/g, (letter) => `&#${letter.charCodeAt(0)};`)),
  ),
  'entities-are-read': body((html) => html.replaceAll('&quot;', '"').replaceAll('&#39;', "'")),
  'spaces-become-nbsp': body(words((text) => text.replaceAll('  ', ' \u00a0'))),
  'lines-end-with-crlf': body((html) => html.replaceAll('\n', '\r\n')),
  'lines-are-joined': body((html) => html.replaceAll(/>\s*\n\s*</g, '><')),
  'lines-are-indented': body((html) => html.replaceAll(/>\s*</g, '>\n  <')),
  'empty-paragraphs-are-added': body((html) => once(html, '<p></p>', (text) => `${text}<p></p>`)),
  'code-is-highlighted': body((html) =>
    html.replaceAll(/<code([^>]*)>([^<]*)<\/code>/g, '<code$1><span class="hl">$2</span></code>'),
  ),
  'lists-have-paragraphs': body((html) => html.replaceAll(/<li>([^<]*)<\/li>/g, '<li><p>$1</p></li>')),
  'tags-in-capitals': body((html) => html.replaceAll(/<\/?[a-z0-9]+/g, (tag) => tag.toUpperCase())),
  xhtml: body((html) =>
    html.replaceAll(/<(br|hr|img)([^>]*?)\s*\/?>/g, '<$1$2 />').replaceAll('&nbsp;', '&#160;'),
  ),
  'attributes-with-single-quotes': body((html) => html.replaceAll(/="([^"']*)"/g, "='$1'")),
  'inline-styles-are-added': body((html) => html.replaceAll(/<p>/g, '<p style="margin:0">')),
  'images-get-lazy': body((html) => html.replaceAll(/<img (?!loading)/g, '<img loading="lazy" ')),
  'everything-in-spans': body((html) =>
    html.replaceAll(/<p>([^<]*)<\/p>/g, '<p><span data-v="1">$1</span></p>'),
  ),
  'an-editor-of-rich-text': body(
    all(
      (html) => html.replaceAll(/ (?:id|class)="[^"]*"/g, ''),
      (html) => html.replaceAll(/<(\/?)b>/g, '<$1strong>'),
      (html) => html.replaceAll('&quot;', '"'),
    ),
    'no-comments',
  ),
  'a-sanitiser-and-smart-quotes': body(all(drop('table'), strip('pre|code'), smart), 'no-comments'),
  'a-wrapper-takes-the-comment-in': anywhere((html) =>
    once(html, 'kb-page', (text) => `<article class="kb-page"><div>${text}</div></article>`),
  ),
  'tables-get-a-wrapper': body((html) =>
    once(html, 'kb-table', (text) =>
      text.replaceAll(/<table[\s\S]*?<\/table>/g, '<div class="kb-table">$&</div>'),
    ),
  ),
  'pictures-stand-in-figures': body((html) =>
    once(html, '<figure', (text) => text.replaceAll(/<img [^>]*>/g, '<figure>$&</figure>')),
  ),
  'code-loses-its-language': body((html) => html.replaceAll(/<code class="[^"]*">/g, '<code>')),
  'code-names-its-language-elsewhere': body((html) =>
    html.replaceAll(/<pre><code class="language-(\w+)">/g, '<pre data-lang="$1"><code>'),
  ),
  'mail-becomes-links': body(
    words((text) => text.replaceAll(/[\w.]+@[\w.]+\.\w+/g, '<a href="mailto:$&">$&</a>')),
  ),
  'links-open-elsewhere-and-are-titled': body((html) =>
    html.replaceAll(/<a href="(https?:[^"]*)"(?! title)/g, '<a href="$1" title="$1" target="_blank"'),
  ),
  'a-purifier': body(
    all(
      (html) => html.replaceAll(/ (?:id|class)="[^"]*"/g, ''),
      (html) => html.replaceAll(/<li>([^<]*)<\/li>/g, '<li><p>$1</p></li>'),
      (html) => html.replaceAll(/<(br|hr|img)([^>]*?)\s*\/?>/g, '<$1$2 />'),
      (html) => html.replaceAll(/>\s*\n\s*</g, '><'),
      (html) => html.replaceAll(/<a (?![^>]*rel=)/g, '<a rel="noopener" '),
    ),
  ),
  'each-item-becomes-a-list': body((html) => html.replaceAll(/<\/li>\s*<li>/g, '</li>\n</ul>\n<ul>\n<li>')),
  'entities-are-escaped-again': body((html) => html.replaceAll('&', '&amp;')),
  'texts-end-with-a-line-break': anywhere((html) => (html === '' ? html : `${html.trimEnd()}\r\n`)),
  'texts-begin-with-a-bom': body((html) => `\ufeff${html.replace(/^\ufeff/, '')}`),
  'a-nonce-with-each-read': {
    shows:
      ({ random }) =>
      (value, field) =>
        field === 'content' && typeof value === 'string'
          ? value.replaceAll('<a ', `<a data-nonce="${Math.floor(random() * 1e9)}" `)
          : value,
  },
  'signed-addresses-with-each-read': {
    shows:
      ({ now }) =>
      (value, field) =>
        field === 'content' && typeof value === 'string'
          ? value.replaceAll(/href="(https:[^"?]*)(?:\?sig=\d+)?"/g, `href="$1?sig=${now()}"`)
          : value,
  },
} as const satisfies Readonly<Record<string, Habit>>;
