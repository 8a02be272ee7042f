import type { DesiredState } from '../../src/model/record.ts';
import type { SyncPolicy } from '../../src/sync/report.ts';
import { editFolder, tellMove } from './author.ts';
import { desiredOf, fileKey, withRules } from './files.ts';
import { reorganise } from './habits.ts';
import type { Life } from './life.ts';

/** One change of the folder. */
export function authorActs({ world, climate, chance, folder, past }: Life): void {
  const author = { folder, chance, newUid: world.newUid };
  if (climate.tells > 0 && chance.happens(climate.tells)) return world.say(`author ${tellMove(author)}`);
  const isRare = climate.habits > 0 && chance.happens(climate.habits);
  world.say(`author ${isRare ? reorganise({ ...author, past }) : editFolder(author)}`);
}

/** What the run is asked for: everything, some languages, some records, or to watch the files. */
export function runOf(life: Life): {
  readonly policy: Partial<SyncPolicy>;
  readonly saves?: () => DesiredState | undefined;
} {
  const { climate, chance, folder } = life;
  const policy = policyOf(life);
  if (climate.habits === 0 || !chance.happens(climate.habits)) return { policy };
  const habit = chance.oneOf<'languages' | 'resolve' | 'watch'>('languages', 'resolve', 'watch');
  if (habit === 'languages')
    return { policy: { ...policy, languages: chance.oneOf(['en'], ['fr'], ['en', 'de']) } };
  if (habit === 'resolve') {
    const keys = new Set([...folder.values()].filter(() => chance.happens(0.4)).map(fileKey));
    const side = chance.oneOf('local', 'remote');
    const onDrift = side === 'local' ? 'overwrite' : 'acknowledge';
    const only = { keys, what: 'disputes' } as const;
    return { policy: { stamp: life.stamp, onConflict: side, onDrift, adopt: side, only } };
  }
  let turns = 1 + chance.below(5);
  const saves = (): DesiredState | undefined => {
    turns -= 1;
    if (turns < 0) return undefined;
    for (let edits = 1 + chance.below(2); edits > 0; edits -= 1) authorActs(life);
    return withRules(desiredOf(folder), life.protect);
  };
  return { policy: { ...policy, prune: false, onConflict: 'fail', onDrift: 'report', adopt: 'fail' }, saves };
}

function policyOf({ climate, chance, stamp }: Life): Partial<SyncPolicy> {
  const isChosen = chance.happens(climate.choices);
  return {
    prune: chance.happens(climate.prune),
    stamp,
    concurrencyMax: chance.oneOf(1, 4),
    onConflict: isChosen ? chance.oneOf('fail', 'local', 'remote') : 'fail',
    onDrift: isChosen ? chance.oneOf('report', 'overwrite') : 'report',
    adopt: isChosen ? chance.oneOf('fail', 'local', 'remote') : 'fail',
  };
}
