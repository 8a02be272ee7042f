import { defineConfig } from '@rspress/core';

export default defineConfig({
  root: 'docs',
  title: 'Site',
  lang: 'en',
  locales: [
    { lang: 'en', label: 'English', title: 'Site' },
    { lang: 'fr', label: 'Français', title: 'Site' },
  ],
  multiVersion: { default: 'v2', versions: ['v1', 'v2'] },
  route: { exclude: ['v2/en/left', '**/fragments/**'], excludeConvention: ['**/_[^_]*', '**/*.part.md'] },
});
