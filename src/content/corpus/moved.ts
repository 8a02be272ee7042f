import { familyFrom, familyOf, kindOf, pathOf } from '../../model/key.ts';
import type { Family, Kind } from '../../model/key.ts';
import { isKind } from '../../model/key.ts';
import type { Place } from '../../model/problem.ts';
import type { Report } from './checks.ts';
import { placeOf } from './corpus.ts';
import type { Corpus } from './corpus.ts';
import type { MoveLine } from '../options.ts';

/** A file says that its record had another name. */
interface Claim {
  readonly origin: Family;
  readonly target: Family;
  readonly at: Place;
  /** The name as `moved` and messages write it, with the kind: it counts if nothing else says something of that name. */
  readonly isWithKind?: true;
}

/**
 * Where records of earlier names are now, by `movedFrom` of files and `moved` of kbsync.yaml. Lines may follow one another
 * (`a` to `b`, `b` to `c`). What cannot be meant is reported and moves nothing: a circle, a name that still has a file, and one
 * that two files claim.
 */
export function movedFamilies(
  corpus: Pick<Corpus, 'files' | 'unread' | 'defaultLanguage'>,
  lines: readonly MoveLine[],
  report: Report,
): ReadonlyMap<Family, Family> {
  const files = new Map<Family, string>();
  for (const { key, shown } of [...corpus.files, ...corpus.unread.values()]) {
    if (!files.has(familyOf(key))) files.set(familyOf(key), shown);
  }
  const moved = new Map<Family, Family>();
  const claims = claimsOf(corpus, lines, report);
  const plain = claims.filter(({ isWithKind }) => isWithKind !== true);
  const named = claims.filter(({ isWithKind }) => isWithKind === true);
  for (const { origin, target, at, isWithKind } of [...plain, ...named]) {
    const from = pathOf(origin);
    const holder = files.get(origin);
    const claimed = moved.get(origin);
    if (isWithKind === true && (holder !== undefined || claimed !== undefined)) continue;
    if (holder !== undefined) report(at, { code: 'wrong-move', from, reason: 'has-file', other: holder });
    else if (claimed !== undefined && claimed !== target)
      report(at, { code: 'wrong-move', from, reason: 'claimed', other: files.get(claimed) ?? claimed });
    else moved.set(origin, target);
  }
  return moved;
}

function claimsOf(
  { files }: Pick<Corpus, 'files'>,
  lines: readonly MoveLine[],
  report: Report,
): readonly Claim[] {
  const claims: Claim[] = [];
  for (const file of files) {
    const target = familyOf(file.key);
    for (const path of file.document.movedFrom ?? []) {
      const origin = familyFrom(kindOf(target), path);
      const at = placeOf(file, file.document.spots['movedFrom']);
      if (origin === target) report(at, { code: 'wrong-move', from: path, reason: 'itself' });
      else claims.push({ origin, target, at });
      const { kind, path: rest } = partsOf(path);
      if (kind === kindOf(target))
        claims.push({ origin: familyFrom(kind, rest), target, at, isWithKind: true });
    }
  }
  if (lines.length === 0) return claims;
  const heads = [
    ...claims,
    ...[...new Set(files.map(({ key }) => familyOf(key)))].map((target) => ({ target })),
  ];
  for (const head of heads) {
    const start = 'origin' in head ? head.origin : head.target;
    const asNamed = 'isWithKind' in head ? ({ isWithKind: true } as const) : {};
    claims.push(
      ...followed(start, lines, report).map((claim) => ({ ...claim, ...asNamed, target: head.target })),
    );
  }
  return claims;
}

/** All that lines lead to a name, one after the other. */
function followed(
  start: Family,
  lines: readonly MoveLine[],
  report: Report,
): readonly Omit<Claim, 'target'>[] {
  const found: Omit<Claim, 'target'>[] = [];
  const seen = new Set([start]);
  for (const family of seen) {
    for (const line of lines) {
      const origin = originIn(line, family);
      if (origin === undefined) continue;
      if (seen.has(origin)) {
        report(line.at, { code: 'wrong-move', from: line.from, reason: 'circle', other: line.to });
        continue;
      }
      // A set may grow while it is walked.
      seen.add(origin);
      found.push({ origin, at: line.at });
    }
  }
  return found;
}

/** The name that a record had before this line moved it; undefined: the line is not about it. */
function originIn({ from, to }: MoveLine, family: Family): Family | undefined {
  const [old, now] = [partsOf(from), partsOf(to)];
  const [kind, path] = [kindOf(family), pathOf(family)];
  if ((now.kind ?? kind) !== kind || (old.kind ?? kind) !== kind) return undefined;
  if (path === now.path) return familyFrom(kind, old.path);
  const isBelow = now.isFolder && path.startsWith(`${now.path}/`);
  return isBelow ? familyFrom(kind, `${old.path}${path.slice(now.path.length)}`) : undefined;
}

interface NameParts {
  readonly kind: Kind | undefined;
  readonly path: string;
  readonly isFolder: boolean;
}

/** `article/billing/fax` or `billing/fax`; a folder ends in `/**`. */
function partsOf(word: string): NameParts {
  const isFolder = word.endsWith('/**');
  const plain = word.normalize('NFC').slice(0, isFolder ? -3 : undefined);
  const slash = plain.indexOf('/');
  const first = plain.slice(0, Math.max(slash, 0));
  const isNamed = isKind(first);
  return {
    kind: isNamed ? first : undefined,
    path: isNamed ? plain.slice(slash + 1) : plain,
    isFolder,
  };
}
