import { expect, test } from 'vitest';
import { commandFault, commandWords } from '../../src/config/upload-command.ts';

test.each([
  ['up.sh {file}', ['up.sh', '{file}']],
  ['  "my tools/up" --to=\'a b\'{name}  {file} ', ['my tools/up', '--to=a b{name}', '{file}']],
  [String.raw`C:\tools\up.exe {file}`, [String.raw`C:\tools\up.exe`, '{file}']],
  [
    `sh -c 'cp "$0" /srv && echo https://x/' {file}`,
    ['sh', '-c', 'cp "$0" /srv && echo https://x/', '{file}'],
  ],
  [`up "" {file}`, ['up', '', '{file}']],
])('%s', (text, words) => {
  expect(commandWords(text)).toEqual(words);
  expect(commandFault(text)).toBeUndefined();
});

test.each([
  ['', 'have {file}'],
  ['{file}', 'have {file}'],
  ['up "{file}', 'close its quotes'],
  ['up {file} | tail -1', 'have no variables'],
  ['up $BUCKET {file}', 'have no variables'],
  ['up "$(bucket)" {file}', 'have no variables'],
  ['up {file} {size}', 'have no other {…} than {file}, {digest}, {name}'],
])('%s is no command', (text, fault) => {
  expect(commandFault(text)).toContain(fault);
});
