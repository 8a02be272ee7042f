import { z } from 'zod';
import { isZone } from '../content/instant.ts';
import { PRESET_WORDS } from '../content/presets/names.ts';
import { NEVER_ALLOWED, PROBLEM_SEVERITY, type ProblemCode } from '../model/problem.ts';

// The keys of the record are the codes; Object.keys types them as plain text.
const problemCodes = (Object.keys(PROBLEM_SEVERITY) as readonly ProblemCode[]).filter(
  (code) => !NEVER_ALLOWED.has(code),
);
const statuses = ['published', 'draft'] as const;

const address = z.string().min(1).describe('Address of the knowledge base, without /api/v2.');
const template = z
  .string()
  .regex(/^\/|^https?:\/\//, 'starts with / or https://')
  .regex(/\{slug\}/, 'contains {slug}');

const glob = z
  .string()
  .min(1)
  .regex(
    /^(?![!/\\])(?!.*\\)(?!(?:.*\/)?\.\.(?:\/|$))/,
    'is a glob from the content folder, like `internal/**`',
  );

const recordName = z
  .string()
  .min(1)
  .regex(
    /^(?!.*\.(?:md|mdx|markdown)$)(?!\/)/i,
    'names records, not files: `legal/**`, `article/legal/terms` or `article/legal/terms@de`',
  );

const oldName = z
  .string()
  .regex(
    /^[^*@/](?:[^*@]*[^*@/])?(?:\/\*\*)?$/,
    'is a path without language and ending: `billing/fax`, or `billing/**` for a folder',
  );

const repositoryId = z
  .string()
  .max(80)
  .regex(/^[A-Za-z0-9][A-Za-z0-9._/-]*$/, 'is made of letters, digits and . _ / -');

const links = z.array(z.strictObject({ text: z.string().min(1), url: z.string().min(1) }));

const settings = {
  baseUrl: address.optional(),
  id: repositoryId
    .optional()
    .describe(
      'Name of this repository, in the state and in the comment at the end of each body; its records are known by it. Default: made from the git remote',
    ),
  formerIds: z
    .array(repositoryId)
    .optional()
    .describe('Earlier names of this repository: records that bear one are its own.'),
  content: z.string().min(1).optional().describe('The folder that holds the languages. Default: content'),
  state: z.string().min(1).optional().describe('The state file. Default: .kbsync/state.json'),
  defaultLanguage: z
    .string()
    .min(1)
    .optional()
    .describe('The language in which records are created. Default: en'),
  languages: z
    .record(z.string(), z.string().min(1))
    .optional()
    .describe('Folder name to language code, where they differ: { zh-cn: zh-CN }'),
  preset: z
    .enum(PRESET_WORDS)
    .optional()
    .describe('How the files are laid out and what their keys mean. Default: kbsync'),
  include: z
    .array(glob)
    .optional()
    .describe(
      'Globs from the content folder. Pages that match none of them are left out. Default: all pages',
    ),
  exclude: z
    .array(glob)
    .optional()
    .describe(
      'Globs from the content folder. Files that match are left out, and their records stay as they are: [internal/**]',
    ),
  protect: z
    .array(recordName)
    .optional()
    .describe(
      'Names of records, as keys or globs: nothing deletes or unpublishes them, and their slugs stay, with --prune too: [legal/**]',
    ),
  released: z
    .array(recordName)
    .optional()
    .describe(
      'Names of records, as keys or globs, that kbsync gives back: their files are gone, they stay on the site, and nothing manages them any more: [old-product/**]',
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
      'Names that records had before, so a renamed file keeps its record: [{ from: billing/fax, to: legacy/fax }]. Folders: billing/**',
    ),
  fields: z
    .record(z.string(), z.string().min(1))
    .optional()
    .describe('Our field to the key your front matter uses: { excerpt: description }'),
  values: z
    .record(z.string(), z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])))
    .optional()
    .describe(
      'Our field to the words of your front matter and what they mean: { status: { PUBLISHED: published } }',
    ),
  defaults: z
    .strictObject({
      status: z.enum(statuses).optional(),
      hideFromSearch: z.boolean().optional(),
      ordering: z.number().optional(),
      categories: z.array(z.string().min(1)).optional(),
    })
    .optional()
    .describe('Values of articles whose front matter does not say.'),
  articleUrl: template
    .optional()
    .describe('Address of an article on the site. Default: /{lang}/articles/{slug}'),
  categoryUrl: template
    .optional()
    .describe('Address of a category on the site. Default: /{lang}/categories/{slug}'),
  tagUrl: template.optional().describe('Address of a tag on the site. Default: /{lang}/tags/{slug}'),
  assets: z
    .strictObject({ baseUrl: z.string().min(1).optional(), rootUrl: z.string().min(1).optional() })
    .refine(({ baseUrl, rootUrl }) => (baseUrl ?? rootUrl) !== undefined, 'it takes baseUrl, rootUrl or both')
    .optional()
    .describe(
      'Where images are published: baseUrl is put before relative addresses, rootUrl before those from the root (/images/a.png).',
    ),
  siteUrl: z
    .string()
    .regex(/^https?:\/\/[^\s/]/, 'starts with https://')
    .optional()
    .describe(
      'Where the files are published as a site of their own: links that lead out of the content go there. Only for presets of site generators',
    ),
  site: z
    .strictObject({
      name: z.string().min(1).optional(),
      intro: z.string().min(1).optional(),
      accent: z.string().min(1).optional(),
      logo: z.string().min(1).optional(),
      links: links.optional(),
      footer: z.strictObject({ text: z.string().min(1).optional(), links: links.optional() }).optional(),
    })
    .optional()
    .describe(
      'How `kbsync dev` and `kbsync build` show the help centre: name, intro, accent, logo (a file beside kbsync.yaml), links ({ text, url }), footer (text, links)',
    ),
  timezone: z
    .string()
    .refine(isZone, 'it takes a time zone, like Europe/Paris')
    .optional()
    .describe(
      'Where dates without a zone are read (publishAt, unpublishAt): Europe/Paris. Default: as the site generator says, else UTC',
    ),
  html: z
    .enum(['sanitize', 'trust'])
    .optional()
    .describe('What happens to raw HTML in Markdown. Default: sanitize'),
  stamp: z
    .boolean()
    .optional()
    .describe('End each body with a comment that says what we wrote. Default: true'),
  components: z
    .record(
      z.string(),
      z.union([z.enum(['drop', 'keep']), z.strictObject({ replace: z.string() })], {
        error: 'is `drop`, `keep` or `{ replace: … }`',
      }),
    )
    .optional()
    .describe(
      'What becomes of shortcodes and components of other systems, by name: drop, keep (their text), or { replace: "{0}" }; {content} is what is inside, "*" stands for every other name.',
    ),
  history: z
    .strictObject({ runs: z.int().min(0).optional(), megabytes: z.int().min(1).optional() })
    .optional()
    .describe(
      'How much `kbsync log` and `kbsync undo` can look back: runs (default 30, 0 turns it off) and megabytes (default 200).',
    ),
  ignoreKeys: z.array(z.string()).optional().describe('Front matter keys that are meant for other tools.'),
  allow: z.array(z.enum(problemCodes)).optional().describe('Problem codes whose errors become warnings.'),
  concurrency: z.int().min(1).max(128).optional().describe('Most requests at once. Default: 16'),
};

/** `kbsync.yaml`. An environment overrides any setting but gets a state of its own. */
export const configSchema = z.strictObject({
  ...settings,
  environments: z
    .record(
      z.string().regex(/^[A-Za-z0-9_-]+$/, 'is made of letters, digits, - and _'),
      z.strictObject(settings),
    )
    .optional()
    .describe('Settings by name, chosen with --env; each has its own state.'),
});

export type ConfigFile = z.infer<typeof configSchema>;
export type FileSettings = Omit<ConfigFile, 'environments'>;

/** Names of the settings in a group of the file (`''` for the top), for "did you mean". */
export const SETTING_NAMES: Readonly<Record<string, readonly string[]>> = {
  '': [...Object.keys(settings), 'environments'],
  moved: ['from', 'to'],
  assets: ['baseUrl', 'rootUrl'],
  defaults: ['status', 'hideFromSearch', 'ordering', 'categories'],
  site: ['name', 'intro', 'accent', 'logo', 'links', 'footer'],
  history: ['runs', 'megabytes'],
};

/** For editors: draft-07, which is what YAML language servers read. */
export function configJsonSchema(): unknown {
  return z.toJSONSchema(configSchema, { target: 'draft-7' });
}
