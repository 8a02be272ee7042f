/** The words of a Markdown file that its reader should see, without any parser of Markdown: a measure, not a rendering. */

/** Scripts without blanks between words count sign by sign: marks of Markdown would make other words of them. */
const WORD =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]|(?:(?![\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}])[\p{L}\p{N}])+/gu;

export function wordsOf(text) {
  return (
    text
      .replaceAll(/(?:https?|ftp):\/\/[^\s)>\]"']+/g, ' ')
      .toLowerCase()
      .match(WORD) ?? []
  );
}

/** What an abbreviation means, which readers see at most in a bubble: https://python-markdown.github.io/extensions/abbreviations/ */
const ABBREVIATION = /^\*\[[^\]\n]+\]:[^\n]*$/gm;

/** Comments of Obsidian, which no reader sees: https://help.obsidian.md/syntax#Comments */
const COMMENT = /^[ \t]*%%(?:(?!%%)[\s\S])*%%/gm;

/** Text and code; no front matter, comments, addresses, tags, calls and modules. */
export function wordsOfSource(source) {
  return segments(withoutFrontMatter(source).replaceAll(ABBREVIATION, '').replaceAll(COMMENT, '')).flatMap(
    ({ isCode, text }) => wordsOf(isCode ? text : plain(text)),
  );
}

/** Pictures, and the addresses of videos and frames, outside code. */
export function mediaOf(source) {
  const prose = proseOf(source).replaceAll(/(?<!`)(`+)(?!`)[^\n]*?[^`]\1(?!`)/g, ' ');
  const pictures = prose.match(/!\[[^\]\n]*\]\(|<(?:img|Image)\s/g)?.length ?? 0;
  const embeds = [...prose.matchAll(/<(?:iframe|video|source|embed)\s[^>]*?\bsrc=["']([^"'\n]+)["']/g)];
  return { pictures, embeds: embeds.map(([, url]) => url) };
}

/** Texts that readers see and that stand in arguments: `<Tab title="npm">`, `=== "npm"`, `{% tab title="npm" %}`. */
export function labelsOf(source) {
  const prose = proseOf(source);
  const labels = [];
  // The title of a video is for those who do not see it.
  for (const [, attributes] of prose.matchAll(
    /<(?!Icon\b|\w*Video\b)[A-Z][\w.]*((?:\s+[\w:-]+(?:=(?:"[^"]*"|'[^']*'|\{[^{}]*\}))?)+)\s*\/?>/g,
  )) {
    for (const [, a, b] of attributes.matchAll(
      /\s(?:title|label|header|summary|caption|tab)=(?:"([^"]*)"|'([^']*)')/g,
    ))
      labels.push((a ?? b).replaceAll(/&(?:#\d+|#x[\da-f]+|\w+);/gi, ' '));
  }
  for (const [, tag] of prose.matchAll(
    /\{%-?\s*(?:tab|step|hint|callout|content-ref|accordion)\s([^%]*)%\}/g,
  )) {
    for (const [, title] of tag.matchAll(/\btitle="([^"]*)"/g)) labels.push(title);
  }
  for (const [, title] of prose.matchAll(/^\s*(?:===[!+]?|!!! [\w -]+|\?\?\?\+? [\w -]+) "([^"\n]*)"/gm))
    // A label may hold a link, attributes, an icon or a mark of a footnote: these are not seen.
    labels.push(title.replaceAll(/\]\([^()\s]*\)|\{:?[^{}\n]*\}|:[a-z]+-[\w-]+:|\[\^[^\]\n]+\]/g, ' '));
  for (const [, title] of prose.matchAll(/^\s*:{3,} ?[\w-]+\[([^\]\n]*)\]/gm)) labels.push(title);
  return labels;
}

/** A comment that begins a line is no page, whatever fences it holds (https://spec.commonmark.org/0.31.2/#html-blocks); one in a fence is not looked for. */
const COMMENT_BLOCK = /(?<=^|\n\n)<!--(?:(?!-->)[\s\S])*-->[ \t]*(?=\n|$)/g;

/** Outside fenced code and comments. */
export function proseOf(source) {
  return segments(withoutFrontMatter(source).replaceAll(COMMENT_BLOCK, ''))
    .filter(({ isCode }) => !isCode)
    .map(({ text }) => text.replaceAll(/<!--[\s\S]*?-->|\{\/\*[\s\S]*?\*\/\}/g, ''))
    .join('\n');
}

function withoutFrontMatter(source) {
  return source
    .replaceAll(/\r\n?/g, '\n')
    .replace(
      /^\uFEFF?(?:---[ \t]*\n[\s\S]*?\n(?:---|\.\.\.)[ \t]*(?:\n|$)|\s*\+\+\+[ \t]*\n[\s\S]*?\n\+\+\+[ \t]*(?:\n|$))/,
      '',
    );
}

/** Fenced code and the text between. */
function segments(body) {
  const parts = [];
  let text = '';
  let fence;
  for (const line of body.split('\n')) {
    const mark = /^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*(`{3,}|~{3,})/.exec(line)?.[1];
    if (
      fence === undefined &&
      mark !== undefined &&
      !line.slice(line.indexOf(mark) + mark.length).includes('`')
    ) {
      parts.push({ isCode: false, text });
      text = '';
      fence = mark;
    } else if (
      fence !== undefined &&
      mark?.startsWith(fence) === true &&
      line.replaceAll(/[>\s]/g, '') === mark
    ) {
      parts.push({ isCode: true, text });
      text = '';
      fence = undefined;
    } else text += `${line}\n`;
  }
  parts.push({ isCode: fence !== undefined, text });
  return parts;
}

const TAG =
  /<\/?[A-Za-z][\w.-]*(?:\s+(?:[^\s"'<>{}=/]+(?:\s*=\s*(?:"[^"]*"|'[^']*'|\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\}|[^\s"'<>]+))?|\{(?:[^{}]|\{[^{}]*\})*\}))*\s*\/?>/g;

function plain(text) {
  const code = [];
  // Code spans are words too, whatever they hold.
  const masked = text.replaceAll(/(?<!`)(`+)(?!`)((?:(?!\n\s*\n)[\s\S])*?[^`])\1(?!`)/g, (_, __, inside) => {
    code.push(inside);
    return ' ';
  });
  return `${code.join(' ')} ${masked
    .replaceAll(/<!--[\s\S]*?-->|\{\/\*[\s\S]*?\*\/\}|\{%-?\s*comment[\s\S]*?endcomment\s*-?%\}/g, ' ')
    .replaceAll(/<(script|style|template)\b[\s\S]*?<\/\1>/gi, ' ')
    // Properties of a component of MDC.
    .replaceAll(/^([ \t]*:{2,}[\w-]+[^\n]*\n[ \t]*---)\n[\s\S]*?\n[ \t]*---[ \t]*$/gm, ' ')
    .replaceAll(/\{\{[\s\S]*?\}\}|\{%[\s\S]*?%\}|\{\*[^\n]*\*\}/g, ' ')
    .replaceAll(
      /^(?:import|export)\s(?:[^\n]*?\bfrom\s*['"][^\n]*|['"][^\n]*|(?:const|default|function|let)\b[\s\S]*?(?=\n\s*\n|$(?![\s\S])))/gm,
      ' ',
    )
    .replaceAll(TAG, ' ')
    .replaceAll(/\]\((?:<[^>\n]*>|[^()\s]*(?:\([^()\s]*\)[^()\s]*)*)(\s+"[^"]*")?[^)\n]*\)/g, '] ')
    .replaceAll(/^[ \t>]*\[[^\]\n]+\]:[^\n]*$/gm, ' ')
    .replaceAll(
      /^\s*(?::{3,}[^\n]*|!!! [^\n]*|\?\?\?\+? [^\n]*|===[!+]? "[^\n]*|\/{3,}[^\n]*|-{1,3}8<-{1,3}[^\n]*|<<<[^\n]*)$/gm,
      ' ',
    )
    .replaceAll(
      /\[![A-Za-z-]+\]|\[!INCLUDE[^\n]*?\]\([^)]*\)|\{:?[ .#:][^{}\n]*\}|\{(?:[^{}\n]|\{[^{}]*\})*\}/g,
      ' ',
    )
    .replaceAll(/&(?:#\d+|#x[\da-f]+|\w+);|:[a-z]+-[\w-]+:/gi, ' ')}`;
}
