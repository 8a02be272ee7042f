import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { openSqlite } from '../../../src/service/index.ts';
import { conformance } from '../conformance/conformance.ts';

const folder = mkdtempSync(join(tmpdir(), 'kbsync-service-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let files = 0;
conformance('SQLite in a file', async () => openSqlite({ file: join(folder, `${(files += 1)}.db`) }));
conformance('SQLite in memory', async () => openSqlite({ file: ':memory:' }));
