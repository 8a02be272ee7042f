import { Argument, Option, type Command } from 'commander';
import type { CommonFlags, LinkFlags, ReviewFlags, VersionListFlags } from './flags.ts';
import { examples, wholeNumber } from './program-options.ts';
import type { DevParts } from './program-watch.ts';
import { SHELLS, type Shell } from './report-format.ts';

/** What looks at the service's own lists, and what editors and shells ask for. */
export function addTools(program: Command, parts: DevParts): void {
  addLinks(program, parts);
  addReviews(program, parts);
  addVersions(program, parts);
  addDoctor(program, parts);
  addEditors(program, parts);
}

function addDoctor(program: Command, { world, done, withCommonFlags }: DevParts): void {
  withCommonFlags(program.command('doctor'))
    .description('look at settings, key, address, clock and service with reads only, and say what is wrong')
    .addHelpText('after', examples('kbsync doctor', 'kbsync doctor --env staging --json'))
    .action(async (flags: CommonFlags) => {
      const { doctor } = await import('./commands/doctor.ts');
      done(await doctor(flags, world));
    });
}

function addLinks(program: Command, { world, done, withCommonFlags }: DevParts): void {
  withCommonFlags(program.command('links'))
    .description('list the links in published articles, as the service has checked them')
    .addOption(new Option('--only <state>', 'only these').choices(['broken', 'working', 'unchecked']))
    .option('--article <text>', 'only articles whose name contains it')
    .option('--url <text>', 'only addresses that contain it')
    .addOption(new Option('--fail-on <state>', 'exit 1 when there are any').choices(['broken', 'unchecked']))
    .addHelpText('after', examples('kbsync links --only broken', 'kbsync links --fail-on broken --json'))
    .action(async (flags: LinkFlags) => {
      const { links } = await import('./commands/links.ts');
      done(await links(flags, world));
    });
}

function addReviews(program: Command, { world, done, withCommonFlags }: DevParts): void {
  withCommonFlags(program.command('reviews'))
    .description('list the articles that have a review date, the next one first')
    .option('--due <when>', 'only those due by then, and exit 1 when there are any: 30d or 2026-12-31')
    .addOption(
      new Option('--status <status>', 'only articles of this status').choices(['published', 'draft']),
    )
    .addHelpText('after', examples('kbsync reviews', 'kbsync reviews --due 30d'))
    .action(async (flags: ReviewFlags) => {
      const { reviews } = await import('./commands/reviews.ts');
      done(await reviews(flags, world));
    });
}

function addVersions(program: Command, { world, done, withCommonFlags }: DevParts): void {
  withCommonFlags(program.command('versions'))
    .description('list the release versions of the knowledge base')
    .option('--released', 'only released ones', false)
    .option('--count <n>', 'only so many', wholeNumber(1))
    .addHelpText('after', examples('kbsync versions', 'kbsync versions --released --json'))
    .action(async (flags: VersionListFlags) => {
      const { versions } = await import('./commands/versions.ts');
      done(await versions(flags, world));
    });
}

function addEditors(program: Command, { world, done }: DevParts): void {
  program
    .command('schema')
    .description('print the JSON schema of kbsync.yaml or of a kind’s front matter')
    .argument('<name>', 'config, article, category or tag')
    .option('--markdown', 'as a table for people', false)
    .addHelpText('after', examples('kbsync schema config > kbsync.schema.json', 'kbsync schema article'))
    .action(async (name: string, flags: { readonly markdown: boolean }) => {
      const { schema } = await import('./commands/schema.ts');
      done(schema(name, flags, world));
    });
  program
    .command('completions')
    .description('print a completion script for your shell')
    .addArgument(new Argument('<shell>', 'which shell').choices(SHELLS))
    .addHelpText('after', examples('eval "$(kbsync completions bash)"', 'kbsync completions fish | source'))
    .action(async (shell: Shell) => {
      const { completions } = await import('./commands/completions.ts');
      done(completions(shell, program, world));
    });
}
