// The page for addresses that do not exist. A server shows it at any depth, and it does not know the folder of the site: its relative
// links would lead nowhere. It asks for one script in each folder above; the one that is there knows the folder, and loads the rest.

/** The name that servers look for. */
export const LOST = "404.html";

/** Folders of an address in which the page still finds the site. */
const DEPTH = 6;

const STYLE = /\s*<link rel="(?:preload )?stylesheet" href="\.\/([^"]+)"[^>]*>/g;
const PRELOAD = /\s*<link rel="modulepreload"[^>]*>/g;
const SCRIPT = /\s*<script(?: type="(module)")? src="\.\/([^"]+)"><\/script>/g;
const ICON = /\s*<link rel="icon"[^>]*>/g;

/** The page, whose links are relative to the folder of the site, so that it works at any depth. `write` writes a script. */
export function foundFromAnywhere(html: string, write: (code: string) => string): string {
  const styles = [...html.matchAll(STYLE)].map(([, path]) => path);
  const scripts = [...html.matchAll(SCRIPT)].map(([, type = "", path]) => ({ type, path }));
  if (styles.length === 0 || scripts.length === 0)
    throw new Error(`${LOST} loads nothing: VitePress writes its links in another way.`);
  const path = write(loaderSource(styles, scripts));
  const asked = Array.from(
    { length: DEPTH + 1 },
    (_, i) => `<script src="${"../".repeat(i) || "./"}${path}"></script>`,
  );
  return [STYLE, PRELOAD, SCRIPT, ICON]
    .reduce((text, pattern) => text.replace(pattern, ""), html)
    .replace("</title>", `</title>\n    ${asked.join("\n    ")}`);
}

/** The script that finds the folder by its own address. The first one that is there does the work. */
function loaderSource(styles: readonly unknown[], scripts: readonly unknown[]): string {
  return `(() => {
  if (globalThis.siteBase !== undefined) return;
  const base = new URL("..", document.currentScript.src);
  globalThis.siteBase = base.pathname;
  const add = (name, properties) => document.head.append(Object.assign(document.createElement(name), properties));
  for (const path of ${JSON.stringify(styles)}) add("link", { rel: "stylesheet", href: new URL(path, base) });
  addEventListener("DOMContentLoaded", () => {
    for (const link of document.querySelectorAll('a[href^="./"], img[src^="./"]')) {
      const name = link.localName === "a" ? "href" : "src";
      link.setAttribute(name, new URL(link.getAttribute(name), base));
    }
    for (const { type, path } of ${JSON.stringify(scripts)})
      add("script", { type, async: false, src: new URL(path, base) });
  });
})();
`;
}
