// The order of pages, taken from docs/README.md: its headings are the groups of the sidebar, its rows the pages.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { DefaultTheme } from "vitepress";
import { GENERATED, placeOf, root } from "../repository.ts";
import { targetOf, titleOf } from "./links.ts";

const INDEX = "docs/README.md";

/** A row of the index: a task, and the links for it. */
interface Row {
  readonly phrase: string;
  readonly heading: string;
  readonly links: readonly { readonly text: string; readonly href: string }[];
}

/** Pages with a separate sidebar, which the navigation leads to. */
const BENCHMARKS = "/benchmarks/";
const API = "/api/";

/** TypeDoc's list of the pages of the API reference. */
export const API_INDEX: string = `${GENERATED}/api/index.md`;

/**
 * The sidebars: of the benchmarks, of the API reference, and of all other pages. Throws an Error if a page of docs/ is in no row of the
 * index. `apiIndex` is the text of {@link API_INDEX}.
 */
export function sidebars(apiIndex: string): DefaultTheme.SidebarMulti {
  const sections = readFileSync(join(root, INDEX), "utf8").split(/^## /m).slice(1);
  const groups = sections.map((section) => ({
    text: section.slice(0, section.indexOf("\n")),
    items: rowsOf(section).flatMap(itemsOf),
  }));
  const listed = new Set(groups.flatMap(({ items }) => items).map(({ link }) => link.replace(/#.*/, "")));
  for (const page of pagesOfDocs()) {
    if (!listed.has(linkTo(page)))
      throw new Error(`${page} has no row in ${INDEX}, so readers do not find it. Add a row.`);
  }
  const isOfBenchmarks = ({ items }: (typeof groups)[number]) => items.every(({ link }) => link.startsWith(BENCHMARKS));
  return {
    [BENCHMARKS]: folded(groups.filter(isOfBenchmarks)),
    [API]: folded(reference(apiIndex)),
    "/": folded(groups.filter((group) => !isOfBenchmarks(group))),
  };
}

/** The groups with a button that folds them. The first is open, and so is the one with the page that is shown. */
function folded(groups: readonly DefaultTheme.SidebarItem[]): DefaultTheme.SidebarItem[] {
  return groups.map((group, i) => ({ ...group, collapsed: i > 0 }));
}

function rowsOf(section: string): Row[] {
  const rows = [...section.matchAll(/^\| (.*?) \| (.*?) \|$/gm)];
  const heading = rows[0]?.[1] ?? "";
  return rows.slice(2).map(([, phrase = "", cell = ""]) => ({
    phrase,
    heading,
    links: [...cell.matchAll(/\[([^\]]+)\]\(([^)]+)\)/g)].map(([, text = "", href = ""]) => ({ text, href })),
  }));
}

function itemsOf({ phrase, heading, links }: Row): { text: string; link: string }[] {
  return links.flatMap(({ text, href }) => {
    // Several links of a row have short names there.
    const target = targetOf(INDEX, href);
    if (target === undefined) return [];
    const { file, anchor } = target;
    if (file === "README.md") return [{ text: "What it is", link: linkTo(file) }];
    const name = heading === "from" ? `From ${phrase}` : sentence(links.length > 1 ? text : phrase);
    const hasShortName = anchor !== "" || (links.length > 1 && !/\.md$|^an example$/.test(text));
    return [{ text: hasShortName ? name : titleOf(file), link: `${linkTo(file)}${anchor}` }];
  });
}

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

/** The address of a page from the top of the site, as VitePress wants it. */
export function linkTo(page: string): string {
  const place = placeOf(page);
  if (place === undefined) throw new Error(`${page} has no place on the site.`);
  return `/${place.replace(/\.md$/, ".html").replace(/(^|\/)index\.html$/, "$1")}`;
}

function pagesOfDocs(): string[] {
  return ["docs", "docs/benchmarks"].flatMap((folder) =>
    readdirSync(join(root, folder))
      .filter((name) => name.endsWith(".md"))
      .map((name) => `${folder}/${name}`)
      .filter((page) => page !== INDEX),
  );
}

/** The pages of the API reference, which TypeDoc's index lists: the library, then the other packages. */
function reference(apiIndex: string): DefaultTheme.SidebarItem[] {
  const entries = [...apiIndex.matchAll(/^- \[([^\]]+)\]\(([^)]+)\)$/gm)];
  const items = entries.map(([, text = "", path = ""]) => ({ text, link: linkTo(`${GENERATED}/api/${path}`) }));
  const isOfFormats = ({ text }: { text: string }) => /^(?:moonpack|@moonpack\/(?:pck|protobuf))(?:\/|$)/.test(text);
  return [
    { text: "Formats", items: items.filter(isOfFormats) },
    { text: "Other packages", items: items.filter((item) => !isOfFormats(item)) },
  ];
}
