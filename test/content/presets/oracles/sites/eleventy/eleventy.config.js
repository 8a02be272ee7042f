module.exports = function (eleventyConfig) {
  eleventyConfig.ignores.add('src/ignored/*');
  return { dir: { input: 'src', includes: 'parts', layouts: 'frames' } };
};
