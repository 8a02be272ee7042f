import { Option } from '@commander-js/extra-typings';
import { command, examples, wholeNumber, type FlagsOf } from '../../flags.ts';

export type LinksFlags = FlagsOf<typeof linksCommand>;
export type ReviewsFlags = FlagsOf<typeof reviewsCommand>;
export type VersionsFlags = FlagsOf<typeof versionsCommand>;
export type InsightsFlags = FlagsOf<typeof insightsCommand>;

export function linksCommand() {
  return command('links', 'list the links in published articles, as the service last checked them')
    .addOption(
      new Option('--only <state>', 'only these').choices(['broken', 'working', 'unchecked'] as const),
    )
    .option('--article <text>', 'only articles whose name contains this text')
    .option('--url <text>', 'only addresses that contain this text')
    .addOption(
      new Option('--fail-on <state>', 'exit with 1 if there are any').choices([
        'broken',
        'unchecked',
      ] as const),
    )
    .addHelpText('after', examples('kbsync links --only broken', 'kbsync links --fail-on broken --json'));
}

export function reviewsCommand() {
  return command('reviews', 'list the articles that have a review date, the next one first')
    .option('--due <when>', 'only those due by then, 30d or 2026-12-31; exit with 1 if there are any')
    .addOption(
      new Option('--status <status>', 'only articles with this status').choices([
        'published',
        'draft',
      ] as const),
    )
    .addHelpText('after', examples('kbsync reviews', 'kbsync reviews --due 30d'));
}

export function versionsCommand() {
  return command('versions', 'list the release versions of the knowledge base')
    .option('--released', 'only released versions', false)
    .option('--count <n>', 'at most this many', wholeNumber(1))
    .addHelpText('after', examples('kbsync versions', 'kbsync versions --released --json'));
}

export function insightsCommand() {
  return command(
    'insights',
    'list searches without a result, articles that did not help, and old articles that many read',
  )
    .option('--count <n>', 'at most this many of each', wholeNumber(1, 1000), 20)
    .option(
      '--stale-after <days>',
      'an article is old after so many days without an edit',
      wholeNumber(1),
      180,
    )
    .addHelpText('after', examples('kbsync insights', 'kbsync insights --stale-after 365 --json'));
}
