import type { Edition } from './edition.ts';

export interface Release {
  readonly version: string;
  readonly name: string;
  readonly isActive: boolean;
  /** Microseconds since 1970. */
  readonly releasedAt: number;
  readonly features: readonly Feature[];
}

export interface Feature {
  readonly name: string;
  readonly description: string | null;
  readonly imageUrl: string | null;
}

interface Row {
  readonly id: string;
  readonly version: string;
  readonly name: string;
  readonly active_version: number;
  readonly released_at: number;
}

interface FeatureRow {
  readonly changelog_version: string;
  readonly name: string;
  readonly description: string | null;
  readonly image_url: string | null;
}

/** Versions that were released, the newest first. */
export async function readReleases({ sql }: Edition): Promise<readonly Release[]> {
  const rows = await sql.all<Row>(
    `select id, version, name, active_version, released_at from versions where released_version = 1
     order by released_at desc, id desc`,
  );
  const features = await sql.all<FeatureRow>(
    'select changelog_version, name, description, image_url from changelog_features order by changelog_version, position',
  );
  return rows.map(({ id, version, name, active_version, released_at }) => ({
    version,
    name,
    isActive: active_version === 1,
    releasedAt: released_at,
    features: features
      .filter(({ changelog_version }) => changelog_version === id)
      .map((feature) => ({
        name: feature.name,
        description: feature.description,
        imageUrl: feature.image_url,
      })),
  }));
}
