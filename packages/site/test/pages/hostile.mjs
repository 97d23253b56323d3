// Files that would hold up or end a page that trusts them. It is measured how long the page does not answer.
import { clickText, dropMade, focus, hover, makeFile, press, settled, typeOver, until, untilText } from "./hands.mjs";
import { longestStall, MAX_STALL_MS } from "./heartbeat.mjs";

const MEGA = 1024 * 1024;
/** How long a reader waits before stopping. */
const WORK_MS = 1500;
const isRead = () =>
  document.querySelector("#panel-bytes .status progress") === null &&
  document.querySelector("#panel-bytes .status").textContent.trim() !== "" &&
  document.querySelector("#input-text").placeholder !== "";

/** Files by name; `make` runs in the page. The page must show `says`; files with `isLarge` are left to whole runs. */
const FILES = [
  {
    name: "72 KB of arrays",
    make: (n) => new Uint8Array(n).map((_, i) => (i % 3 ? 0xff : 0xdc)),
    n: 72_000,
    says: "ERR_LIMIT_DEPTH",
  },
  { name: "100,000 nested arrays", make: (n) => new Uint8Array(n).fill(0x91), n: 100_000, says: "ERR_LIMIT_DEPTH" },
  {
    name: "100,000 nested arrays of JSON",
    make: (n) => ["[".repeat(n), "]".repeat(n)],
    n: 100_000,
    says: "ERR_LIMIT_DEPTH",
  },
  { name: "a map with 20,000 keys", make: wideMap, n: 20_000, says: "MessagePack" },
  {
    name: "2,000 paths of one size",
    make: (n) =>
      JSON.stringify(
        Array.from({ length: 4 }, () => Object.fromEntries(Array.from({ length: n }, (_, i) => [`k${i}`, { a: i }]))),
      ),
    n: 500,
    says: "MessagePack",
  },
  { name: "40 MB of one string", make: longString, n: 40 * MEGA, says: "MessagePack", isLarge: true },
  { name: "40 MB of one key", make: longKey, n: 40 * MEGA, says: "MessagePack", isLarge: true },
  {
    name: "40 MB of one string of JSON",
    make: (n) => ['{"a":"', "x".repeat(n), '"}'],
    n: 40 * MEGA,
    says: "MessagePack",
    isLarge: true,
  },
  { name: "50 MB of random bytes", make: randomBytes, n: 50 * MEGA, says: "MessagePack", isLarge: true },
  { name: "1 MB of random numbers in lists", make: randomLists, n: MEGA, says: "MessagePack", isLarge: true },
  { name: "300,000 numbers", make: numbers, n: 300_000, says: "300,001 items", isLarge: true },
];

function wideMap(n) {
  return JSON.stringify(Object.fromEntries(Array.from({ length: n }, (_, index) => [`key ${index}`, index])));
}

function longString(n) {
  const bytes = new Uint8Array(n + 5).fill(0x61);
  new DataView(bytes.buffer).setUint32(1, n);
  bytes[0] = 0xdb;
  return bytes;
}

function longKey(n) {
  const bytes = new Uint8Array(n + 7).fill(0x61);
  new DataView(bytes.buffer).setUint32(2, n);
  bytes[0] = 0x81;
  bytes[1] = 0xdb;
  bytes[n + 6] = 1;
  return bytes;
}

function randomBytes(n) {
  const bytes = new Uint8Array(n);
  for (let at = 0; at < n; at += 65_536) crypto.getRandomValues(bytes.subarray(at, at + 65_536));
  return bytes;
}

/** Random values that are not broken at once: lists of floats and small numbers. */
function randomLists(n) {
  const bytes = new Uint8Array(n).map(() => Math.random() * 128);
  new DataView(bytes.buffer).setUint32(1, n - 5);
  bytes[0] = 0xdd;
  for (let at = 5; at + 9 < n; at += 64) bytes[at] = 0x9f;
  return bytes;
}

function numbers(n) {
  const bytes = new Uint8Array(n + 5).fill(7);
  new DataView(bytes.buffer).setUint32(1, n);
  bytes[0] = 0xdd;
  return bytes;
}

/** Drops the files on the tab of bytes, which is open. `isWhole`: the large ones too. */
export async function hostileFiles({ page }, expect, { browser, isWhole }) {
  for (const { name, make, n, says, isLarge = false } of FILES) {
    if (isLarge && !isWhole) continue;
    await makeFile(page, name, make, n);
    const stall = await longestStall(page, async () => {
      await typeOver(page, "#input-text", "5");
      await untilText(page, "#panel-bytes .status", "1 byte, 1 item");
      await dropMade(page, ".input-box");
      await until(page, isRead);
      await use(page);
    });
    console.log(`site: ${name}: ${browser} is held up for ${stall} ms at most`);
    expect(`${name} do not hold up ${browser} for more than ${MAX_STALL_MS} ms`, stall <= MAX_STALL_MS || stall, true);
    const saysSo = (part) => {
      const { textContent } = document.querySelector("#panel-bytes .status");
      return textContent.includes(part) || textContent;
    };
    expect(`${name}: ${browser} says what they are`, await settled(page, saysSo, true, says), true);
  }
  await reusedRows(page, expect, browser);
  if (isWhole) await stopped(page, expect, browser);
}

/** A jump shows other bytes in the same elements. The last file fills more rows than are in view. */
async function reusedRows(page, expect, browser) {
  const firstRow = () => document.querySelector(".hex .line").getAttribute("aria-rowindex");
  await focus(page, ".hex");
  await press(page, "Control+Home");
  expect(`the first bytes are in view, in ${browser}`, await settled(page, firstRow, "1"), "1");
  await page.evaluate(() => {
    for (const line of document.querySelectorAll(".hex .line")) line.dataset.before = "";
  });
  await press(page, "Control+End");
  await until(page, () => document.querySelector(".hex .line").getAttribute("aria-rowindex") !== "1");
  const added = await page.evaluate(() => document.querySelectorAll(".hex .line:not([data-before])").length);
  // The numbers of rows may differ by one, since an edge can cut two of them.
  expect(`a jump reuses the elements of rows, in ${browser}`, added <= 1 || added, true);
}

/** To the ends of the tree and of the bytes, by keys and by the pointer. */
async function use(page) {
  if (!(await page.evaluate(() => document.querySelector(".tree .row") !== null))) return;
  await focus(page, ".tree");
  await press(page, "End", "ArrowUp", "Home", "ArrowDown", "ArrowRight");
  await focus(page, ".hex");
  await press(page, "Control+End", "PageUp", "Control+Home");
  await hover(page, ".hex .digits [data-at='0']");
}

/** Work that takes minutes holds up nothing, and ends when the reader says so. */
async function stopped(page, expect, browser) {
  for (const [name, make, n] of [
    ["50,000,000 numbers", numbers, 50_000_000],
    // The parser of integers of 17 digits cannot be interrupted.
    ["long numbers.json", (count) => ["[1", ",12345678901234567".repeat(count), "]"], 2_700_000],
  ]) {
    await makeFile(page, name, make, n);
    const said = () => document.querySelector("#panel-bytes .status").textContent.trim();
    const stall = await longestStall(page, async () => {
      await dropMade(page, ".input-box");
      await until(page, () => document.querySelector("#panel-bytes .status progress") !== null);
      await new Promise((resolve) => setTimeout(resolve, WORK_MS));
      await clickText(page, "#panel-bytes .status", "Stop");
      await settled(page, said, "Stopped.");
    });
    expect(`${name}: reading stops, in ${browser}`, await page.evaluate(said), "Stopped.");
    console.log(`site: ${name}: ${browser} is held up for ${stall} ms at most`);
    expect(`${name} do not hold up ${browser} for more than ${MAX_STALL_MS} ms`, stall <= MAX_STALL_MS || stall, true);
  }
  await typeOver(page, "#input-text", "[1]");
  await untilText(page, "#panel-bytes .status", "2 bytes, 2 items");
}
