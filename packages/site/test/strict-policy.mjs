// The site on a host that allows scripts of the site alone, by a header of every answer.
import { goTo, openPage } from "./visit.mjs";

/** The headers of such a host. */
export const STRICT = { "content-security-policy": "script-src 'self'; object-src 'none'" };

const LOOKED_AT = [
  "",
  "start.html",
  "benchmarks/service.html",
  "api/moonpack.html",
  "examples/tcp.html",
  "playground.html",
];

/** Looks at pages of each kind at `url`, which is served with the headers. */
export async function strictPolicy(context, url, expect) {
  const { page, faults } = await openPage(context);
  await page.addInitScript(() => {
    globalThis.violations = [];
    document.addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) =>
      globalThis.violations.push(`${violatedDirective} ${blockedURI}`),
    );
  });
  const violations = [];
  for (const path of LOOKED_AT) {
    await goTo(page, `${url}${path}`);
    violations.push(...(await page.evaluate(() => globalThis.violations)).map((one) => `${path}: ${one}`));
  }
  await goTo(page, url);
  await page.locator(".bombs button").click();
  await page.locator(".bombs .answer code").first().waitFor();
  violations.push(...(await page.evaluate(() => globalThis.violations)));
  expect("no violation under script-src 'self', and pages run", violations.join("\n"), "");
  expect("no complaint there", faults.join("\n"), "");
  await page.close();
}
