/** A button beside each block of code once it is nearly seen, and a heading's mark that copies its address. */
if (navigator.clipboard !== undefined) {
  const said = async (element, text, before) => {
    await navigator.clipboard.writeText(text);
    element.textContent = root.dataset.copied;
    setTimeout(() => {
      element.textContent = before;
    }, 2000);
  };
  const addButton = (block) => {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'copy';
    button.lang = root.lang;
    button.setAttribute('aria-live', 'polite');
    button.textContent = root.dataset.copy;
    button.addEventListener('click', () =>
      said(button, block.querySelector('pre').textContent.replace(/\n$/, ''), root.dataset.copy),
    );
    block.append(button);
  };
  const near = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) {
        if (!isIntersecting) continue;
        near.unobserve(target);
        addButton(target);
      }
    },
    { rootMargin: '400px' },
  );
  for (const block of document.querySelectorAll('.code')) near.observe(block);
  for (const anchor of document.querySelectorAll('.text .anchor')) {
    // The address of the page moves there too: it is a link, and stays one.
    anchor.addEventListener('click', () => said(anchor, anchor.href, anchor.textContent));
  }
}
