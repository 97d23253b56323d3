// The site in Chromium: every page on a phone, accessibility in light and dark, the search by keyboard.
import { appearance } from "./appearance.mjs";
import { homePage } from "./home.mjs";
import { until } from "./pages/hands.mjs";
import { playgroundInChromium } from "./pages/playground.mjs";
import { schemaInChromium } from "./pages/schema.mjs";
import { searches } from "./searches.mjs";
import { axeFaults, goTo, openPage, overflow } from "./visit.mjs";

const PHONE = { width: 360, height: 740 };
const DESKTOP = { width: 1280, height: 900 };
/** Pages of each kind. */
const LOOKED_AT = [
  "",
  "start.html",
  "contents.html",
  "examples.html",
  "pck.html",
  "benchmarks/service.html",
  "api/moonpack/stream.html",
];

/** The playground with each of its tabs. */
const PLAYGROUND = ["playground.html", "playground.html#schema", "playground.html#speed"];

/** Looks at the site at `url`, and calls `expect(what, seen, expected)` for each check. */
export async function inChromium(context, url, pages, expect) {
  await everyPage(context, url, pages, expect);
  await firstPage(context, url, expect);
  await homePage(context, url, expect);
  await appearance(context, url, pages, expect);
  await search(context, url, expect);
  await searches(context, url, expect);
  await accessibility(context, url, { colorScheme: "light", size: DESKTOP, pages }, expect);
  await accessibility(context, url, { colorScheme: "dark", size: PHONE, pages }, expect);
  if (!pages.includes("playground.html")) return;
  await playgroundInChromium(context, url, expect);
  await schemaInChromium(context, url, expect);
}

/** All pages, two at a time. */
async function everyPage(context, url, pages, expect) {
  const wide = [];
  const faults = [];
  const queue = pages.values();
  const visitor = async () => {
    const visit = await openPage(context);
    await visit.page.setViewportSize(PHONE);
    for (const path of queue) {
      // Its scripts are looked for in each folder above.
      if (path === "404.html") continue;
      await visit.page.goto(`${url}${path}`);
      const pixels = await visit.page.evaluate(overflow);
      if (pixels > 0) wide.push(`${path}: ${pixels} pixels`);
    }
    const strangers = visit.requests.filter((address) => !address.startsWith(url));
    faults.push(...visit.faults, ...strangers.map((address) => `asks for ${address}`));
    await visit.page.close();
  };
  await Promise.all([visitor(), visitor()]);
  expect(`${pages.length} pages on a phone do not scroll sideways`, wide.join("\n"), "");
  expect("no page complains in Chromium, or asks for anything outside of the site", faults.join("\n"), "");
}

async function firstPage(context, url, expect) {
  const { page } = await openPage(context);
  await goTo(page, url);
  await page.keyboard.press("Tab");
  const focused = () => document.activeElement?.textContent?.trim();
  expect("the first key leads past the navigation", await page.evaluate(focused), "Skip to content");
  // Later: what a debugger evaluates itself may compile.
  const compiles = () =>
    new Promise((resolve) => {
      setTimeout(() => {
        try {
          resolve(new Function("return 1")());
        } catch (error) {
          resolve(error.name);
        }
      });
    });
  expect("the policy refuses eval", await page.evaluate(compiles), "EvalError");
  await page.close();
}

/** Searches from a page in a folder: its links are relative, and the sidebar's links must stay right. */
async function search(context, url, expect) {
  const { page, faults } = await openPage(context);
  await page.setViewportSize(DESKTOP);
  await goTo(page, `${url}benchmarks/service.html`);
  await page.keyboard.press("Control+k");
  await page.locator(".VPLocalSearchBox input").waitFor();
  await page.keyboard.type("schema documents");
  const wanted = "pck-format.html#schema-documents";
  // The results are those of a part of the words at first.
  await until(page, (end) => document.querySelector(".VPLocalSearchBox .result.selected")?.href.endsWith(end), wanted);
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => !location.pathname.endsWith("service.html"));
  expect("the search leads to a heading, by keys alone", await page.evaluate(() => location.href), `${url}${wanted}`);
  await page.locator("#schema-documents").waitFor();
  await page.locator(".VPSidebar .level-0.collapsed", { hasText: "Send it" }).locator(".caret").first().click();
  await page
    .locator(".VPSidebar a", { hasText: /^Streams$/ })
    .first()
    .click();
  await page.waitForURL(`${url}streams.html`);
  await page.locator("h1", { hasText: "Streams" }).waitFor();
  await page.locator(".VPSidebar .level-0.collapsed", { hasText: "Share a schema" }).locator(".caret").first().click();
  await page.locator(".VPSidebar a", { hasText: /^PCK$/ }).first().click();
  await page.waitForURL(`${url}pck.html`);
  expect("links of the sidebar stay right from page to page", page.url(), `${url}pck.html`);
  expect("no errors while searching", faults.join("\n"), "");
  await page.close();
}

async function accessibility(context, url, { colorScheme, size, pages }, expect) {
  const { page } = await openPage(context);
  await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
  await page.setViewportSize(size);
  const found = [];
  const playground = pages.includes("playground.html") ? PLAYGROUND : [];
  for (const path of [...LOOKED_AT, ...playground]) {
    await goTo(page, `${url}${path}`);
    found.push(...(await axeFaults(page)).map((fault) => `${path}: ${fault}`));
  }
  expect(`axe finds nothing serious in ${colorScheme} colours, ${size.width} pixels wide`, found.join("\n"), "");
  await page.close();
}
