import { resolve } from 'node:path';
import type { ContentOptions, LoadedContent, ReadingMemory } from '../content/options.ts';
import { isProblemCode, NEVER_ALLOWED, PROBLEM_SEVERITY, type ProblemCode } from '../model/problem.ts';
import { CliError } from './cli-error.ts';
import type { CommonFlags } from './flags.ts';
import { findingKinds } from './finding-kinds.ts';
import { didYouMean } from './nearest.ts';
import { visible } from './plain.ts';
import { annotations, findingFrames, findingLine, findingOf, type Finding } from './print-problems.ts';
import type { Screen } from './screen.ts';
import type { Settings } from './settings.ts';
import type { World } from './world.ts';

export interface FilesRead {
  readonly content: LoadedContent;
  readonly findings: readonly Finding[];
  readonly hasErrors: boolean;
}

/** Reads the content folder as the settings say. No network. @throws CliError, ContentError */
export async function readContent(
  settings: Settings,
  flags: CommonFlags,
  world: World,
  memory?: ReadingMemory,
): Promise<FilesRead> {
  const { loadDesired } = await import('../content/desired.ts');
  const content = await loadDesired({ ...contentOptions(settings, flags, world), memory });
  checkLanguages(flags.lang, content.state.languages);
  const findings = content.problems.map(findingOf);
  return { content, findings, hasErrors: findings.some((finding) => finding.severity === 'error') };
}

/** Where the service shows a record. */
export function urlsOf(file: Settings['file']): ContentOptions['urls'] {
  return {
    article: file.articleUrl ?? '/{lang}/articles/{slug}',
    category: file.categoryUrl ?? '/{lang}/categories/{slug}',
    tag: file.tagUrl ?? '/{lang}/tags/{slug}',
  };
}

/** What the content is read with. @throws CliError */
export function contentOptions(
  settings: Settings,
  flags: CommonFlags,
  world: Pick<World, 'cwd'>,
): ContentOptions {
  const { file } = settings;
  return {
    contentDir: settings.contentDir,
    cwd: world.cwd,
    defaultLanguage: file.defaultLanguage ?? 'en',
    languages: file.languages ?? {},
    preset: file.preset ?? 'kbsync',
    fields: file.fields ?? {},
    defaults: file.defaults ?? {},
    components: file.components ?? {},
    urls: urlsOf(file),
    assetsBaseUrl: file.assets?.baseUrl,
    assetsRootUrl: file.assets?.rootUrl,
    html: file.html ?? 'sanitize',
    ignoreKeys: file.ignoreKeys ?? [],
    allow: new Set<ProblemCode>([...(file.allow ?? []), ...flags.allow.map(problemCode)]),
    cacheFile: settings.cacheFile,
  };
}

/** Prints findings: frames on a terminal, else one stable line each; GitHub gets annotations besides. Many are summed up. */
export async function printFindings(
  findings: readonly Finding[],
  write: (text: string) => void,
  {
    screen,
    world,
    hasFrames,
  }: { readonly screen: Screen; readonly world: World; readonly hasFrames: boolean },
): Promise<void> {
  if (hasFrames) {
    const read = (file: string): Promise<string | undefined> =>
      world.files.readText(resolve(world.cwd, file)).catch(() => undefined);
    for (const frame of await findingFrames(findings, read, screen.outPaint)) write(`${frame}\n`);
  } else {
    for (const finding of findings) write(findingLine(finding));
  }
  for (const line of findingKinds(findings)) write(line);
  annotate(findings, screen, world);
}

export function annotate(findings: readonly Finding[], screen: Screen, world: World): void {
  if (!screen.hasAnnotations) return;
  const paths = { cwd: world.cwd, workspace: world.env['GITHUB_WORKSPACE'] };
  for (const line of annotations(findings, paths)) screen.complain(line);
}

function problemCode(text: string): ProblemCode {
  if (isProblemCode(text) && NEVER_ALLOWED.has(text)) {
    throw new CliError(
      'usage',
      `--allow: \`${text}\` stays an error, because no record can be made of such a file`,
    );
  }
  if (isProblemCode(text)) return text;
  const codes = Object.keys(PROBLEM_SEVERITY);
  throw new CliError(
    'usage',
    `--allow: there is no problem code \`${visible(text)}\`${didYouMean(text, codes)}`,
    {
      help: `codes are ${codes.join(', ')}`,
    },
  );
}

function checkLanguages(wanted: readonly string[], known: readonly string[]): void {
  const missing = wanted.find((code) => !known.includes(code));
  if (missing === undefined) return;
  throw new CliError(
    'usage',
    `--lang: the files have no language \`${visible(missing)}\`${didYouMean(missing, known)}`,
    {
      help: `languages are ${known.map(visible).join(', ')}`,
    },
  );
}
