// node scripts/site-previews.mjs: draws the pictures that other programs show of links to the site, packages/site/public/previews.
// They are committed: a build needs no browser.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { withBrowser } from "../tools/src/browser.mjs";
import { findRuntime } from "../tools/src/runtimes.mjs";
import { root } from "../tools/src/setup.mjs";

/** The size that programs ask for. */
const SIZE = { width: 1200, height: 630 };
const FOLDER = join(root, "packages/site/public/previews");

/** A picture for each kind of page: its title, and a line below. */
const PREVIEWS = {
  home: ["Bytes and back", "JavaScript values as MessagePack, as Protobuf, or by a schema that Go shares"],
  guide: ["Guides", "Encode, send, store: each page with programs that run as they are"],
  examples: ["Examples", "Whole programs to copy, one command each"],
  benchmarks: ["Benchmarks", "How fast, large and careful it is, and where others win"],
  reference: ["Reference", "Every export: functions, classes, types and options"],
  playground: ["Playground", "Bytes explained one by one, schemas from your data, a race of codecs"],
};

const mark = readFileSync(join(root, "packages/site/public/favicon.svg"), "utf8");

/** The picture as a page. */
const pageOf = ([title, line]) => `<!doctype html><meta charset="utf-8"><style>
  body { margin: 0; width: ${SIZE.width}px; height: ${SIZE.height}px; box-sizing: border-box; padding: 88px;
    background: #14223a; color: #fff; font-family: system-ui, sans-serif; }
  header { display: flex; align-items: center; gap: 24px; font-size: 40px; font-weight: 600; }
  header svg { width: 72px; height: 72px; }
  h1 { margin: 96px 0 0; font-size: 104px; line-height: 1.1; }
  p { margin: 24px 0 0; max-width: 960px; font-size: 40px; line-height: 1.35; color: #b9cbe6; }
</style><header>${mark}moonpack</header><h1>${title}</h1><p>${line}</p>`;

mkdirSync(FOLDER, { recursive: true });
const { executable } = await findRuntime("chromium");
await withBrowser("chromium", executable, async (context) => {
  const page = await context.newPage();
  await page.setViewportSize(SIZE);
  for (const [name, words] of Object.entries(PREVIEWS)) {
    await page.setContent(pageOf(words));
    writeFileSync(join(FOLDER, `${name}.png`), await page.screenshot({ type: "png" }));
  }
});
