// Everything on the site works without this file; it only saves a reader some steps.
const root = document.documentElement;
root.classList.add('js');
