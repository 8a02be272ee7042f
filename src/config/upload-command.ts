/**
 * The words of `assets.upload`. Blanks separate them, and quotes hold one together; nothing else has a meaning, because no
 * shell reads them. Undefined: a quote is not closed.
 */
export function commandWords(text: string): readonly string[] | undefined {
  const words = text.match(WORD) ?? [];
  if (text.replaceAll(WORD, '').trim() !== '') return undefined;
  return words.map((word) => word.replaceAll(/"([^"]*)"|'([^']*)'/g, '$1$2'));
}

const WORD = /(?:[^\s"']|"[^"]*"|'[^']*')+/g;

/** What a shell would do something about, outside of single quotes. */
const FOR_A_SHELL = /[`;|<>&]|\$[\w({]/;

/** Why a text is no command for `assets.upload`, as the end of a sentence; undefined: it is one. */
export function commandFault(text: string): string | undefined {
  const words = commandWords(text);
  if (words === undefined) return 'close its quotes';
  if (words.length === 0 || !words.slice(1).some((word) => word.includes('{file}')))
    return 'have {file} after the name of the program';
  if (FOR_A_SHELL.test(text.replaceAll(/'[^']*'/g, '')))
    return 'have no variables, pipes and other signs of a shell: write these into a script, and name the script here';
  const unknown = text.match(/\{[a-z]+\}/gi)?.find((mark) => !MARKS.includes(mark));
  return unknown === undefined ? undefined : `have no other {…} than ${MARKS.join(', ')}`;
}

const MARKS: readonly string[] = ['{file}', '{digest}', '{name}'];
