import type { Problem } from '../model/problem.ts';
import { KINDS, type Key } from '../model/key.ts';
import type { Change, Plan } from '../plan/plan.ts';
import type { RecordTexts } from '../plan/plan-texts.ts';
import { html, markupOf, type Html } from '../site/html.ts';
import { changeCard, conflictCard, driftCard, type CardContext } from './cards.ts';
import { BYTES_MAX, framed, KIND_TITLES, OPEN_MAX, section } from './frame.ts';
import { SCRIPT } from './script.ts';
import { STYLE } from './style.ts';
import { redirectWords } from './redirect-words.ts';

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
  return framed({
    title: `kbsync plan · ${baseUrl}`,
    mark: html`<span class="state">not applied</span>`,
    style: STYLE,
    script: SCRIPT,
    facts,
    sum,
    body: [
      filters(plan),
      html`<main>
        ${section(
          'Nothing would be written',
          plan.refusals.map(
            ({ message, flag }) =>
              html`<p>! ${message}${flag !== undefined && html` <code>${flag}</code>`}</p>`,
          ),
        )}
        ${section('Conflicts', conflicts)}
        ${lines(
          'Problems',
          problems.map(({ severity, text }) => `${severity}: ${text}`),
        )}
        ${lines(
          'Waiting',
          plan.blocked.map(({ key, message }) => `${key}: ${message}`),
        )}
        ${section('Edited on the site', drift)} ${groups} ${lines('Old addresses', redirectWords(plan))}
        ${lines(
          'Kept, although the file is gone',
          plan.kept.map(({ key, reason }) => `${key} (${reason})`),
        )}
      </main>`,
      html`<footer>${plan.unchanged} records are unchanged. Keys: j and k go from change to change.</footer>`,
    ],
  });
}

function lines(title: string, texts: readonly string[]): Html | false {
  return section(
    title,
    texts.map((text) => html`<p>${text}</p>`),
  );
}

function groupsOf(
  changes: readonly Change[],
): readonly { readonly title: string; readonly changes: readonly Change[] }[] {
  const languages = [...new Set(changes.map(({ lang }) => lang))];
  return KINDS.flatMap((kind) =>
    languages.map((lang) => ({
      title: `${KIND_TITLES[kind]}, ${lang}`,
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
