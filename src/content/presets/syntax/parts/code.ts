import type { Meaning, Part } from '../tag.ts';
import { KEEP, argument, boldLine, link, wrapper } from './part-rule.ts';
import type { PartRules } from './part-rule.ts';

/** Groups of code, whose names stand in the fences (see fence-names), and blocks with a name of their own. */
export const CODE: PartRules = {
  codegroup: wrapper,
  codeblocks: wrapper,
  codegroupitem: codeOf,
  codeblock: codeOf,
  code: codeOf,
  packagemanagertabs: commandOf,
  pminstall: (part) => managed(part, 'npm install', 'name'),
  pmrun: (part) => managed(part, 'npm run', 'script'),
  pmx: (part) => managed(part, 'npx', 'command'),
  sourcecode: sourceOf,
};

/** Rspress: one command for each package manager, as npm takes it, or `{ npm: '…', yarn: '…' }`. */
function commandOf(part: Part): Meaning | undefined {
  const command = argument(part, 'command');
  if (part.closer !== undefined) return undefined;
  if (command !== undefined) return { as: 'text', text: shellCode(`npm ${command}`) };
  const table = part.tag.args.computed?.['command'];
  if (table === undefined) return undefined;
  const pairs = [...table.matchAll(/([\w-]+|'[^'\n]*'|"[^"\n]*")\s*:\s*('[^'\n]*'|"[^"\n]*"|`[^`$]*`)/g)];
  const texts = pairs.map(
    ([, name = '', text = '']) =>
      `${boldLine(name.replaceAll(/['"]/g, ''))}\n\n${shellCode(text.slice(1, -1))}`,
  );
  return texts.length === 0 ? undefined : { as: 'text', text: texts.join('\n\n') };
}

/** undocs: `:pm-run{script="dev"}`, a command for each package manager (https://github.com/unjs/undocs). */
function managed(part: Part, program: string, key: string): Meaning | undefined {
  const said = argument(part, key);
  if (said === undefined || part.inside.trim() !== '') return undefined;
  return { as: 'text', text: shellCode(`${program} ${said}`) };
}

function shellCode(command: string): string {
  return `\`\`\`sh\n${command}\n\`\`\``;
}

/** Rspress: a link to the code of what the page describes. */
function sourceOf(part: Part): Meaning | undefined {
  const address = argument(part, 'href');
  return address === undefined || part.closer !== undefined
    ? undefined
    : { as: 'text', text: link('Source', address), isInline: true };
}

function codeOf(part: Part): Meaning | undefined {
  const title = argument(part, 'title', 'filename', 'name', 'label');
  const language = argument(part, 'lang', 'language') ?? '';
  const label = title === undefined ? undefined : boldLine(title);
  if (part.closer === undefined) {
    const code = argument(part, 'code');
    if (code === undefined) return undefined;
    const fence = `\`\`\`${language}\n${code}\n\`\`\``;
    return { as: 'text', text: label === undefined ? fence : `${label}\n\n${fence}` };
  }
  const template = /^\s*\{\s*`([\s\S]*)`\s*\}\s*$/.exec(part.inside)?.[1];
  if (/^\s*(?:`{3}|~{3})/.test(part.inside)) return label === undefined ? KEEP : { as: 'labelled', label };
  // `<code>` in a line is HTML's own.
  if (template === undefined && part.tag.name === 'code') return undefined;
  return { as: 'code', language, ...(label === undefined ? {} : { label }) };
}
