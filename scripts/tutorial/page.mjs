// The page of docs/pck-tutorial.md in Chromium: one tab stays open while the server and its schema change. A part of
// `npm test`; the Go service is not needed for it.
import { cpSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { withBrowser } from "../browser.mjs";
import { findRuntime, isCommand } from "../runtimes.mjs";
import { freePort, stage, startServer, versions } from "./stage.mjs";

/** Answers how many looks at the page showed what they should. With a `picture` the page is drawn there at the end. */
export async function runTutorialPage(picture) {
  const { executable } = await findRuntime("chromium");
  const folder = mkdtempSync(join(tmpdir(), "moonpack-page-"));
  try {
    const results = await withBrowser("chromium", executable, (context) => look(context, folder, picture));
    for (const { what, expected, seen } of results) {
      const fits = isDeepStrictEqual(seen, expected);
      console.log(`docs/pck-tutorial.md, its page: ${what}: ${fits ? "passed" : "FAILED"}`);
      if (!fits) console.log(`  it should show\n${expected.join("\n")}\n  and showed\n${seen.join("\n")}`);
    }
    const passed = results.filter(({ expected, seen }) => isDeepStrictEqual(seen, expected)).length;
    return { passed, failed: results.length - passed };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function look(context, folder, picture) {
  const { before, after } = versions();
  const port = await freePort();
  const [old, now] = ["old", "now"].map((name) => join(folder, name));
  for (const [place, files] of [
    [old, before],
    [now, after],
  ]) {
    mkdirSync(place);
    await stage(place, files, port, "dist");
  }
  const page = await context.newPage();
  const faults = [];
  page.on("pageerror", (error) => faults.push(String(error)));
  const results = [];
  const expectPage = async (what, expected) => {
    const seen = [
      ...(await page.locator("li").allTextContents()),
      await page.locator("output").textContent(),
      ...faults,
    ];
    results.push({ what, expected, seen });
  };

  let stop = await startServer(old);
  try {
    await page.goto(`http://127.0.0.1:${port}`);
    await send(page, { station: "Tromsø", celsius: "4", wind: "30" }, "clear");
    await expectPage("a report is sent and listed", ["Tromsø: 4 °C, clear, wind 30 km/h", "sent"]);
    await send(page, { station: "Tromsø", celsius: "4", wind: "300" }, "clear");
    const refused = "EncodeError: 300 is no u8 (at $.reports[0].wind)";
    await expectPage("what a field cannot hold is refused", ["Tromsø: 4 °C, clear, wind 30 km/h", refused]);

    await stop();
    cpSync(join(old, "weather.pck"), join(now, "weather.pck"));
    stop = await startServer(now);
    await send(page, { station: "Tromsø", celsius: "5", wind: "9" }, "rain");
    const older = "Error: the server is newer: load the page again";
    await expectPage("a page that was open is told that it is old", ["Tromsø: 4 °C, clear, wind 30 km/h", older]);
    await page.reload();
    await page.waitForSelector("li");
    await send(page, { place: "Vardø", celsius: "5.5", wind: "10" }, "rain");
    await expectPage("loaded again, it lists the old file's and the old page's reports", [
      "Tromsø: 4 °C, clear, wind 30 km/h",
      "Tromsø: 5 °C, rain, wind 9 km/h",
      "Vardø: 5.5 °C, rain, wind 10 km/h",
      "sent",
    ]);
    if (picture !== undefined) await page.screenshot({ path: picture });
  } finally {
    await stop();
  }
  return results;
}

/** Fills in the form and sends it; ends when the page has said what came of it. */
async function send(page, fields, sky) {
  for (const [name, value] of Object.entries(fields)) await page.fill(`[name=${name}]`, value);
  await page.selectOption("[name=sky]", sky);
  await page.locator("output").evaluate((output) => output.replaceChildren());
  await page.click("button");
  await page.waitForFunction(() => globalThis.document.querySelector("output").textContent !== "");
}

if (isCommand(import.meta.url)) {
  const [, , picture] = process.argv;
  if ((await runTutorialPage(picture)).failed > 0) process.exitCode = 1;
}
