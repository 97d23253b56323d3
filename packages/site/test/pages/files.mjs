// Files of the kinds that readers drop, also by mistake.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { dropFile, settled, typeOver, untilText } from "./hands.mjs";

const status = () => document.querySelector("#panel-bytes .status").textContent.replace(/\s+/g, " ").trim();
const PNG = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0x0d, 0x49, 0x48, 0x44, 0x52];

/** Content of each kind, as bytes, and what is said of it. */
const KINDS = [
  { name: "a.json", bytes: text('{"a":1}'), says: /^From JSON: MessagePack, 4 bytes, 3 items/ },
  { name: "a.ndjson", bytes: text('{"a":1}\n[2]\n'), says: /^From lines of JSON: MessagePack, 6 bytes, 5 items/ },
  { name: "hex.txt", bytes: text("81 a1 61 01"), says: /^MessagePack, 4 bytes, 3 items/ },
  { name: "json in UTF-16", bytes: utf16('\ufeff{"a":"é"}'), says: /^From JSON: MessagePack, 6 bytes/ },
  { name: "text in UTF-16.txt", bytes: utf16("\ufeffgaFhAQ=="), says: /^MessagePack, 4 bytes, 3 items/ },
  { name: "words in UTF-16", bytes: utf16("\ufeffhello"), says: /looks like text in UTF-16.*ERR_TRAILING_BYTES/ },
  { name: "a picture.png", bytes: PNG, says: /^This looks like a PNG picture\..*ERR_/ },
  {
    name: "gzip.gz",
    bytes: [0x1f, 0x8b, 8, 0, 0, 0, 0, 0],
    says: /^This looks like data in gzip: decompress them first/,
  },
  { name: "nothing", bytes: [], says: /^ERR_TRUNCATED: the file is empty/ },
  { name: "broken.json", bytes: text('{"a":'), says: /JSON/ },
  { name: "no text.json", bytes: [0xff, 0xff, 0xc1], says: /neither UTF-8 nor UTF-16/ },
];

/** Drops files on the tab of bytes, which is open, and chooses one. */
export async function filesOfPlayground({ page }, expect, browser) {
  for (const { name, bytes, says } of KINDS) {
    await typeOver(page, "#input-text", "5");
    await untilText(page, "#panel-bytes .status", "1 byte, 1 item");
    await dropFile(page, ".input-box", name, (list) => new Uint8Array(list), bytes);
    const said = await settled(
      page,
      (source) => {
        const seen = document.querySelector("#panel-bytes .status").textContent.replace(/\s+/g, " ").trim();
        return seen.match(source) === null ? seen : "as expected";
      },
      "as expected",
      says.source,
    );
    expect(`${name}, dropped, in ${browser}`, said, "as expected");
  }
  await chosen(page, expect, browser);
  await dropFile(page, ".input-box", "it's large.bin", () => Array(51).fill(new Uint8Array(1024 * 1024)));
  await untilText(page, ".input-box [role=alert]", "51 MB");
  const excuse = await page.evaluate(() => document.querySelector(".input-box [role=alert]").textContent);
  expect(
    `51 MB are left to the command line, in ${browser}`,
    excuse.includes("npx @moonpack/cli inspect 'it'\\''s large.bin'"),
    true,
  );
}

/** A file of the disk, by the button. */
async function chosen(page, expect, browser) {
  const folder = mkdtempSync(join(tmpdir(), "moonpack-site-"));
  const file = join(folder, "data.msgpack");
  try {
    writeFileSync(file, Uint8Array.of(0x92, 1, 2));
    const input = await page.$(".input-box input[type=file]");
    await (input.setInputFiles?.(file) ?? input.uploadFile(file));
    expect(
      `a file that is chosen is read, in ${browser}`,
      await settled(page, status, "MessagePack, 3 bytes, 3 items. Valid."),
      "MessagePack, 3 bytes, 3 items. Valid.",
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function text(content) {
  return [...new TextEncoder().encode(content)];
}

function utf16(content) {
  return [...Buffer.from(content, "utf16le")];
}
