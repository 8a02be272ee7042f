import { visible } from '../../../model/visible.ts';
import type { ImportAction, ImportedRecord, ImportReport } from '../../../import/report.ts';
import type { Skipped, SkipReason } from '../../../import/record.ts';
import type { PulledAssets } from '../../../sync/pull/files/assets.ts';
import type { Kind } from '../../../model/key.ts';
import { JSON_FORMAT } from '../../print/json.ts';
import { counted, grouped } from '../../print/terminal/numbers.ts';
import { shellWord } from '../../print/terminal/text.ts';
import { tally, textCounts, textLines } from '../../print/texts.ts';
import type { Screen } from '../../print/terminal/screen.ts';
import type { Settings } from '../../../config/settings.ts';

const LINES_MAX = 20;

interface ImportRun {
  readonly system: string;
  readonly fileCount: number;
  /** Files in the folders that the system's exports do not consist of. */
  readonly passedOver: number;
  /** The folder, as it was given. */
  readonly out: string;
  readonly dryRun: boolean;
  readonly html: 'sanitize' | 'trust';
}

/** `import --json` */
export function importDocument(report: ImportReport, run: ImportRun) {
  const { records, skipped, defaultLanguage, languages, redirects, redirectsFile } = report;
  return {
    format: JSON_FORMAT,
    system: run.system,
    dryRun: run.dryRun,
    defaultLanguage,
    languages,
    records,
    skipped,
    redirects,
    ...(report.assets === undefined ? {} : { assets: report.assets }),
    redirectsFile: redirectsFile !== undefined && 'file' in redirectsFile ? redirectsFile.file : null,
    summary: {
      files: run.fileCount,
      passedOver: run.passedOver,
      ...actionCounts(records),
      article: countOf(records, 'article'),
      category: countOf(records, 'category'),
      tag: countOf(records, 'tag'),
      draft: records.filter(({ status }) => status === 'draft').length,
      restricted: records.filter(({ restricted }) => restricted !== undefined).length,
      skipped: tally(skipped.map(({ reason }) => reason)),
      links: {
        relative: records.reduce((sum, { links }) => sum + links.relative, 0),
        left: records.reduce((sum, { links }) => sum + links.left.length, 0),
      },
      text: textCounts(records),
    },
  };
}

interface ImportLines extends ImportRun {
  readonly screen: Screen;
  readonly settings: Settings;
}

/** What a person reads: what was not written, what was left out, what differs from before, then sums and the next command. */
export function importLines(report: ImportReport, options: ImportLines): readonly string[] {
  const { records } = report;
  const sums = actionCounts(records);
  const kinds = (['article', 'category', 'tag'] as const).map((kind) =>
    counted(countOf(records, kind), kind, kind === 'category' ? 'categories' : `${kind}s`),
  );
  const languages = counted(report.languages.length, 'language');
  const actions = (['created', 'unchanged', 'left'] as const)
    .filter((action) => sums[action] > 0)
    .map((action) => `${grouped(sums[action])} ${WORDS[action]}`);
  return [
    ...records.filter(({ action }) => action === 'left').map((record) => leftLine(record, options)),
    ...skippedLines(report.skipped, options),
    ...noteLines(records, options),
    ...pictureLines(report),
    ...(report.assets?.failed ?? []).map(({ url, why }) => visible(`? image ${url}  ${why}; it stays there`)),
    `${options.dryRun ? 'would be: ' : ''}${kinds.join(', ')} in ${languages} from ${counted(options.fileCount, 'file')} into ${visible(options.out)}${actions.length === 0 ? '' : `: ${actions.join(', ')}`}`,
    ...textLines(records, options),
    ...linkLines(records),
    ...(report.assets === undefined ? [] : [assetLine(report.assets, options)]),
    ...redirectLines(report, options),
    ...nextLines(report, options),
  ];
}

const WORDS: Readonly<Record<ImportAction, string>> = {
  created: 'created',
  unchanged: 'unchanged',
  left: 'left out',
};

function leftLine(record: ImportedRecord, { out }: ImportLines): string {
  const name =
    record.file === undefined ? `${record.kind} ${record.id} in ${record.lang}` : `${out}/${record.file}`;
  return visible(`? ${name}  ${record.why ?? ''}`);
}

/** What is broken is named one by one; what was left out by a rule, as sums. */
function skippedLines(skipped: readonly Skipped[], { screen }: ImportLines): readonly string[] {
  const isShown = ({ reason }: Skipped): boolean =>
    screen.isVerbose || reason === 'broken' || reason === 'restricted' || reason === 'copy';
  const sums = new Map<SkipReason, number>();
  for (const { reason } of skipped) sums.set(reason, (sums.get(reason) ?? 0) + 1);
  const rest = (['trash', 'kind', 'language'] as const).flatMap((reason) => {
    const count = sums.get(reason) ?? 0;
    return count === 0 || screen.isVerbose ? [] : [`${counted(count, 'record')} ${RULES[reason]}`];
  });
  return [
    ...skipped
      .filter(isShown)
      .map(({ at, what, why }) =>
        visible(`? ${at.file} ${at.where}: ${what === 'file' ? '' : `${what}: `}${why}`),
      ),
    ...(rest.length === 0 ? [] : [`left out: ${rest.join(', ')}; --verbose names them`]),
  ];
}

const RULES = {
  trash: 'deleted there',
  kind: 'that a help centre does not show',
  language: 'in other languages',
} as const;

/** What differs from before, by what it is; a note that many records share is said once. */
function noteLines(records: readonly ImportedRecord[], { screen, out }: ImportLines): readonly string[] {
  const notes = new Map<string, string[]>();
  for (const { file, restricted, notes: own } of records) {
    for (const note of [...(restricted === undefined ? [] : [`draft: ${restricted}`]), ...own]) {
      const files = notes.get(note);
      if (files === undefined) notes.set(note, [`${out}/${file ?? ''}`]);
      else files.push(`${out}/${file ?? ''}`);
    }
  }
  const lines = [...notes].flatMap(([note, files]) =>
    screen.isVerbose || files.length === 1
      ? files.map((file) => visible(`! ${file}  ${note}`))
      : [visible(`! ${counted(files.length, 'file')}  ${note}`)],
  );
  if (screen.isVerbose || lines.length <= LINES_MAX) return lines;
  return [
    ...lines.slice(0, LINES_MAX),
    `  and ${counted(lines.length - LINES_MAX, 'note')} more; --verbose has them`,
  ];
}

function pictureLines({ records, assets }: ImportReport): readonly string[] {
  const sums = tally(records.flatMap(({ pictures }) => pictures.map(({ why }) => why)));
  const lines = Object.entries(sums).map(([why, count]) => {
    const [it, them] = count === 1 ? ['it', 'it'] : ['each', 'them'];
    return `! ${counted(count, 'image')}: ${it} ${why} (--json names ${them})`;
  });
  const isAdvised = lines.length > 0 && assets === undefined;
  return isAdvised ? [...lines, '  --assets brings images along, into the folder'] : lines;
}

function linkLines(records: readonly ImportedRecord[]): readonly string[] {
  const relative = records.reduce((sum, { links }) => sum + links.relative, 0);
  const left = records.reduce((sum, { links }) => sum + links.left.length, 0);
  if (relative + left === 0) return [];
  const old =
    left === 0
      ? ''
      : `; ${counted(left, 'address', 'addresses')} of the old site or of pages that were not imported ${left === 1 ? 'stays' : 'stay'} (--json names them)`;
  return [
    `links: ${counted(relative, 'link')} to articles and categories ${relative === 1 ? 'leads' : 'lead'} to files now${old}`,
  ];
}

function assetLine({ saved, kept }: PulledAssets, { out, dryRun }: ImportLines): string {
  const there = kept === 0 ? '' : `, ${grouped(kept)} there already`;
  return `${counted(saved, 'image')} ${dryRun ? 'to bring' : 'brought'} into ${visible(`${out}/assets`)}${there}`;
}

function redirectLines({ redirects, redirectsFile }: ImportReport, { out }: ImportLines): readonly string[] {
  if (redirectsFile === undefined) return [];
  if ('why' in redirectsFile) return [`? ${out}/redirects.csv  ${redirectsFile.why}`];
  return [
    `redirects: ${counted(redirects.length, 'old address', 'old addresses')} in ${visible(`${out}/${redirectsFile.file}`)}; name the file under \`redirects\` in kbsync.yaml, and they lead to the new pages`,
  ];
}

function nextLines(
  { defaultLanguage, records, skipped }: ImportReport,
  { out, settings, dryRun, system }: ImportLines,
): readonly string[] {
  if (records.length === 0) {
    const isForeign = skipped.every(({ reason }) => reason === 'kind' || reason === 'broken');
    return isForeign
      ? [
          `kbsync imported nothing: is this what ${system} exports? The guide docs/guides/import.md of kbsync says which files it reads`,
        ]
      : [];
  }
  if (dryRun) return [];
  if (settings.configFile === undefined) {
    return [`next: kbsync init --content ${shellWord(out)}, which finds the languages, then kbsync check`];
  }
  const isSaid = (settings.file.defaultLanguage ?? 'en') === defaultLanguage;
  const language = isSaid ? '' : ` (with \`defaultLanguage: ${defaultLanguage}\` in kbsync.yaml)`;
  return [`next: kbsync check --content ${shellWord(out)}${language}`];
}

function actionCounts(records: readonly ImportedRecord[]): Readonly<Record<ImportAction, number>> {
  const sums = { created: 0, unchanged: 0, left: 0 };
  for (const { action } of records) sums[action] += 1;
  return sums;
}

function countOf(records: readonly ImportedRecord[], kind: Kind): number {
  return records.filter((record) => record.kind === kind).length;
}
