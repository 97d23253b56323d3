// How pages look and behave: widths, folded parts and tables, the sidebar, the footer, what is copied, addresses that do not exist.
import { settled, until } from "./pages/hands.mjs";
import { goTo, openPage } from "./visit.mjs";

const PHONE = { width: 390, height: 844 };
const DESKTOP = { width: 1440, height: 900 };
/** Pages of benchmarks and of the reference are summaries, not taller than this; before, they had 27,000 and 82,000 pixels. */
const TALLEST = 9000;

/** Looks at the site at `url`. */
export async function appearance(context, url, pages, expect) {
  const { page, faults } = await openPage(context);
  await page.setViewportSize(DESKTOP);
  await widths(page, url, expect);
  await sidebar(page, url, expect);
  await foldedParts(page, url, pages, expect);
  await footer(page, url, expect);
  await copied(page, url, expect);
  await bombs(page, url, expect);
  await page.setViewportSize(PHONE);
  await foldedTables(page, url, expect);
  expect("no page complains while its looks are tested", faults.join("\n"), "");
  await page.close();
  await onTouch(context, url, expect);
  await lost(context, url, expect);
}

async function widths(page, url, expect) {
  await goTo(page, `${url}series.html`);
  const width = await page.evaluate(() =>
    Math.round(document.querySelector(".vp-doc p").getBoundingClientRect().width),
  );
  expect("text is about 800 pixels wide", (width >= 760 && width <= 820) || width, true);
  const room = await page.evaluate(() => {
    const code = document.querySelector(".vp-doc div[class*=language-] code");
    const pre = code.closest("pre");
    code.textContent = "x".repeat(84);
    return pre.clientWidth - pre.scrollWidth;
  });
  expect("84 columns of code do not scroll", room, 0);
  await goTo(page, `${url}errors.html`);
  const broken = await page.evaluate(
    () => [...document.querySelectorAll(".vp-doc td code")].filter((code) => code.getClientRects().length > 1).length,
  );
  expect("identifiers in tables do not break", broken, 0);
}

async function sidebar(page, url, expect) {
  await goTo(page, `${url}performance-notes.html`);
  const seen = await until(page, () => {
    const active = [...document.querySelectorAll(".VPSidebar .is-link.is-active")].at(-1)?.getBoundingClientRect();
    return active !== undefined && active.height > 0 && active.top >= 64 && active.bottom <= innerHeight;
  });
  expect("the active item of the sidebar is in view", seen, true);
  const opened = () => document.querySelectorAll(".VPSidebar .VPSidebarItem.level-0:not(.collapsed)").length;
  expect("groups of the sidebar are folded, but for the first and the current one", await page.evaluate(opened), 2);
  await page.locator(".VPSidebar .VPSidebarItem.level-0.collapsed > .item").first().press(" ");
  expect("a group opens by a key", await settled(page, opened, 3), 3);
}

async function foldedParts(page, url, pages, expect) {
  const tall = [];
  for (const path of pages.filter((one) => /^(?:benchmarks|api)\//.test(one))) {
    await page.goto(`${url}${path}`, { waitUntil: "load" });
    const height = await page.evaluate(() => document.documentElement.scrollHeight);
    if (height > TALLEST) tall.push(`${path}: ${height} pixels`);
  }
  expect("pages of benchmarks and the reference are summaries", tall.join("\n"), "");
  const isShown = (id) => {
    const box = document.getElementById(id)?.getBoundingClientRect();
    return box !== undefined && box.height > 0 && box.top >= 0 && box.top < innerHeight;
  };
  await goTo(page, `${url}benchmarks/service.html#encoding-latency`);
  expect("an address opens the part that it names", await until(page, isShown, "encoding-latency"), true);
  const isOpen = (id) => document.getElementById(id).closest("details").open;
  expect("and shows its table", await until(page, isOpen, "encoding-latency"), true);
  await page.locator(".VPDocAsideOutline a", { hasText: "Isolated workloads" }).click();
  expect("and so does a link on the page", await until(page, isOpen, "isolated-workloads-in-company"), true);
  const [deep] = await page.evaluate(async (base) => {
    const html = await (await fetch(`${base}api/moonpack.html`)).text();
    const inner = new DOMParser().parseFromString(html, "text/html").querySelectorAll("details.part h4[id]");
    return [...inner].map(({ id }) => id);
  }, url);
  await goTo(page, `${url}api/moonpack.html#${deep}`);
  expect("and a heading within a part", await until(page, isShown, deep), true);
}

async function footer(page, url, expect) {
  await goTo(page, `${url}pck.html`);
  const text = await page.evaluate(() =>
    document.querySelector(".site-footer").textContent.replace(/\s+/g, " ").trim(),
  );
  const has = (words) => expect(`the footer has ${words}`, text.includes(words) || text, true);
  for (const words of ["moonpack 0.", "MIT licence", "Change log", "This page is docs/pck.md", "How to change it"])
    has(words);
  const logo = await page.evaluate(() => document.querySelector(".VPNavBarTitle img").naturalWidth > 0);
  expect("a mark is beside the name", logo, true);
}

async function copied(page, url, expect) {
  await goTo(page, `${url}pck-tutorial.html`);
  const text = await page.evaluate(async () => {
    const texts = [];
    navigator.clipboard.writeText = (one) => Promise.resolve(texts.push(one));
    for (const button of document.querySelectorAll(".language-console button.copy")) button.click();
    await new Promise((resolve) => setTimeout(resolve, 100));
    return texts;
  });
  expect("prompts and output are not copied", text.filter((one) => /^\$ |written$|^offset/m.test(one)).length, 0);
  const command = "npx @moonpack/cli emit src/weather.ts --target ts --out src/generated\n";
  expect(
    "commands are",
    text.some((one) => one.startsWith(command) && one.split("\n").length === 2) || text.join("|"),
    true,
  );
}

async function bombs(page, url, expect) {
  await goTo(page, url);
  await page.locator(".bombs button").click();
  const answers = () => {
    const cells = [...document.querySelectorAll(".bombs .answer")].map((cell) => cell.textContent.trim());
    return cells.every((text) => /^ERR_\w+ [\d.]+ ms$/.test(text)) && cells.length;
  };
  expect("every bomb is answered with a code, in the page", (await until(page, answers)) > 4, true);
  const ended = await page.evaluate(() => document.querySelectorAll(".bombs .fault").length);
  expect("processes of others ended", ended > 0, true);
}

async function foldedTables(page, url, expect) {
  await goTo(page, `${url}security.html`);
  const seen = await page.evaluate(() => {
    const cell = document.querySelector(".vp-doc td[data-label]");
    return `${getComputedStyle(cell).display} ${getComputedStyle(cell, "::before").content}`;
  });
  expect("a wide table is a list on a phone, with the names of its columns", seen, 'block "promise: "');
  const wide = await page.evaluate(
    () => [...document.querySelectorAll(".vp-doc table")].filter((one) => one.scrollWidth > one.clientWidth + 1).length,
  );
  expect("and no table scrolls sideways", wide, 0);
}

async function onTouch(context, url, expect) {
  const browser = context.browser();
  const touch = await browser.newContext({ hasTouch: true, isMobile: true, viewport: PHONE });
  const { page } = await openPage(touch);
  await goTo(page, `${url}start.html`);
  const seen = await page.evaluate(() => getComputedStyle(document.querySelector("button.copy")).opacity);
  expect("buttons that copy are visible on touch", seen, "1");
  await touch.close();
}

/** A server answers with the page at any depth. The scripts that it asks for in other folders are missing, so complaints do not count. */
async function lost(context, url, expect) {
  const { page } = await openPage(context);
  for (const path of ["none.html", "examples/none.html", "a/b/c/none"]) {
    await page.goto(`${url}${path}`, { waitUntil: "networkidle" });
    await page.locator(".NotFound").waitFor();
    const seen = await page.evaluate(() => {
      const link = document.querySelector(".NotFound a");
      return `${document.querySelector(".NotFound h1").textContent} ${link.href} ${getComputedStyle(link).borderRadius}`;
    });
    expect(`${path} is said not to exist, with a way home`, seen, `Page not found ${url} 16px`);
  }
  await page.locator(".NotFound a").click();
  await page.locator(".live-strip").waitFor();
  expect("and the way leads there", page.url(), url);
  await page.close();
}
