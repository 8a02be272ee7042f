import { shownStanding } from '../../../fleet/http/board.ts';
import { standingsOf } from '../../../fleet/runs/standings.ts';
import { chosenBases, loadFleet } from '../../../fleet/settings/settings.ts';
import { EXIT } from '../../run/exit.ts';
import { JSON_FORMAT } from '../../print/json.ts';
import { screen as screenOf } from '../../print/terminal/screen.ts';
import type { World } from '../../world.ts';
import type { FleetFileFlags } from './command.ts';
import { standingLines } from './print.ts';

/** `kbsync fleet status`: what the last runs left, read from the folder of the fleet; asks nobody. */
export async function fleetStatus(
  names: readonly string[],
  flags: FleetFileFlags,
  world: World,
): Promise<number> {
  const screen = screenOf(world, flags);
  const fleet = await loadFleet(flags.file, world);
  const standings = await standingsOf(fleet, chosenBases(fleet, names));
  if (screen.isJson) {
    screen.document({ format: JSON_FORMAT, knowledgeBases: standings.map(shownStanding) });
  } else {
    for (const line of standingLines(standings, world.clock.now())) screen.answer(line);
  }
  return EXIT.done;
}
