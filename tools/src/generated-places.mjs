// Places of a hand-written page that are generated: the text between `<!-- generated: NAME -->` and END. Used by
// scripts/generate.mjs and by the benchmarks; generated-places.d.mts has the types for those.
const END = "<!-- end of generated -->";

/** Returns the page with the text of one place replaced. Throws if the page lacks the place. */
export function fillPlace(page, name, text) {
  const begin = `<!-- generated: ${name} -->`;
  const from = page.indexOf(begin);
  const to = page.indexOf(END, from);
  if (from < 0 || to < 0) throw new Error(`a page has no markers for ${name}: ${begin} .. ${END}`);
  return `${page.slice(0, from + begin.length)}\n${text}\n${page.slice(to)}`;
}
