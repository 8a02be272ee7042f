/** A site of files cannot read the cookie: the page does. */
const kept = /(?:^|; )kbsync-theme=(light|dark)/.exec(document.cookie)?.[1];
if (kept !== undefined && root.dataset.theme === undefined) {
  root.dataset.theme = kept;
  for (const button of document.querySelectorAll('.theme button')) {
    button.setAttribute('aria-pressed', String(button.value === kept));
  }
}
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
