import { labelsFor } from '../../../content/labels.ts';
import type { AlertKind } from '../../../content/labels.ts';
import { textOfHtml } from '../../text/plain-text.ts';
import { child, parameter, textIn } from './tree.ts';
import type { StorageNode, Notes } from './tree.ts';
import { escapedHtml } from '../../../text/escaped-html.ts';

const BOXES: Readonly<Record<string, AlertKind>> = {
  info: 'note',
  tip: 'tip',
  note: 'warning',
  warning: 'caution',
};

/** Macros that only show what other pages or people say; they have no text of their own. */
const LISTS = new Set(['toc', 'toc-zone']);

/** What a macro shows, as HTML. */
export function blockMacro(node: StorageNode, notes: Notes): string {
  const name = node.attributes['ac:name'] ?? '';
  const rich = child(node, 'ac:rich-text-body');
  const plain = child(node, 'ac:plain-text-body');
  const inner = (): string => (rich === undefined ? '' : notes.inner(rich));
  const title = parameter(node, 'title');
  const kind = BOXES[name];
  if (kind !== undefined) return box(kind, title, { inner: inner(), lang: notes.options.lang });
  switch (name) {
    case 'panel':
      return box('note', title, { inner: inner(), lang: notes.options.lang });
    case 'code':
    case 'noformat':
      return code(title, parameter(node, 'language'), plain === undefined ? '' : textIn(plain));
    case 'expand':
      return `<details><summary>${title ?? '…'}</summary>${inner()}</details>`;
    case 'excerpt':
      notes.summary ??= textOfHtml(inner());
      return inner();
    case 'anchor':
      return `<a id="${(parameter(node, '') ?? '').replaceAll('"', '&quot;')}"></a>`;
    case 'status':
      return `<strong>${title ?? ''}</strong>`;
    case 'easy-math-block':
    case 'eazy-math-inline':
    case 'mathinline':
      return `<code>${parameter(node, 'body') ?? ''}</code>`;
    default:
      return unknownMacro(name, { rich, plain, inner, notes });
  }
}

interface Unknown {
  readonly rich: StorageNode | undefined;
  readonly plain: StorageNode | undefined;
  readonly inner: () => string;
  readonly notes: Notes;
}

/** Its text comes, if it has one. */
function unknownMacro(name: string, { rich, plain, inner, notes }: Unknown): string {
  if (LISTS.has(name)) return rich === undefined ? '' : inner();
  if (rich !== undefined) {
    notes.said.add(`kbsync imports only the text of the macro ${name}`);
    return inner();
  }
  if (plain !== undefined && textIn(plain).trim() !== '') {
    notes.said.add(`kbsync imports only the source of the macro ${name}`);
    return code(undefined, name, textIn(plain));
  }
  notes.said.add(`kbsync leaves out the macro ${name}`);
  return '';
}

/** As `> [!NOTE]` is rendered, so it becomes that. */
function box(
  kind: AlertKind,
  title: string | undefined,
  { inner, lang }: { readonly inner: string; readonly lang: string },
): string {
  const label = escapedHtml(labelsFor(lang)[kind]);
  const own = title === undefined || title === '' ? '' : `<p><strong>${title}</strong></p>`;
  // Text without a paragraph would not be the text of a box.
  const text = /^\s*</.test(inner) || inner.trim() === '' ? inner : `<p>${inner}</p>`;
  return `<div class="admonition ${kind}"><p class="admonition-title">${label}</p>${own}${text}</div>`;
}

function code(title: string | undefined, language: string | undefined, text: string): string {
  const named =
    language === undefined || language === ''
      ? ''
      : ` class="language-${language.replaceAll(/[^\w+#.-]/g, '')}"`;
  const head = title === undefined || title === '' ? '' : `<p><strong>${title}</strong></p>`;
  return `${head}<pre><code${named}>${text.endsWith('\n') ? text : `${text}\n`}</code></pre>`;
}
