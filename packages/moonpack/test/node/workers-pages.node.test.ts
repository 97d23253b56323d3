/** The promises of docs/workers.md for pages: bytes that move to a worker and back, in real browsers. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { withPages } from "@moonpack/tools/browser";
import { bundleForBrowsers } from "@moonpack/tools/browser-bundle";
import { runtimeFor } from "@moonpack/tools/runtimes";
import { expect, test } from "vitest";

const WORKER = `
import { Decoder, encodeOwned } from "moonpack";
const decoder = new Decoder({ binary: "view" });
onmessage = ({ data }) => {
  let answer;
  try {
    const { id, part } = decoder.decode(data);
    answer = { id, length: part.length, isView: part.buffer === data.buffer };
  } catch (error) {
    answer = { code: error.code };
  }
  const bytes = encodeOwned(answer);
  postMessage(bytes, [bytes.buffer]);
};
`;

const PAGE = `
import { codec, decode, Encoder, encode, encodeOwned, schema, utf8 } from "./moonpack.js";
const worker = new Worker("worker.js", { type: "module" });
const ask = (bytes) =>
  new Promise((resolve) => {
    worker.onmessage = ({ data }) => resolve(decode(data));
    worker.postMessage(bytes, [bytes.buffer]);
  });
const seen = [];

for (const size of [0, 10, 1000, 100_000]) {
  const bytes = encodeOwned({ id: size, part: new Uint8Array(size) });
  const answer = await ask(bytes);
  seen.push([answer.id, answer.length, answer.isView, bytes.length]);
}

// Codecs of PCK have it too; the worker says what it cannot read.
const Note = codec(schema("Note", utf8("text")));
const note = Note.encodeOwned({ text: "x".repeat(100) });
seen.push([(await ask(note)).code, note.length]);

// The encoder's own memory moves: its next call takes new memory.
const encoder = new Encoder();
await ask(encoder.encodeShared({ id: 1, part: new Uint8Array(100) }));
seen.push(decode(encoder.encode({ after: 1 })).after);

// A cut of a slab takes the others with it, where results are cuts of slabs: then they are empty, and decoding one says so.
const value = { text: "y".repeat(500) };
const results = Array.from({ length: 3 }, () => encode(value));
const isShared = results[0].buffer === results[1].buffer;
await ask(results[0]);
const [length, outcome] = [results[1].length, (() => { try { return decode(results[1]).text.length; } catch (error) { return error.code; } })()];
seen.push(isShared ? [length, outcome] : [0, "ERR_INVALID_ARGUMENT"], isShared || outcome === 500, decode(encode(value)).text.length);
console.log(JSON.stringify(seen));
`;

test.for(["chromium", "firefox"] as const)("%s", async (name, context) => {
  const { executable } = await runtimeFor(context, name);
  const folder = mkdtempSync(join(tmpdir(), "moonpack-workers-"));
  try {
    const write = (file: string, text: string): void => writeFileSync(join(folder, file), text);
    const moonpack = 'export * from "moonpack"; export { codec, schema, utf8 } from "@moonpack/pck";';
    write("moonpack.js", (await bundleForBrowsers(moonpack, import.meta.dirname)).text);
    write("worker.js", (await bundleForBrowsers(WORKER, import.meta.dirname)).text);
    write("page.js", PAGE);
    write("index.html", '<!doctype html><link rel="icon" href="data:,"><script type="module" src="page.js"></script>');
    const { printed, errors } = await withPages(name, executable, folder, (visit) => visit("index.html", 1));
    expect(errors).toEqual([]);
    expect(JSON.parse(printed[0]!)).toEqual([
      [0, 0, true, 0],
      [10, 10, true, 0],
      [1000, 1000, true, 0],
      [100_000, 100_000, true, 0],
      [expect.stringMatching(/^ERR_/), 0],
      1,
      [0, "ERR_INVALID_ARGUMENT"],
      true,
      500,
    ]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
