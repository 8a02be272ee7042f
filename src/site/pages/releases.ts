import { releasesOf } from '../addresses.ts';
import { html, type Html } from '../html.ts';
import { dayIn, isoDay } from '../languages.ts';
import type { Page, SiteFrame } from './layout.ts';
import { plainPage } from './plain.ts';
import { breadcrumbs, imageAddress } from './parts.ts';
import type { Reader } from '../reader.ts';
import type { Feature, Release } from '../data/releases.ts';

/** What is new in each release. */
export function releasesPage(releases: readonly Release[], reader: Reader, site: SiteFrame): Page {
  const { words, language, spoken } = reader;
  return {
    status: 200,
    title: words.releases,
    canonical: releasesOf(language),
    alternates: new Map(site.languages.map((other) => [other, releasesOf(other)])),
    inLanguage: (other) => ({ path: releasesOf(other), isMissing: false }),
    markdown: `${releasesOf(language)}.md`,
    plain: plainPage({ title: words.releases, excerpt: '', language: spoken }, releases.map(plainRelease)),
    shape: 'plain',
    self: releasesOf(language),
    textLanguage: spoken,
    before: breadcrumbs(reader, [], words.releases),
    main: html`<h1>${words.releases}</h1>
      ${releases.length === 0 && html`<p class="empty">${words.empty}</p>`}
      ${releases.map((release) => section(release, reader))}`,
  };
}

function plainRelease({ version, name, releasedAt, features }: Release): Html {
  return html`<h2>${version} ${name}</h2>
    <p>${isoDay(releasedAt)}</p>
    <ul>
      ${features.map(({ name, description }) => html`<li>${name}${description !== null && description !== '' && html`: ${description}`}</li>`)}
    </ul>`;
}

function section(
  { version, name, isActive, releasedAt, features }: Release,
  { words, spoken }: Reader,
): Html {
  return html`<section class="release" id="v${version}">
    <h2>${version} <span>${name}</span>${isActive && html` <span class="badge">${words.current}</span>`}</h2>
    <p class="updated"><time datetime="${isoDay(releasedAt)}">${dayIn(releasedAt, spoken)}</time></p>
    ${
      features.length > 0 &&
      html`<ul>
        ${features.map(item)}
      </ul>`
    }
  </section>`;
}

function item({ name, description, imageUrl }: Feature): Html {
  const image = imageAddress(imageUrl);
  const text = description === null || description === '' ? undefined : html`<p>${description}</p>`;
  return html`<li>
    <strong>${name}</strong>${text}${image && html`<img src="${image}" alt="" loading="lazy" />`}
  </li>`;
}
