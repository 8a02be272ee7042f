import { expect, test } from 'vitest';
import { isRef, isRepository, placeOf } from '../../../src/fleet/settings/repository.ts';
import { crontabOf, isSchedule } from '../../../src/fleet/settings/schedule.ts';
import { ConfigError } from '../../../src/config/settings.ts';
import { chosenBases, loadFleet } from '../../../src/fleet/settings/settings.ts';

test.each([
  'https://github.com/acme/docs.git',
  'https://git.example.com:8443/acme/docs',
  'ssh://git@example.com:2222/acme/docs.git',
  'git@github.com:acme/docs.git',
  'file:///srv/git/docs.git',
  '/srv/git/docs.git',
])('git may be given %s', (text) => expect(isRepository(text)).toBe(true));

test.each([
  '--upload-pack=touch /tmp/x',
  'ext::sh -c touch% /tmp/x',
  'ext::sh',
  'https://user:token@github.com/acme/docs',
  'https://token@github.com/acme/docs',
  'ssh://-oProxyCommand=x/docs',
  'ssh://git@-oProxyCommand=x/docs',
  'git@-oProxyCommand=x:docs',
  '-git@example.com:docs',
  'git@example.com:-docs',
  'http://example.com/docs',
  'git://example.com/docs',
  'fd::17',
  'https://example.com/a b',
  'https://example.com/a\nb',
  'relative/path',
  '',
])('git is never given %j', (text) => expect(isRepository(text)).toBe(false));

test('a ref is a branch or a tag, never an option or an expression', () => {
  for (const ref of ['main', 'release/2.x', 'v1.0.0', 'feature/a-b_c'])
    expect([ref, isRef(ref)]).toEqual([ref, true]);
  for (const ref of ['-b', '--all', 'a..b', 'a@{1}', 'a:b', '*', 'a b', 'a.lock', 'a/', '/a', '']) {
    expect([ref, isRef(ref)]).toEqual([ref, false]);
  }
});

test('the addresses of one repository are one place', () => {
  const spellings = [
    'https://github.com/Acme/docs.git',
    'git@github.com:acme/docs',
    'ssh://git@github.com/acme/docs.git',
    'ssh://git@github.com:22/acme/docs/',
  ];
  expect(new Set(spellings.map(placeOf))).toEqual(new Set(['github.com/acme/docs']));
});

test('a schedule is a length that divides the day, or crontab', () => {
  for (const text of ['15m', '1m', '2h', '1d', '*/15 * * * *', '0 3 1-7,15 * 1']) {
    expect([text, isSchedule(text)]).toEqual([text, true]);
  }
  for (const text of ['', '7m', '0m', '61m', '2d', '* * * *', '60 * * * *', 'a * * * *', '5-1 * * * *']) {
    expect([text, isSchedule(text)]).toEqual([text, false]);
  }
});

test('lengths are spread: a thousand names do not start in the same minute', () => {
  const minutes = Array.from({ length: 1000 }, (_, at) => crontabOf('15m', `kb-${at}`).split(',')[0]);
  const most = Math.max(...[...new Set(minutes)].map((one) => minutes.filter((each) => each === one).length));
  expect(new Set(minutes).size).toBe(15);
  expect(most).toBeLessThan(110);
  expect(crontabOf('15m', 'a')).toMatch(/^(\d+,){3}\d+ \* \* \* \*$/);
  expect(crontabOf('1m', 'a')).toBe('* * * * *');
  expect(crontabOf('2h', 'a')).toMatch(/^\d+ (\d+,){11}\d+ \* \* \*$/);
  expect(crontabOf('1d', 'a')).toMatch(/^\d+ \d+ \* \* \*$/);
  expect(crontabOf(' 5  4 * * 1', 'a')).toBe('5 4 * * 1');
});

const load = (text: string) =>
  loadFleet('fleet.yaml', { cwd: '/srv', env: {}, files: { readText: async () => text } });

const ONE = `knowledgeBases:
  billing:
    repository: git@github.com:acme/billing.git
    origin: https://help.example.com
    key: { variable: BILLING_KEY }
`;

test('what the file does not say has a default, and each knowledge base may say otherwise', async () => {
  const fleet = await load(`defaults: { owner: docs, ref: live }\n${ONE}    ref: next\n`);
  expect(fleet).toMatchObject({
    folder: '/srv/.kbsync-fleet',
    atOnce: 2,
    perHost: 4,
    schema: 'kbsync_fleet',
  });
  expect(fleet.bases).toMatchObject([
    { name: 'billing', ref: 'next', owner: 'docs', schedule: '15m', folder: '.', prune: false },
  ]);
  expect(() => chosenBases(fleet, ['biling'])).toThrow(/`biling`.*`billing`/);
});

test.each([
  ['a key in the file', ONE.replace('{ variable: BILLING_KEY }', 'kb_abc'), /never the secret itself/],
  ['a misspelt setting', ONE.replace('origin', 'orgin'), /unknown setting `orgin`.*`origin`|no value/],
  ['no key', ONE.replace(/^ *key: .*\n/m, ''), /`knowledgeBases\.billing\.key` has no value; it takes/],
  ['a folder outside', `${ONE}    folder: ../x\n`, /inside the repository/],
  ['a name with a slash', ONE.replace('billing:', 'a/b:'), /small letters/],
  ['a reserved name', ONE.replace('billing:', 'run:'), /not `run`/],
  ['an expression for a ref', `${ONE}    ref: "--all"\n`, /branch or a tag/],
])('%s is refused with its place', async (_, text, words) => {
  const error = await load(text).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ConfigError);
  const { problems } = error as ConfigError;
  expect(problems.map(({ message }) => message).join('\n')).toMatch(words);
  expect(problems.every(({ at }) => at.file === 'fleet.yaml' && at.line > 0)).toBe(true);
});
