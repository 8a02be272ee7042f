// Serves a PostgreSQL database until it is killed: node replica.mjs ENTRY URL. Prints one line of JSON: {url}.
const [entry, database] = process.argv.slice(2);
const { createApp, listen, openPostgres, systemClock } = await import(entry);
const store = await openPostgres({ url: database });
const app = createApp({ store, clock: systemClock, onFailure: (error) => console.error(error) });
const { url } = await listen(app, { port: 0 });
console.log(JSON.stringify({ url }));
