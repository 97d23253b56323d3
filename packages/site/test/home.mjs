// The home page: its weight, the live strip by keys, and the way into the playground.
import { gzipSync } from "node:zlib";
import { settled, typeOver, until, untilText } from "./pages/hands.mjs";
import { goTo, openPage } from "./visit.mjs";

/** All that the page loads before anyone touches it, after gzip. */
const MAX_BYTES = 100 * 1024;

/** Looks at the home page of the site at `url`. */
export async function homePage(context, url, expect) {
  const { page, faults, requests } = await openPage(context);
  await goTo(page, url);
  const bytes = await weight([...new Set(requests)]);
  console.log(`site: the first page loads ${bytes.toLocaleString("en")} bytes (gzip)`);
  expect(`the first page loads at most ${MAX_BYTES / 1024} KiB`, bytes <= MAX_BYTES || bytes, true);
  const hex = () => document.querySelector(".live-hex").textContent;
  await typeOver(page, "#live-json", '{"id":4711}');
  expect(
    "the live strip encodes what is typed",
    await settled(page, hex, "81 a2 69 64 cd 12 67"),
    "81 a2 69 64 cd 12 67",
  );
  const rest = () =>
    `${document.querySelector(".live-back").textContent} ${document.querySelector(".live-sizes").textContent.replace(/\s+/g, " ").trim()}`;
  expect(
    "and shows the value again, and both sizes",
    await page.evaluate(rest),
    '{"id":4711} JSON11 BMessagePack7 B, 36 % fewer',
  );
  await typeOver(page, "#live-json", "{");
  await untilText(page, ".live-strip", "JSON");
  await until(page, () => document.querySelector(".live-strip .fault")?.textContent.trim());
  expect("and keeps the last bytes while the text is broken", await page.evaluate(hex), "81 a2 69 64 cd 12 67");
  await typeOver(page, "#live-json", "[1,2]");
  await settled(page, hex, "92 01 02");
  // Leaves the page, so not by `clickText`.
  await page.getByRole("button", { name: "Explain each" }).click();
  await page.waitForURL(/playground\.html#bytes=/);
  await untilText(page, "#panel-bytes .status", "3 bytes, 3 items");
  expect("no complaint on the way", faults.join("\n"), "");
  await page.close();
}

/** The bytes of some addresses after gzip. */
async function weight(addresses) {
  const sizes = await Promise.all(
    addresses.map(
      async (address) => gzipSync(Buffer.from(await (await fetch(address)).arrayBuffer()), { level: 9 }).length,
    ),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}
