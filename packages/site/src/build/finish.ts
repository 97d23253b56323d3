// Changes built pages: relative links, scripts in files, the policy, and the page for addresses that do not exist.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, posix } from "node:path";
import { BASE, wayUp, withRelativeLinks } from "./base.ts";
import { foundFromAnywhere, LOST } from "./lost.ts";
import { withPolicy } from "./policy.ts";

/** The script in which VitePress hands the sidebar, and the names of all scripts, to each page: 30 KB, the same everywhere. */
const SITE_DATA = /<script>(window\.__VP_HASH_MAP__=[\s\S]*?)<\/script>/;

/** The other scripts in a page: they choose the colours before anything is shown. */
const INLINE = /\s*<script(?![^>]*\ssrc=)(?![^>]*type="module")[^>]*>([\s\S]*?)<\/script>/g;

/** What config.ts does not preload is loaded when it is used, not before. */
const PREFETCH = /\s*<link rel="prefetch"[^>]*>/g;

/** The folder of the site on its server, from the address of the script itself. */
const FIND_BASE = 'var siteBase=new URL("..",document.currentScript.src).pathname;';

/** Finishes all pages of a folder. `base` is the folder of the site on its server; undefined for any. */
export function finish(folder: string, base: string | undefined): void {
  for (const place of filesOf(folder, ".html")) {
    const html = readFileSync(join(folder, place), "utf8");
    const way = wayUp(place, base);
    const [, data] = SITE_DATA.exec(html) ?? [];
    if (data === undefined) throw new Error(`${place} has no data of the site: VitePress writes it in another way.`);
    const rest = html.replace(SITE_DATA, "").replace(PREFETCH, "");
    const boot = [...rest.matchAll(INLINE)].map(([, code = ""]) => code.trim().replace(/;?$/, ";")).join("\n");
    const scripts = {
      boot: writeScript(folder, "boot", `${FIND_BASE}\n${boot}`),
      data: writeScript(folder, "site-data", `${data}window.__VP_SITE_DATA__.base=siteBase;`),
    };
    const moved = rest
      .replace(INLINE, "")
      .replace("</title>", `</title>\n    <script src="${way}${scripts.boot}"></script>`)
      .replace(/(?=<script type="module")/, `<script src="${way}${scripts.data}"></script>\n    `);
    const linked = withRelativeLinks(moved, way);
    const found =
      place === LOST && base === undefined
        ? foundFromAnywhere(linked, (code) => writeScript(folder, "lost", code))
        : linked;
    writeFileSync(join(folder, place), withPolicy(found));
  }
  checkScripts(folder);
}

/** Writes a script under a name that changes with it. Returns its path from the site's folder. */
function writeScript(folder: string, name: string, code: string): string {
  const file = `${name}.${createHash("sha256").update(code).digest("hex").slice(0, 8)}.js`;
  writeFileSync(join(folder, "assets", file), code);
  return posix.join("assets", file);
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
