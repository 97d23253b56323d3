import type { Cut } from "../kind.js";

function cut(name: string, file: string, path: string, rest: Partial<Cut> = {}): Cut {
  return { name, class: "numbers", package: "simdjson", files: [`jsonexamples/${file}.json`], path, ...rest };
}

function arcs(name: string, file: string, path: string, lists: number): Cut {
  return { name, class: "numbers", package: "vega-datasets", files: [`data/${file}.json`], path, lists };
}

const MODEL = "geometries/0/data";

/** Arrays of numbers: models, borders as [float, float] pairs, arcs as pairs of small integers, a grid of rainfall. */
export const numbers: readonly Cut[] = [
  cut("border", "canada", "features/0/geometry/coordinates/*", { slices: 150 }),
  cut("border-point", "canada", "features/0/geometry/coordinates/*/*", { take: 200 }),
  cut("mesh-positions", "mesh", "positions", { slices: 300 }),
  cut("mesh-normals", "mesh", "normals", { slices: 120 }),
  cut("mesh-texture", "mesh", "tex0", { slices: 60 }),
  cut("mesh-colors", "mesh", "colors", { slices: 90 }),
  cut("mesh-indices", "mesh", "indices", { slices: 300 }),
  cut("mesh-influences", "mesh", "influences", { slices: 40 }),
  cut("model-vertices", "marine_ik", `${MODEL}/vertices`, { slices: 150 }),
  cut("model-weights", "marine_ik", `${MODEL}/skinWeights`, { slices: 80 }),
  cut("model-faces", "marine_ik", `${MODEL}/faces`, { slices: 500 }),
  cut("model-bone", "marine_ik", `${MODEL}/bones/*`, { class: "records" }),
  cut("model-keys", "marine_ik", `${MODEL}/animations/*/hierarchy/*/keys`, { class: "rows", slices: 12 }),
  arcs("county-arcs", "us-10m", "arcs/*", 20),
  arcs("country-arcs", "world-110m", "arcs/*", 15),
  arcs("borough-arcs", "londonBoroughs", "arcs/*", 8),
  { ...arcs("country-arc", "world-110m", "arcs/*", 1), take: 80 },
  {
    name: "rainfall",
    class: "numbers",
    package: "vega-datasets",
    files: ["data/annual-precip.json"],
    path: "values",
    slices: 360,
  },
];
