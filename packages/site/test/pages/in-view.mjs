// A byte that is pointed at shows its meaning in the window, and has a name for screen readers.
import { clickText, dropFile, hover, resize, settled, typeOver, until, untilText } from "./hands.mjs";

const SIZES = [
  { width: 1440, height: 900 },
  { width: 1024, height: 768 },
  { width: 390, height: 844 },
  { width: 360, height: 740 },
];

/** A second without a row is a fault of the page, on any machine. */
const MAX_BLANK_MS = 1000;

/** The byte at an offset, and what is shown of it: whether both are in the window, neither covers the other. */
const seen = (at) => {
  const byte = document.querySelector(`.hex .digits [data-at='${at}']`);
  const detail = document.querySelector(".item-detail");
  const [box, shown] = [byte.getBoundingClientRect(), detail.getBoundingClientRect()];
  const topAt = ({ x, y, width, height }) => document.elementFromPoint(x + width / 2, y + height / 2);
  const top = topAt(box);
  const lit = detail.querySelector(".parts .lit");
  const isWhole =
    shown.top >= 0 && shown.bottom <= innerHeight + 1 && lit?.contains(topAt(lit.getBoundingClientRect()));
  return `${top === byte ? "byte" : "covered"}, ${isWhole ? "detail" : `detail at ${shown.top} to ${shown.bottom}`}: ${[...detail.querySelectorAll(".parts li")].map((one) => one.textContent.trim()).join(" ")}`;
};

/** Looks at the page at `url` in windows of four sizes. */
export async function inView(page, url, expect) {
  await page.goto(`${url}playground.html`);
  await untilText(page, "#panel-bytes .status", "MessagePack");
  await typeOver(page, "#input-text", '{"id":4711}');
  await untilText(page, "#panel-bytes .status", "7 bytes, 3 items");
  const both =
    "byte, detail: 101 00010 fixstr: text of 2 bytes 69 64 its text in UTF-8 cd uint 16 12 67 0x1267 = 18 × 256 + 103 = 4,711";
  for (const size of SIZES) {
    await resize(page, size);
    await page.evaluate(() => scrollTo(0, 0));
    if (size.width < 500) await page.evaluate(() => document.querySelector(".hex").scrollIntoView({ block: "center" }));
    const before = await page.evaluate(() => scrollY);
    await page.mouse.move(2, 2);
    await hover(page, ".hex .digits [data-at='5']");
    await untilText(page, ".item-detail", "4,711");
    expect(
      `a byte and its meaning are both in a window of ${size.width} pixels`,
      await settled(page, seen, both, 5),
      both,
    );
    expect(`and nothing scrolled at ${size.width}`, await page.evaluate(() => scrollY), before);
  }
  const name = await page.evaluate(() => document.querySelector(".hex [data-at='5']").getAttribute("aria-label"));
  expect("a byte says its value, its offset and its meaning", name, "12, offset 5, $.id, uint 16, 4711");
  await pckInView(page, expect);
  await deepRows(page, expect);
}

/** The bits of PCK are explained, too. */
async function pckInView(page, expect) {
  await clickText(page, "#panel-bytes .examples", "PCK");
  await untilText(page, "#panel-bytes .status", "PCK container");
  const row = await until(page, () => {
    const rows = [...document.querySelectorAll(".tree .row")];
    return rows.findIndex((one) => one.textContent.includes("bool bit")) + 1;
  });
  await hover(page, `.tree .row:nth-of-type(${row})`);
  const part = () => document.querySelector(".parts li")?.textContent.trim();
  expect(
    "a bit of PCK is explained",
    await settled(page, part, "00000011 bit 1 (0 is the right one) is 1: true"),
    "00000011 bit 1 (0 is the right one) is 1: true",
  );
}

/** A reader who scrolls through deep input sees rows all the time. */
async function deepRows(page, expect) {
  await resize(page, SIZES[0]);
  await dropFile(page, "h1", "deep.bin", (levels) => new Uint8Array(levels).fill(0x91), 513);
  await untilText(page, "#panel-bytes .status", "ERR_LIMIT_DEPTH");
  const blankMs = await page.evaluate(async () => {
    const tree = document.querySelector(".tree");
    tree.scrollIntoView({ block: "center" });
    const { x, y, width, height } = tree.getBoundingClientRect();
    let longest = 0;
    let seen = performance.now();
    for (let top = 0; top < tree.scrollHeight - height; top += 60) {
      tree.scrollTop = top;
      await new Promise(requestAnimationFrame);
      const now = performance.now();
      if (document.elementFromPoint(x + width / 2, y + height / 2)?.closest(".row") != null) seen = now;
      longest = Math.max(longest, now - seen);
    }
    return Math.round(longest);
  });
  console.log(`site: a tree of 513 levels is blank for ${blankMs} ms at most while it scrolls`);
  expect("deep input scrolls without blank seconds", blankMs < MAX_BLANK_MS || blankMs, true);
}
