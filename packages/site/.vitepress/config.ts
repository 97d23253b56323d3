import { readFileSync } from "node:fs";
import { join } from "node:path";
import GithubSlugger from "github-slugger";
import { type DefaultTheme, defineConfigWithTheme } from "vitepress";
import { anyBase, BASE, siteAddress } from "../src/build/base.ts";
import { changedTheme } from "../src/build/default-theme.ts";
import { finish } from "../src/build/finish.ts";
import { prepare } from "../src/build/prepare.ts";
import { previewOf } from "../src/build/previews.ts";
import { additions } from "../src/content/additions.ts";
import { namedFences } from "../src/content/fences.ts";
import { folds } from "../src/content/folds.ts";
import { describe } from "../src/content/heads.ts";
import { repositoryLinks } from "../src/content/links.ts";
import { searchable } from "../src/content/search.ts";
import { API_INDEX, sidebars } from "../src/content/sidebars.ts";
import { labelledCells } from "../src/content/tables.ts";
import { NOT_PAGES, placeOf, root } from "../src/repository.ts";

/** GitHub's anchors, so that a link to a heading works here and there. VitePress numbers headings of one name as GitHub does. */
const slugger = new GithubSlugger();
const slugify = (heading: string): string => {
  slugger.reset();
  return slugger.slug(heading);
};

/** The address of the site, or its folder on a server. Without it, the site works from any. */
const place = siteAddress(process.env.SITE_BASE);
const { version } = JSON.parse(readFileSync(join(root, "packages/moonpack/package.json"), "utf8")) as {
  version: string;
};

prepare();

export default defineConfigWithTheme<DefaultTheme.Config & { version: string }>({
  title: "moonpack",
  description: "JavaScript values to bytes and back: MessagePack, Protobuf, and PCK, which has a schema",
  lang: "en",
  base: BASE,
  srcDir: root,
  outDir: join(root, "packages/site/dist"),
  srcExclude: [...NOT_PAGES],
  rewrites(path) {
    const place = placeOf(path);
    if (place === undefined)
      throw new Error(`${path} has no place on the site. Add one, or exclude it, in src/repository.ts.`);
    return place;
  },
  // The plugin refuses links to files that do not exist; the test of the site follows all others.
  ignoreDeadLinks: true,
  markdown: {
    config(md) {
      repositoryLinks(md);
      namedFences(md);
      labelledCells(md);
      folds(md);
    },
    anchor: { slugify },
    toc: { slugify },
    headers: { slugify },
    languageAlias: { console: "shellsession", svg: "xml" },
    theme: { light: "github-light-high-contrast", dark: "github-dark-high-contrast" },
  },
  head: [["link", { rel: "icon", type: "image/svg+xml", href: `${BASE}favicon.svg` }]],
  // All components are written with `setup`: without the older API, pages load 5 KB less.
  vue: { features: { optionsAPI: false } },
  vite: {
    publicDir: join(root, "packages/site/public"),
    plugins: [anyBase(), changedTheme(), additions()],
    // Small pictures are files too: the pages' policy forbids data URLs. The index of the search is 1 MB; it loads on the first search.
    build: { assetsInlineLimit: 0, chunkSizeWarningLimit: 2000 },
    // Workers load parts of their code when they need it.
    worker: { format: "es" },
  },
  // Nothing loads before it is needed: pages of visible links are not prefetched, and the search and the codec of the home page load when they are used. Firefox
  // judges a prefetch by default-src, so the page of the playground preloads its code.
  router: { prefetchLinks: false },
  shouldPreload: (link) => !/search|chunks\/convert\./i.test(link),
  transformPageData: describe,
  transformHead: ({ pageData, title, description }) => previewOf(pageData, title, description, place.origin),
  buildEnd: ({ outDir }) => finish(outDir, place.folder),
  themeConfig: {
    logo: { src: "/favicon.svg", alt: "" },
    version,
    nav: [
      { text: "Start", link: "/start.html" },
      { text: "Playground", link: "/playground.html" },
      { text: "All pages", link: "/contents.html" },
      { text: "Benchmarks", link: "/benchmarks/service.html" },
      { text: "Reference", link: "/api/" },
    ],
    sidebar: sidebars(readFileSync(join(root, API_INDEX), "utf8")),
    outline: { level: [2, 3], label: "On this page" },
    search: {
      provider: "local",
      options: {
        detailedView: true,
        _render: searchable,
      },
    },
    notFound: {
      title: "Page not found",
      quote: "It may have moved. The search finds all pages.",
      linkLabel: "Go to the first page",
      linkText: "Go to the first page",
    },
    docFooter: { prev: "Previous", next: "Next" },
  },
});
