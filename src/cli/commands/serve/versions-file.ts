import { CORE_SCHEMA, load } from 'js-yaml';
import { z } from 'zod';
import type { NewVersion } from '../../../service/versions/versions.ts';
import { SetupError } from '../../../config/setup-error.ts';
import { visible } from '../../../model/visible.ts';
import { momentOf } from '../../flags.ts';

const feature = z.strictObject({
  name: z.string().min(1),
  description: z.string().optional(),
  imageUrl: z.url({ protocol: /^https?$/ }).optional(),
});

const listed = z.array(
  z.strictObject({
    version: z.string().regex(/^\d+(\.\d+)*$/, 'must be a dotted release number in quotes, like "2.4.0"'),
    name: z.string().min(1),
    releasedAt: z.string(),
    active: z.boolean().default(false),
    released: z.boolean().default(true),
    features: z.array(feature).default([]),
  }),
);

/**
 * The versions that a YAML file lists: `- version: "2.4.0"`, `name`, `releasedAt`, `active`, `released`, and `features`
 * with `name`, `description`, `imageUrl`.
 * @throws SetupError `usage` that names the file and each wrong field
 */
export function versionsIn(text: string, file: string): readonly NewVersion[] {
  const parsed = listed.safeParse(yamlOf(text, file));
  if (!parsed.success) {
    const wrong = parsed.error.issues.map(
      ({ path, message }) => `${path.map(String).join('.') || 'file'}: ${message}`,
    );
    throw new SetupError('usage', `${visible(file)}: ${visible(wrong.join('; '))}`);
  }
  const twice = parsed.data.find(
    ({ version }, at) => parsed.data.findIndex((one) => one.version === version) !== at,
  );
  if (twice !== undefined)
    throw new SetupError('usage', `${visible(file)}: version ${twice.version} is listed twice`);
  return parsed.data.map(({ version, name, releasedAt, active, released, features }) => ({
    version,
    name,
    releasedAtMs: momentOf(`${file}: releasedAt of ${version}`, releasedAt),
    active,
    released,
    features: features.map(({ name, description, imageUrl }) => ({
      name,
      ...(description === undefined ? {} : { description }),
      ...(imageUrl === undefined ? {} : { imageUrl }),
    })),
  }));
}

function yamlOf(text: string, file: string): unknown {
  try {
    return load(text, { schema: CORE_SCHEMA });
  } catch (cause) {
    const why = cause instanceof Error ? (cause.message.split('\n')[0] ?? '') : '';
    throw new SetupError('usage', `${visible(file)} is not YAML: ${visible(why)}`, { cause });
  }
}
