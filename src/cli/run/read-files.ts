import { resolve } from 'node:path';
import type { ReadFor } from '../../content/load-content.ts';
import type { LoadedContent } from '../../content/options.ts';
import type { ReadingMemory } from '../../content/reading/readings.ts';
import { contentOptions } from '../../config/content-options.ts';
import { SetupError } from '../../config/setup-error.ts';
import { compileEarly } from './compile-time.ts';
import { didYouMean } from '../../content/suggest.ts';
import { visible } from '../../model/visible.ts';
import type { CommonFlags } from '../flags.ts';
import { findingKinds } from '../print/problems.ts';
import {
  annotations,
  findingFrames,
  findingLine,
  findingOf,
  listedFindings,
  moreLine,
  type Finding,
} from '../print/problems.ts';
import type { Screen } from '../print/terminal/screen.ts';
import type { Settings } from '../../config/settings.ts';
import type { Uploads } from '../../session/uploads.ts';
import type { World } from '../world.ts';

export interface FilesRead {
  readonly content: LoadedContent;
  readonly findings: readonly Finding[];
  readonly hasErrors: boolean;
  /** Who gives the state's files an address; undefined: the service keeps them, or none has one. */
  readonly uploads?: Uploads;
}

export interface ReadHow {
  readonly memory?: ReadingMemory;
  /** The service keeps images and files; those that `assets` of kbsync.yaml gives an address have it. */
  readonly keepsFiles?: boolean;
  /** The service keeps none: they are shown where the command of `assets.upload` puts them. */
  readonly uploads?: Uploads | undefined;
  readonly use?: ReadFor | undefined;
}

type ReadFlags = CommonFlags & {
  readonly changedSince?: string | undefined;
  readonly format?: string | undefined;
};

/** Annotations are about the change alone: that of `--changed-since`, or the pull request that this job is for. */
async function marked(
  findings: readonly Finding[],
  { contentDir }: Settings,
  { changedSince, format }: ReadFlags,
  world: World,
): Promise<readonly Finding[]> {
  if (findings.length === 0 || (world.env['GITHUB_ACTIONS'] !== 'true' && format !== 'github'))
    return findings;
  const { baseOfRequest, markedByChange } = await import('./touched-lines.ts');
  const since = changedSince ?? (await baseOfRequest(world));
  return since === undefined ? findings : markedByChange(findings, { since, contentDir, world });
}

/** Reads the content folder as the settings say. No network. @throws SetupError, ContentError */
export async function readContent(
  settings: Settings,
  flags: ReadFlags,
  world: World,
  { memory, keepsFiles, uploads, use }: ReadHow = {},
): Promise<FilesRead> {
  const { loadDesired } = await import('../../content/load-content.ts');
  const own = {
    ...(uploads === undefined ? { keepsFiles } : { keepsFiles: true, uploaded: uploads.uploaded() }),
    onColdRead: compileEarly,
  };
  const content = await loadDesired({ ...contentOptions(settings, flags, world), ...own }, memory, use);
  checkLanguages(flags.lang, content.state.languages);
  const findings = await marked(content.problems.map(findingOf), settings, flags, world);
  const hasErrors = findings.some((finding) => finding.severity === 'error');
  return { content, findings, hasErrors, ...(uploads === undefined ? {} : { uploads }) };
}

interface Shown {
  readonly screen: Screen;
  readonly world: World;
  readonly hasFrames: boolean;
}

/** Prints findings: frames on a terminal, else one stable line each; GitHub gets annotations besides. Many are summed up. */
export async function printFindings(
  findings: readonly Finding[],
  write: (text: string) => void,
  shown: Shown,
): Promise<void> {
  await writeFindings(findings, write, shown);
  annotate(findings, shown.screen, shown.world);
}

/** The same, where the command makes the annotations. */
export async function writeFindings(
  findings: readonly Finding[],
  write: (text: string) => void,
  { screen, world, hasFrames }: Shown,
): Promise<void> {
  const listed = listedFindings(findings, screen.isVerbose);
  if (hasFrames) {
    const read = (file: string): Promise<string | undefined> =>
      world.files.readText(resolve(world.cwd, file)).catch(() => undefined);
    const frames = await findingFrames(
      listed.map(({ finding }) => finding),
      read,
      screen.outPaint,
    );
    for (const [index, one] of listed.entries()) {
      write(`${frames[index] ?? ''}\n`);
      if (one.more > 0) write(`${moreLine(one)}\n`);
    }
  } else {
    for (const one of listed) {
      write(findingLine(one.finding));
      if (one.more > 0) write(moreLine(one));
    }
  }
  for (const line of findingKinds(findings)) write(line);
}

export function annotate(findings: readonly Finding[], screen: Screen, world: World): void {
  if (!screen.hasAnnotations) return;
  const paths = { cwd: world.cwd, workspace: world.env['GITHUB_WORKSPACE'] };
  for (const line of annotations(findings, paths)) screen.complain(line);
}

function checkLanguages(wanted: readonly string[], known: readonly string[]): void {
  const missing = wanted.find((code) => !known.includes(code));
  if (missing === undefined) return;
  throw new SetupError(
    'usage',
    `--lang: the files have no language \`${visible(missing)}\`${didYouMean(missing, known)}`,
    {
      help: `languages are ${known.map(visible).join(', ')}`,
    },
  );
}
