// The site in Firefox: pages of each kind, without a complaint.
import { click } from "./pages/hands.mjs";
import { playgroundInFirefox } from "./pages/playground.mjs";
import { schemaInFirefox } from "./pages/schema.mjs";
import { goTo, openPage } from "./visit.mjs";

const LOOKED_AT = ["", "start.html", "pck.html", "benchmarks/service.html", "api/index.html", "examples/tcp.html"];

/** Looks at the site at `url`, and calls `expect(what, seen, expected)` for each check. */
export async function inFirefox(browser, url, pages, expect) {
  const { page, faults } = await openPage(browser);
  for (const path of [...LOOKED_AT, ...pages.filter((one) => one === "playground.html")]) {
    await goTo(page, `${url}${path}`);
  }
  await goTo(page, url);
  await click(page, "button.DocSearch-Button");
  await page.waitForSelector(".VPLocalSearchBox input");
  await page.type(".VPLocalSearchBox input", "varint");
  await page.waitForSelector(".VPLocalSearchBox .result");
  expect("the search answers in Firefox", (await page.$$(".VPLocalSearchBox .result")).length > 0, true);
  expect("no page complains in Firefox", faults.join("\n"), "");
  await page.close();
  if (!pages.includes("playground.html")) return;
  await playgroundInFirefox(browser, url, expect);
  await schemaInFirefox(browser, url, expect);
}
