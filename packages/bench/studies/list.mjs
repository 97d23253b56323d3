// Every study, in the order in which they run.

export const STUDIES = ["arrays", "shapes", "maps", "random", "buffers", "strings"];
/** What they run on: versions of Node whose V8s differ most. */
export const MAJORS = [20, 22, 24];

/** A study's description: parts to measure, tables, claims. */
export async function loadStudy(name) {
  const { study } = await import(`./${name}.mjs`);
  return study;
}
