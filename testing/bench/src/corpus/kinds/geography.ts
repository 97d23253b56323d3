import type { Cut } from "../kind.js";

function vega(name: string, file: string, path?: string, rest: Partial<Cut> = {}): Cut {
  const cut: Cut = { name, class: "geojson", package: "vega-datasets", files: [`data/${file}.json`], ...rest };
  return path === undefined ? cut : { ...cut, path };
}

const ONE_COUNTRY = ["che-1", "che-2", "che-3"].map((name) => `jsonexamples/small/jsoniter_scala/${name}.geo.json`);

/** GeoJSON and TopoJSON: features, geometries and whole maps. */
export const geography: readonly Cut[] = [
  vega("earthquake", "earthquakes", "features/*"),
  vega("earthquake-page", "earthquakes", "features/*", { lists: 6 }),
  vega("earthquake-point", "earthquakes", "features/*/geometry"),
  vega("earthquake-properties", "earthquakes", "features/*/properties", { class: "records" }),
  vega("earthquake-feed", "earthquakes", "metadata", { class: "records" }),
  vega("county", "us-10m", "objects/counties/geometries/*"),
  vega("state", "us-10m", "objects/states/geometries/*"),
  vega("counties", "us-10m", "objects/counties/geometries", { slices: 30 }),
  vega("country", "world-110m", "objects/countries/geometries/*"),
  vega("borough", "londonBoroughs", "objects/boroughs/geometries/*"),
  vega("boroughs", "londonBoroughs", undefined),
  { name: "country-outline", class: "geojson", package: "simdjson", files: ONE_COUNTRY },
  { name: "country-polygon", class: "geojson", package: "simdjson", files: ONE_COUNTRY, path: "features/0/geometry" },
  {
    name: "distance-matrix",
    class: "pages",
    package: "simdjson",
    files: ["jsonexamples/small/jsoniter_scala/google_maps_api_response.json"],
  },
  {
    name: "distance-matrix-row",
    class: "rows",
    package: "simdjson",
    files: ["jsonexamples/small/jsoniter_scala/google_maps_api_response.json"],
    path: "rows/*/elements",
  },
];
