import { literalPattern } from '../../../text/literal-pattern.ts';
import type { Preset } from '../preset.ts';
import { valueAt } from './side-file.ts';

/** An address of the site that leads to another one. */
export interface SiteRedirect {
  readonly from: string;
  readonly to: string;
}

/** Entries of a list of settings, by their keys; `from` may be a list of addresses. */
export function redirectsOf(list: unknown, fromKey: string, toKey: string): readonly SiteRedirect[] {
  return (Array.isArray(list) ? list : []).flatMap((entry: unknown): readonly SiteRedirect[] => {
    const to = valueAt(entry, toKey);
    const said = valueAt(entry, fromKey);
    const froms: readonly unknown[] = Array.isArray(said) ? said : [said];
    if (typeof to !== 'string') return [];
    return froms.flatMap((from): readonly SiteRedirect[] => (typeof from === 'string' ? [{ from, to }] : []));
  });
}

/** A page that has moved more often than this is no page of a site. */
const STEPS_MAX = 8;

/**
 * Links from the root that find no page, as the site's own redirects lead them on. `:name` stands for one part of an address, `:name*` for all that
 * follow.
 */
export function withRedirects(preset: Preset, redirects: readonly SiteRedirect[]): Preset {
  const { foreign } = preset;
  if (foreign === undefined || redirects.length === 0) return preset;
  const exact = new Map<string, string>();
  const patterns: { readonly from: RegExp; readonly to: string }[] = [];
  for (const { from, to } of redirects) {
    const plain = plainAddress(from);
    if (!/:[A-Za-z]|\*/.test(plain)) exact.set(plain, to);
    // Two names at most: more make a pattern slow.
    else if (plain.split(/:[A-Za-z]|\*/).length <= 3) patterns.push({ from: patternOf(plain), to });
  }
  const nextOf = (address: string): string | undefined => {
    const plain = plainAddress(address);
    const said = exact.get(plain);
    if (said !== undefined) return said;
    for (const { from, to } of patterns) {
      const found = from.exec(plain);
      if (found !== null)
        return to.replaceAll(/:([A-Za-z]\w*)\*?/g, (_, name: string) => found.groups?.[name] ?? '');
    }
    return undefined;
  };
  const target = (from: string, written: string): string | undefined => {
    const found = foreign.target(from, written);
    if (found !== undefined || !written.startsWith('/')) return found;
    let address: string | undefined = written;
    for (let step = 0; step < STEPS_MAX; step += 1) {
      address = nextOf(address);
      if (address === undefined || !address.startsWith('/')) return undefined;
      const page = foreign.target(from, address.replace(/[?#].*$/s, ''));
      if (page !== undefined) return page;
    }
    return undefined;
  };
  return { ...preset, foreign: { ...foreign, target } };
}

function plainAddress(address: string): string {
  return address.replace(/[?#].*$/s, '').replace(/(?<=.)\/$/, '');
}

function patternOf(address: string): RegExp {
  const names = new Set<string>();
  const source = address
    .split(/(:[A-Za-z]\w*\*?|\*)/)
    .map((part, index) => {
      if (index % 2 === 0) return literalPattern(part);
      const name = /[A-Za-z]\w*/.exec(part)?.[0];
      const inside = part.endsWith('*') ? '.*' : '[^/]+';
      if (name === undefined || names.has(name)) return inside;
      names.add(name);
      return `(?<${name}>${inside})`;
    })
    .join('');
  return new RegExp(`^${source}$`);
}
