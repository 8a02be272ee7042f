import { z } from 'zod';
import { authorKeys, OWN_KEYS, SCHEDULE_KEYS } from '../content/document/fields.ts';
import { isZone } from '../content/instant.ts';
import { PRESET_WORDS } from '../content/presets/names.ts';
import { KINDS } from '../model/key.ts';
import { NEVER_ALLOWED, PROBLEM_SEVERITY, type ProblemCode } from '../model/problem.ts';
import { REDIRECT_ADDRESS } from '../model/address/redirect.ts';
import { isTameGlob } from '../content/files/tame-glob.ts';
import { commandFault } from './upload-command.ts';

// The keys of the record are the codes; Object.keys types them as plain text.
const problemCodes = (Object.keys(PROBLEM_SEVERITY) as readonly ProblemCode[]).filter(
  (code) => !NEVER_ALLOWED.has(code),
);
const statuses = ['published', 'draft'] as const;

const address = z.string().min(1).describe('Address of the knowledge base, without /api/v2.');
const template = z
  .string()
  .regex(/^\/|^https?:\/\//, 'start with / or https://')
  .regex(/\{slug\}/, 'contain {slug}')
  .regex(/^(?:[^{}]|\{(?:lang|slug)\})*$/, 'have no other {…} than {lang} and {slug}');

const TAME =
  'at most 4 stars between two slashes, 4 times `**` and 6 times `{…}` fit into one glob; use several';

const glob = z
  .string()
  .min(1)
  .regex(
    /^(?![!/\\])(?!.*\\)(?!(?:.*\/)?\.\.(?:\/|$))/,
    'be a glob that starts at the content folder, like `internal/**`',
  )
  .refine(isTameGlob, TAME);

const recordName = z
  .string()
  .min(1)
  .regex(
    /^(?!.*\.(?:md|mdx|markdown)$)(?!\/)/i,
    'name records, not files: `legal/**`, `article/legal/terms` or `article/legal/terms@de`',
  )
  .refine(isTameGlob, TAME);

const oldName = z
  .string()
  .regex(
    /^[^*@/](?:[^*@]*[^*@/])?(?:\/\*\*)?$/,
    'be a path without language and ending: `billing/fax`, or `billing/**` for a folder',
  );

const pathOrAddress = z.string().regex(REDIRECT_ADDRESS, 'begins with / or https://');

const repositoryId = z
  .string()
  .max(80)
  .regex(/^[A-Za-z0-9][A-Za-z0-9._/-]*$/, 'be made of letters, digits and . _ / -');

const uploadCommand = z.string().superRefine((text, context) => {
  const fault = commandFault(text);
  if (fault !== undefined) context.addIssue({ code: 'custom', message: fault });
});

const placeOfImages = z.string().regex(/^(?:https?:\/\/[^\s/]|\/)/i, 'start with https:// or /');

/** The names that `fields` and `values` may map: what the front matter of some kind says. */
const FIELD_NAMES = [
  ...new Set(KINDS.flatMap((kind) => [...authorKeys(kind, {}).keys(), ...OWN_KEYS])),
  ...SCHEDULE_KEYS,
];
const fieldName = z.string().refine((name) => FIELD_NAMES.includes(name));

const links = z.array(z.strictObject({ text: z.string().min(1), url: z.string().min(1) }));

const settings = {
  baseUrl: address
    .optional()
    .describe('Address of the knowledge base, without /api/v2. The only setting that is required.'),
  id: repositoryId
    .optional()
    .describe(
      'Name of this repository. kbsync writes it into the state and into the comment at the end of each body, and recognises its records by it. Default: made from the git remote',
    ),
  formerIds: z
    .array(repositoryId)
    .optional()
    .describe('Earlier names of this repository. Records with one of these names belong to it too.'),
  content: z
    .string()
    .min(1)
    .optional()
    .describe('The folder that holds one folder for each language. Default: content'),
  state: z
    .string()
    .min(1)
    .optional()
    .describe(
      'Where kbsync remembers the last sync: a file, or an address that machines share (https://…, postgres://… or git:refs/kbsync/NAME). Default: .kbsync/state.json',
    ),
  defaultLanguage: z
    .string()
    .min(1)
    .optional()
    .describe(
      'The language of the originals. It must be the default language of the knowledge base. Default: en',
    ),
  languages: z
    .record(z.string(), z.string().min(1))
    .optional()
    .describe('Language codes of folders whose name is not the code: { zh-cn: zh-CN }'),
  preset: z
    .enum(PRESET_WORDS)
    .optional()
    .describe(
      'The system that the files are written for: it says where pages are and what their front matter means. Default: kbsync',
    ),
  include: z
    .array(glob)
    .optional()
    .describe(
      'Globs from the content folder. kbsync leaves out pages that match none of them. Default: all pages',
    ),
  exclude: z
    .array(glob)
    .optional()
    .describe(
      'Globs from the content folder. kbsync leaves out files that match, and their records stay as they are: [internal/**]',
    ),
  protect: z
    .array(recordName)
    .optional()
    .describe(
      'Records that kbsync never deletes or unpublishes and whose slugs it never changes, not even with --prune: [legal/**]',
    ),
  released: z
    .array(recordName)
    .optional()
    .describe(
      'Records (keys or globs) that kbsync no longer manages: you deleted their files, and the records stay on the site: [old-product/**]',
    ),
  moved: z
    .array(
      z
        .strictObject({ from: oldName, to: oldName })
        .refine(
          ({ from, to }) => from.endsWith('*') === to.endsWith('*'),
          'from and to are both records, or both folders (`billing/**`)',
        ),
    )
    .optional()
    .describe(
      'Earlier names of records, so a renamed file keeps its record: [{ from: billing/fax, to: legacy/fax }]. billing/** stands for a folder',
    ),
  redirects: z
    .union([
      z.string().regex(/\.csv$/i, 'is a file that ends in .csv'),
      z.record(pathOrAddress, pathOrAddress),
    ])
    .optional()
    .describe(
      'Old addresses and where they lead: { /old/page: /en/articles/page }, or a file with the columns from and to: redirects.csv',
    ),
  fields: z
    .record(fieldName, z.string().min(1))
    .optional()
    .describe(
      'The names that your front matter uses for the fields of kbsync: { excerpt: description } reads the excerpt from `description`',
    ),
  values: z
    .record(fieldName, z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])))
    .superRefine(({ status = {} }, context) => {
      for (const [word, meaning] of Object.entries(status)) {
        if (statuses.some((known) => known === meaning)) continue;
        context.addIssue({ code: 'custom', path: ['status', word], message: 'it takes published or draft' });
      }
    })
    .optional()
    .describe(
      'What the words of your front matter mean, for each field of kbsync: { status: { PUBLISHED: published } }',
    ),
  defaults: z
    .strictObject({
      status: z.enum(statuses).optional(),
      hideFromSearch: z.boolean().optional(),
      ordering: z.number().optional(),
      categories: z.array(z.string().min(1)).optional(),
    })
    .optional()
    .describe(
      'Values for articles whose front matter does not have the field. If a line goes away, a page of a site generator gets the value of a new page again: without `status: draft`, it is published.',
    ),
  articleUrl: template
    .optional()
    .describe('Address of an article on the site. Default: /{lang}/articles/{slug}'),
  categoryUrl: template
    .optional()
    .describe('Address of a category on the site. Default: /{lang}/categories/{slug}'),
  tagUrl: template.optional().describe('Address of a tag on the site. Default: /{lang}/tags/{slug}'),
  assets: z
    .strictObject({
      baseUrl: placeOfImages.optional(),
      rootUrl: placeOfImages.optional(),
      upload: uploadCommand.optional(),
    })
    .refine(
      ({ baseUrl, rootUrl, upload }) => (baseUrl ?? rootUrl ?? upload) !== undefined,
      'it takes baseUrl, rootUrl or both, or upload',
    )
    .refine(
      ({ baseUrl, upload }) => baseUrl === undefined || upload === undefined,
      'it takes baseUrl or upload, not both',
    )
    .optional()
    .describe(
      'Where your images are published. kbsync puts baseUrl in front of relative addresses, and rootUrl in front of addresses from the root (/images/a.png). upload is a command that publishes one file and prints its address, for a service that keeps no files.',
    ),
  siteUrl: z
    .string()
    .regex(/^https?:\/\/[^\s/]/, 'start with https://')
    .optional()
    .describe(
      'Address of the website that your site generator makes of these files. Links to pages outside the content folder lead there.',
    ),
  site: z
    .strictObject({
      name: z.string().min(1).optional(),
      intro: z.string().min(1).optional(),
      accent: z.string().min(1).optional(),
      logo: z.string().min(1).optional(),
      links: links.optional(),
      footer: z.strictObject({ text: z.string().min(1).optional(), links: links.optional() }).optional(),
      outdatedNotice: z.boolean().optional(),
    })
    .optional()
    .describe(
      'How `kbsync dev` and `kbsync build` show the help centre: name, intro, accent, logo (a file beside kbsync.yaml), links ({ text, url }), footer (text, links), outdatedNotice (false: dev shows no notice on a translation whose original changed later)',
    ),
  timezone: z
    .string()
    .refine(isZone, 'it takes a time zone, like Europe/Paris')
    .optional()
    .describe(
      'Time zone of publishAt and unpublishAt, if they name none: Europe/Paris. Default: the time zone of the site generator, or UTC',
    ),
  html: z
    .enum(['sanitize', 'trust'])
    .optional()
    .describe(
      'Raw HTML in Markdown: sanitize leaves out what could run code, trust sends everything. Default: sanitize',
    ),
  stamp: z
    .boolean()
    .optional()
    .describe(
      'Whether kbsync ends each body with a comment that says what it wrote. A fresh clone recognises its records by this comment. Default: true',
    ),
  components: z
    .record(
      z.string(),
      z.union(
        [
          z.enum(['drop', 'keep']),
          z.strictObject({ keep: z.array(z.string()) }),
          z.strictObject({ replace: z.string() }),
        ],
        { error: 'it takes `drop`, `keep`, `{ keep: [attribute, …] }` or `{ replace: … }`' },
      ),
    )
    .optional()
    .describe(
      'What kbsync does with a shortcode or component of your site generator, by its name: drop, keep (its text, title, description, address, and lists of data), { keep: [type] } (attributes too, by their names), or { replace: "{0}" }. {0} is its first argument, {content} its text; the name "*" stands for all others.',
    ),
  history: z
    .strictObject({ runs: z.int().min(0).optional(), megabytes: z.int().min(1).optional() })
    .optional()
    .describe(
      'How far back `kbsync log` and `kbsync undo` reach: runs (default 30; 0 turns the history off) and megabytes (default 200).',
    ),
  ignoreKeys: z
    .array(z.string())
    .optional()
    .describe('Front matter keys of other tools. kbsync does not warn about them.'),
  allow: z.array(z.enum(problemCodes)).optional().describe('Problem codes whose errors become warnings.'),
  concurrency: z
    .int()
    .min(1)
    .max(128)
    .optional()
    .describe('How many requests kbsync sends at once, at most. Default: 16'),
};

/** `kbsync.yaml`. An environment overrides any setting but gets a state of its own. */
export const configSchema = z.strictObject({
  ...settings,
  environments: z
    .record(
      z.string().regex(/^[A-Za-z0-9_-]+$/, 'be made of letters, digits, - and _'),
      z.strictObject(settings),
    )
    .optional()
    .describe('Settings for other knowledge bases, by name. --env NAME chooses one; each has its own state.'),
});

export type ConfigFile = z.infer<typeof configSchema>;
export type FileSettings = Omit<ConfigFile, 'environments'>;

/** Names of the settings in a group of the file (`''` for the top), for "did you mean". */
export const SETTING_NAMES: Readonly<Record<string, readonly string[]>> = {
  '': [...Object.keys(settings), 'environments'],
  moved: ['from', 'to'],
  assets: ['baseUrl', 'rootUrl', 'upload'],
  fields: FIELD_NAMES,
  values: FIELD_NAMES,
  defaults: ['status', 'hideFromSearch', 'ordering', 'categories'],
  site: ['name', 'intro', 'accent', 'logo', 'links', 'footer', 'outdatedNotice'],
  history: ['runs', 'megabytes'],
};

/** For editors: draft-07, which is what YAML language servers read. */
export function configJsonSchema(): unknown {
  return z.toJSONSchema(configSchema, { target: 'draft-7' });
}
