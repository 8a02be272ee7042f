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
// Where the contents are folded nobody sees it, and it costs a small device the layout of the page twice.
if (links.length > 0 && matchMedia('(width >= 64rem)').matches) {
  // The observer wakes up only when a heading crosses an edge, a scroll listener at every frame.
  const observer = new IntersectionObserver(mark, { rootMargin: '0px 0px -60% 0px', threshold: [0, 1] });
  for (const heading of headings) if (heading !== null) observer.observe(heading);
  addEventListener('scrollend', mark);
}
