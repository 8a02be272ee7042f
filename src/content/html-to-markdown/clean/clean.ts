import { CLEANING } from './names.ts';
import type { Cleaned, CleaningName, Note } from './names.ts';
import { attributesStep } from './attributes.ts';
import { marksStep } from './marks.ts';
import { blocksStep, withoutEdgeBreaks } from './blocks.ts';
import { elementsOf, isApart, isBlank, isBlock, runOf } from '../hast.ts';
import type { ElementContent, HastContent, HastParent, HastRoot } from '../hast.ts';
import type { HtmlToMarkdownOptions } from '../options.ts';

/**
 * Takes editors' leftovers out of a tree, in place, and says what it was. Without `clean` only the frame is
 * made in which text between blocks can be kept as it is.
 */
export function cleanTree(
  tree: HastRoot,
  {
    clean: isOn,
    address,
    makesHeadingIds,
  }: Pick<HtmlToMarkdownOptions, 'clean' | 'address' | 'makesHeadingIds'>,
): readonly Cleaned[] {
  const counts = new Map<CleaningName, number>();
  const note: Note = (name) => void counts.set(name, (counts.get(name) ?? 0) + 1);
  if (isOn) {
    attributesStep(tree, note);
    blocksStep(tree, note);
    marksStep(tree, note);
    blocksStep(tree, note);
  }
  if (address !== undefined) addresses(tree, address, note);
  if (makesHeadingIds === true) dropHeadingIds(tree);
  framedText(tree, isOn ? note : undefined);
  return Object.keys(CLEANING)
    .filter(isCleaningName)
    .flatMap((name) => {
      const count = counts.get(name);
      return count === undefined ? [] : [{ name, count }];
    });
}

function addresses(parent: HastParent, address: (url: string) => string, note: Note): void {
  for (const element of elementsOf(parent)) {
    for (const name of ['href', 'src']) {
      const url = element.properties[name];
      if (typeof url !== 'string' || element.tagName === 'base') continue;
      const wanted = address(url);
      if (wanted === url) continue;
      element.properties[name] = wanted;
      note('page-addresses');
    }
    addresses(element, address, note);
  }
}

function dropHeadingIds(parent: HastParent): void {
  for (const element of elementsOf(parent)) {
    if (/^h[1-6]$/.test(element.tagName)) delete element.properties['id'];
    else dropHeadingIds(element);
  }
}

function isCleaningName(name: string): name is CleaningName {
  return Object.hasOwn(CLEANING, name);
}

/** Text between blocks becomes a paragraph, or without cleaning a run that stays as it is. */
function framedText(tree: HastRoot, note: Note | undefined): void {
  const children: HastContent[] = [];
  let run: ElementContent[] = [];
  const close = (): void => {
    if (note !== undefined) run = withoutEdgeBreaks(run, note);
    if (run.some((node) => !isBlank(node))) {
      const isText = note !== undefined && run.some((node) => (isBlank(node) ? false : !isFrame(node)));
      if (isText) note('bare-text');
      children.push(isText ? { ...runOf(run), tagName: 'p' } : runOf(run));
    } else if (run.some((node) => node.type === 'comment')) {
      children.push(runOf(run));
    }
    run = [];
  };
  for (const child of tree.children) {
    if (isBlock(child)) {
      close();
      children.push(child);
    } else if (child.type === 'element' && isApart(child)) {
      close();
      children.push(runOf([child]));
    } else if (child.type === 'text' || child.type === 'element' || child.type === 'comment') run.push(child);
  }
  close();
  tree.children = children;
}

/** Shown like a block of its own. */
function isFrame(node: ElementContent): boolean {
  return node.type === 'element' && ['audio', 'embed', 'iframe', 'object', 'video'].includes(node.tagName);
}
