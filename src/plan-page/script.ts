/** Runs in the browser, from the page itself: filters, j and k, and everything open on paper. */
export const SCRIPT = `
'use strict';
(() => {
  const form = document.querySelector('form');
  const cards = [...document.querySelectorAll('details.card')];
  const count = document.querySelector('#count');
  const filter = () => {
    const wanted = Object.fromEntries(new FormData(form));
    const words = wanted.text.toLowerCase().split(/\\s+/).filter(Boolean);
    let shown = 0;
    for (const card of cards) {
      const { kind, lang, action, text } = card.dataset;
      card.hidden = (wanted.kind && wanted.kind !== kind) || (wanted.lang && wanted.lang !== lang) ||
        (wanted.action && wanted.action !== action) || !words.every((word) => text.includes(word));
      if (!card.hidden) shown += 1;
    }
    for (const section of document.querySelectorAll('section'))
      section.hidden = !section.querySelector('details.card:not([hidden])') && section.querySelector('details.card') !== null;
    count.textContent = shown === cards.length ? String(shown) : shown + ' / ' + cards.length;
  };
  form.addEventListener('input', filter);
  form.addEventListener('submit', (event) => event.preventDefault());
  form.hidden = false;
  filter();
  const open = () => {
    const card = location.hash.length > 1 && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (card) { card.open = true; card.scrollIntoView(); }
  };
  addEventListener('hashchange', open);
  open();
  let at = -1;
  addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)) return;
    const step = { j: 1, k: -1 }[event.key];
    if (!step) return;
    const shown = cards.filter((card) => !card.hidden);
    const now = shown.findIndex((card) => card.contains(document.activeElement));
    at = Math.min(shown.length - 1, Math.max(0, (now < 0 ? (step > 0 ? -1 : 1) : now) + step));
    const card = shown[at];
    if (!card) return;
    card.open = true;
    card.querySelector('summary').focus();
    card.scrollIntoView({ block: 'nearest' });
  });
  let closed = [];
  addEventListener('beforeprint', () => {
    closed = cards.filter((card) => !card.open);
    for (const card of closed) card.open = true;
  });
  addEventListener('afterprint', () => { for (const card of closed) card.open = false; });
})();
`;
