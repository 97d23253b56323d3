// The page of docs/pck-tutorial.md in Chromium. One tab stays open while the server and its schema change. A part of
// `npm test`; it does not need the Go service.
import { cpSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { withBrowser } from "@moonpack/tools/browser";
import { findRuntime, isCommand } from "@moonpack/tools/runtimes";
import { freePort, stage, startServer, versions } from "./stage.mjs";

/** Returns how many checks of the page passed and failed. `picture` is a path for a screenshot at the end. */
export async function runTutorialPage(picture) {
  const { executable } = await findRuntime("chromium");
  const folder = mkdtempSync(join(tmpdir(), "moonpack-page-"));
  try {
    const results = await withBrowser("chromium", executable, (context) => look(context, folder, picture));
    for (const { what, expected, seen } of results) {
      const fits = isDeepStrictEqual(seen, expected);
      console.log(`docs/pck-tutorial.md, its page: ${what}: ${fits ? "passed" : "FAILED"}`);
      if (!fits) console.log(`  expected\n${expected.join("\n")}\n  seen\n${seen.join("\n")}`);
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
    const refused = "EncodeError: 300 is not a valid u8 (0 to 255) (at $.reports[0].wind)";
    await expectPage("a value that does not fit its field is an error", ["Tromsø: 4 °C, clear, wind 30 km/h", refused]);

    await stop();
    cpSync(join(old, "weather.pck"), join(now, "weather.pck"));
    stop = await startServer(now);
    await send(page, { station: "Tromsø", celsius: "5", wind: "9" }, "rain");
    const older = "Error: the server is newer: load the page again";
    await expectPage("an open page reports that it is outdated", ["Tromsø: 4 °C, clear, wind 30 km/h", older]);
    await page.reload();
    await page.waitForSelector("li");
    await send(page, { place: "Vardø", celsius: "5.5", wind: "10" }, "rain");
    await expectPage("loaded again, it lists reports of the old file and of the old page", [
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

/** Fills in the form, sends it, and waits until the page shows the outcome. */
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
