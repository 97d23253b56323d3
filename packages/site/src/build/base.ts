// The site works from any folder of a server. VitePress wants to know the folder when it builds, so it is given a name that stands for
// it: in pages, links become relative; in scripts, the name becomes `siteBase`, which each page sets.
import { posix } from "node:path";
import type { Plugin } from "vite";

/** Stands for the folder of the site. */
export const BASE = "/base-of-site/";

/** The virtual module of VitePress that holds the index of the search. */
const SEARCH_INDEX = "/@localSearchIndexroot";
const ROUTER = "/vitepress/dist/client/app/utils.js";

/** A plugin of Vite: scripts take the folder of the site from the page. */
export function anyBase(): Plugin {
  return {
    name: "any-base",
    enforce: "pre",
    config: () => ({
      experimental: { renderBuiltUrl: (_, { ssr }) => (ssr ? undefined : { relative: true }) },
    }),
    transform(code, id, { ssr } = {}) {
      if (ssr) return undefined;
      if (id.endsWith(ROUTER)) return code.replaceAll("import.meta.env.BASE_URL", "globalThis.siteBase");
      if (id === SEARCH_INDEX)
        return code.replace(
          /^export default (.*?);?\s*$/s,
          `export default ($1).replaceAll("${BASE}", globalThis.siteBase)`,
        );
      return undefined;
    },
  };
}

/**
 * Where the site will be: `https://host/folder/`, or `/folder/` alone. `origin` is empty if it is not known: previews of links then have
 * relative addresses, which some programs do not follow. Throws an Error for anything else.
 */
export function siteAddress(named: string | undefined): {
  readonly origin: string;
  readonly folder: string | undefined;
} {
  if (named === undefined) return { origin: "", folder: undefined };
  const [, origin = "", folder] = /^(https?:\/\/[^/]+)?(\/(?:.*\/)?)$/.exec(named) ?? [];
  if (folder === undefined)
    throw new Error(
      `SITE_BASE is ${named}. It is a folder such as /moonpack/, or the address of one: https://example.org/moonpack/.`,
    );
  return { origin, folder };
}

/** The way from a page up to the folder of the site, such as `../`, or the folder itself if the option names it. */
export function wayUp(place: string, base: string | undefined): string {
  if (base !== undefined) return base;
  const way = posix.relative(posix.dirname(place), ".");
  return way === "" ? "./" : `${way}/`;
}

/** Makes the links of a built page relative, and the addresses in its head that name their server. */
export function withRelativeLinks(html: string, way: string): string {
  return html.replaceAll(`="${BASE}`, `="${way}`).replace(/="(https?:\/\/[^/"]+)\/base-of-site\//g, `="$1${way}`);
}
