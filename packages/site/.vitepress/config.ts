import { readFileSync } from "node:fs";
import { join } from "node:path";
import GithubSlugger from "github-slugger";
import { defineConfig } from "vitepress";
import { anyBase, BASE } from "../src/build/base.ts";
import { changedTheme } from "../src/build/default-theme.ts";
import { finish } from "../src/build/finish.ts";
import { prepare } from "../src/build/prepare.ts";
import { additions } from "../src/content/additions.ts";
import { fileNames } from "../src/content/fences.ts";
import { repositoryLinks } from "../src/content/links.ts";
import { searchable } from "../src/content/search.ts";
import { API_INDEX, sidebars } from "../src/content/sidebars.ts";
import { NOT_PAGES, placeOf, root } from "../src/repository.ts";

/** GitHub's anchors, so that a link to a heading works here and there. VitePress numbers headings of one name as GitHub does. */
const slugger = new GithubSlugger();
const slugify = (heading: string): string => {
  slugger.reset();
  return slugger.slug(heading);
};

/** The folder of the site on its server, such as /moonpack/. Without it, the site works from any. */
const { SITE_BASE } = process.env;
if (SITE_BASE !== undefined && !/^\/(?:.*\/)?$/.test(SITE_BASE))
  throw new Error(`SITE_BASE is ${SITE_BASE}. It begins and ends with a slash, such as /moonpack/.`);

prepare();

export default defineConfig({
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
      fileNames(md);
    },
    anchor: { slugify },
    toc: { slugify },
    headers: { slugify },
    languageAlias: { console: "shellsession", svg: "xml" },
    theme: { light: "github-light-high-contrast", dark: "github-dark-high-contrast" },
  },
  head: [["link", { rel: "icon", type: "image/svg+xml", href: `${BASE}favicon.svg` }]],
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
  buildEnd: ({ outDir }) => finish(outDir, SITE_BASE),
  themeConfig: {
    nav: [
      { text: "Start", link: "/start.html" },
      { text: "Playground", link: "/playground.html" },
      { text: "All pages", link: "/contents.html" },
      { text: "Speed and size", link: "/benchmarks/service.html" },
      { text: "Every export", link: "/api/" },
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
      quote: "It may have moved. Use the search, or the list of all pages.",
      linkLabel: "Go to the first page",
      linkText: "Go to the first page",
    },
    docFooter: { prev: "Previous", next: "Next" },
  },
});
