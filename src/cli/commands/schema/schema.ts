import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { z } from 'zod';
import { SetupError } from '../../../config/setup-error.ts';
import { didYouMean } from '../../../content/suggest.ts';
import { visible } from '../../../model/visible.ts';
import { configSchema, configJsonSchema } from '../../../config/schema.ts';
import { EXIT } from '../../run/exit.ts';
import { fleetJsonSchema, fleetSchema } from '../../../fleet/settings/schema.ts';
import { JSON_FORMAT } from '../../print/json.ts';
import { commandsOf, commandsPage } from './commands-page.ts';
import { FRONT_MATTER } from './front-matter-schema.ts';
import type { SchemaFlags } from './command.ts';
import type { World } from '../../world.ts';

const NAMES = ['config', 'article', 'category', 'tag', 'fleet'] as const;
const COMMANDS = 'commands';
type SchemaName = (typeof NAMES)[number];

/** `kbsync schema`: the JSON schema (draft-07) of kbsync.yaml, of fleet.yaml or of a kind's front matter, or its table for people; or every command with its flags. */
export function schema(name: string, flags: SchemaFlags, program: CommandUnknownOpts, world: World): number {
  if (name === COMMANDS) {
    const commands = commandsOf(program);
    world.stdout.write(
      `${flags.markdown ? commandsPage(commands) : JSON.stringify({ format: JSON_FORMAT, commands }, undefined, 2)}\n`,
    );
    return EXIT.done;
  }
  const known = NAMES.find((one) => one === name);
  if (known === undefined) {
    throw new SetupError(
      'usage',
      `there is no schema \`${visible(name)}\`${didYouMean(name, [...NAMES, COMMANDS])}`,
      {
        help: `schemas are ${NAMES.join(', ')}; ${COMMANDS} lists every command and flag`,
      },
    );
  }
  world.stdout.write(`${flags.markdown ? tableOf(known) : JSON.stringify(schemaOf(known), undefined, 2)}\n`);
  return EXIT.done;
}

function schemaOf(name: SchemaName): object {
  if (name === 'config') return { title: 'kbsync.yaml', ...(configJsonSchema() as object) };
  if (name === 'fleet') return { title: 'fleet.yaml', ...(fleetJsonSchema() as object) };
  const title = `Front matter of ${name === 'article' ? 'an article' : `a ${name}`}`;
  return { title, ...z.toJSONSchema(FRONT_MATTER[name], { target: 'draft-7' }) };
}

function tableOf(name: SchemaName): string {
  const isSettings = name === 'config' || name === 'fleet';
  // In fleet.yaml, `folder` is a setting of the fleet and one of each knowledge base.
  const shapes =
    name === 'config'
      ? [configSchema.shape]
      : name === 'fleet'
        ? [fleetSchema.shape, fleetSchema.shape.knowledgeBases.valueType.shape]
        : [FRONT_MATTER[name].shape];
  const rows = shapes.flatMap(Object.entries).map(([field, type]) => {
    // Every entry of a zod object is a zod schema; the shape's own type does not say so.
    const described = (type as z.ZodType).description ?? '';
    return `| \`${field}\` | ${described.replaceAll('|', String.raw`\|`)} |`;
  });
  return [`| ${isSettings ? 'setting' : 'field'} | |`, '|---|---|', ...rows].join('\n');
}
