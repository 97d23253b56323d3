// Opens pages of the site, and keeps what they complain about and what they ask for.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

/** Opens a page that collects `faults`, errors of the console and of scripts, and `requests`, all addresses. */
export async function openPage(context) {
  const page = await context.newPage();
  const faults = [];
  const requests = [];
  page.on("pageerror", (error) => faults.push(`${page.url()}: ${error.message}`));
  page.on("console", (message) => {
    const type = message.type();
    if (type === "error" || type === "warning" || type === "warn") faults.push(`${page.url()}: ${message.text()}`);
  });
  page.on("request", (request) => requests.push(request.url()));
  page.on("response", (response) => {
    if (response.status() >= 400) faults.push(`${page.url()}: ${response.url()} is missing`);
  });
  return { page, faults, requests };
}

/**
 * Opens an address, until the page has all of its parts and answers keys: on a busy machine the network rests before its scripts
 * have run, and a page that is left while it loads a part reports an error in Firefox.
 */
export async function goTo(page, address) {
  // Each driver has its own name for a network that rests.
  await page.goto(address, { waitUntil: page.setViewportSize === undefined ? "networkidle0" : "networkidle" });
  await page.waitForFunction(() => document.querySelector("#app")?.__vue_app__ !== undefined);
}

/** Findings of axe in the current page, one text each: the serious ones, or those of other `impacts`. */
export async function axeFaults(page, impacts = /serious|critical/) {
  await page.evaluate(readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8"));
  const { violations } = await page.evaluate(() => globalThis.axe.run({ resultTypes: ["violations"] }));
  return violations
    .filter(({ impact }) => impacts.test(impact))
    .map(
      ({ id, impact, nodes }) =>
        `${id} (${impact}), ${nodes.length} times: ${nodes[0].html.slice(0, 200)} ${nodes[0].failureSummary}`,
    );
}

/** By how many pixels a page is wider than its window. */
export const overflow = () => document.documentElement.scrollWidth - document.documentElement.clientWidth;
