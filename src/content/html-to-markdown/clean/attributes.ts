import type { Note } from './names.ts';
import { classesOf } from '../hast.ts';
import type { HastContent, HastElement, HastParent } from '../hast.ts';

/** Removes attributes that mean nothing to a reader, elements of office programs, and spans that are then without purpose. */
export function attributesStep(parent: HastParent, note: Note): void {
  const children = parent.children.flatMap((child): HastContent[] => {
    if (child.type === 'comment') {
      note('comments');
      return [];
    }
    if (child.type !== 'element') return [child];
    if (isOffice(child)) {
      note('office-markup');
      return child.tagName.includes(':') ? inner(child, note) : [];
    }
    if (child.tagName === 'svg' || child.tagName === 'math') return [child];
    strip(child, note);
    if (child.tagName === 'pre') {
      codeColours(child, note);
      return [child];
    }
    if (child.tagName === 'span' && Object.keys(child.properties).length === 0) {
      note('plain-spans');
      return inner(child, note);
    }
    if (child.tagName === 'font') {
      note('inline-styles');
      return inner(child, note);
    }
    attributesStep(child, note);
    return [child];
  });
  // A fragment and its elements hold the same kinds of nodes.
  parent.children = children as typeof parent.children;
}

function inner(element: HastElement, note: Note): HastContent[] {
  attributesStep(element, note);
  return element.children;
}

const OFFICE = new Set(['meta', 'link', 'style', 'title', 'xml']);

function isOffice({ tagName }: HastElement): boolean {
  return OFFICE.has(tagName) || /^[a-z]+:/.test(tagName);
}

const EDITOR_CLASS =
  /^(?:Mso|mso|fr-|wysiwyg|Apple-|ql-|intercom-|no-margin$|p\d+$|s\d+$|li\d+$|ul\d+$|ol\d+$|c\d+$|x_|gmail|wp-block-(?:paragraph|heading|list|code|preformatted|quote|table|image|separator)$|wp-element-|has-[a-z-]+$|is-style-|notion-|css-|sc-|moz-|cke_|tox-|redactor|aligncenter$|alignleft$|alignright$|alignnone$|size-|wp-image-)/;
const EDITOR_ATTRIBUTE =
  /^(?:data(?!Footnote)|localId$|local-id$|contentEditable$|spellCheck$|on[A-Z]|on[a-z]+$|tabIndex$|ariaLevel$|v-|ng-|_|jsaction|xmlns|autoCapitalize$|draggable$|.*["';=,])/;

function strip(element: HastElement, note: Note): void {
  for (const [name, value] of Object.entries(element.properties)) {
    if (name === 'style') {
      const align =
        /^t[hd]$/.test(element.tagName) && /text-align:\s*(left|right|center)/.exec(String(value))?.[1];
      if (typeof align === 'string') element.properties['align'] = align;
      delete element.properties['style'];
      note('inline-styles');
    } else if (EDITOR_ATTRIBUTE.test(name) || (name === 'dir' && value === 'ltr')) {
      delete element.properties[name];
      note('editor-attributes');
    } else if ((name === 'target' || name === 'rel') && element.tagName === 'a') {
      delete element.properties[name];
      note('link-targets');
    }
  }
  stripClasses(element, note);
}

function stripClasses(element: HastElement, note: Note): void {
  if (element.properties['className'] === undefined) return;
  const classes = classesOf(element);
  const kept = classes.filter((name) => !EDITOR_CLASS.test(name));
  if (kept.length < classes.length || classes.length === 0) note('editor-classes');
  if (kept.length === 0) delete element.properties['className'];
  else element.properties['className'] = kept;
}

/** `<pre>` keeps its text; what colours it is taken off. */
function codeColours(pre: HastElement, note: Note): void {
  const code = pre.children.length === 1 ? pre.children[0] : undefined;
  const holder = code?.type === 'element' && code.tagName === 'code' ? code : pre;
  const flatten = (parent: HastElement): HastElement['children'] =>
    parent.children.flatMap((child) => {
      if (child.type === 'comment') return [];
      if (child.type !== 'element' || child.tagName !== 'span') return [child];
      note('code-colours');
      return flatten(child);
    });
  holder.children = flatten(holder);
  if (holder === code) strip(code, note);
}
