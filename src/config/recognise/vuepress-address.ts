import { textsOf, valueAt } from '../../content/presets/pages/side-file.ts';
import { givenTo, isCall } from '../../content/presets/settings/literals.ts';
import { isJsonObject } from '../../text/json-value.ts';

/** What the plugin for sitemaps is given: `['sitemap', { … }]`, `{ sitemap: { … } }`, `sitemapPlugin({ … })`, or what the theme is. */
export function hostnameIn(value: unknown): string | undefined {
  const plugins = valueAt(value, 'plugins');
  const listed: readonly unknown[] = Array.isArray(plugins) ? plugins : [];
  const theme = valueAt(value, 'theme');
  const given = [
    givenTo(listed, 'sitemapPlugin'),
    ...listed
      .filter(Array.isArray)
      .flatMap(([name, options]) => (/sitemap/.test(String(name)) ? [options] : [])),
    ...(isJsonObject(plugins)
      ? Object.keys(plugins)
          .filter((name) => name.includes('sitemap'))
          .map((name) => plugins[name])
      : []),
    ...(isCall(theme) ? theme.given : []),
  ];
  return given.flatMap((options) => textsOf(valueAt(options, 'hostname')))[0];
}
