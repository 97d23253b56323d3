// Changes built pages: relative links, the policy, and the site's data in a separate file.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, posix } from "node:path";
import { BASE, wayUp, withRelativeLinks } from "./base.ts";
import { withPolicy } from "./policy.ts";

/** The script in which VitePress hands the sidebar, and the names of all scripts, to each page: 30 KB, the same everywhere. */
const SITE_DATA = /<script>(window\.__VP_HASH_MAP__=[\s\S]*?)<\/script>/;

/** What config.ts does not preload is loaded when it is used, not before. */
const PREFETCH = /\s*<link rel="prefetch"[^>]*>/g;

/** Finishes all pages of a folder. `base` is the folder of the site on its server; undefined for any. */
export function finish(folder: string, base: string | undefined): void {
  for (const place of filesOf(folder, ".html")) {
    const html = readFileSync(join(folder, place), "utf8");
    const way = wayUp(place, base);
    const [, data] = SITE_DATA.exec(html) ?? [];
    if (data === undefined) throw new Error(`${place} has no data of the site: VitePress writes it in another way.`);
    const script = posix.join("assets", writeData(folder, data));
    const head = `<script>var siteBase=new URL("${way}",location.href).pathname</script>\n    <script src="${way}${script}"></script>`;
    const moved = html
      .replace(SITE_DATA, "")
      .replace(PREFETCH, "")
      .replace(/(?=<script type="module")/, `${head}\n    `);
    writeFileSync(join(folder, place), withPolicy(withRelativeLinks(moved, way)));
  }
  checkScripts(folder);
}

function writeData(folder: string, data: string): string {
  const name = `site-data.${createHash("sha256").update(data).digest("hex").slice(0, 8)}.js`;
  writeFileSync(join(folder, "assets", name), `${data}window.__VP_SITE_DATA__.base=siteBase;`);
  return name;
}

/** The two scripts that replace the name of the folder at run time. */
function checkScripts(folder: string): void {
  for (const path of filesOf(folder, ".js")) {
    const isKnown = /\/(?:site-data|.*localSearchIndex.*)\.[^/]*js$/.test(path);
    if (!isKnown && readFileSync(join(folder, path), "utf8").includes(BASE))
      throw new Error(`${path} would work at the top of a server only: it holds ${BASE}.`);
  }
}

/** The files of a folder, and of all in it, with this ending. */
export function filesOf(folder: string, ending: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(ending));
}
