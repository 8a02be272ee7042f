import { htmlToMarkdown } from '../../../content/html-to-markdown/html-to-markdown.ts';
import type { PullRun } from '../context.ts';
import { conversionOf } from './conversion.ts';
import type { Fetched } from '../reading/read-records.ts';
import type { PulledText } from '../report.ts';
import { pulledText } from '../report.ts';

/** The whole body of a record as Markdown. */
export function markdownOf(
  record: Fetched,
  file: string,
  run: PullRun,
): { readonly markdown: string; readonly text: { readonly text?: PulledText } } {
  const html = run.options.spool.get(record.body);
  if (html === '') return { markdown: '', text: {} };
  const made = htmlToMarkdown(html, conversionOf(record, file, run));
  return { markdown: made.markdown, text: { text: pulledText(made) } };
}
