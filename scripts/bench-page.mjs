// The benchmark page in Chromium, as a person uses it, for so short a time that its figures mean nothing. A part of `npm test`.
// node scripts/bench-page.mjs [PICTURE.png]: the same, and a picture of the page, and PICTURE-phone.png.
import { withBrowser } from "./browser.mjs";
import { findRuntime, isCommand } from "./runtimes.mjs";
import { ensureBuilt, ensureInstalled } from "./setup.mjs";

const PATIENCE_MS = 240_000;
const PHONE = { width: 360, height: 740 };

/** Answers how many looks at the page showed what they should. */
export async function runBenchPage(picture) {
  const { servePage } = await import("../packages/bench/dist/suites/browsers/build.js");
  const { rows } = await import("../packages/bench/dist/suites/browsers/rows.js");
  const { executable } = await findRuntime("chromium");
  const served = await servePage();
  try {
    const results = await withBrowser("chromium", executable, (context) =>
      look(context, `${served.url}?effort=smoke`, rows, picture),
    );
    for (const { what, expected, seen } of results)
      console.log(
        `benchmark page: ${what}: ${seen === expected ? "passed" : `FAILED, ${seen} instead of ${expected}`}`,
      );
    const passed = results.filter(({ expected, seen }) => seen === expected).length;
    return { passed, failed: results.length - passed };
  } finally {
    await served.close();
  }
}

async function look(context, url, rows, picture) {
  const results = [];
  const expect = (what, seen, expected) => results.push({ what, seen: String(seen), expected: String(expected) });
  const page = await context.newPage();
  const faults = [];
  page.on("pageerror", (error) => faults.push(String(error)));
  await page.goto(url);
  // With the keyboard alone: the button is behind the boxes and the choice of length.
  for (let key = 0; key < 5; key++) await page.keyboard.press("Tab");
  expect("the keyboard gets to the button", await page.evaluate(() => document.activeElement?.id), "run");
  await page.keyboard.press("Enter");
  const status = page.locator("#status");
  await page.waitForFunction(() => /^(Done|Failed)/.test(document.querySelector("#status").textContent), null, {
    timeout: PATIENCE_MS,
  });
  expect("every row is measured", (await status.textContent()).split(".")[0], `Done: ${rows.length} rows`);
  expect("it has the precise clock", await page.evaluate(() => crossOriginIsolated), true);
  const compared = page.locator("#results > div");
  expect("there is a table for each format and direction", await compared.count(), 6);
  expect("every row is in its table", await compared.locator("tbody tr").count(), rows.length);
  const isWhole = (cells) => cells.every((cell) => /^\d[\d.]*×/.test(cell.textContent));
  expect("each comparison has a figure", await compared.locator("tbody td").evaluateAll(isWhole), true);
  await page.setViewportSize(PHONE);
  const overflow = () => document.documentElement.scrollWidth - document.documentElement.clientWidth;
  expect("a phone shows it without scrolling sideways", await page.evaluate(overflow), 0);
  if (picture !== undefined) {
    await page.screenshot({ path: picture.replace(/\.png$/, "-phone.png"), fullPage: true });
    await page.setViewportSize({ width: 1200, height: 900 });
    await page.screenshot({ path: picture, fullPage: true });
  }
  expect("nothing went wrong", faults.join("\n"), "");
  return results;
}

if (isCommand(import.meta.url)) {
  ensureInstalled();
  ensureBuilt();
  const { failed } = await runBenchPage(process.argv[2]);
  process.exitCode = failed === 0 ? 0 : 1;
}
