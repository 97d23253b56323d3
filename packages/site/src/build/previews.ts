// What other programs show of a link to a page.
import { posix } from "node:path";
import type { HeadConfig, PageData } from "vitepress";
import { placeOf } from "../repository.ts";
import { BASE } from "./base.ts";

/** Pictures for previews of links, by the page's address. node scripts/site-previews.mjs draws them. */
const PREVIEWS: readonly (readonly [RegExp, string])[] = [
  [/^(?:index|404)\.md$/, "home"],
  [/^playground\.md$/, "playground"],
  [/^benchmarks\//, "benchmarks"],
  [/^(?:api|source)\//, "reference"],
  [/^examples(?:\/|\.md)/, "examples"],
  [/^/, "guide"],
];

/** The elements that other programs read of a link to the page. `origin` is the address of the server, if it is known. */
export function previewOf(page: PageData, title: string, description: string, origin: string): HeadConfig[] {
  const place = placeOf(page.filePath) ?? "index.md";
  const [, picture] = PREVIEWS.find(([shape]) => shape.test(place)) ?? [];
  const meta = (property: string, content: string): HeadConfig => ["meta", { property, content }];
  return [
    meta("og:site_name", "moonpack"),
    meta("og:type", "website"),
    meta("og:title", title),
    meta("og:description", description),
    meta("og:image", `${origin}${posix.join(BASE, "previews", `${picture}.png`)}`),
    meta("og:image:width", "1200"),
    meta("og:image:height", "630"),
    ["meta", { name: "twitter:card", content: "summary_large_image" }],
  ];
}
