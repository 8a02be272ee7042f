/** kbsync's own service with its database in memory, which spares it the disk as the mocks of the peers are spared it. */
import { createApp, createKey, listen, openSqlite, systemClock } from 'kbsync/service';
import { storedPages } from './stored-pages.mjs';

const store = openSqlite({ file: ':memory:', defaultLanguage: 'en' });
const { key } = await createKey({ store, clock: systemClock, name: 'bench' });
const app = createApp({ store, clock: systemClock, languages: ['en'], onFailure: console.error });
const { url } = await listen(app, { port: 0 });
process.on('message', () => void storedPages(store).then((pages) => process.send(pages)));
process.on('disconnect', () => process.exit());
process.send({ url, key });
