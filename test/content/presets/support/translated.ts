import { labelsFor } from '../../../../src/content/labels.ts';
import { renderedBody } from '../../../../src/content/markdown/render.ts';
import type { ComponentRules } from '../../../../src/content/component-rules.ts';
import { editedText } from '../../../../src/content/presets/syntax/edits.ts';
import { SYNTAX } from '../../../../src/content/presets/syntax/syntaxes.ts';

export type Layout = keyof typeof SYNTAX;

export interface Translated {
  /** As our Markdown. */
  readonly text: string;
  readonly html: string;
  /** `3:5 <Widget>` */
  readonly problems: readonly string[];
}

/** A body of some layout as our Markdown, and as what is sent. */
export function translated(
  layout: Layout,
  body: string,
  { isMdx = false, rules = {} }: { readonly isMdx?: boolean; readonly rules?: ComponentRules } = {},
): Translated {
  const { edits, problems } = SYNTAX[layout](body, { rules, labels: labelsFor('en'), isMdx });
  const { text } = editedText(body, edits);
  const options = {
    links: new Map<string, string>(),
    html: 'sanitize',
    needsSanitiser: true,
    lang: 'en',
  } as const;
  return {
    text,
    html: renderedBody(text, options),
    problems: problems.map(
      (problem) =>
        `${problem.spot.line}:${problem.spot.column} ${'shown' in problem ? problem.shown : problem.code}`,
    ),
  };
}
