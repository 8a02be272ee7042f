import starlight from '@astrojs/starlight';
import { defineConfig } from 'astro/config';

export default defineConfig({
  site: 'https://example.com',
  integrations: [
    starlight({
      title: 'Site',
      titleDelimiter: '·',
      pagefind: false,
      locales: { root: { label: 'English', lang: 'en' }, fr: { label: 'Français' } },
    }),
  ],
});
