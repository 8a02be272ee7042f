import { decodeHTMLAttribute } from 'entities/decode';
import type { FieldValue } from '../model/fields.ts';
import { bodyFieldOf } from '../model/fields.ts';
import type { Kind } from '../model/key.ts';
import type { BaseValue } from '../model/record.ts';
import type { Change, Conflict, Drift } from '../plan/plan.ts';
import type { RecordTexts } from '../plan/plan-texts.ts';
import { html, trusted, type Html, type Piece } from '../site/html.ts';
import { directionOf } from '../site/languages.ts';
import { sanitisedForPage } from '../site/text/sanitise.ts';
import { markedHtml } from './marked-html.ts';

export interface CardContext {
  /** `cli` for the id of the tag. */
  readonly labelOf: (id: string) => string;
  /** Where a record is read. */
  readonly pageOf: (kind: Kind, lang: string, slug: string) => string;
  /** The command that resolves a conflict. */
  readonly resolving: (conflict: Conflict) => string;
  /** False when the page has become too large for bodies. */
  readonly hasBodies: boolean;
  /** Whether changes are shown unfolded; conflicts always are. */
  readonly isOpen: boolean;
}

const SIGNS = { create: '+', update: '~', delete: '−' } as const;

export function changeCard(change: Change, texts: RecordTexts, context: CardContext): Html {
  const { action, kind, key, lang, slug, name, fields, at } = change;
  const body = bodyFieldOf(kind);
  const rows = fields.filter(({ field }) => field !== body);
  const what = fields
    .map(({ field, words }) =>
      words === undefined ? field : `${field} +${words.added} −${words.removed} words`,
    )
    .join(', ');
  const hasBody = fields.some(({ field }) => field === body) || action !== 'update';
  const inside = html`<p class="where">
      ${place(at)} <a href="${context.pageOf(kind, lang, slug)}">${context.pageOf(kind, lang, slug)}</a>
    </p>
    ${
      rows.length > 0 &&
      fieldTable(
        ['Before', 'After'],
        rows.map(({ field, before, after }) => [
          field,
          valueText(texts.before?.[field] ?? before, context),
          valueText(texts.after?.[field] ?? after, context),
        ]),
      )
    }
    ${hasBody && bodies(texts.before?.[body], texts.after?.[body], lang, context)}`;
  return card({
    key,
    kind,
    lang,
    action,
    sign: SIGNS[action],
    name,
    what: action === 'update' ? what : '',
    inside,
    isOpen: context.isOpen,
  });
}

export function conflictCard(conflict: Conflict, texts: RecordTexts, context: CardContext): Html {
  const { key, kind, lang, code, fields, at, witness } = conflict;
  const body = bodyFieldOf(kind);
  const inside = html`<p class="where">${place(at)} ${code}; the base is known from: ${witness}</p>
    <p>Resolve: <code>${context.resolving(conflict)}</code></p>
    ${fieldTable(
      ['Base', 'File', 'Site'],
      fields.map(({ field, base, local, remote }) =>
        field === body
          ? [field, 'text', 'see below', 'see below']
          : [field, valueText(base, context), valueText(local, context), valueText(remote, context)],
      ),
    )}
    ${
      fields.some(({ field }) => field === body) &&
      bodies(texts.before?.[body], texts.after?.[body], lang, context, ['Site', 'File'])
    }`;
  const what = fields.map(({ field }) => field).join(', ');
  return card({ key, kind, lang, action: 'conflict', sign: '!', what, inside, isOpen: true });
}

export function driftCard(
  { key, kind, lang, fields }: Drift,
  texts: RecordTexts,
  context: CardContext,
): Html {
  const body = bodyFieldOf(kind);
  const inside = html`<p class="where">Edited on the site only; it stays as it is there.</p>
    ${fieldTable(
      ['Last sync', 'Site'],
      fields.map(({ field, base, remote }) =>
        field === body
          ? [field, 'text', 'see below']
          : [field, valueText(base, context), valueText(remote, context)],
      ),
    )}
    ${
      fields.some(({ field }) => field === body) &&
      bodies(texts.after?.[body], texts.before?.[body], lang, context, ['File', 'Site'])
    }`;
  const what = fields.map(({ field }) => field).join(', ');
  return card({ key, kind, lang, action: 'drift', sign: '≠', what, inside, isOpen: context.isOpen });
}

interface Card {
  readonly key: string;
  readonly kind: Kind;
  readonly lang: string;
  readonly action: string;
  readonly sign: string;
  /** The record's title; absent where it is not known. */
  readonly name?: string;
  readonly what: string;
  readonly inside: Html;
  readonly isOpen?: boolean;
}

function card({ key, kind, lang, action, sign, name = '', what, inside, isOpen = false }: Card): Html {
  const text = `${key} ${name} ${what}`.toLowerCase();
  return html`<details
    class="card ${action}"
    id="${key}"
    ${isOpen && html`open`}
    data-kind="${kind}"
    data-lang="${lang}"
    data-action="${action}"
    data-text="${text}"
  >
    <summary>
      <span class="sign">${sign}</span> ${key.slice(0, key.lastIndexOf('@'))}
      <span class="lang">${lang}</span> ${name !== '' && html`<bdi class="name">${name}</bdi>`} ${what}
    </summary>
    <div class="inside">
      ${inside}
      <p class="note"><a href="#${encodeURIComponent(key)}">link to this change</a></p>
    </div>
  </details>`;
}

function fieldTable(heads: readonly string[], rows: readonly (readonly Piece[])[]): Html {
  return html`<table class="fields">
    <thead>
      <tr>
        <th scope="col">Field</th>
        ${heads.map((head) => html`<th scope="col">${head}</th>`)}
      </tr>
    </thead>
    <tbody>
      ${rows.map(
        ([field, ...values]) =>
          html`<tr>
            <th scope="row">${field}</th>
            ${values.map((value) => html`<td>${value}</td>`)}
          </tr>`,
      )}
    </tbody>
  </table>`;
}

function bodies(
  before: FieldValue | undefined,
  after: FieldValue | undefined,
  lang: string,
  { hasBodies }: CardContext,
  [left, right]: readonly [string, string] = ['Before', 'After'],
): Html {
  if (!hasBodies)
    return html`<p class="note">The text is left out, because this page would be too large.</p>`;
  const [old, now] = [safeText(before), safeText(after)];
  if (old === undefined && now === undefined)
    return html`<p class="note">The text was not read for this plan.</p>`;
  if (old === undefined || now === undefined) {
    const head = old === undefined ? right : left;
    return html`<div class="sides one">${side(head, old ?? now ?? '', lang)}</div>`;
  }
  const marked = markedHtml(old, now);
  const isWordless = marked.added + marked.removed === 0 && old !== now;
  return html`${isWordless && html`<p class="note">The words are the same; tags, link targets or spaces differ. ${targets(old, now)}</p>`}
    <div class="sides">${side(left, marked.before, lang)}${side(right, marked.after, lang)}</div>`;
}

function side(head: string, markup: string, lang: string): Html {
  return html`<div class="side">
    <h3>${head}</h3>
    <div lang="${lang}" dir="${directionOf(lang)}">${trusted(markup)}</div>
  </div>`;
}

/** Made safe, without ids (two sides would share them) and with boxes for pictures: the page asks nobody for anything. */
function safeText(value: FieldValue | undefined): string | undefined {
  if (typeof value !== 'string') return undefined;
  return sanitisedForPage(value)
    .replaceAll(/\sid="[^"]*"/g, '')
    .replaceAll(/<(?:source|video|audio|input)\b[^>]*>|<\/(?:video|audio)>/g, '')
    .replaceAll(/<img\b([^>]*)>/g, (_tag: string, attributes: string) => {
      const of = (name: string): string => new RegExp(`\\s${name}="([^"]*)"`).exec(attributes)?.[1] ?? '';
      return `<span class="picture">picture ${of('alt')} ${of('src')}</span>`;
    });
}

function targets(before: string, after: string): string {
  const of = (text: string): readonly string[] =>
    [...text.matchAll(/\shref="([^"]*)"/g)].map(([, href]) => href ?? '');
  const [old, now] = [of(before), of(after)];
  const gone = old.filter((href) => !now.includes(href));
  const fresh = now.filter((href) => !old.includes(href));
  if (gone.length + fresh.length === 0) return '';
  return `Links: ${gone.map(decodeHTMLAttribute).join(', ') || 'none'} → ${fresh.map(decodeHTMLAttribute).join(', ') || 'none'}.`;
}

function valueText(value: BaseValue | undefined, { labelOf }: CardContext): string {
  if (value === undefined || value === null) return '–';
  if (Array.isArray(value)) return value.map((item) => labelOf(String(item))).join(', ') || 'none';
  if (typeof value === 'object') return 'digest' in value ? `text ${value.digest}` : '';
  return typeof value === 'string' ? labelOf(value) : String(value);
}

function place(at: Change['at']): string {
  return at === undefined ? '' : `${at.file}:${at.line}`;
}
