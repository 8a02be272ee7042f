import { basename, resolve } from 'node:path';
import { Option } from '@commander-js/extra-typings';
import { urlsOf } from '../../config/content-options.ts';
import { SetupError } from '../../config/setup-error.ts';
import { pageAddress } from '../../model/address/page-address.ts';
import {
  inOneStep,
  isRedirectFile,
  REDIRECT_FORMS,
  type Redirect,
  type RedirectForm,
  redirectsFrom,
  redirectsText,
} from '../../model/address/redirect.ts';
import { plainAddress, plainPath } from '../../text/plain-address.ts';
import { visible } from '../../model/visible.ts';
import type { Change } from '../../plan/plan.ts';
import { counted } from '../print/terminal/numbers.ts';
import type { World } from '../world.ts';
import type { Engine } from './engine/engine.ts';

export interface RedirectFlags {
  readonly redirects?: string | undefined;
  readonly redirectsForm?: RedirectForm | undefined;
}

export const REDIRECTS_FLAG = [
  '--redirects <file>',
  'save a list of old addresses and where they lead (from `aliases`, `redirects:` and slugs that change)',
] as const;

/** @returns a new option each time; commander keeps state in it */
export function redirectsFormFlag() {
  return new Option(
    '--redirects-form <form>',
    'format of this file; by default its name decides: _redirects, *.conf, else csv',
  ).choices(REDIRECT_FORMS);
}

/** @throws SetupError `refused` for a file that is none of ours, before anything is sent */
export async function earlierRedirects(
  { redirects: file, redirectsForm }: RedirectFlags,
  world: World,
): Promise<readonly Redirect[]> {
  if (file === undefined) {
    if (redirectsForm === undefined) return [];
    throw new SetupError('usage', '--redirects-form needs --redirects FILE');
  }
  const text = await world.files.readText(resolve(world.cwd, file));
  if (text === undefined || text === '') return [];
  const form = formOf(file, redirectsForm);
  if (isRedirectFile(text, form)) return form === 'csv' ? (redirectsFrom(text) ?? []) : [];
  throw new SetupError(
    'refused',
    `\`${visible(file)}\` exists and is no map of redirects that kbsync wrote`,
    {
      help: 'name a new file: --redirects redirects.csv',
    },
  );
}

/**
 * Writes what leads where after these changes: the addresses that files and settings name, and those that a slug left. A CSV keeps
 * the lines that it has, so it grows from run to run; of every other form it is said what the next run would leave out. Each line
 * leads to the page of today in one step.
 */
export async function saveRedirects(
  flags: RedirectFlags,
  { earlier, changes }: { readonly earlier: readonly Redirect[]; readonly changes: readonly Change[] },
  { desired, settings, origin, screen }: Pick<Engine, 'desired' | 'settings' | 'origin' | 'screen'>,
  world: World,
): Promise<void> {
  const { redirects: file, redirectsForm } = flags;
  if (file === undefined) return;
  const urls = urlsOf(settings.file);
  const live = new Set<string>();
  for (const { kind, lang, fields } of desired.records.values()) {
    const { slug } = fields;
    if (typeof slug === 'string') live.add(plainPath(pageAddress(urls, kind, lang, slug)));
  }
  const moved = changes.flatMap((change): readonly Redirect[] => {
    const { kind, lang } = change;
    const slug = change.fields.find(({ field }) => field === 'slug');
    if (change.action !== 'update' || typeof slug?.before !== 'string' || typeof slug.after !== 'string')
      return [];
    const fields = desired.records.get(change.key)?.fields;
    // The address of a draft was never public.
    if (fields?.['status'] === 'draft') return [];
    const at = (name: string): string => pageAddress(urls, kind, lang, name);
    return [{ from: at(slug.before), to: at(slug.after), kind, lang }];
  });
  // A page that has an address again has it: nothing leads away from there.
  const left = [...earlier, ...(desired.redirects ?? []), ...moved].filter(
    ({ from }) => !live.has(plainPath(from)),
  );
  const form = formOf(file, redirectsForm);
  const inSteps = inOneStep(left, plainAddress);
  // Servers compare paths alone; the source of a Cloudflare bulk redirect has no query either.
  const all = inSteps.filter(({ from }) => form === 'csv' || !from.includes('?'));
  await world.files.writeText(resolve(world.cwd, file), redirectsText(all, form, origin));
  if (screen.isQuiet) return;
  screen.talk(`${counted(all.length, 'redirect')} in ${visible(file)}`);
  const withQuery = inSteps.length - all.length;
  if (withQuery > 0) {
    screen.talk(
      `${counted(withQuery, 'line', 'lines')} with a query left out, because this form compares paths alone; --redirects FILE.csv has them`,
    );
  }
  const fresh = new Set(moved.map(({ from }) => from));
  const count = all.filter(({ from }) => fresh.has(from)).length;
  if (form === 'csv' || count === 0) return;
  screen.talk(
    `${count} of them ${count === 1 ? 'is' : 'are'} from slugs that change in this run; the next run knows them only by \`aliases\` or \`redirects:\``,
  );
}

function formOf(file: string, given: RedirectForm | undefined): RedirectForm {
  if (given !== undefined) return given;
  if (basename(file) === '_redirects') return 'netlify';
  return /\.conf$/i.test(file) ? 'nginx' : 'csv';
}
