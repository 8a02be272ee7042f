import type { System } from './record.ts';
import type { SystemName } from './system-names.ts';
import { confluence } from './systems/confluence/confluence.ts';
import { freshdesk } from './systems/freshdesk.ts';
import { ghost } from './systems/ghost/ghost.ts';
import { intercom } from './systems/intercom.ts';
import { notion } from './systems/notion/notion.ts';
import { wordpress } from './systems/wordpress/wordpress.ts';
import { zendesk } from './systems/zendesk/zendesk.ts';

const SYSTEMS: Readonly<Record<SystemName, System>> = {
  zendesk,
  intercom,
  freshdesk,
  wordpress,
  ghost,
  confluence,
  notion,
};

/** The mapping of a system by its name on the command line. */
export function systemOf(name: SystemName): System {
  return SYSTEMS[name];
}
