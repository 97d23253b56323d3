// Opens pages of the site, and keeps what they complain about and what they ask for.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

/** Ends what hangs. */
const TIMEOUT_MS = 120_000;

/** Opens a page that collects `faults`, errors of the console and of scripts, and `requests`, all addresses. */
export async function openPage(context) {
  const page = await context.newPage();
  // Both drivers give up after 30 s, also when the machine stood still.
  page.setDefaultTimeout(TIMEOUT_MS);
  // Before the page's own scripts, which follow links: `click` of hands.mjs keeps a click from what it was not meant for.
  const guard = () => addEventListener("click", (event) => globalThis.guardClick?.(event), true);
  await (page.addInitScript?.(guard) ?? page.evaluateOnNewDocument(guard));
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
 * Opens an address, until the page has its parts and answers keys: on a busy machine the network rests before its scripts have run,
 * and in Firefox a page that is left while it loads a part reports an error.
 */
export async function goTo(page, address) {
  // Of the two drivers, Puppeteer alone can wait for the network again.
  const canWaitAgain = page.waitForNetworkIdle !== undefined;
  await page.goto(address, { waitUntil: canWaitAgain ? "load" : "networkidle" });
  await page.waitForFunction(isReady);
  await page.waitForNetworkIdle?.();
}

/** Its scripts have run, and in the playground the tab of the address has loaded its code. Runs in the page. */
function isReady() {
  if (document.querySelector("#app")?.__vue_app__ === undefined) return false;
  if (!location.pathname.endsWith("/playground.html")) return true;
  const [, tab] = /^#?(\w*)/.exec(location.hash);
  return document.querySelector(`#panel-${tab || "bytes"} label`)?.checkVisibility() === true;
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
