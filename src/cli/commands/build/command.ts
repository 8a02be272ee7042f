import { command, examples, type FlagsOf } from '../../flags.ts';

export type BuildFlags = FlagsOf<typeof buildCommand>;

export function buildCommand() {
  return command('build', 'write the files as a site of plain pages; no service is needed')
    .requiredOption('--out <dir>', 'folder for the pages; new, empty, or written by an earlier build')
    .option(
      '--site-url <url>',
      'the address that readers will see, for links with a host, such as those of the sitemap (also: KBSYNC_SITE_URL; default: http://localhost)',
    )
    .option('--drafts', 'show drafts too, marked as such', false)
    .option('--changed-since <ref>', 'mark articles whose file changed since a git commit or branch')
    .addHelpText(
      'after',
      examples(
        'kbsync build --out site --site-url https://help.example.com',
        'kbsync build --out site --drafts --changed-since origin/main',
      ),
    );
}
