// TypeDoc's Markdown numbers some anchors that need no number: it counts headings that are not written.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, posix } from "node:path";
import GithubSlugger from "github-slugger";

const LINK = /\]\(([^()\s#]*)#([^()\s]+)-\d+\)/g;

/** Removes numbers from the anchors in a folder of pages where no heading has the number and one has the rest. */
export function mendAnchors(folder: string): void {
  const pages = new Map(
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((path) => path.endsWith(".md"))
      .map((path) => [path, readFileSync(join(folder, path), "utf8")]),
  );
  const anchors = new Map([...pages].map(([path, text]) => [path, anchorsOf(text)]));
  for (const [page, text] of pages) {
    const mended = text.replace(LINK, (link, path: string, name: string) => {
      const known = anchors.get(path === "" ? page : posix.join(posix.dirname(page), path));
      const anchor = link.slice(link.indexOf("#") + 1, -1);
      return known?.has(anchor) === false && known.has(name) ? link.replace(anchor, name) : link;
    });
    if (mended !== text) writeFileSync(join(folder, page), mended);
  }
}

function anchorsOf(text: string): Set<string> {
  const slugger = new GithubSlugger();
  const prose = text.replace(/^```[\s\S]*?^```$/gm, "");
  return new Set(
    [...prose.matchAll(/^#{1,6} +(.*)$/gm)].map(([, heading = ""]) => slugger.slug(heading.replaceAll("\\", ""))),
  );
}
