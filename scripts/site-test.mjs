// Tests the site as its readers use it: built, and served from a folder of a server. A part of `npm test`.
// node scripts/site-test.mjs [--no-build]
import { withBrowser } from "../tools/src/browser.mjs";
import { findRuntime, isCommand } from "../tools/src/runtimes.mjs";
import { ensureBuilt, ensureInstalled } from "../tools/src/setup.mjs";
import { buildSite, siteFolder } from "./site-build.mjs";

/** Returns how many checks of the site passed and failed, and a line for each that failed. */
export async function runSite({ build = true } = {}) {
  if (build && (await buildSite()) !== 0) return { passed: 0, failed: 1 };
  const { builtPages, checkLinks, headFaults } = await import("../packages/site/test/links.mjs");
  const { inChromium } = await import("../packages/site/test/chromium.mjs");
  const { STRICT, strictPolicy } = await import("../packages/site/test/strict-policy.mjs");
  const { inFirefox } = await import("../packages/site/test/firefox.mjs");
  const { serveFolder } = await import("../tools/src/serve-folder.mjs");
  const faults = [];
  let passed = 0;
  const expect = (what, seen, expected) => {
    const isRight = String(seen) === String(expected);
    const line = `${what}: ${isRight ? "passed" : `FAILED: ${seen === "" ? "nothing" : seen}`}`;
    console.log(`site: ${line}`);
    if (isRight) passed++;
    else faults.push(line);
  };
  // An error ends the checks in one browser. Those before it, and the other browser, may show why.
  const completed = (what, run) =>
    run().catch((error) => {
      console.error(error);
      expect(what, error.message.split("\n", 1)[0], "");
    });
  const pages = builtPages(siteFolder);
  expect(
    "there are pages of each kind",
    ["index.html", "pck.html", "api/moonpack.html"].every((one) => pages.includes(one)),
    true,
  );
  const links = checkLinks(siteFolder);
  expect(`${links.count} links lead somewhere`, links.faults.join("\n"), "");
  expect("each page has a title and a description of its own, and a picture", headFaults(siteFolder).join("\n"), "");
  const strict = await serveFolder(siteFolder, { path: "/strict/", headers: STRICT });
  const served = await serveFolder(siteFolder, { path: "/some/folder/" });
  try {
    const chromium = await findRuntime("chromium");
    await completed("all is looked at in Chromium", () =>
      withBrowser("chromium", chromium.executable, async (context) => {
        await strictPolicy(context, strict.url, expect);
        await inChromium(context, served.url, pages, expect);
      }),
    );
    // Without Firefox the rest is still worth a run; CI installs both.
    const firefox = await findRuntime("firefox");
    if (firefox !== undefined)
      await completed("all is looked at in Firefox", () =>
        withBrowser("firefox", firefox.executable, (browser) => inFirefox(browser, served.url, pages, expect)),
      );
    else if (process.env.CI === "true") expect("Firefox is installed", false, true);
    else console.log("site: not looked at in Firefox, which is not installed (node scripts/runtimes.mjs firefox)");
  } finally {
    served.close();
    strict.close();
  }
  return { passed, failed: faults.length, faults };
}

if (isCommand(import.meta.url)) {
  ensureInstalled();
  ensureBuilt();
  const { failed } = await runSite({ build: !process.argv.includes("--no-build") });
  process.exitCode = failed === 0 ? 0 : 1;
}
