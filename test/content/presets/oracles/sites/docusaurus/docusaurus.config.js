module.exports = {
  title: 'Site',
  titleDelimiter: '·',
  url: 'https://example.com',
  baseUrl: '/',
  onBrokenLinks: 'ignore',
  i18n: { defaultLocale: 'en', locales: ['en', 'fr'] },
  presets: [
    [
      'classic',
      {
        docs: { sidebarPath: './sidebars.js', includeCurrentVersion: false, exclude: ['**/_*', 'internal/**'] },
        blog: false,
      },
    ],
  ],
  plugins: [['@docusaurus/plugin-content-docs', { id: 'team', path: 'team', routeBasePath: 'community' }]],
};
