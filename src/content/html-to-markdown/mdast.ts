import type { toMdast } from 'hast-util-to-mdast';

export type MdastNode = ReturnType<typeof toMdast>;
export type MdastRoot = Extract<MdastNode, { readonly type: 'root' }>;
export type MdastContent = MdastRoot['children'][number];
export type MdastTable = Extract<MdastContent, { readonly type: 'table' }>;
type Options = NonNullable<Parameters<typeof toMdast>[1]>;
type Handlers = NonNullable<Options['handlers']>;
export type Handle = NonNullable<Handlers[string]>;
export type HandleState = Parameters<Handle>[0];
