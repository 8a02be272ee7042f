/** Titles below a search field while somebody types: the combobox of the ARIA patterns. Enter searches as without it. */
const WAIT_MS = 120;
const SHOWN_MAX = 8;
for (const form of document.querySelectorAll('form[data-suggest]')) {
  const field = form.querySelector('input[type="search"]');
  const list = document.createElement('ul');
  list.id = 'site-suggestions';
  list.className = 'suggestions';
  list.hidden = true;
  list.setAttribute('role', 'listbox');
  list.setAttribute('aria-label', form.dataset.label);
  form.append(list);
  field.setAttribute('role', 'combobox');
  field.setAttribute('aria-autocomplete', 'list');
  field.setAttribute('aria-controls', list.id);
  let at = -1;
  let timer;
  let asking;
  const choose = (index) => {
    at = index;
    for (const [place, option] of [...list.children].entries()) {
      option.setAttribute('aria-selected', String(place === at));
    }
    const option = list.children[at];
    option?.scrollIntoView({ block: 'nearest' });
    if (option === undefined) field.removeAttribute('aria-activedescendant');
    else field.setAttribute('aria-activedescendant', option.id);
  };
  const show = (hits) => {
    list.replaceChildren(
      ...hits.map(({ title, path, topic }, index) => {
        const option = document.createElement('li');
        option.id = `${list.id}-${index}`;
        option.dataset.path = path;
        option.textContent = title;
        const place = Object.assign(document.createElement('small'), { textContent: topic });
        if (topic !== '') option.append(' ', place);
        option.setAttribute('role', 'option');
        return option;
      }),
    );
    choose(-1);
    list.hidden = hits.length === 0;
    field.setAttribute('aria-expanded', String(!list.hidden));
  };
  show([]);
  const close = () => {
    clearTimeout(timer);
    asking?.abort();
    show([]);
  };
  const ask = async () => {
    asking?.abort();
    asking = new AbortController();
    const query = field.value.trim();
    if (query === '') return show([]);
    try {
      const address = `${form.dataset.suggest}?q=${encodeURIComponent(query)}`;
      const reply = await fetch(address, { signal: asking.signal });
      // A site of files has no service that chooses: it sends all titles.
      const { hits, index } = reply.ok ? await reply.json() : { hits: [] };
      show(hits ?? found(index, query).slice(0, SHOWN_MAX));
    } catch {
      // Somebody typed on, or the network is away: the form works all the same.
    }
  };
  field.addEventListener('input', (event) => {
    clearTimeout(timer);
    if (!event.isComposing) timer = setTimeout(ask, WAIT_MS);
  });
  field.addEventListener('compositionend', () => {
    clearTimeout(timer);
    timer = setTimeout(ask, WAIT_MS);
  });
  field.addEventListener('keydown', (event) => {
    const count = list.children.length;
    if (list.hidden || event.isComposing) return;
    if (event.key === 'ArrowDown') choose(at + 1 < count ? at + 1 : 0);
    else if (event.key === 'ArrowUp') choose(at > 0 ? at - 1 : count - 1);
    else if (event.key === 'Escape') close();
    else if (event.key === 'Enter' && at >= 0) location.assign(list.children[at].dataset.path);
    else return;
    event.preventDefault();
  });
  field.addEventListener('blur', close);
  // The field keeps the focus, which else closes the list before the click.
  list.addEventListener('mousedown', (event) => event.preventDefault());
  list.addEventListener('click', (event) => {
    const option = event.target.closest('li');
    if (option !== null) location.assign(option.dataset.path);
  });
}
