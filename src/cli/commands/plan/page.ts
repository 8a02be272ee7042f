import { resolve } from 'node:path';
import { familyOf, type Key } from '../../../model/key.ts';
import type { DesiredState } from '../../../model/record.ts';
import type { Plan } from '../../../plan/plan.ts';
import type { TextsOf } from '../../../plan/plan-texts.ts';
import { planMarkdown } from '../../../plan-page/comment.ts';
import { planPage } from '../../../plan-page/page.ts';
import type { Engine } from '../../run/engine/engine.ts';
import { pagesOf } from '../../../config/content-options.ts';
import { resolvingCommand } from '../../print/plan/conflict.ts';
import { planSum, shownState } from '../../print/plan/plan.ts';
import { findingLine } from '../../print/problems.ts';
import type { World } from '../../world.ts';

export interface ShownPlan {
  readonly plan: Plan;
  readonly textsOf: TextsOf;
  readonly engine: Engine;
  readonly world: World;
}

/** Writes the plan as one page that works without a network. */
export async function savePlanPage(file: string, shown: ShownPlan): Promise<void> {
  const { plan, textsOf, engine, world } = shown;
  const context = engine.context(plan);
  const text = planPage({
    plan,
    textsOf,
    labelOf: context.style.labelOf,
    pageOf: pagesOf(engine.settings, engine.origin),
    resolving: (conflict) => resolvingCommand(conflict, context.setup),
    problems: engine.findings.map((finding) => ({ severity: finding.severity, text: findingLine(finding) })),
    baseUrl: engine.origin,
    facts: factsOf(shown),
    sum: plainSum(shown),
  });
  await world.files.writeText(resolve(world.cwd, file), text);
}

/** The plan as a comment for a pull request. */
export function planMarkdownText(shown: ShownPlan): string {
  const { plan, engine } = shown;
  const { content, setup } = engine.context(plan);
  return planMarkdown({
    plan,
    name: content,
    baseUrl: engine.origin,
    sum: plainSum(shown),
    resolving: (conflict) => resolvingCommand(conflict, setup),
    problems: engine.findings.map(findingLine),
    outdated: outdatedBy(plan, engine.desired),
    facts: `${factsOf(shown).join(', ')}.`,
  }).trimEnd();
}

/** What readers read of a record. */
const TEXTS: ReadonlySet<string> = new Set([
  'title',
  'name',
  'excerpt',
  'description',
  'content',
  'longDescription',
]);

/** Translations whose original gets another text by this plan, while they keep theirs. */
function outdatedBy({ changes }: Plan, { records }: Pick<DesiredState, 'records'>): readonly Key[] {
  const retold = changes
    .filter(({ fields }) => fields.some(({ field }) => TEXTS.has(field)))
    .map(({ key }) => key);
  const keys = new Set(retold);
  const families = new Set(
    changes
      .filter(
        ({ action, key }) => action === 'update' && keys.has(key) && records.get(key)?.isOriginal === true,
      )
      .map(({ key }) => familyOf(key)),
  );
  return [...records.values()]
    .filter(({ key, family, isOriginal }) => !isOriginal && families.has(family) && !keys.has(key))
    .map(({ key }) => key);
}

function factsOf({ plan, engine, world }: ShownPlan): readonly string[] {
  const commit = world.env['GITHUB_SHA'] ?? world.env['CI_COMMIT_SHA'];
  return [
    ...(commit === undefined || commit === '' ? [] : [`commit ${commit.slice(0, 7)}`]),
    `${new Date(world.clock.now()).toISOString().slice(0, 16).replace('T', ' ')} UTC`,
    `kbsync ${world.version}`,
    shownState(engine.context(plan)),
  ];
}

function plainSum({ plan, engine }: ShownPlan): string {
  return planSum(plan, engine.context(plan));
}
