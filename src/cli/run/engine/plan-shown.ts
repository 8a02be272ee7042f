import { pathOf } from '../../../model/key.ts';
import type { DesiredState } from '../../../model/record.ts';
import { familyToCome } from '../../../plan/compare.ts';
import type { Plan } from '../../../plan/plan.ts';
import { setupFlags } from '../../flags.ts';
import type { LoadedBase } from '../../../base/base.ts';
import type { Remote } from '../../../remote/remote.ts';
import type { Choice } from '../../../sync/choice.ts';
import type { PlanContext } from '../../print/plan/context.ts';
import type { LabelOf, ValueStyle } from '../../print/plan/value.ts';
import { stateAgeMs } from '../../../session/session.ts';
import { type Screen } from '../../print/terminal/screen.ts';
import { shown } from '../../../config/settings.ts';
import type { CommandRun, Prepared } from './prepare.ts';
import { shownOf } from './prepare.ts';

/** How a plan of this run is shown. The age of the state is that from before the run. */
export async function contextOf({ flags, world, screen }: CommandRun, prepared: Prepared) {
  const { settings, access, files } = prepared;
  const { findings } = shownOf(prepared);
  const ageMs = await stateAgeMs(settings.stateFile, world);
  return (
    plan: Plan,
    desired: DesiredState,
    {
      choice,
      loaded,
      remote,
    }: { readonly choice: Choice | undefined; readonly loaded: LoadedBase; readonly remote: Remote },
  ): PlanContext => ({
    content: shown(settings.contentDir, world),
    baseUrl: access.address.href,
    fileCount: desired.fileCount,
    languages: desired.languages,
    stateAgeMs: ageMs,
    hasSharedState: settings.sharedState !== undefined && !loaded.isNew,
    warnings: findings.filter(({ severity }) => severity === 'warning'),
    isVerbose: flags.verbose,
    style: styleOf(plan, screen),
    setup: setupFlags(flags),
    partial: choice,
    uploads: files.uploads !== undefined,
    oldAddresses: remote.capabilities().redirects === 'yes' ? ('redirect' as const) : ('die' as const),
    isPublic: (key) => desired.records.get(key)?.fields['status'] !== 'draft',
  });
}

function styleOf(plan: Plan, screen: Screen): ValueStyle {
  const { outPaint, glyphs, isVerbose } = screen;
  return { paint: outPaint, glyphs, labelOf: labelsOf(plan), widthMax: isVerbose ? 100 : 32 };
}

function labelsOf(plan: Plan): LabelOf {
  return (id) => {
    const family = familyToCome(id);
    return plan.labels[id] ?? (family === undefined ? id : pathOf(family));
  };
}
