import { describe, expect, test } from 'vitest';
import { configJsonSchema } from '../../src/config/schema.ts';
import { parseConfig } from '../../src/config/parse.ts';

/** Faults as `line:column+width message (help)`. */
function faults(text: string): readonly string[] {
  const parsed = parseConfig(text, 'kbsync.yaml');
  if (parsed.ok) return [];
  return parsed.problems.map(
    ({ at, width, message, help }) =>
      `${at.line}:${at.column}+${width} ${message}${help === undefined ? '' : ` (${help})`}`,
  );
}

describe('a config that cannot be used names each fault with its place', () => {
  const cases: readonly (readonly [string, string, readonly string[]])[] = [
    [
      'a command without a place for the file',
      "assets: { upload: 'publish.sh' }\n",
      ['1:19+12 `assets.upload` is "publish.sh"; have {file} after the name of the program'],
    ],
    [
      'a command, without what may be a password in it',
      "assets: { upload: 'curl -u me:secret {file} | tail -1' }\n",
      [
        '1:19+36 `assets.upload` is "curl …"; have no variables, pipes and other signs of a shell: write these into a script, and name the script here',
      ],
    ],
    [
      'an address, without its password',
      'assets: { baseUrl: "ftp://me:sec@ret@cdn.example.com/" }\n',
      ['1:20+35 `assets.baseUrl` is "ftp://***@cdn.example.com/"; it must start with https:// or /'],
    ],
    ['a misspelt setting', 'basUrl: x\n', ['1:1+6 unknown setting `basUrl`, did you mean `baseUrl`?']],
    [
      'a key in the file',
      'apiKey: secret-1\n',
      [
        '1:1+6 unknown setting `apiKey` (put the key into the environment variable KBSYNC_API_KEY, never into a file that is committed)',
      ],
    ],
    [
      'a misspelt value',
      'html: sanitise\n',
      ['1:7+8 `html` is "sanitise"; it takes sanitize or trust, did you mean `sanitize`?'],
    ],
    ['a number for text', 'content: 7\n', ['1:10+1 `content` is 7; it takes text']],
    ['text for a boolean', 'stamp: "no"\n', ['1:8+4 `stamp` is "no"; it takes true or false']],
    ['YAML 1.1 booleans are text', 'stamp: yes\n', ['1:8+3 `stamp` is "yes"; it takes true or false']],
    ['a value left out', 'baseUrl:\n', ['1:1+7 `baseUrl` has no value; it takes text']],
    ['an empty value', 'baseUrl: ""\n', ['1:10+2 `baseUrl` is empty']],
    [
      'text for a list',
      'ignoreKeys: layout\n',
      ['1:13+6 `ignoreKeys` is "layout"; it takes a list, like [a, b]'],
    ],
    [
      'a list for a group',
      'fields: [a]\n',
      ['1:9+3 `fields` is a list; it takes a group, like { name: value }'],
    ],
    [
      'an address for an environment',
      'environments: { staging: https://s.example.com }\n',
      [
        '1:26+21 `environments.staging` is "https://s.example.com"; it takes a group, like { baseUrl: https://staging.example.com }',
      ],
    ],
    [
      'a value that stands elsewhere',
      'fields: &list [a]\nassets: *list\n',
      [
        '1:15+3 `fields` is a list; it takes a group, like { name: value }',
        '2:9+5 `assets` is a list; it takes a group, like { name: value }',
      ],
    ],
    [
      'a number in a group of texts',
      'languages: { zh-cn: 7 }\n',
      ['1:21+1 `languages.zh-cn` is 7; it takes text'],
    ],
    [
      'an unknown default',
      'defaults: { stauts: draft }\n',
      ['1:13+6 unknown setting `stauts`, did you mean `status`?'],
    ],
    [
      'a default that is no status',
      'defaults: { status: live }\n',
      ['1:21+4 `defaults.status` is "live"; it takes published or draft'],
    ],
    [
      'assets without an address',
      'assets: {}\n',
      ['1:9+2 `assets` is a group; it takes baseUrl, rootUrl or both, or upload'],
    ],
    [
      'an address template without slug',
      'articleUrl: /help/{lang}\n',
      ['1:13+12 `articleUrl` is "/help/{lang}"; it must contain {slug}'],
    ],
    [
      'an address template without start',
      'tagUrl: "{slug}"\n',
      ['1:9+8 `tagUrl` is "{slug}"; it must start with / or https://'],
    ],
    [
      'an address template with a name that kbsync does not fill in',
      'articleUrl: /{language}/{slug}\n',
      ['1:13+18 `articleUrl` is "/{language}/{slug}"; it must have no other {…} than {lang} and {slug}'],
    ],
    [
      'a place of images that no browser can open',
      'assets: { baseUrl: ftp://x }\n',
      ['1:20+7 `assets.baseUrl` is "ftp://x"; it must start with https:// or /'],
    ],
    [
      'a field that no record has',
      'fields: { excerp: description }\n',
      ['1:11+6 unknown setting `excerp`, did you mean `excerpt`?'],
    ],
    [
      'words of a field that no record has',
      'environments: { a: { values: { sttus: { x: draft } } } }\n',
      ['1:32+5 unknown setting `sttus`, did you mean `status`?'],
    ],
    [
      'a word that means no status',
      'values: { status: { live: public } }\n',
      ['1:27+6 `values.status.live` is "public"; it takes published or draft'],
    ],
    [
      'a history of less than nothing',
      'history: { runs: -1 }\n',
      ['1:18+2 `history.runs` is -1; it must be at least 0'],
    ],
    [
      'an id that is too long',
      `id: ${'x'.repeat(81)}\n`,
      [expect.stringMatching(/^1:5\+81 .*; it must have at most 80 characters$/)],
    ],
    [
      'a glob of too many stars',
      `exclude:\n  - "${'*a'.repeat(30)}"\n`,
      [expect.stringMatching(/; at most 4 stars between two slashes, .*; use several$/)],
    ],
    [
      'a glob of too many braces',
      `protect:\n  - "${'{a,b}'.repeat(25)}"\n`,
      [expect.stringMatching(/; at most 4 stars between two slashes, .*; use several$/)],
    ],
    ['too much at once', 'concurrency: 500\n', ['1:14+3 `concurrency` is 500; it must be at most 128']],
    [
      'half a request at once',
      'concurrency: 1.5\n',
      ['1:14+3 `concurrency` is 1.5; it takes a whole number'],
    ],
    [
      'a preset that does not exist',
      'preset: drupal\n',
      [expect.stringContaining('1:9+6 `preset` is "drupal"; it takes kbsync, hugo')],
    ],
    [
      'a problem code that does not exist',
      'allow: [dead-lnk]\n',
      [expect.stringContaining('1:9+8 `allow[0]` is "dead-lnk"; it takes wrong-type')],
    ],
    [
      'a fault inside an environment',
      'environments:\n  staging:\n    stampp: true\n',
      ['3:5+6 unknown setting `stampp`, did you mean `stamp`?'],
    ],
    [
      'an environment inside an environment',
      'environments: { a: { environments: {} } }\n',
      [expect.stringMatching(/^1:22\+12 unknown setting `environments`/)],
    ],
    [
      'an environment that could leave its folder',
      'environments: { "../x": {} }\n',
      ['1:17+6 the name `../x` must be made of letters, digits, - and _'],
    ],
    ['a setting given twice', 'stamp: true\nstamp: false\n', ['2:1+5 this setting is given twice; keep one']],
    [
      'an unquoted colon',
      'content: a: b\n',
      ['1:10+1 a value with `: ` inside needs quotes (put the whole value between double quotes)'],
    ],
    [
      'a tab as indentation',
      'fields:\n\texcerpt: description\n',
      [expect.stringMatching(/^2:1\+\d+ a tab cannot indent/)],
    ],
    ['a bracket that stays open', 'allow: [dead-link\n', ['2:1+1 a bracket before this line stays open']],
    ['a file that is a list', '- baseUrl\n', ['1:1+1 the file is not a list of `name: value` lines']],
    ['a file that is a sentence', 'hello\n', ['1:1+5 the file is not a list of `name: value` lines']],
    [
      'two faults at once',
      'stamp: 1\nhtml: raw\n',
      ['1:8+1 `stamp` is 1; it takes true or false', '2:7+3 `html` is "raw"; it takes sanitize or trust'],
    ],
  ];
  test.each(cases)('%s', (_, text, expected) => {
    expect(faults(text)).toEqual(expected);
  });
});

test('an empty config is a config', () => {
  expect(parseConfig('', 'kbsync.yaml')).toEqual({ ok: true, config: {} });
  expect(parseConfig('# nothing yet\n', 'kbsync.yaml')).toEqual({ ok: true, config: {} });
});

test('the config of the design is taken as it is', () => {
  const text = `baseUrl: https://help.example.com
content: content
defaultLanguage: en
languages: { zh-cn: zh-CN, no: nb }
preset: kbsync
fields: { excerpt: description }
defaults: { status: published }
articleUrl: /{lang}/articles/{slug}
assets: { baseUrl: https://cdn.example.com/docs/ }
html: sanitize
stamp: true
ignoreKeys: [layout]
environments: { staging: { baseUrl: https://staging.example.com } }
`;
  const parsed = parseConfig(text, 'kbsync.yaml');
  expect(parsed).toMatchObject({
    ok: true,
    config: { languages: { 'zh-cn': 'zh-CN', no: 'nb' }, stamp: true },
  });
});

test('an alias bomb is a fault and not a full memory', () => {
  const levels = Array.from({ length: 20 }, (_, i) =>
    i === 0 ? 'a0: &a0 [x, x]' : `a${i}: &a${i} [*a${i - 1}, *a${i - 1}, *a${i - 1}, *a${i - 1}]`,
  );
  expect(faults(`${levels.join('\n')}\n`)).toEqual([
    '1:1+2 the file repeats parts of itself too often (`*name`)',
  ]);
});

test('the schema for editors allows what the schema of the run allows, and nothing else', () => {
  const schema = configJsonSchema() as { $schema: string; additionalProperties: boolean; properties: object };
  expect(schema.$schema).toContain('draft-07');
  expect(schema.additionalProperties).toBe(false);
  expect(Object.keys(schema.properties)).toContain('environments');
});
