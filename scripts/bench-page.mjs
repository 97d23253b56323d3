// Tests the benchmark page in Chromium, as a user would use it; the runs are too short to measure anything. A part of
// `npm test`.
// node scripts/bench-page.mjs [PICTURE.png]: also saves screenshots, to PICTURE.png and PICTURE-phone.png.
import { withBrowser } from "../tools/src/browser.mjs";
import { findRuntime, isCommand } from "../tools/src/runtimes.mjs";
import { ensureBuilt, ensureInstalled } from "../tools/src/setup.mjs";

const PATIENCE_MS = 240_000;
const PHONE = { width: 360, height: 740 };

/** Returns how many checks of the page passed and failed. */
export async function runBenchPage(picture) {
  const { servePage } = await import("../testing/bench/dist/suites/browsers/build.js");
  const { rows } = await import("../testing/bench/dist/suites/browsers/rows.js");
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
  // With the keyboard only: the button comes after the boxes and the choice of length.
  for (let key = 0; key < 5; key++) await page.keyboard.press("Tab");
  expect("the keyboard reaches the button", await page.evaluate(() => document.activeElement?.id), "run");
  await page.keyboard.press("Enter");
  const status = page.locator("#status");
  await page.waitForFunction(() => /^(Done|Failed)/.test(document.querySelector("#status").textContent), null, {
    timeout: PATIENCE_MS,
  });
  expect("every row is measured", (await status.textContent()).split(".")[0], `Done: ${rows.length} rows`);
  expect("the page has the precise clock", await page.evaluate(() => crossOriginIsolated), true);
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
  expect("no errors", faults.join("\n"), "");
  return results;
}

if (isCommand(import.meta.url)) {
  ensureInstalled();
  ensureBuilt();
  const { failed } = await runBenchPage(process.argv[2]);
  process.exitCode = failed === 0 ? 0 : 1;
}
