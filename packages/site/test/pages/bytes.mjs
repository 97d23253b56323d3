// The tab of bytes and values, by clicks and keys.
import {
  catchFiles,
  choose,
  click,
  clickText,
  focus,
  hover,
  pasteOver,
  press,
  settled,
  typeOver,
  until,
  untilText,
} from "./hands.mjs";

const JSON_TEXT = '{"a":[1,"x"],"b":true}';
/** The status of JSON_TEXT, whose bytes are 82 a1 61 92 01 a1 78 a1 62 c3. */
const FOUND = "MessagePack, 10 bytes, 7 items.";

/** The highlighted parts: rows by their label and meaning, bytes by their offsets. */
const lit = () => {
  const text = (one) => one?.textContent ?? "";
  const rows = [...document.querySelectorAll(".tree .row.lit")].map(
    (row) => `${text(row.querySelector(".label"))}=${text(row.querySelector(".meaning"))}`,
  );
  // The background of a row: colors of a key, of the value's own bytes, and of what is inside of it, each from one share to another.
  const kinds = { "picture-bits": "k", "picture-fixed": "o", "vp-c-brand-soft": "i" };
  const bytes = [...document.querySelectorAll(".hex .line")].flatMap((line) => {
    const light = line.style.getPropertyValue("--light");
    const parts = [...light.matchAll(/var\(--([a-z-]+)\) ([\d.]+)% ([\d.]+)%/g)];
    const columns = Number(getComputedStyle(line).getPropertyValue("--columns"));
    return [...line.querySelectorAll(".digits [data-at]")].flatMap(({ dataset }, index) => {
      const share = ((index + 0.5) / columns) * 100;
      return parts
        .filter(([, , start, end]) => Number(start) < share && share < Number(end))
        .map(([, color]) => dataset.at + kinds[color]);
    });
  });
  return `${rows.join()} ${bytes.join(" ")}`;
};

/** The details of the item. */
const detail = () =>
  [...document.querySelectorAll(".detail div")]
    .map((one) => [one.querySelector("dt"), one.querySelector("dd")].map((part) => part?.textContent.trim()).join(" "))
    .join(", ");

const rows = () => [...document.querySelectorAll(".tree .row .meaning")].map(({ textContent }) => textContent).join();
const status = () => document.querySelector("#panel-bytes .status").textContent.replace(/\s+/g, " ").trim();

/** Looks at the tab, which is open. */
export async function bytesTab({ page }, expect, browser) {
  const check = async (what, look, expected) =>
    expect(`${what}, in ${browser}`, await settled(page, look, expected), expected);
  await typeOver(page, "#input-text", JSON_TEXT);
  await check("typed JSON becomes bytes", status, `From JSON: ${FOUND} Valid.`);
  await check("and a tree", rows, 'map of 2,array of 2,1,"x",true');
  await lights(page, check);
  await copies(page, check);
  await switches(page, check);
  await formats(page, check);
}

async function lights(page, check) {
  await hover(page, ".tree .row:nth-of-type(3)");
  await check("a value under the pointer lights up its byte", lit, "[0]=1 4o");
  await check("and says what it is", detail, "Path $.a[0], Format positive fixint, Offset 4 (0x4), 1 byte, Meaning 1");
  await hover(page, ".hex .digits [data-at='6']");
  await check("a byte under the pointer lights up its value", lit, '[1]="x" 5o 6o');
  await check("and says what it is", detail, 'Path $.a[1], Format fixstr, Offset 5 (0x5), 2 bytes, Meaning "x"');
  await page.mouse.move(2, 2);
  await focus(page, ".tree");
  await press(page, "Home", "ArrowDown");
  await check("the arrow keys in the tree light up bytes", lit, "a=array of 2 1k 2k 3o 4i 5i 6i");
  await press(page, "ArrowLeft");
  await check("and close what is open", rows, "map of 2,array of 2,true");
  await focus(page, ".hex");
  await press(page, "Control+Home", "End");
  await check("the arrow keys in the bytes light up values", lit, "b=true 7k 8k 9o");
  await press(page, "ArrowLeft", "ArrowLeft", "ArrowLeft");
  await check("and open what is closed", lit, '[1]="x" 5o 6o');
}

const savedFile = () => globalThis.saved.at(-1);

/** Reads something else. */
async function other(page) {
  await typeOver(page, "#input-text", "c0");
  await untilText(page, "#panel-bytes .status", "1 byte, 1 item");
}

async function copies(page, check) {
  const said = () => document.querySelector(".copies [role=status]").textContent;
  for (const [form, size] of [
    ["hex", 29],
    ["base64", 16],
  ]) {
    await choose(page, ".copies label:nth-of-type(2) select", form);
    await clickText(page, ".copies", "Copy");
    await check(`copies as ${form}`, said, `Copied ${size} bytes.`);
    await other(page);
    await pasteOver(page, "#input-text");
    await check(`which is read when it is pasted`, status, `${FOUND} Valid.`);
  }
  for (const form of ["json", "typed"]) {
    await choose(page, ".copies label:nth-of-type(2) select", form);
    await clickText(page, ".copies", "Copy");
    await until(page, () => document.querySelector(".copies [role=status]").textContent.startsWith("Copied"));
    await other(page);
    await pasteOver(page, "#input-text");
    await check(`what was copied as ${form} is read`, status, `From JSON: ${FOUND} Valid.`);
  }
  await page.evaluate(catchFiles);
  await clickText(page, ".copies", "Save the bytes");
  await check("saves the bytes", savedFile, "data.msgpack: 82 a1 61 92 1 a1 78 a1 62 c3");
  await click(page, ".tree .row:nth-of-type(2)");
  await choose(page, ".copies label:nth-of-type(1) select", "chosen");
  await clickText(page, ".copies", "Save the bytes");
  await check("saves the bytes of a value", savedFile, "data.msgpack: 92 1 a1 78");
  await choose(page, ".copies label:nth-of-type(2) select", "json");
  await clickText(page, ".copies", "Save as a file");
  await check(
    "saves a value as JSON",
    savedFile,
    `data.json: ${[...Buffer.from('[\n  1,\n  "x"\n]')].map((byte) => byte.toString(16)).join(" ")}`,
  );
  await choose(page, ".copies label:nth-of-type(1) select", "all");
}

async function switches(page, check) {
  await typeOver(page, "#input-text", "93 01 cc 01 c1");
  await check(
    "broken bytes are shown up to the break",
    rows,
    "array of 3,1,1,0xc1 is not a valid first byte (at byte 4)",
  );
  await check(
    "with the reason",
    status,
    "MessagePack, 5 bytes, 4 items. ERR_INVALID_BYTE: 0xc1 is not a valid first byte (at byte 4)",
  );
  await check("at its place", () => document.querySelector(".hex .digits .fault")?.dataset.at, "4");
  await typeOver(page, "#input-text", "92 01 cc 01");
  await check("bytes that are not the shortest are read", status, "MessagePack, 4 bytes, 3 items. Valid.");
  await click(page, ".options summary");
  await clickText(page, ".options", "strict");
  await until(page, () => document.querySelector(".options summary").textContent.includes("(changed)"));
  await until(page, () => document.querySelector("#panel-bytes .status").textContent.includes("ERR_NOT_SHORTEST"));
  await check(
    "but not by a strict decoder",
    () => /ERR_\w+/.exec(document.querySelector("#panel-bytes .status").textContent)?.[0],
    "ERR_NOT_SHORTEST",
  );
  await clickText(page, ".options", "strict");
  await click(page, ".options summary");
  await typeOver(page, "#input-text", "01 02 a1 61");
  await check(
    "bytes after a message are reported",
    () => /ERR_\w+/.exec(document.querySelector("#panel-bytes .status").textContent)?.[0],
    "ERR_TRAILING_BYTES",
  );
  await clickText(page, "#panel-bytes", "multiple messages");
  await check("or are messages", rows, '1,2,"a"');
  await clickText(page, "#panel-bytes", "multiple messages");
}

async function formats(page, check) {
  await clickText(page, "#panel-bytes .examples", "PCK");
  await untilText(page, "#panel-bytes .status", "PCK container");
  await hover(page, ".tree .row:nth-of-type(5)");
  await check(
    "a PCK container explains itself",
    () =>
      document.querySelectorAll(".detail dd")[1].textContent.trim() !== "" &&
      /^\$\[0\]/.test(document.querySelector(".detail dd").textContent.trim()),
    true,
  );
  await clickText(page, "#panel-bytes .examples", "Protobuf");
  await untilText(page, "#panel-bytes .status", "Protobuf without its schema");
  await hover(page, ".tree .row:nth-of-type(2)");
  await check(
    "Protobuf without its schema has numbers and guesses",
    detail,
    "Path $.1, Format varint, Offset 0 (0x0), 3 bytes, Meaning 150, or sint 75",
  );
  await clickText(page, "#panel-bytes .examples", "JSON");
  await untilText(page, "#panel-bytes .status", "From JSON");
  await click(page, ".size-map + details summary");
  await check(
    "the picture of sizes has a rectangle for each path, and so has its table",
    () =>
      `${document.querySelectorAll(".size-map .box").length} ${document.querySelectorAll("#panel-bytes tbody tr").length}`,
    "11 11",
  );
  await click(page, ".size-map + details summary");
}
