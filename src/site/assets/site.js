// Everything on the site works without this file; it only saves a reader some steps.
const root = document.documentElement;
root.classList.add('js');

/** `/` and Ctrl-K lead to the search field. */
document.addEventListener('keydown', (event) => {
  const isTyping = event.target.closest?.('input, textarea, select, [contenteditable]');
  const isShortcut = (event.ctrlKey || event.metaKey) && !event.altKey && event.key.toLowerCase() === 'k';
  const isSlash = event.key === '/' && !event.ctrlKey && !event.metaKey && !event.altKey && !isTyping;
  if (isShortcut || isSlash) {
    const field = document.querySelector('#site-query');
    if (field?.checkVisibility()) {
      event.preventDefault();
      field.focus();
      field.select();
    }
  }
  if (event.key === 'Escape') {
    for (const menu of document.querySelectorAll('details.menu[open]')) {
      menu.open = false;
      menu.querySelector('summary').focus();
    }
  }
});

/** A menu closes when something else is touched. */
document.addEventListener('click', (event) => {
  for (const menu of document.querySelectorAll('details.menu[open]')) {
    if (!menu.contains(event.target)) menu.open = false;
  }
});

/** Colours change without a new page; the cookie tells the server. */
document.querySelector('.theme form')?.addEventListener('submit', (event) => {
  const theme = event.submitter?.value;
  if (theme === undefined) return;
  event.preventDefault();
  const secure = location.protocol === 'https:' ? '; Secure' : '';
  document.cookie = `kbsync-theme=${theme}; Path=/; Max-Age=31536000; SameSite=Lax${secure}`;
  if (theme === 'system') delete root.dataset.theme;
  else root.dataset.theme = theme;
  for (const button of event.target.querySelectorAll('button')) {
    button.setAttribute('aria-pressed', String(button.value === theme));
  }
});

/** A button beside each block of code. */
if (navigator.clipboard !== undefined) {
  for (const block of document.querySelectorAll('.code')) {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'copy';
    button.lang = root.lang;
    button.setAttribute('aria-live', 'polite');
    button.textContent = root.dataset.copy;
    button.addEventListener('click', async () => {
      await navigator.clipboard.writeText(block.querySelector('pre').textContent.replace(/\n$/, ''));
      button.textContent = root.dataset.copied;
      setTimeout(() => {
        button.textContent = root.dataset.copy;
      }, 2000);
    });
    block.append(button);
  }
}

/** The contents show which part is being read: the last heading above the middle of the window. */
const links = [...document.querySelectorAll('.contents.side a')];
const headings = links.map((link) => document.getElementById(decodeURIComponent(link.hash.slice(1))));
const mark = () => {
  const limit = innerHeight * 0.4;
  let at = headings.findLastIndex(
    (heading) => heading !== null && heading.getBoundingClientRect().top < limit,
  );
  if (at < 0) at = 0;
  // The last parts may be too short to come up that far.
  if (innerHeight + scrollY >= root.scrollHeight - 2) at = links.length - 1;
  for (const [index, link] of links.entries()) {
    if (index === at) link.setAttribute('aria-current', 'location');
    else link.removeAttribute('aria-current');
  }
};
if (links.length > 0) {
  // The observer wakes up only when a heading crosses an edge, a scroll listener at every frame.
  const observer = new IntersectionObserver(mark, { rootMargin: '0px 0px -60% 0px', threshold: [0, 1] });
  for (const heading of headings) if (heading !== null) observer.observe(heading);
  addEventListener('scrollend', mark);
  mark();
}
