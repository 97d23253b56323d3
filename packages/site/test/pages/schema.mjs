// The tab of schemas, by clicks and keys.
import { randomBytes } from "node:crypto";
import { axeFaults, openPage, overflow } from "../visit.mjs";
import {
  catchFiles,
  choose,
  click,
  clickText,
  dropFile,
  dropMade,
  focus,
  makeFile,
  pasteOver,
  press,
  resize,
  settled,
  textOf,
  typeOver,
  until,
  untilText,
} from "./hands.mjs";
import { longestStall, MAX_STALL_MS } from "./heartbeat.mjs";

const DESKTOP = { width: 1280, height: 900 };
const PHONE = { width: 360, height: 740 };
const SIZES = [
  { width: 1440, height: 900 },
  { width: 1024, height: 768 },
  { width: 390, height: 844 },
];
const EDITOR = ".schema-editor .cm-content";
const STATUS = ".schema-status";
const PLAYER = 'import { schema, u8 } from "@moonpack/pck";\nexport const Player = schema("Player", u8("level"));';

/** Looks at the tab in Chromium, with its accessibility and on a phone. */
export async function schemaInChromium(context, url, expect) {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const visit = await opened(context, url);
  await tab(visit, url, expect, "Chromium");
  await pasted(visit, expect);
  await copied(visit, expect);
  await accessible(visit, expect, "light", DESKTOP);
  await accessible(visit, expect, "dark", PHONE);
  expect("the tab of schemas is not wider than a phone", await visit.page.evaluate(overflow), 0);
  expect("no complaint in the tab of schemas, in Chromium", visit.faults.join("\n"), "");
  await visit.page.close();
}

/** Looks at the tab in Firefox. */
export async function schemaInFirefox(browser, url, expect) {
  const visit = await opened(browser, url);
  await tab(visit, url, expect, "Firefox");
  expect("no complaint in the tab of schemas, in Firefox", visit.faults.join("\n"), "");
  await visit.page.close();
}

async function opened(browser, url) {
  const visit = await openPage(browser);
  await resize(visit.page, DESKTOP);
  await visit.page.goto(`${url}playground.html#schema`);
  await until(visit.page, (where) => document.querySelector(where) !== null, EDITOR);
  return visit;
}

async function tab({ page }, url, expect, browser) {
  const check = async (what, look, expected, argument) =>
    expect(`${what}, in ${browser}`, await settled(page, look, expected, argument), expected);
  await first(page, check, expect, browser);
  await typed(page, check);
  await keys(page, check);
  await inferred(page, check);
  await convertedSamples(page, check);
  await compared(page, check);
  await linked(page, url, check, expect, browser);
  await hostile(page, expect, browser);
}

const text = (where) => document.querySelector(where)?.textContent?.replace(/\s+/g, " ").trim();
/** The text of an editor, from the lines that are in view. */
const code = (where) => [...document.querySelectorAll(`${where} .cm-line`)].map((one) => one.textContent).join("\n");
const column = (number) =>
  [...document.querySelectorAll(`.sizes tbody tr`)].map((row) => row.children[number].textContent.trim()).join();

/** Sizes and samples are in the window before anything is scrolled, the samples first. */
const opening = () => {
  const [sizes, samples, schema] = [".sizes h2", ".samples-text", ".schema-editor"].map((where) =>
    document.querySelector(where).getBoundingClientRect(),
  );
  const isFirst = samples.top < schema.top || samples.left < schema.left;
  return `${sizes.bottom <= innerHeight} ${sizes.bottom <= samples.top} ${isFirst}`;
};

async function first(page, check, expect, browser) {
  await check("an example is there", text, "The message is Order.", `${STATUS} .chosen > span:first-child`);
  await check("with sizes", column, "483,340,91", 1);
  const headline = "These 5 samples: 483 bytes of JSON, 91 with the schema (19 %)";
  await check("which are said first", text, headline, ".sizes h2");
  for (const size of [...SIZES, DESKTOP]) {
    await resize(page, size);
    expect(
      `the tab opens on sizes, then samples, at ${size.width} in ${browser}`,
      await settled(page, opening, "true true true"),
      "true true true",
    );
  }
  await check("with code", text, "order.ts", ".emitted .bar code");
  await check("and with what a change breaks", text, "Something breaks: see each “no”.", ".compare [role=status]");
  const where = () => [...document.querySelectorAll(".changes tbody code")].map((one) => one.textContent).join();
  await check("at each place", where, "Order.state,Order.note,Item.price");
}

async function typed(page, check) {
  await typeOver(page, EDITOR, PLAYER);
  await check("a typed schema is read", text, "The message is Player.", `${STATUS} .chosen > span:first-child`);
  await check("and code made of it", text, "player.ts", ".emitted .bar code");
  const unfit = () =>
    /^Sample 1 does not fit the schema\. ERR_\w+: /.test(document.querySelector(".sizes .fault")?.textContent.trim());
  await check("samples that do not fit are reported", unfit, true);
  await clickText(page, ".emitted", "Go");
  await check("in Go too", text, "pck.gopck_runtime.go", ".emitted .examples");
  const inGo = () => document.querySelector(".emitted .cm-content").textContent.includes("package player");
  await check("with its package", inGo, true);
  await clickText(page, ".emitted", "Schema as JSON");
  const inJson = () => document.querySelector(".emitted .cm-content").textContent.includes('"root": "Player"');
  await check("and as a document", inJson, true);
  await typeOver(page, EDITOR, PLAYER.replace("level", "le\u202evel"));
  const special = () => document.querySelector(".schema-editor .cm-specialChar")?.textContent;
  await check("a mark of direction is shown as an escape", special, "\\u202e");
  const inCode = () => document.querySelector(".emitted .cm-specialChar")?.textContent;
  await check("in the code too", inCode, "\\u202e");
  await typeOver(page, EDITOR, PLAYER);
  await check("the schema is read again", text, "The message is Player.", `${STATUS} .chosen > span:first-child`);
  await focus(page, EDITOR);
  await press(page, "Control+End", "ArrowLeft", "ArrowLeft");
  await page.keyboard.type(', u8("level")');
  const place = `${STATUS} .faults li`;
  await check(
    "an error has its line",
    text,
    'Line 2, column 23ERR_SCHEMA: Player: the name "level" is used twice',
    place,
  );
  const marked = () => document.querySelector(".schema-editor .cm-lintRange-error")?.textContent;
  await check("and is marked", marked, 'schema("Player", u8("level"), u8("level"))');
  await check(
    "what is shown is that before the error",
    text,
    "Shown for the last schema without errors.",
    ".emitted .note",
  );
  await click(page, `${place} button`);
  await check("a click leads to it", () => document.activeElement.className.includes("cm-content"), true);
  await typeOver(page, EDITOR, "const a = [].constructor.constructor('return 1')();");
  const refused =
    "Line 1, column 11The playground evaluates only constants that are made of literals and of calls of @moonpack/pck, not the property constructor of this value.";
  await check("code that is not a schema is refused", text, refused, place);
  await typeOver(page, EDITOR, '{"pck": 1, "root": "A", "structs": {"A": {"fields": []}}}');
  await check("a document is read", text, "The message is A.", `${STATUS} .chosen > span:first-child`);
}

async function keys(page, check) {
  const focused = () =>
    `${document.activeElement.tagName} ${document.activeElement.getAttribute("aria-label") ?? ""}`.trim();
  await focus(page, EDITOR);
  await press(page, "Control+End", "Tab");
  await check("Tab stays in the editor", focused, "DIV Schema");
  await press(page, "Escape", "Tab");
  await check("Escape and Tab leave it", () => document.activeElement.closest(".schema-editor") === null, true);
  await press(page, "Shift+Tab", "Escape", "Shift+Tab");
  await check("backwards too", () => document.activeElement.textContent.trim(), "all kinds of fields");
}

async function inferred(page, check) {
  await typeOver(page, ".samples-text", '{"id": 7, "name": "Ann"}\n{"id": 300, "name": "Zoë", "age": 9}\n');
  await check("samples are counted", text, "2 samples.", ".sample-status");
  await clickText(page, ".samples", "Make a schema of these samples");
  await check("a schema is inferred", text, "Sample", `${STATUS} strong`);
  const fields = () => {
    const seen = document.querySelector(".schema-editor .cm-content").textContent;
    return ['uvar("id")', 'utf8("name")', 'omitNull(uvar("age"))'].every((field) => seen.includes(field));
  };
  await check("with types that have room for larger values", fields, true);
  await check("and the sizes follow", column, "53,36,15", 1);
  await choose(page, ".samples select", "1");
  await clickText(page, ".samples", "Make a schema of these samples");
  const narrow = () => document.querySelector(".schema-editor .cm-content").textContent.includes('u8("age")');
  await check("without room, with the narrowest types", narrow, true);
  const older = () => document.querySelector(".older-editor .cm-content").textContent.includes('omitNull(uvar("age"))');
  await check("and what it changes in the last schema is shown", older, true);
  const narrower = () => [...document.querySelectorAll(".changes tbody code")].map((one) => one.textContent).join();
  await check("at each place of it", narrower, "Sample.age");
  await clickText(page, ".samples", "Restore the previous schema");
  await check("it can be taken back", text, "The message is Sample.", `${STATUS} .chosen > span:first-child`);
  await clickText(page, ".schema-view", "Restore the previous input");
  await clickText(page, ".schema-view", "Restore the previous input");
  await check("and so can the one before", text, "The message is A.", `${STATUS} .chosen > span:first-child`);
  const content = ['{"a": 1}\n{"a": "x"}\n{"b": true}\n'];
  await dropFile(page, ".samples", "some.ndjson", (parts) => parts, content);
  await check("a dropped file is read", text, "3 samples.", ".sample-status");
  await clickText(page, ".samples", "Make a schema of these samples");
  const problem = () =>
    document.querySelector(".samples .faults li")?.textContent.trim().startsWith("Not in the schema as it is: $.a: ");
  await check("values that no schema can hold are reported", problem, true);
  await typeOver(page, ".samples-text", '{"a": 1}\n{"a"');
  const broken = () => document.querySelector(".sample-status").textContent.trim().startsWith("Line 2 is not JSON: ");
  await check("invalid JSON is reported with its line", broken, true);
}

/** The samples as files of `moonpack convert`, and back. */
async function convertedSamples(page, check) {
  await clickText(page, ".schema-view .examples", "Orders");
  await check("the orders are read", column, "483,340,91", 1);
  await page.evaluate(catchFiles);
  const saved = () => globalThis.saved?.at(-1)?.split(" ").slice(0, 5).join(" ");
  await clickText(page, ".convert", "Save as a file");
  await check("a container is saved", saved, "samples.pck: 50 43 4b 1");
  const bytes = await page.evaluate(() => globalThis.saved.at(-1).split(": ")[1]);
  const content = bytes.split(" ").map((byte) => Number.parseInt(byte, 16));
  await typeOver(page, ".samples-text", "{}");
  await check("another sample is read", text, "1 sample.", ".sample-status");
  await dropFile(page, "h1", "orders.pck", (list) => new Uint8Array(list), content);
  await check("the container is read, wherever it is dropped", column, "519,358,91", 1);
  await typeOver(page, EDITOR, PLAYER);
  await check("whose schema", text, "The message is Player.", `${STATUS} .chosen > span:first-child`);
  await clickText(page, ".samples", "Take the schema of the container");
  await check("can be taken", () => document.querySelector(".schema-status select")?.value, "Order");
  await choose(page, ".convert select", "ndjson");
  await clickText(page, ".convert", "Save as a file");
  await check("as lines of JSON it is saved too", saved, "samples.ndjson: 7b 22 69 64");
}

async function compared(page, check) {
  await clickText(page, ".schema-view .examples", "Orders");
  await check("an example has its older schema", text, "Something breaks: see each “no”.", ".compare [role=status]");
  await focus(page, EDITOR);
  await press(page, "Control+End", "ArrowUp", "ArrowUp");
  await page.keyboard.type('  uvar("rank"),');
  const where = () => [...document.querySelectorAll(".changes tbody code")].map((one) => one.textContent).join();
  await check("a change is compared with the schema as it was", where, "Order.rank");
  await typeOver(page, EDITOR, PLAYER);
  await check("the schema is read again", text, "The message is Player.", `${STATUS} .chosen > span:first-child`);
  await clickText(page, ".compare", "Compare with the current schema from now on");
  await check(
    "the same schema has no changes",
    text,
    "no changes: bytes and values are the same",
    ".compare [role=status]",
  );
  await focus(page, ".older-editor .cm-content");
  await press(page, "Control+End");
  await page.keyboard.type(" const");
  const reported = () =>
    document.querySelector(".compare .faults li")?.textContent.trim().startsWith("Line 2, column ");
  await check("an error of the older schema is reported", reported, true);
  await press(page, "Control+z");
  await check("and undone", text, "no changes: bytes and values are the same", ".compare [role=status]");
}

async function linked(page, url, check, expect, browser) {
  await typeOver(page, ".samples-text", '{"level": 7}');
  await clickText(page, ".schema-view", "Copy a link to this input");
  await until(page, () => location.hash.startsWith("#schema=1."));
  const link = await page.evaluate(() => location.href);
  await clickText(page, ".schema-view .examples", "Orders");
  await check("an example is another input", text, "The message is Order.", `${STATUS} .chosen > span:first-child`);
  await page.goto("about:blank");
  await page.goto(link);
  await untilText(page, ".link-status", "Opened from the link.");
  await check("a link opens what was shared", code, PLAYER, ".schema-editor");
  await check("with the samples", () => document.querySelector(".samples-text").value, '{"level": 7}');
  await clickText(page, ".schema-view", "Restore the previous input");
  await check("and can be left", text, "The message is Order.", `${STATUS} .chosen > span:first-child`);
  await page.evaluate(
    (cut) => {
      location.hash = cut;
    },
    new URL(link).hash.slice(0, -9),
  );
  const says =
    "This link is not complete: a part of it was cut off or changed on its way. Copy it again. Your input is unchanged.";
  await check("a link that was cut says so", text, says, ".link-status");
  expect(`and changes nothing, in ${browser}`, (await page.evaluate(code, ".schema-editor")).includes("Order"), true);
  expect(
    `the page is the same, in ${browser}`,
    (await page.evaluate(() => location.href)).startsWith(`${url}playground.html#schema=`),
    true,
  );
}

/** Input that would block or end a page without limits. */
async function hostile(page, expect, browser) {
  const said = { selector: `${STATUS} .faults li`, samples: ".sample-status" };
  for (const [name, make, argument, says] of [
    ["100,000 open brackets", (n) => "(".repeat(n), 100_000, "This is nested too deep."],
    ["100,000 open objects", (n) => `{"pck":${"[".repeat(n)}`, 100_000, "This is not JSON"],
    ["a list that doubles", doubling, 40, "more than 200,000 steps"],
    ["1 MB of text", (n) => "x".repeat(n), 1_000_000, "A schema may have 200,000 characters here."],
  ]) {
    await copyByKeys(page, make(argument));
    const stall = await longestStall(page, async () => {
      await typeOver(page, EDITOR, "y;");
      await untilText(page, said.selector, "y is not known here.");
      await pasteOver(page, EDITOR);
      await untilText(page, STATUS, says);
    });
    console.log(`site: ${name} as a schema: ${browser} is held up for ${stall} ms at most`);
    expect(
      `${name} as a schema do not hold up ${browser} for more than ${MAX_STALL_MS} ms`,
      stall <= MAX_STALL_MS || stall,
      true,
    );
  }
  await typeOver(page, EDITOR, PLAYER);
  await untilText(page, STATUS, "The message is Player.");
  for (const [name, make, argument, says] of [
    ["8 MB of samples", (n) => ['{"level":7}\n'.repeat(n)], 700_000, "700,000 samples; the first 100,000 are used."],
    ["100,000 nested samples", (n) => ["[".repeat(n)], 100_000, "This is not JSON"],
  ]) {
    await makeFile(page, "samples.ndjson", make, argument);
    const stall = await longestStall(page, async () => {
      await typeOver(page, ".samples-text", "{}");
      await untilText(page, said.samples, "1 sample.");
      await dropMade(page, ".samples");
      await untilText(page, said.samples, says);
    });
    console.log(`site: ${name}: ${browser} is held up for ${stall} ms at most`);
    expect(`${name} do not hold up ${browser} for more than ${MAX_STALL_MS} ms`, stall <= MAX_STALL_MS || stall, true);
  }
}

function doubling(count) {
  const lines = Array.from({ length: count }, (_, index) => `const a${index + 1} = [...a${index}, ...a${index}];`);
  return ["const a0 = [1, 2];", ...lines].join("\n");
}

/** Puts a text on the clipboard by keys, which every browser allows. */
async function copyByKeys(page, content) {
  await page.evaluate((value) => {
    const area = document.createElement("textarea");
    area.id = "copied-from";
    area.value = value;
    document.body.append(area);
    area.focus();
  }, content);
  await press(page, "Control+a", "Control+c");
  await page.evaluate(() => document.querySelector("#copied-from").remove());
}

/** The clipboard, both ways. */
async function pasted({ page }, expect) {
  await page.evaluate((content) => navigator.clipboard.writeText(content), PLAYER.replaceAll("Player", "Pasted"));
  await pasteOver(page, EDITOR);
  await untilText(page, STATUS, "The message is Pasted.");
  await page.evaluate((n) => navigator.clipboard.writeText('{"level": 7}\n'.repeat(n)), 20_000);
  await pasteOver(page, ".samples-text");
  await untilText(page, ".sample-status", "20,000 samples.");
  const aside = await page.evaluate(() => document.querySelector(".samples-text").placeholder);
  expect("much text that is pasted is not laid out", aside, "Read: the pasted text");
}

async function copied({ page }, expect) {
  const clipboard = () => page.evaluate(() => navigator.clipboard.readText());
  await clickText(page, ".emitted", "TypeScript");
  await untilText(page, ".emitted .bar code", "pasted.ts");
  await clickText(page, ".emitted", "Copy");
  await untilText(page, ".emitted", "Copied.");
  expect("code is copied whole", (await clipboard()).includes("export function decodePasted("), true);
  await typeOver(page, ".samples-text", '{"level": 7}');
  await untilText(page, ".sample-status", "1 sample.");
  await clickText(page, ".schema-view", "Copy a link to this input");
  await untilText(page, ".link-status", "The link is copied");
  expect("so is the link", await clipboard(), await page.evaluate(() => location.href));
  const random = randomBytes(45_000).toString("hex");
  await page.evaluate((content) => navigator.clipboard.writeText(JSON.stringify({ level: 7, note: content })), random);
  await pasteOver(page, ".samples-text");
  await untilText(page, ".sample-status", "1 sample.");
  await clickText(page, ".schema-view", "Copy a link to this input");
  await untilText(page, ".link-status", "This link would have");
  await clickText(page, ".schema-view", "Copy a link without the samples");
  await untilText(page, ".link-status", "The link is copied");
  const saved = page.waitForEvent("download");
  await clickText(page, ".emitted", "Save as a file");
  expect("code is saved under its name", (await saved).suggestedFilename(), "pasted.ts");
}

async function accessible({ page }, expect, colorScheme, size) {
  await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
  await resize(page, size);
  await typeOver(page, EDITOR, `${PLAYER} const x = y;`);
  await untilText(page, STATUS, "y is not known here");
  const found = await axeFaults(page, /./);
  expect(`axe finds nothing in the tab of schemas, ${colorScheme}, ${size.width} wide`, found.join("\n"), "");
  expect(`the editor has its name, ${colorScheme}`, await textOf(page, "#schema-title"), "Schema");
}
