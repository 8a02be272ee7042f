// Opens a store, and can be told to die: node store-child.mjs ENTRY sqlite|postgres TARGET [DIE_BEFORE]
// DIE_BEFORE n: SIGKILL in place of the n-th statement of the migration. Prints the number of statements it ran.
import { createRequire } from 'node:module';

const [entry, kind, target, dieBefore = 'never'] = process.argv.slice(2);
const require = createRequire(entry);
let count = 0;
const step = () => {
  count += 1;
  if (String(count) === dieBefore) process.kill(process.pid, 'SIGKILL');
};
if (kind === 'postgres') {
  const { Client } = require('pg');
  const { prototype } = Client;
  const apply = (query, client, call) => {
    step();
    return Reflect.apply(query, client, call);
  };
  Object.defineProperty(prototype, 'query', {
    value: new Proxy(Object.getOwnPropertyDescriptor(prototype, 'query').value, { apply }),
  });
} else {
  // The driver cannot be wrapped; the test has put this call into its own copy of the compiled store.
  globalThis.beforeStatement = step;
}
const { openPostgres, openSqlite } = await import(entry);
const store = kind === 'postgres' ? await openPostgres({ url: target }) : openSqlite({ file: target });
const statements = count;
await store.close();
console.log(statements);
