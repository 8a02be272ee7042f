import { createApp, createKey, type ServiceOptions, type Store } from '../../../src/service/index.ts';

/** A clock that the test moves; it stands still otherwise. */
export interface TestClock {
  now(): number;
  set(ms: number): void;
}

export function testClock(startMs = Date.UTC(2026, 10, 20, 10)): TestClock {
  let nowMs = startMs;
  return {
    now: () => nowMs,
    set: (ms) => {
      nowMs = ms;
    },
  };
}

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  /** The whole JSON body. */
  readonly body: Readonly<Record<string, any>>; // oxlint-disable-line typescript/no-explicit-any -- assertions read it field by field
}

export type Ask = (
  method: string,
  path: string,
  body?: unknown,
  headers?: Readonly<Record<string, string>>,
) => Promise<Reply>;

export interface Rig {
  readonly store: Store;
  readonly clock: TestClock;
  readonly key: string;
  readonly ask: Ask;
  /** A create; answers the id from Location. */
  make(path: string, body: object): Promise<string>;
  /** The request as it is, without the key that `ask` adds; `from`: the client's address. */
  send(request: Request, from?: string): Promise<Response>;
  readonly failures: readonly unknown[];
  close(): Promise<void>;
}

/** A service over a store of its own, empty. */
export type OpenRig = (options?: Partial<ServiceOptions>) => Promise<Rig>;

/** The service's own app over a store that the caller opens, with one key, and no socket. */
export async function rig(store: Store, options: Partial<ServiceOptions> = {}): Promise<Rig> {
  const clock = testClock();
  const failures: unknown[] = [];
  const app = createApp({ store, clock, onFailure: (error) => failures.push(error), ...options });
  const { key } = await createKey({
    store,
    clock,
    name: 'test',
    user: { username: 'ada', first_name: 'Ada', last_name: 'Byron', email_address: 'ada@example.com' },
  });
  const ask: Ask = async (method, path, body, headers = {}) => {
    const response = await app.fetch(
      new Request(`http://kb.test${path}`, {
        method,
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    );
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: text === '' ? {} : JSON.parse(text) };
  };
  return {
    store,
    clock,
    key,
    ask,
    failures,
    async make(path, body) {
      const reply = await ask('PUT', path, body);
      const location = reply.headers.get('location');
      if (location === null) throw new Error(`no Location: ${reply.status} ${JSON.stringify(reply.body)}`);
      return location.slice(location.lastIndexOf('/') + 1);
    },
    send: (request, from) => app.fetch(request, from),
    close: () => store.close(),
  };
}

export const ARTICLES = '/api/v2/articles';
export const CATEGORIES = '/api/v2/categories';
export const TAGS = '/api/v2/tags';

export function articleBody(values: object = {}) {
  return {
    title: 'Install',
    slug: 'install',
    categories: [] as { value: string }[],
    excerpt: 'How to install.',
    ordering: 1,
    status: 'published',
    content: '<p>Run the installer.</p>',
    ...values,
  };
}

export function categoryBody(values: object = {}) {
  return { name: 'Getting started', slug: 'getting-started', priority: 1, ...values };
}

export function tagBody(values: object = {}) {
  return { name: 'CLI', slug: 'cli', description: 'd', longDescription: '<p>l</p>', ...values };
}
