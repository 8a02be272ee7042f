import { z } from 'zod';
import { isRef, isRepository } from './repository.ts';
import { isSchedule } from './schedule.ts';

/** Where a secret is read from; the file never holds the secret itself. */
const secret = z.union(
  [
    z.strictObject({ variable: z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/) }),
    z.strictObject({ file: z.string().min(1) }),
  ],
  { error: 'it takes { variable: NAME } or { file: path }, never the secret itself' },
);

const repository = z
  .string()
  .refine(
    isRepository,
    'it takes https://, ssh://, user@host:path, file:// or a path from /, without a password',
  );
const ref = z.string().refine(isRef, 'it takes the name of a branch or a tag');
const schedule = z
  .string()
  .refine(isSchedule, 'it takes 15m, 2h, 1d, or five fields of crontab in UTC: "*/15 * * * *"');
const inside = z
  .string()
  .regex(/^(?![/\\-])(?!.*\\)(?!(?:.*\/)?\.\.(?:\/|$)).+$/, 'be a folder inside the repository');
const origin = z.string().regex(/^https?:\/\/[^\s/@]+$/, 'be scheme and host: https://help.example.com');

/** What may stand below `defaults:` too. */
const shared = {
  ref: ref.optional().describe('Branch or tag. Default: main'),
  folder: inside.optional().describe('Folder with kbsync.yaml in the repository. Default: its root'),
  environment: z
    .string()
    .regex(/^[A-Za-z0-9_-]+$/, 'be made of letters, digits, - and _')
    .optional()
    .describe('Environment of kbsync.yaml, as with --env.'),
  schedule: schedule
    .optional()
    .describe(
      'How often: 15m, 2h, 1d (the knowledge bases take turns in this time), or five fields of crontab in UTC. Default: 15m',
    ),
  owner: z.string().min(1).optional().describe('The team to tell. The page and each message name it.'),
  prune: z
    .boolean()
    .optional()
    .describe('Delete records whose file is gone, as with --prune. Default: false'),
};

const knowledgeBase = z.strictObject({
  repository: repository.describe('Address of the git repository.'),
  origin: origin.describe('The only place where the key may go, scheme and host: https://help.example.com'),
  key: secret.describe('Where the key is: { variable: NAME } or { file: path }.'),
  ...shared,
});

/** A name is a folder, a label of metrics and a part of Kubernetes names. */
const name = z
  .string()
  .max(40)
  .regex(
    /^(?!(?:run|status)$)[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/,
    'is made of small letters, digits and -, at most 40, and is not `run` or `status`',
  );

const file = {
  knowledgeBases: z.record(name, knowledgeBase).describe('The knowledge bases, by name.'),
  defaults: z
    .strictObject(shared)
    .optional()
    .describe('Settings for all knowledge bases that do not have their own.'),
  folder: z
    .string()
    .min(1)
    .optional()
    .describe('Where mirrors, work trees and states are kept. Default: .kbsync-fleet beside the file'),
  limits: z
    .strictObject({
      atOnce: z.int().min(1).max(128).optional(),
      perHost: z.int().min(1).max(128).optional(),
    })
    .optional()
    .describe(
      'How many runs may be under way at once: atOnce in one worker (default 2), perHost against one origin, in all workers together (default 4).',
    ),
  notify: secret
    .optional()
    .describe(
      'Where the address of a web hook is: { variable: NAME } or { file: path }. kbsync calls it once for each change of a condition.',
    ),
  webhook: z
    .strictObject({ secret })
    .optional()
    .describe('The secret that pushes are signed with, for --hook-port.'),
  schema: z
    .string()
    .regex(/^[a-z_][a-z0-9_]{0,40}$/, 'be a name of PostgreSQL')
    .optional()
    .describe(
      'Schema of the jobs in the database. Two fleets on one database need two. Default: kbsync_fleet',
    ),
};

/** `fleet.yaml`. */
export const fleetSchema = z.strictObject(file);

export type FleetFile = z.infer<typeof fleetSchema>;
export type SecretPlace = z.infer<typeof secret>;

/** Names of the settings in a group of the file, for "did you mean". */
export const FLEET_NAMES: Readonly<Record<string, readonly string[]>> = {
  '': Object.keys(knowledgeBase.shape),
  defaults: Object.keys(shared),
  limits: ['atOnce', 'perHost'],
  webhook: ['secret'],
};

/** For editors: draft-07, which is what YAML language servers read. */
export function fleetJsonSchema(): unknown {
  return z.toJSONSchema(fleetSchema, { target: 'draft-7' });
}
