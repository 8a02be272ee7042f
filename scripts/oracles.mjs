/**
 * What site generators themselves make of the small sites in test/content/presets/oracles/sites: public pages with their addresses, titles and ids of headings,
 * written beside them as JSON. The tests compare kbsync with these files.
 *
 *   node scripts/oracles.mjs            renews the answer of every generator that is here
 *   node scripts/oracles.mjs --check    says where a generator answers otherwise than its file; exit 1
 *   node scripts/oracles.mjs --print hugo   its answer, nothing where it is not here
 *
 * hugo, mkdocs and jekyll are looked for in PATH; the others in the folder of packages that KBSYNC_ORACLES names (there: `npm install --ignore-scripts
 * vitepress honkit @11ty/eleventy mystmd hexo hexo-renderer-marked astro@5 @astrojs/starlight@0.36 @docusaurus/core@3 @docusaurus/preset-classic@3
 * @mdx-js/react@3 react@18 react-dom@18`). Rspress wants another React: its folder is one of its own (`npm install @rspress/core`).
 */
import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Parser } from 'htmlparser2';

const FOLDER = fileURLToPath(new URL('../test/content/presets/oracles/', import.meta.url));
const PACKAGES = process.env.KBSYNC_ORACLES;

/**
 * The command that builds a site, and where its pages are then. `showsOwnHeading`: readers see the text of a page alone, so its highest heading
 * is the title that they see; what stands in the `title` of the HTML document is for the browser.
 */
const GENERATORS = {
  hugo: { command: ['hugo', '--quiet'], version: ['hugo', 'version'], out: 'public' },
  mkdocs: {
    command: ['mkdocs', 'build', '--quiet'],
    version: ['mkdocs', '--version'],
    out: 'site',
    showsOwnHeading: true,
  },
  jekyll: { command: ['jekyll', 'build', '--quiet'], version: ['jekyll', '--version'], out: '_site' },
  gitbook: {
    package: 'honkit',
    command: ['honkit', 'build', '.', '_book'],
    version: ['honkit', '--version'],
    out: '_book',
  },
  vitepress: {
    package: 'vitepress',
    command: ['vitepress', 'build', '.'],
    version: ['vitepress', '--version'],
    out: '.vitepress/dist',
    showsOwnHeading: true,
  },
  docusaurus: {
    package: '@docusaurus/core',
    command: ['docusaurus', 'build', '--out-dir', 'build'],
    version: ['docusaurus', '--version'],
    out: 'build',
    showsOwnHeading: true,
  },
  starlight: {
    package: '@astrojs/starlight',
    command: ['astro', 'build'],
    version: ['astro', '--version'],
    out: 'dist',
  },
  eleventy: {
    package: '@11ty/eleventy',
    command: ['eleventy', '--quiet'],
    version: ['eleventy', '--version'],
    out: '_site',
  },
  hexo: {
    package: 'hexo',
    command: ['hexo', 'generate'],
    version: ['hexo', 'version'],
    out: 'public',
  },
  rspress: {
    package: '@rspress/core',
    command: ['rspress', 'build'],
    version: ['rspress', '--version'],
    out: 'doc_build',
    showsOwnHeading: true,
  },
  // It writes what it has read, and then asks the network for a theme.
  myst: {
    package: 'mystmd',
    command: ['myst', 'build', '--site'],
    version: ['myst', '--version'],
    out: '_build/site/content',
    read: mystPages,
    mayFail: true,
  },
};

/** The pages that a generator makes of its site; undefined where the generator is not here. */
function builtPages(name) {
  const generator = GENERATORS[name];
  const bin = binOf(generator);
  if (bin === undefined) return undefined;
  const folder = mkdtempSync(join(tmpdir(), `kbsync-oracle-${name}-`));
  try {
    cpSync(join(FOLDER, 'sites', name), folder, { recursive: true });
    if (generator.package !== undefined)
      symlinkSync(join(PACKAGES, 'node_modules'), join(folder, 'node_modules'));
    const [, ...args] = generator.command;
    // Astro and Docusaurus otherwise report their use.
    const env = { ...process.env, ASTRO_TELEMETRY_DISABLED: '1', NO_UPDATE_NOTIFIER: '1' };
    try {
      execFileSync(bin, args, { cwd: folder, env, stdio: ['ignore', 'ignore', 'pipe'] });
    } catch (error) {
      if (generator.mayFail !== true) throw error;
    }
    return (generator.read ?? pagesIn)(join(folder, generator.out), generator);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function binOf(generator) {
  if (generator.package !== undefined) {
    const bin = join(PACKAGES ?? '/nowhere', 'node_modules/.bin', generator.command[0]);
    return existsSync(bin) ? bin : undefined;
  }
  try {
    execFileSync(generator.version[0], generator.version.slice(1), { stdio: 'ignore' });
    return generator.command[0];
  } catch {
    return undefined;
  }
}

function pagesIn(out, { showsOwnHeading = false }) {
  return (
    readdirSync(out, { recursive: true })
      .map((path) => path.split(sep).join('/'))
      .filter((path) => path.endsWith('.html') && !/(?:^|\/)404(?:\/index)?\.html$|^gitbook\//.test(path))
      .map((path) => [path, readFileSync(join(out, path), 'utf8')])
      // A redirect is no page.
      .filter(([, html]) => !/<meta http-equiv="?refresh/i.test(html))
      .map(([path, html]) => {
        const { heading, title, ids } = pageOf(html);
        return { address: addressOf(path), title: showsOwnHeading && heading !== '' ? heading : title, ids };
      })
      .sort((a, b) => (a.address < b.address ? -1 : 1))
  );
}

/** Pages of mystmd: JSON with the text as a tree. */
function mystPages(out) {
  const pages = readdirSync(out).map((path) => {
    const { location, frontmatter, mdast } = JSON.parse(readFileSync(join(out, path), 'utf8'));
    const ids = [];
    const walk = (node) => {
      if (node.type === 'heading') ids.push(node.html_id);
      for (const child of node.children ?? []) walk(child);
    };
    walk(mdast);
    const address = location.replace(/^\//, '').replace(/(?:^|\/)index\.md$|\.md$/, '');
    return { address, title: frontmatter.title, ids };
  });
  return pages.sort((a, b) => (a.address < b.address ? -1 : 1));
}

/** Without `index.html`, `.html` and slashes at the ends: that is the server's business. */
function addressOf(path) {
  return path.replace(/(?:^|\/)index\.html$/, '').replace(/\.html$/, '');
}

function pageOf(html) {
  const page = { title: '', heading: '', ids: [] };
  /** What is open of the two, down to a sign beside the heading that links to it. */
  let inside = [];
  let hasHeading = false;
  const parser = new Parser({
    onopentag: (name, { id, class: classes = '' }) => {
      if (name === 'title' || (name === 'h1' && !hasHeading)) inside = [name];
      else if (inside.length > 0) inside.push(/anchor|headerlink|hash-link/.test(classes) ? 'sign' : name);
      // The second is a heading of Starlight's own.
      if (/^h[2-6]$/.test(name) && id !== undefined && !id.startsWith('starlight__')) page.ids.push(id);
    },
    ontext: (text) => {
      if (inside[0] === 'title') page.title += text;
      if (inside[0] === 'h1' && !inside.includes('sign')) page.heading += text;
    },
    onclosetag: () => {
      if (inside.length === 1 && inside[0] === 'h1') hasHeading = true;
      inside.pop();
    },
  });
  parser.end(html);
  return { ...page, title: page.title.replace(/ [·-] Site$/, '').trim(), heading: page.heading.trim() };
}

const { values } = parseArgs({ options: { check: { type: 'boolean' }, print: { type: 'string' } } });
let isDifferent = false;
if (values.print !== undefined) {
  const pages = builtPages(values.print);
  if (pages !== undefined) console.log(JSON.stringify(pages));
} else {
  for (const name of Object.keys(GENERATORS)) {
    const pages = builtPages(name);
    if (pages === undefined) {
      console.log(`${name}: not here, left as it is`);
      continue;
    }
    const file = join(FOLDER, `${name}.json`);
    const text = `${JSON.stringify(pages, undefined, 2)}\n`;
    const isSame = existsSync(file) && readFileSync(file, 'utf8') === text;
    console.log(`${name}: ${pages.length} pages, ${isSame ? 'as before' : 'different'}`);
    if (values.check !== true) writeFileSync(file, text);
    else if (!isSame) isDifferent = true;
  }
}
if (isDifferent) process.exitCode = 1;
