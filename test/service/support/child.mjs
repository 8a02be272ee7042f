// Serves one SQLite file until it is killed: node child.mjs ENTRY FILE. Prints one line of JSON: {url, key}.
const [entry, file] = process.argv.slice(2);
const { createApp, createKey, listen, openSqlite, systemClock } = await import(entry);
const store = openSqlite({ file });
const { key } = await createKey({ store, clock: systemClock, name: 'child' });
const app = createApp({ store, clock: systemClock, onFailure: (error) => console.error(error) });
const { url } = await listen(app, { port: 0 });
console.log(JSON.stringify({ url, key }));
