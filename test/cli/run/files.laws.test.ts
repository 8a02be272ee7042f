import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { SendError } from '../../../src/remote/http/send-error.ts';
import type { Send } from '../../../src/remote/remote.ts';
import { png } from '../../service/support/pictures.ts';
import { SMALL } from '../support/fake-world.ts';
import { liveWorld, type LiveWorld } from '../support/live-world.ts';

type Fault = 'lost' | 'answer lost' | 'busy' | 'refused';
type Step =
  | { readonly do: 'draw'; readonly image: number; readonly colour: number }
  | { readonly do: 'show'; readonly article: string; readonly image: number }
  | { readonly do: 'sync'; readonly faults: readonly (readonly [at: number, fault: Fault])[] };

const image = fc.nat(2);
const article = fc.constantFrom('install', 'update');
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constant('draw' as const), image, colour: fc.nat(255) }),
  fc.record({ do: fc.constant('show' as const), article, image }),
  fc.record({
    do: fc.constant('sync' as const),
    faults: fc.array(fc.tuple(fc.nat(14), fc.constantFrom<Fault>('lost', 'answer lost', 'busy', 'refused')), {
      maxLength: 4,
    }),
  }),
);

/** Requests to change something fail by their number. */
function faulty(send: Send, faults: readonly (readonly [number, Fault])[]): Send {
  const at = new Map(faults);
  let count = 0;
  return async (request) => {
    if (request.method === 'GET') return send(request);
    const fault = at.get(count);
    count += 1;
    const failed = (code: 'not-sent' | 'unclear') =>
      new SendError(code, 'test: cut', { isTimeout: false, cause: undefined });
    if (fault === 'lost') throw failed('not-sent');
    if (fault === 'busy') return new Response('', { status: 500 });
    if (fault === 'refused')
      return Response.json({ success: false, message: 'test: refused' }, { status: 413 });
    const answer = await send(request);
    if (fault === 'answer lost') throw failed('unclear');
    return answer;
  };
}

async function addressesShown(world: LiveWorld): Promise<readonly string[]> {
  const { data } = (await world.ask('GET', '/api/v2/articles')) as { data: { id: string }[] };
  const contents = await Promise.all(
    data.map(async ({ id }) => {
      const read = (await world.ask('GET', `/api/v2/articles/${id}`)) as { data: { content: string } };
      return read.data.content;
    }),
  );
  return contents.flatMap((content) =>
    [...content.matchAll(/\/files\/[^"?#\s]+/g)].map(([address]) => address),
  );
}

const page = (name: string, shown: number): string =>
  `---\ntitle: ${name}\n---\n\nText ![A](../../assets/${shown}.png)\n`;

test('whatever fails, no article shows an address that answers 404, and in the end all images are there, each sent once', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 8 }), async (steps) => {
      const world = await liveWorld(SMALL, { keepsFiles: true });
      const stored: string[] = [];
      const sync = async (faults: readonly (readonly [number, Fault])[]): Promise<number> => {
        world.wrap = (send) =>
          faulty(async (request) => {
            const answer = await send(request);
            if (answer.status === 201 && request.url.includes('/files/')) stored.push(request.url);
            return answer;
          }, faults);
        return world.start('sync', '--yes').exit;
      };
      try {
        for (const name of [0, 1, 2]) await world.write(`content/assets/${name}.png`, png(4, 3, name));
        for (const each of [...steps, { do: 'sync', faults: [] } as const]) {
          if (each.do === 'draw')
            await world.write(`content/assets/${each.image}.png`, png(4, 3, each.colour));
          else if (each.do === 'show')
            await world.write(`content/en/articles/${each.article}.md`, page(each.article, each.image));
          else await sync(each.faults);
          for (const address of await addressesShown(world))
            expect([address, (await world.get(address)).status]).toEqual([address, 200]);
        }
        // A create whose answer was lost is settled by the run after it.
        const end = await sync([]);
        expect([0, 5]).toContain(end);
        expect(new Set(stored).size).toBe(stored.length);
      } finally {
        await world.close();
      }
    }),
    { numRuns: Number(process.env['KBSYNC_LAWS_RUNS'] ?? 8), endOnFailure: true },
  );
});
