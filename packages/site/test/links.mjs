// The links of the built pages: each leads to a file of the site, and its anchor to an element there.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** The pages of a built site, such as `benchmarks/service.html`. */
export function builtPages(folder) {
  return readdirSync(folder, { recursive: true })
    .filter((path) => path.endsWith(".html"))
    .sort();
}

/** Returns the faults of the links of a built site, and how many links were followed. */
export function checkLinks(folder) {
  const pages = new Map(
    builtPages(folder).map((path) => [path, withoutCode(readFileSync(join(folder, path), "utf8"))]),
  );
  const anchors = new Map([...pages].map(([path, html]) => [path, new Set(attributesOf(html, "id"))]));
  const faults = [];
  let count = 0;
  for (const [page, html] of pages) {
    for (const link of new Set([...attributesOf(html, "href"), ...attributesOf(html, "src")])) {
      if (/^(?:https?:|mailto:|data:)/.test(link)) continue;
      count++;
      // It asks for its script in each folder above.
      if (page === "404.html" && /\/lost\.\w+\.js$/.test(link)) continue;
      const fault = faultOf(folder, anchors, page, link);
      if (fault !== undefined) faults.push(`${page}: ${link}: ${fault}`);
    }
  }
  return { faults, count };
}

/** Titles and descriptions that are missing or of two pages, and pictures of previews that are not there. */
export function headFaults(folder) {
  const seen = new Map();
  return builtPages(folder).flatMap((page) => {
    const html = readFileSync(join(folder, page), "utf8");
    const [, title = ""] = /<title>([^<]*)<\/title>/.exec(html) ?? [];
    const [, description = ""] = /<meta name="description" content="([^"]*)"/.exec(html) ?? [];
    const [, picture = ""] = /<meta property="og:image" content="([^"]*)"/.exec(html) ?? [];
    const faults = [];
    for (const [kind, text] of [
      ["title", title],
      ["description", description],
    ]) {
      const other = seen.get(`${kind} ${text}`);
      if (text.length < 4) faults.push(`${page} has no ${kind}`);
      if (other !== undefined) faults.push(`${page} has the ${kind} of ${other}: ${text}`);
      seen.set(`${kind} ${text}`, page);
    }
    if (!existsSync(join(folder, dirname(page), picture))) faults.push(`${page} has no picture for previews`);
    return faults;
  });
}

function faultOf(folder, anchors, page, link) {
  const { pathname, hash } = new URL(link, `http://site/top/${encodeURI(page)}`);
  if (!pathname.startsWith("/top/")) return "leads out of the site's folder";
  const path = decodeURIComponent(pathname.slice("/top/".length)).replace(/(^|\/)$/, "$1index.html");
  if (!existsSync(join(folder, path))) return `${path} does not exist`;
  const anchor = decodeURIComponent(hash.slice(1));
  const isThere = anchor === "" || anchors.get(path)?.has(anchor) === true;
  return isThere ? undefined : `${path} has no element ${hash}`;
}

/** The page without the code that it shows, which may hold anything. */
function withoutCode(html) {
  return html.replace(/<pre[^>]*>[\s\S]*?<\/pre>/g, "");
}

function attributesOf(html, name) {
  return [...html.matchAll(new RegExp(`<[a-z][^<>]*?\\s${name}="([^"]*)"`, "g"))].map(([, value]) => unescaped(value));
}

function unescaped(text) {
  return text
    .replace(/&amp;/g, "&")
    .replace(/&quot;/g, '"')
    .replace(/&#39;/g, "'");
}
