import { KINDS } from '../../../src/model/key.ts';
import type { RemoteClient } from '../../../src/remote/client.ts';
import { fields, ids } from './replies.ts';

type Effect = 'read' | 'create' | 'change';

/** Every call that the client can make. Single reads are `single`: only they can find a record absent. */
export const ENDPOINTS: readonly {
  name: string;
  effect: Effect;
  isSingle?: true;
  call: (remote: RemoteClient) => Promise<unknown>;
}[] = [
  ...KINDS.flatMap((kind) => [
    { name: `list ${kind}`, effect: 'read' as const, call: (remote: RemoteClient) => remote.list(kind) },
    {
      name: `read ${kind}`,
      effect: 'read' as const,
      isSingle: true as const,
      call: (remote: RemoteClient) => remote.read(kind, ids[kind]),
    },
    {
      name: `read ${kind} in fr`,
      effect: 'read' as const,
      isSingle: true as const,
      call: (remote: RemoteClient) => remote.read(kind, ids[kind], 'fr'),
    },
    {
      name: `create ${kind}`,
      effect: 'create' as const,
      call: (remote: RemoteClient) => remote.create(kind, fields[kind], {}),
    },
    {
      name: `edit ${kind}`,
      effect: 'change' as const,
      call: (remote: RemoteClient) => remote.edit(kind, ids[kind], 'en', fields[kind], {}),
    },
    {
      name: `remove ${kind}`,
      effect: 'change' as const,
      call: (remote: RemoteClient) => remote.remove(kind, ids[kind], {}),
    },
  ]),
  ...(['versions', 'links', 'reviews'] as const).map((name) => ({
    name,
    effect: 'read' as const,
    call: (remote: RemoteClient) => remote.tool(name),
  })),
  { name: 'side ids', effect: 'read', call: (remote) => remote.sideArticleIds() },
];
