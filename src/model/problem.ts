import type { Key, Kind } from './key.ts';

/** A place in a file; line and column start at 1, columns count UTF-16 units. `file` is relative to the working directory. */
export interface Place {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** A file with an error is not sent, and the others are; `allow` turns the errors of one code into warnings. */
export type Severity = 'error' | 'warning';

/** Something an author wrote wrong. A value, never thrown; the codes are a promise, the wording is not. */
export type Problem = ProblemCase & { readonly at: Place; readonly severity: Severity };

/** What is wrong, with the facts that its sentence needs. */
export type ProblemCase =
  | {
      readonly code: 'front-matter-yaml';
      readonly reason: string;
      /** The line as it would be right. */
      readonly repaired?: string;
    }
  /** Settings of the site generator, or a navigation. */
  | { readonly code: 'unreadable-settings'; readonly reason: string; readonly repaired?: string }
  | {
      readonly code: 'wrong-type';
      readonly field: string;
      readonly expected: string;
      readonly found: string;
      readonly suggestion?: string;
    }
  | { readonly code: 'missing-field'; readonly field: string; readonly kind: Kind }
  | { readonly code: 'unknown-key'; readonly name: string; readonly kind: Kind; readonly suggestion?: string }
  /** `shown`: U+009D */
  | { readonly code: 'locked-page'; readonly lockedBy: string }
  | { readonly code: 'control-character'; readonly field: string; readonly shown: string }
  /** `subject`: a field, or `text` */
  | {
      readonly code: 'beyond-limit';
      readonly subject: string;
      readonly unit: 'characters' | 'entries' | 'addresses' | 'levels' | 'bytes' | 'value';
      readonly count: number;
      readonly countMax: number;
    }
  | {
      readonly code: 'language-code';
      /** The folder or suffix that says so. */
      readonly name: string;
      readonly lang: string;
      readonly suggestion?: string;
    }
  | { readonly code: 'excerpt-long'; readonly chars: number; readonly charsMax: number }
  | {
      readonly code: 'duplicate-key';
      readonly key: Key;
      readonly first: Place;
      /** In what alone the names of the two files differ. */
      readonly differs: 'case' | 'unicode form' | 'more';
    }
  | {
      readonly code: 'duplicate-slug';
      readonly slug: string;
      readonly kind: Kind;
      readonly lang: string;
      /** How the other file spells it, if not the same way. */
      readonly firstSlug?: string;
      readonly first: Place;
    }
  | ({ readonly code: 'unknown-category' } & UnknownReference)
  | ({ readonly code: 'unknown-tag' } & UnknownReference)
  | { readonly code: 'category-cycle'; readonly path: readonly string[] }
  | {
      readonly code: 'dead-link';
      readonly url: string;
      readonly isOutside: boolean;
      readonly suggestion?: string;
    }
  | {
      /** Not a page of the content: another part of the site that the files make. */
      readonly code: 'outside-link';
      readonly url: string;
      /** Why the page is left out, where there is one. */
      readonly reason?: string;
    }
  | {
      readonly code: 'dead-anchor';
      readonly anchor: string;
      /** The file that lacks the heading. */
      readonly target: string;
      readonly suggestion?: string;
    }
  | {
      readonly code: 'missing-image';
      readonly url: string;
      readonly isOutside: boolean;
      readonly suggestion?: string;
    }
  | { readonly code: 'image-not-hosted'; readonly url: string }
  | { readonly code: 'html-dropped'; readonly what: string; readonly reason: string }
  | {
      readonly code: 'unknown-component';
      readonly what: 'shortcode' | 'component' | 'liquid tag' | 'expression' | 'container' | 'include';
      /** Its name below `components:` in the config. */
      readonly name: string;
      readonly shown: string;
      /** Whether the rule `keep` shows any of it; unknown for what has no attributes. */
      readonly isShown?: boolean;
      /** Attributes with words that the rule `keep` leaves out. */
      readonly attributes?: readonly string[];
    }
  | {
      /** Of a generator's syntax that would be published as it was typed; one for each kind of a page. */
      readonly code: 'raw-syntax';
      readonly kind: string;
      readonly shown: string;
      readonly count: number;
      readonly layouts: readonly string[];
    }
  | {
      /** An element that is never closed takes the rest of the page along. */
      readonly code: 'html-swallows';
      readonly name: string;
      readonly words: number;
    }
  | { readonly code: 'text-lost'; readonly words: number; readonly all: number; readonly most: string }
  | {
      readonly code: 'include-failed';
      readonly shown: string;
      readonly reason: string;
    }
  | {
      readonly code: 'orphan-translation';
      readonly kind: Kind;
      readonly defaultLanguage: string;
      /** The file that would make it a translation. */
      readonly expected: string;
      /** The one language of all files, if none is in the default language. */
      readonly onlyLanguage?: string;
    }
  | {
      readonly code: 'wrong-move';
      /** The old name. */
      readonly from: string;
      readonly reason: 'itself' | 'circle' | 'has-file' | 'claimed';
      /** The file or the name that stands against it. */
      readonly other?: string;
    }
  /** A record that kbsync.yaml gives back. */
  | { readonly code: 'released-file'; readonly key: Key }
  | {
      readonly code: 'wrong-redirect';
      /** The old address. */
      readonly from: string;
      readonly reason: 'itself' | 'live' | 'claimed' | 'circle' | 'dead';
      /** The file, the line or the address that stands against it. */
      readonly other: string;
    }
  | { readonly code: 'bad-encoding'; readonly reason: string }
  | {
      readonly code: 'too-large';
      readonly unit:
        | 'bytes'
        | 'table cells'
        | 'levels in a line'
        | 'characters in front of entities like `&amp;` in long paragraphs';
      readonly size: number;
      readonly sizeMax: number;
    }
  | { readonly code: 'merge-marker'; readonly marker: string }
  | { readonly code: 'lfs-pointer' }
  | { readonly code: 'unexpected-file'; readonly reason: string; readonly suggestion?: string }
  | { readonly code: 'unreadable-file'; readonly reason: string };

interface UnknownReference {
  readonly name: string;
  readonly suggestion?: string;
  /** Paths that fit equally well. */
  readonly candidates: readonly string[];
  /** Languages that do have it, when only the default language lacks it. */
  readonly onlyIn: readonly string[];
  readonly defaultLanguage: string;
}

export type ProblemCode = ProblemCase['code'];

/** Every code with its severity before `allow`, in the order in which the documentation lists them. */
export const PROBLEM_SEVERITY: Readonly<Record<ProblemCode, Severity>> = {
  'front-matter-yaml': 'error',
  'unreadable-settings': 'error',
  'wrong-type': 'error',
  'missing-field': 'error',
  'unknown-key': 'warning',
  'locked-page': 'warning',
  'control-character': 'warning',
  'beyond-limit': 'warning',
  'language-code': 'warning',
  'excerpt-long': 'warning',
  'duplicate-key': 'error',
  'duplicate-slug': 'error',
  'unknown-category': 'error',
  'unknown-tag': 'error',
  'category-cycle': 'error',
  'dead-link': 'error',
  'outside-link': 'warning',
  'dead-anchor': 'error',
  'missing-image': 'error',
  'image-not-hosted': 'error',
  'html-dropped': 'warning',
  'unknown-component': 'error',
  'raw-syntax': 'warning',
  'html-swallows': 'error',
  'text-lost': 'error',
  'include-failed': 'error',
  'orphan-translation': 'warning',
  'wrong-move': 'error',
  'released-file': 'error',
  'wrong-redirect': 'warning',
  'bad-encoding': 'error',
  'too-large': 'error',
  'merge-marker': 'error',
  'lfs-pointer': 'error',
  'unexpected-file': 'warning',
  'unreadable-file': 'error',
};

/**
 * Codes that `allow` cannot turn into warnings, because no record can be made of the file: the run would take the record
 * for deleted.
 */
export const NEVER_ALLOWED: ReadonlySet<ProblemCode> = new Set<ProblemCode>([
  'front-matter-yaml',
  'unreadable-settings',
  'bad-encoding',
  'too-large',
  'lfs-pointer',
  'unreadable-file',
]);

export function isProblemCode(text: string): text is ProblemCode {
  return Object.hasOwn(PROBLEM_SEVERITY, text);
}

/** `en/articles/install.md:4:13` */
export function showPlace(at: Place): string {
  return `${at.file}:${at.line}:${at.column}`;
}

/** One sentence, without the place: what is wrong and what would be right. Lower case, no full stop, names in backticks. */
export function problemMessage(problem: ProblemCase): string {
  switch (problem.code) {
    case 'front-matter-yaml':
    case 'unreadable-settings':
      return problem.repaired === undefined ? problem.reason : `${problem.reason}: ${tick(problem.repaired)}`;
    case 'wrong-type':
      return `${tick(problem.field)} must be ${problem.expected}; it is ${problem.found}${hint(problem)}`;
    case 'missing-field':
      return `${a(problem.kind)} needs ${tick(problem.field)} in its front matter`;
    case 'unknown-key':
      return `${a(problem.kind)} has no field ${tick(problem.name)}${hint(problem, '; if it is meant for another tool, list it under `ignoreKeys`')}`;
    case 'locked-page':
      return `the site shows this page to some readers only (${problem.lockedBy}), so kbsync leaves it out; to end this warning, name the page under \`exclude\` in kbsync.yaml`;
    case 'control-character':
      return `${tick(problem.field)} contains ${problem.shown}, a control character; no page shows it, and a service may refuse the record: remove it`;
    case 'beyond-limit':
      return beyondLimit(problem);
    case 'language-code':
      return `${tick(problem.lang)} is no language code (BCP 47), and a service may refuse it; write ${tick(`languages: { ${yamlName(problem.name)}: ${problem.suggestion ?? 'CODE'} }`)}`;
    case 'excerpt-long':
      return `the excerpt has ${problem.chars} characters, and the service accepts at most ${problem.charsMax}; kbsync cuts it after a word`;
    case 'duplicate-key':
      return `${tick(problem.key)} is also made by ${problem.first.file}${TWINS[problem.differs]}; rename one of the two files, or change its \`translationKey\``;
    case 'duplicate-slug':
      return `the slug ${tick(problem.slug)} is already used by ${showPlace(problem.first)}${problem.firstSlug === undefined ? '' : ` as ${tick(problem.firstSlug)}, and a service may treat the two as one`}; each ${problem.kind} in \`${problem.lang}\` needs its own`;
    case 'unknown-category':
      return unknownReference('category', problem);
    case 'unknown-tag':
      return unknownReference('tag', problem);
    case 'category-cycle':
      return `categories cannot contain each other: ${problem.path.map(tick).join(' in ')}; take one \`categoryParent\` out, or change it`;
    case 'dead-link':
      return problem.isOutside
        ? `${tick(problem.url)} leads out of the content folder; link to its public address instead`
        : `no file for the link ${tick(problem.url)}${hint(problem)}`;
    case 'outside-link':
      return `${tick(problem.url)} is not a page of the content${problem.reason === undefined ? '' : ` (${problem.reason})`}, so the link is dead on the knowledge base; set \`siteUrl\` in kbsync.yaml to the address of your website, and the link leads there`;
    case 'dead-anchor':
      return `no heading \`#${problem.anchor}\` in ${problem.target}${problem.suggestion === undefined ? '' : `; did you mean \`#${problem.suggestion}\`?`}`;
    case 'missing-image':
      return problem.isOutside
        ? `the image ${tick(problem.url)} lies outside the content folder; move it inside`
        : `no file for the image ${tick(problem.url)}${hint(problem)}`;
    case 'image-not-hosted':
      return `the file ${tick(problem.url)} has no public address; set \`assets.baseUrl\` to where the content folder is served, or \`assets.upload\` to a command that publishes it`;
    case 'html-dropped':
      return `${tick(problem.what).replace(/ of (?=<)/, '` of `')} is left out: ${problem.reason}`;
    case 'unknown-component':
      return `a knowledge base cannot render the ${problem.what} ${tick(problem.shown)}; choose what to do with it: ${tick(`components: { ${yamlName(problem.name)}: drop }`)}, \`keep\` its text, or \`{ replace: … }\``;
    case 'raw-syntax':
      return `${tick(problem.shown)} would be published as it is written${problem.count === 1 ? '' : `, and ${problem.count - 1} more of ${tick(problem.kind)}`}; ${layoutHint(problem.layouts)}`;
    case 'html-swallows':
      return `\`<${problem.name}>\` is never closed, so the ${problem.words} words below it would be lost; close it with \`</${problem.name}>\``;
    case 'text-lost':
      return `the page would lose ${problem.words} of its ${problem.all} words, most of them with ${tick(problem.most)}; give that part a rule in \`components:\`, or leave the page out with \`exclude:\``;
    case 'include-failed':
      return `${tick(problem.shown)} is not included: ${problem.reason}`;
    case 'orphan-translation':
      return `no ${tick(problem.defaultLanguage)} ${problem.kind} for this translation; add ${problem.expected}, or name the original in \`translationKey\`${problem.onlyLanguage === undefined ? '' : `; if the originals are in \`${problem.onlyLanguage}\`, write \`defaultLanguage: ${problem.onlyLanguage}\` into kbsync.yaml`}`;
    case 'wrong-move':
      return wrongMove(problem);
    case 'released-file':
      return `\`released\` in kbsync.yaml says that kbsync no longer manages ${tick(problem.key)}, but this is its file; delete the file, or take the line out of \`released\` and name the file under \`exclude\``;
    case 'wrong-redirect':
      return wrongRedirect(problem);
    case 'bad-encoding':
      return problem.reason;
    case 'too-large':
      return `the file has ${problem.size.toLocaleString('en')} ${problem.unit}; kbsync reads at most ${problem.sizeMax.toLocaleString('en')}`;
    case 'merge-marker':
      return `unresolved merge conflict: ${tick(problem.marker)}; choose one of the two texts, and take the marks out`;
    case 'lfs-pointer':
      return 'this is a Git LFS pointer, not the text; run `git lfs pull`';
    case 'unexpected-file':
      return `${problem.reason}${hint(problem)}`;
    case 'unreadable-file':
      return problem.reason;
  }
}

function beyondLimit({
  subject,
  unit,
  count,
  countMax,
}: Extract<ProblemCase, { readonly code: 'beyond-limit' }>): string {
  const [is, max] = [count.toLocaleString('en'), countMax.toLocaleString('en')];
  switch (unit) {
    case 'value':
      return `${tick(subject)} is ${is}; numbers beyond ±${max} lose their last digits, and a service may refuse the record`;
    case 'addresses':
      return `the text links to ${is} addresses; a service may refuse more than ${max}: divide the page`;
    case 'levels':
      return `elements of the text are nested ${is} deep; a service may refuse more than ${max} levels`;
    case 'bytes':
      return `the text has ${is} bytes as HTML; a service may refuse more than ${max}: divide the page`;
    case 'characters':
    case 'entries':
      return `${tick(subject)} has ${is} ${unit}; a service may refuse more than ${max}`;
  }
}

/** Half of the world's disks cannot tell such names apart. */
const TWINS = {
  more: '',
  case: ', whose name differs only in capital letters',
  'unicode form': ', whose name looks the same but is encoded in another Unicode form (NFC, NFD)',
} as const;

function layoutHint(layouts: readonly string[]): string {
  if (layouts.length === 0)
    return 'kbsync does not read it; write plain Markdown, or put it in backticks if readers need to see it';
  return `${layouts.map((name) => `\`preset: ${name}\``).join(' or ')} reads it; in this layout write plain Markdown`;
}

function unknownReference(kind: Kind, problem: UnknownReference): string {
  const name = tick(problem.name);
  if (problem.candidates.length > 0) {
    return `${name} fits several ${kind === 'tag' ? 'tags' : 'categories'}: ${problem.candidates.map(tick).join(', ')}; write the whole path`;
  }
  if (problem.onlyIn.length > 0) {
    return `the ${kind} ${name} exists only in ${problem.onlyIn.map(tick).join(', ')}; add it in the default language \`${problem.defaultLanguage}\``;
  }
  const isList = problem.suggestion === undefined && problem.name.includes(',');
  return `no ${kind} file defines ${name}${isList ? `; several names are a list: ${tick(`[${problem.name}]`)}` : hint(problem)}`;
}

function hint(problem: { readonly suggestion?: string }, otherwise = ''): string {
  return problem.suggestion === undefined ? otherwise : `; did you mean ${tick(problem.suggestion)}?`;
}

function yamlName(name: string): string {
  return /^[\w/-]+$/.test(name) ? name : JSON.stringify(name);
}

function tick(text: string): string {
  return `\`${text}\``;
}

function a(kind: Kind): string {
  return kind === 'article' ? 'an article' : `a ${kind}`;
}

function wrongRedirect({ from, reason, other }: Extract<ProblemCase, { code: 'wrong-redirect' }>): string {
  switch (reason) {
    case 'itself':
      return `${tick(from)} is the address that the page has now, so it redirects nowhere; take it out`;
    case 'live':
      return `${tick(from)} is the address of another page, ${other}, which readers see there; take the redirect out, or give that page another slug`;
    case 'claimed':
      return `${other} sends ${tick(from)} elsewhere, and an address can lead to one page only; take one of the two out`;
    case 'circle':
      return `${tick(from)} leads to ${tick(other)} and from there back to itself; take one of the lines out`;
    case 'dead':
      return `${tick(from)} leads to ${tick(other)}, and no file makes that page; name the address of a page`;
  }
}

function wrongMove({ from, reason, other = '' }: Extract<ProblemCase, { code: 'wrong-move' }>): string {
  switch (reason) {
    case 'itself':
      return `${tick(from)} is the name that the file has now; \`movedFrom\` takes the name that it had before`;
    case 'circle':
      return `the line from ${tick(from)} to ${tick(other)} closes a circle: a record cannot come from itself; take one of its lines out of \`moved\``;
    case 'has-file':
      return `${tick(from)} still has a file, ${other}, so its record stays there; delete or rename that file, or take this line out`;
    case 'claimed':
      return `${other} claims ${tick(from)} too, and a record can go to one file only; take one of the two lines out`;
  }
}
