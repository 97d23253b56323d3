// Every study, in the order in which they run.

const modules = {
  arrays: () => import("./arrays.mjs"),
  shapes: () => import("./shapes.mjs"),
  maps: () => import("./maps.mjs"),
  random: () => import("./random.mjs"),
  buffers: () => import("./buffers.mjs"),
  strings: () => import("./strings.mjs"),
};

export const STUDIES = Object.keys(modules);
/** The versions of Node to measure: those whose versions of V8 differ most. */
export const MAJORS = [20, 22, 24];

/** A study's description: parts to measure, tables, claims. */
export async function loadStudy(name) {
  const { study } = await modules[name]();
  return study;
}
