export default {
  title: 'Site',
  titleTemplate: ':title',
  srcExclude: ['internal/**'],
  locales: { root: { label: 'English', lang: 'en' }, fr: { label: 'Français', lang: 'fr' } },
};
