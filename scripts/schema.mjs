// Writes the JSON schemas of kbsync.yaml, fleet.yaml and front matter beside the built command; editors check files
// while they are written.
import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

const bin = fileURLToPath(new URL('../dist/cli/bin.js', import.meta.url));
const files = {
  config: 'kbsync.schema.json',
  article: 'article.schema.json',
  category: 'category.schema.json',
  tag: 'tag.schema.json',
  fleet: 'fleet.schema.json',
};
for (const [name, file] of Object.entries(files)) {
  const text = execFileSync(process.execPath, [bin, 'schema', name], { encoding: 'utf8' });
  // Without indents: a program reads it.
  await writeFile(new URL(`../dist/${file}`, import.meta.url), JSON.stringify(JSON.parse(text)));
}
