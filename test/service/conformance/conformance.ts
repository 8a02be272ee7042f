import { describe } from 'vitest';
import type { Store } from '../../../src/service/index.ts';
import { type OpenRig, rig } from '../support/rig.ts';
import { access } from './access.ts';
import { auditing } from './audit.ts';
import { storedFiles } from './files.ts';
import { golden } from './golden.ts';
import { goldenTools } from './golden-tools.ts';
import { insights } from './insights.ts';
import { oddities } from './oddities.ts';
import { races } from './races.ts';
import { rules } from './rules.ts';
import { searching } from './search.ts';
import { translations } from './translations.ts';
import { versions } from './versions.ts';

/** What every store must hold; each store's test names itself and says how a fresh one is opened. */
export function conformance(name: string, openFresh: () => Promise<Store>): void {
  describe(`service over ${name}`, () => {
    const open: OpenRig = async (options) => rig(await openFresh(), options);
    golden(open);
    goldenTools(open);
    translations(open);
    rules(open);
    versions(open);
    races(open);
    searching(open);
    access(open);
    auditing(open);
    oddities(open);
    storedFiles(open);
    insights(open);
  });
}
