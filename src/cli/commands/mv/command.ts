import { command, examples, type FlagsOf } from '../../flags.ts';

export type MvFlags = FlagsOf<typeof mvCommand>;

export function mvCommand() {
  return command(
    'mv',
    'move a page or a folder in all languages, and correct the links to it; the record stays the same',
  )
    .argument('<from>', 'the file or folder, seen from here or from the content folder')
    .argument('<to>', 'its new name, or a folder that exists')
    .option('--dry-run', 'show what would change, write nothing', false)
    .addHelpText(
      'after',
      examples(
        'kbsync mv content/en/articles/billing/fax.md content/en/articles/legacy/telefax.md',
        'kbsync mv en/articles/billing en/articles/legacy --dry-run',
      ),
    );
}
