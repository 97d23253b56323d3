/** Options of untyped callers: unknown names, getters. */
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
