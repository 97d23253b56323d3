// Which files of the repository are pages of the site, and where they are on it. The pages stay where they are: the site has no copies.
import { fileURLToPath } from "node:url";

/** The repository's folder, which is also where the site looks for pages. */
export const root: string = fileURLToPath(new URL("../../../", import.meta.url));

/** Generated files, relative to the repository: the API reference, and files that pages link to. */
export const GENERATED = "packages/site/generated";

/** Paths in the repository, with their paths on the site. The first match counts. */
const PLACES: readonly (readonly [RegExp, string])[] = [
  [/^packages\/site\/src\/pages\/(.+)$/, "$1"],
  [/^packages\/site\/generated\/(.+)$/, "$1"],
  [/^README\.md$/, "overview.md"],
  [/^docs\/README\.md$/, "contents.md"],
  [/^docs\/(?!api\/)(.+)$/, "$1"],
  [/^(changelog|contributing|security|upgrading)\.md$/i, "$1.md"],
  [/^packages\/cli\/README\.md$/, "cli.md"],
  [/^examples\/([^/]+)\/README\.md$/, "examples/$1.md"],
  [/^testing\/bench\/README\.md$/, "benchmarks/index.md"],
  [/^testing\/bench\/src\/corpus\/README\.md$/, "benchmarks/corpus.md"],
  [/^(data|vectors)\/README\.md$/, "$1.md"],
];

/** Markdown outside the site: patterns for VitePress, which would take every file. `placeOf` finds missing patterns. */
export const NOT_PAGES: readonly string[] = [
  "!(docs|examples|packages|testing|vectors|data)/**/*",
  "{LICENSE,AGENTS}.md",
  "docs/api/**",
  "examples/*/*/**",
  "packages/!(cli|site)/**",
  "packages/{cli,site}/!(README.md|src|generated)",
  "packages/{cli,site}/test/**",
  "packages/cli/!(README.md)/**",
  "packages/site/README.md",
  "packages/site/!(src|generated)/**",
  "testing/!(bench)/**",
  "testing/bench/!(README.md|src)/**",
  "testing/bench/src/!(corpus)/**",
  "{vectors,data}/*/**",
];

/** Where a file of the repository is on the site, such as `benchmarks/service.md`; undefined if it is not a page. */
export function placeOf(path: string): string | undefined {
  const rule = PLACES.find(([shape]) => shape.test(path));
  if (rule === undefined || !path.endsWith(".md")) return undefined;
  const place = path.replace(rule[0], rule[1]);
  return /^(?:CHANGELOG|CONTRIBUTING|SECURITY|UPGRADING)\.md$/.test(place) ? place.toLowerCase() : place;
}
