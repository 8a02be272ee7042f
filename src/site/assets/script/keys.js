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
