import type { Cut } from "../kind.js";

function plugins(name: string, path: string, rest: Partial<Cut> = {}): Cut {
  const file = "jsonexamples/update-center.json";
  return { name: `plugin-${name}`, class: "manifests", package: "simdjson", files: [file], path, ...rest };
}

/** Manifests of packages, plugins and data sets. */
export const manifests: readonly Cut[] = [
  plugins("manifest", "plugins/*"),
  plugins("manifests", "plugins", { slices: 4 }),
  plugins("dependencies", "plugins/*/dependencies"),
  {
    name: "data-resource",
    class: "manifests",
    package: "vega-datasets",
    files: ["datapackage.json"],
    path: "resources/*",
  },
  {
    name: "data-field",
    class: "records",
    package: "vega-datasets",
    files: ["datapackage.json"],
    path: "resources/*/schema/fields/*",
  },
  {
    name: "data-manifest",
    class: "manifests",
    package: "cldr-core",
    files: ["cldr-packages.json"],
  },
  ...["@octokit/fixtures", "simdjson", "@mdn/browser-compat-data", "vega-datasets", "@open-rpc/examples"].map(
    (name): Cut => ({
      name: `npm-manifest-${name.replace(/^@/, "").replace("/", "-")}`,
      class: "manifests",
      package: name,
      files: ["package.json"],
    }),
  ),
];
