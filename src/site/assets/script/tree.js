/** Among many topics the place of the page is in sight: beside the page, and in the drawer when it opens. */
const tree = document.querySelector('.tree');
const here = tree?.querySelector('[aria-current]');
const seek = () => {
  const list = tree.getBoundingClientRect();
  const { top, bottom } = here.getBoundingClientRect();
  if (bottom > list.bottom) tree.scrollTop += top - list.top - list.height / 3;
};
if (here) {
  seek();
  tree.addEventListener('toggle', seek);
}
