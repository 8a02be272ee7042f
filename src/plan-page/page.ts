import { createHash } from 'node:crypto';
import type { Problem } from '../model/problem.ts';
import { KINDS, type Key } from '../model/key.ts';
import type { Change, Plan } from '../plan/plan.ts';
import type { RecordTexts } from '../plan/plan-texts.ts';
import { html, markupOf, trusted, type Html } from '../site/html.ts';
import { changeCard, conflictCard, driftCard, type CardContext } from './cards.ts';
import { SCRIPT } from './script.ts';
import { STYLE } from './style.ts';

export interface PlanPageInput extends Omit<CardContext, 'hasBodies' | 'isOpen'> {
  readonly plan: Plan;
  readonly textsOf: (key: Key) => RecordTexts;
  readonly problems: readonly { readonly severity: Problem['severity']; readonly text: string }[];
  /** Address of the service. */
  readonly baseUrl: string;
  /** Where and when, as facts: commit, time, version, how the base is known. */
  readonly facts: readonly string[];
  /** `2 new, 5 changed, 1 conflict` */
  readonly sum: string;
}

/** Beyond this much, changes are named without their texts. */
const BYTES_MAX = 20_000_000;
/** So many changes are read one below the other; more are looked through by their titles. */
const OPEN_MAX = 5;

/**
 * A plan as one HTML file that asks nobody for anything: conflicts first and open, then what is in the way, drift, and the
 * changes by kind and language with both sides of each text, open where they are few.
 */
export function planPage(input: PlanPageInput): string {
  const { plan, textsOf, problems, baseUrl, facts, sum } = input;
  let bytes = 0;
  const isOpen = plan.changes.length + plan.drift.length <= OPEN_MAX;
  const sized = (make: (context: CardContext, texts: RecordTexts) => Html, key: Key): Html => {
    const hasBodies = bytes < BYTES_MAX;
    const made = make({ ...input, hasBodies, isOpen }, hasBodies ? textsOf(key) : {});
    bytes += markupOf(made).length;
    return made;
  };
  const conflicts = plan.conflicts.map((one) => sized((to, texts) => conflictCard(one, texts, to), one.key));
  const drift = plan.drift.map((one) => sized((to, texts) => driftCard(one, texts, to), one.key));
  const groups = groupsOf(plan.changes).map(({ title, changes }) =>
    section(
      title,
      changes.map((one) => sized((to, texts) => changeCard(one, texts, to), one.key)),
    ),
  );
  const csp = `default-src 'none'; style-src 'sha256-${sha(STYLE)}'; script-src 'sha256-${sha(SCRIPT)}'; base-uri 'none'; form-action 'none'`;
  return markupOf(
    html`<!doctype html>
      <html lang="en">
        <head>
          <meta charset="utf-8" />
          <meta http-equiv="Content-Security-Policy" content="${csp}" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <meta name="referrer" content="no-referrer" />
          <title>kbsync plan · ${baseUrl}</title>
          ${trusted(`<style>${STYLE}</style>`)}
        </head>
        <body>
          <header>
            <h1>kbsync plan · ${baseUrl}<span class="state">not applied</span></h1>
            <p class="where">${facts.join(' · ')}</p>
            <p class="sum">${sum}</p>
          </header>
          ${filters(plan)}
          <main>
            ${
              plan.refusals.length > 0 &&
              section(
                'Nothing would be written',
                plan.refusals.map(
                  ({ message, flag }) =>
                    html`<p>! ${message}${flag !== undefined && html` <code>${flag}</code>`}</p>`,
                ),
              )
            }
            ${section('Conflicts', conflicts)}
            ${lines(
              'Problems',
              problems.map(({ severity, text }) => `${severity}: ${text}`),
            )}
            ${lines(
              'Waiting',
              plan.blocked.map(({ key, message }) => `${key}: ${message}`),
            )}
            ${section('Edited on the site', drift)} ${groups}
            ${lines(
              'Kept, although the file is gone',
              plan.kept.map(({ key, reason }) => `${key} (${reason})`),
            )}
          </main>
          <footer>${plan.unchanged} records are unchanged. Keys: j and k go from change to change.</footer>
          ${trusted(`<script>${SCRIPT}</script>`)}
        </body>
      </html> `,
  );
}

function section(title: string, cards: readonly Html[]): Html | false {
  return (
    cards.length > 0 &&
    html`<section>
      <h2>${title}</h2>
      ${cards}
    </section>`
  );
}

function lines(title: string, texts: readonly string[]): Html | false {
  return section(
    title,
    texts.map((text) => html`<p>${text}</p>`),
  );
}

const TITLES = { category: 'Categories', tag: 'Tags', article: 'Articles' } as const;

function groupsOf(
  changes: readonly Change[],
): readonly { readonly title: string; readonly changes: readonly Change[] }[] {
  const languages = [...new Set(changes.map(({ lang }) => lang))];
  return KINDS.flatMap((kind) =>
    languages.map((lang) => ({
      title: `${TITLES[kind]}, ${lang}`,
      changes: changes.filter((change) => change.kind === kind && change.lang === lang),
    })),
  );
}

/** Shown by the script, because they do nothing without it. */
function filters(plan: Plan): Html {
  const languages = [
    ...new Set([...plan.changes, ...plan.conflicts, ...plan.drift].map(({ lang }) => lang)),
  ].sort();
  const choice = (name: string, label: string, options: readonly string[]): Html =>
    html`<label
      >${label}
      <select name="${name}">
        <option value="">all</option>
        ${options.map((option) => html`<option>${option}</option>`)}
      </select></label
    >`;
  return html`<form hidden>
    ${choice('lang', 'Language', languages)} ${choice('kind', 'Kind', KINDS)}
    ${choice('action', 'What', ['create', 'update', 'delete', 'conflict', 'drift'])}
    <label>Text <input name="text" type="search" autocomplete="off" /></label>
    <output id="count" class="note"></output>
  </form>`;
}

function sha(text: string): string {
  return createHash('sha256').update(text).digest('base64');
}
