// Writes the JSON schema of kbsync.yaml beside the built command, so that editors can check the file while it is written.
import { writeFile } from 'node:fs/promises';
import { configJsonSchema } from '../dist/cli/config-schema.js';

const schema = { title: 'kbsync.yaml', ...configJsonSchema() };
await writeFile(
  new URL('../dist/kbsync.schema.json', import.meta.url),
  `${JSON.stringify(schema, undefined, 2)}\n`,
);
