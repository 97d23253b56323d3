// The tab of speed, with a race that is too short to measure anything.
import {
  choose,
  click,
  clickText,
  dropFile,
  dropMade,
  focus,
  makeFile,
  press,
  settled,
  textOf,
  typeOver,
  until,
  untilText,
} from "./hands.mjs";
import { longestStall, MAX_STALL_MS } from "./heartbeat.mjs";

const BOX = "#panel-speed .input-box";
const ROUNDS = "#panel-speed select";
const WORK_MS = 1500;

const DATA = '[{"id":1,"name":"Ada","tags":["a"]},{"id":2,"name":"Zoe","tags":[]}]';

/** Looks at the tab, which it opens. `isWhole`: with large files too. */
export async function speedTab({ page }, expect, { browser, isWhole }) {
  const check = async (what, look, expected) =>
    expect(`${what}, in ${browser}`, await settled(page, look, expected), expected);
  await click(page, "#tab-speed");
  await until(page, () => document.querySelector("#speed-text")?.value.includes("int8"));
  await typeOver(page, "#speed-text", "[1,");
  await clickText(page, "#panel-speed", "Measure");
  await untilText(page, "#panel-speed .status", "This is not JSON");
  await typeOver(page, "#speed-text", DATA);
  await choose(page, ROUNDS, "5");
  await focus(page, "#panel-speed button.main");
  await press(page, "Enter");
  await untilText(page, "#panel-speed .status", "Done.");
  const tables = () =>
    [...document.querySelectorAll("table.speed")]
      .map((table) =>
        [...table.querySelectorAll("tbody tr")]
          .map(
            (row) =>
              `${row.querySelector("th").textContent.replace("\u200b", "")} ${row.querySelectorAll(".figure").length}`,
          )
          .join(),
      )
      .join("; ");
  const rows = "moonpack 2,msgpackr 1,@msgpack/msgpack 1,JSON 1";
  await check(
    "a race has one row for each library in each table, ours with its formats",
    tables,
    `${rows}; ${rows}; ${rows}`,
  );
  const figures = () =>
    [...document.querySelectorAll("table.speed")]
      .slice(0, 2)
      .flatMap((table) => [...table.querySelectorAll(".figure strong")])
      .every(({ textContent }) => /^[\d.,]+×$/.test(textContent.trim()));
  await check("with one number", figures, true);
  await check("that agrees with its bar", disagreements, "");
  const sizes = () =>
    [...document.querySelectorAll("table.speed")]
      .at(-1)
      .innerText.replace(/\s+/g, " ")
      .match(/moonpack .*? PCK|JSON JSON \d+/g)
      ?.join("; ");
  await check(
    "the last table has the sizes of the messages",
    sizes,
    `moonpack MessagePack 42 PCK; JSON JSON ${DATA.length - 3}`,
  );
  await clickText(page, "#panel-speed", "Times, spreads, and how each codec is used");
  const times = () =>
    [...document.querySelectorAll(".measured tbody td:nth-child(2)")].filter(({ textContent }) =>
      /^[\d.,]+ (?:ns|µs|ms)[\d.,]+–[\d.,]+ (?:ns|µs|ms)$/.test(textContent.trim()),
    ).length;
  await check("times and their spreads can be opened", times, 5);
  await clickText(page, "#panel-speed", "Times, spreads, and how each codec is used");
  const note = await textOf(page, "#panel-speed .note");
  expect(
    `it says which browser measures, and how coarse its clock is, in ${browser}`,
    new RegExp(
      `Medians of 5 rounds in ${browser === "firefox" ? "Firefox" : "Chromium"} \\d+.*in steps of [\\d.]+ [µm]s`,
    ).test(note) || note,
    true,
  );
  await mixed(page, expect, browser);
  await files(page, expect, browser);
  if (isWhole) await large(page, expect, browser);
  await choose(page, ROUNDS, "5");
  // Figures of all codecs for what is looked at next.
  await typeOver(page, "#speed-text", DATA);
  await clickText(page, "#panel-speed", "Measure");
  await untilText(page, "#panel-speed .status", "Done.");
}

/** Bars whose length is not in proportion to their number, by more than rounding. Runs in the page. */
const disagreements = () =>
  [...document.querySelectorAll("table.speed")]
    .flatMap((table) => {
      const lines = [...table.querySelectorAll(".figure")].map((line) => ({
        figure: Number.parseFloat(line.querySelector("strong").textContent.replaceAll(",", "")),
        width: line.querySelector(".length").getBoundingClientRect().width,
        track: line.querySelector(".track").getBoundingClientRect().width,
      }));
      const most = Math.max(...lines.map(({ figure }) => figure));
      return lines.filter(({ figure, width, track }) => Math.abs(width / track - figure / most) > 0.02);
    })
    .map(({ figure, width, track }) => `${figure}: ${width} of ${track}`)
    .join();

/** Data that PCK has no form for, and a race that is stopped. */
async function mixed(page, expect, browser) {
  // Long enough to be stopped.
  await choose(page, ROUNDS, "50");
  await typeOver(page, "#speed-text", '{"a":[1,"x",null,12345678901234567890]}');
  await clickText(page, "#panel-speed", "Measure");
  await untilText(page, "#panel-speed p.fault", "moonpack, PCK is not measured");
  await clickText(page, "#panel-speed", "Stop");
  await untilText(page, "#panel-speed .status", "Stopped");
  const kept = await page.evaluate(() => document.querySelectorAll("table.speed .figure").length);
  expect(`the figures of a race that was stopped stay, except for PCK, in ${browser}`, kept, 12);
}

/** Files that are dropped, and messages of ours. */
async function files(page, expect, browser) {
  const shown = () => document.querySelector("#speed-text").value;
  await dropFile(page, "h1", "a.json", (text) => text, '{"dropped":1}');
  expect(
    `a file that is dropped is shown, in ${browser}`,
    await settled(page, shown, '{"dropped":1}'),
    '{"dropped":1}',
  );
  await clickText(page, BOX, "500 news stories");
  await until(page, () => document.querySelector("#speed-text").placeholder === "Read: 500 news stories");
  await clickText(page, BOX, "Restore the previous input");
  expect(`an example can be undone, in ${browser}`, await settled(page, shown, '{"dropped":1}'), '{"dropped":1}');
  await page.reload();
  await until(page, () => document.querySelector("#speed-text") !== null);
  expect(`a reload keeps the messages, in ${browser}`, await settled(page, shown, '{"dropped":1}'), '{"dropped":1}');
  await typeOver(page, "#speed-text", " ");
  await press(page, "Backspace");
  await page.reload();
  // The same input is kept of a page that was left before our messages were loaded.
  const isOurs = () => document.querySelector("#speed-text").value.includes("int8");
  expect(`without messages the tab begins with ours, in ${browser}`, await settled(page, isOurs, true), true);
  await clickText(page, BOX, "500 news stories");
  await until(page, () => document.querySelector("#speed-text").placeholder === "Read: 500 news stories");
  await dropFile(page, BOX, "a.bin", () => new Uint8Array([0xff, 0xff, 0xc1]));
  await untilText(page, `${BOX} [role=alert]`, "neither UTF-8 nor UTF-16");
  await dropFile(page, BOX, "large.json", () => Array(11).fill(new Uint8Array(1024 * 1024)));
  await untilText(page, `${BOX} [role=alert]`, "a page measures up to 10 MB");
}

/** Large messages hold up nothing: they are read, checked and measured by workers. */
async function large(page, expect, browser) {
  for (const [name, make, n] of [
    ["9 MB of objects", objects, 110_000],
    ["9 MB of one string", (count) => ['{"a":"', "x".repeat(count), '"}'], 9_000_000],
  ]) {
    await makeFile(page, name, make, n);
    const stall = await longestStall(page, async () => {
      await dropMade(page, BOX);
      await until(page, (read) => document.querySelector("#speed-text").placeholder === `Read: ${read}`, name);
      await clickText(page, "#panel-speed", "Measure");
      await new Promise((resolve) => setTimeout(resolve, WORK_MS));
      await clickText(page, "#panel-speed", "Stop");
      await untilText(page, "#panel-speed .status", "Stopped");
    });
    console.log(`site: a race with ${name}: ${browser} is held up for ${stall} ms at most`);
    expect(`a race with ${name} does not hold up ${browser}`, stall <= MAX_STALL_MS || stall, true);
  }
  await makeFile(page, "nested", (count) => ["[".repeat(count), "]".repeat(count)], 100_000);
  await dropMade(page, BOX);
  await until(page, () => document.querySelector("#speed-text").placeholder === "Read: nested");
  await clickText(page, "#panel-speed", "Measure");
  await untilText(page, "#panel-speed .status", "nested too deep");
}

function objects(n) {
  const one = (_, id) => ({ id, name: `name ${id}`, tags: ["a", "b"], at: { x: id / 3, y: 2 } });
  return JSON.stringify(Array.from({ length: n }, one));
}
