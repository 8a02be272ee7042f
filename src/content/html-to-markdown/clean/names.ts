/** Every cleaning step by its name, with what it takes away: a promise, so a report can be looked up. */
export const CLEANING = {
  comments: 'comments',
  'office-markup': "Word's own elements, style sheets and metadata in the text",
  'inline-styles': '`style`, `<font>`, and colours and sizes with them',
  'editor-attributes':
    'attributes of web editors: `data-*`, `local-id`, `dir="ltr"`, `spellcheck` and the like',
  'editor-classes':
    'classes of web editors: `Mso…`, `fr-…`, `wysiwyg-…`, `Apple-…`, `intercom-…` and the like',
  'plain-spans': '`<span>` without attributes that mean something',
  'plain-divs':
    '`<div>` without attributes that mean something: its text becomes a paragraph, other content stays',
  'plain-figures': '`<figure>` without a caption: its content stays',
  'old-tags': '`<b>`, `<i>`, `<s>`, `<strike>` as `<strong>`, `<em>`, `<del>`',
  'link-targets': '`target` and `rel` of links',
  'non-breaking-blanks': 'non-breaking blanks beside another blank or at the edge of a block',
  'edge-blanks':
    'blanks and line breaks at the edge of bold, italic or a link, moved outside; such marks without text',
  'trailing-breaks': 'line breaks at the start or end of a block',
  'empty-paragraphs': 'paragraphs without content, used as spacers',
  'bare-text': 'text between blocks, also in a quote: it becomes a paragraph',
  'stray-lists': 'lists directly in lists: they move into the item before',
  'loose-lists': 'lists in which only some items have paragraphs: all items get one',
  'task-lists': 'checkboxes at the start of items: they become those of a task list',
  'cell-paragraphs': 'the only paragraph of a cell: its content stays',
  'table-heads': 'a header row at the start: it moves into a `<thead>`',
  'page-addresses': 'addresses relative to the page: they begin at the root of the site',
  'code-colours': 'spans that colour code',
} as const;

export type CleaningName = keyof typeof CLEANING;

export interface Cleaned {
  readonly name: CleaningName;
  /** How often. */
  readonly count: number;
}

/** Counts what a step does under the step's name. */
export type Note = (name: CleaningName) => void;
