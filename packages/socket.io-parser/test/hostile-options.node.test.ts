/** Options of untyped callers: unknown names, getters, a polluted Object.prototype. */
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { createParser, Decoder, Encoder } from "@moonpack/socket.io-parser";
import { expect, test } from "vitest";

test.each<[object, string]>([
  [{ event: {} }, '"event" is not a known option: did you mean events?'],
  [{ onError: () => {} }, '"onError" is not a known option'],
  [{ decoder: { maps: "map" } }, "decoder.maps cannot be set"],
])("%j is refused", (options, text) => {
  const refused = expect.objectContaining({ code: "ERR_INVALID_ARGUMENT", message: expect.stringContaining(text) });
  expect(() => createParser(options)).toThrow(refused);
  expect(() => new Encoder(options)).toThrow(refused);
  expect(() => new Decoder(options)).toThrow(refused);
});

test("each option is read once", () => {
  const reads: string[] = [];
  const names = ["encoder", "decoder", "objects", "events", "onEncodeError"];
  const getter = (name: string) => ({ enumerable: true, get: () => void reads.push(name) });
  const options = Object.defineProperties({}, Object.fromEntries(names.map((name) => [name, getter(name)])));
  const parser = createParser(options);
  new parser.Encoder();
  new parser.Decoder();
  expect(reads).toEqual(names);
});

test("a polluted Object.prototype changes nothing", async () => {
  const program = fileURLToPath(new URL("programs/polluted.mjs", import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [program], { timeout: 60_000 });
  expect(JSON.parse(stdout)).toEqual([
    ["93", "02", "a1"],
    ["x", 1],
  ]);
});
