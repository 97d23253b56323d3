/** Arguments that no command takes: each is refused with its reason, and nothing is read or written. */
import { expect, test } from "vitest";
import { rows } from "./rows.js";
import { moonpack } from "./run.js";

const REFUSED: [string[], string][] = [
  [["frobnicate"], "moonpack: unknown command 'frobnicate'"],
  [["convrt", "a.json"], "Did you mean convert?"],
  [["--frobnicate"], "unknown option '--frobnicate'"],
  [["convert", "--frobnicate"], "unknown option '--frobnicate'"],
  [["convert", "a.json", "b.msgpack", "c"], "too many arguments"],
  [["convert", "--from", "xml"], "Allowed choices are json, ndjson, msgpack"],
  [["convert"], "the format of standard input is unknown"],
  [["convert", "data.txt"], "data.txt is unknown"],
  [["convert", "data.json", "out.bin"], "out.bin is unknown"],
  [["convert", "a.ndjson", "b.json"], "NDJSON holds many values, but JSON holds one"],
  [["convert", "a.mp", "b.mp", "--typed"], "neither input nor output is JSON"],
  [["convert", "a.json", "b.mp", "--pretty"], "the output is msgpack"],
  [["convert", "a.json", "b.mp", "--big-integers"], "the output is msgpack"],
  [["convert", "a.mp", "b.json", "--canonical"], "the output is json"],
  [["inspect", "a.mp", "b.mp"], "too many arguments"],
  [["inspect", "a.mp", "--limit", "x"], "--limit must be a whole number"],
  [["inspect", "a.json"], "inspect reads MessagePack, but a.json is JSON by its name; use: moonpack convert a.json |"],
  [["pick", "a.mp"], "missing required argument 'paths'"],
  [["pick", "a.txt", "/a"], "the format of a.txt is unknown: add --from json, ndjson or msgpack"],
  [["pick", "-", "/a"], "the format of standard input is unknown"],
  [["pick", "a.pck", "/a"], "a.pck is PCK by its name; use: moonpack convert a.pck | moonpack pick - --from ndjson"],
  [["pick", "a.mp", "user/name"], '"user/name" must be a path such as /user/name, or name=/user/name'],
  [["pick", "a.mp", "name=user"], '"name=user" must be a path'],
  [["pick", "a.mp", "/a~2"], '"~" without 0 or 1'],
  [["pick", "a.mp", "x=/a", "x=/b"], '"x" is there twice: give each path another name'],
  [["pick", "a.mp", "x=/a", "y=/a"], 'the path "/a" is there twice'],
  [["pick", "a.json", "/a", "--sequence"], "--sequence needs MessagePack"],
  [["pick", "a.json", "/a", "--raw", "--big-integers"], "--big-integers needs JSON output"],
  [["pick", "a.mp", "/a", "--raw", "--typed"], "neither input nor output is JSON"],
  [["bench"], "missing required argument 'file'"],
  [["bench", "a.ndjson"], "bench needs a file with one value"],
  [["bench", "a.json", "--rounds", "0"], "--rounds must be a whole number"],
  [["pack"], "missing required argument 'files'"],
  [["bench", "a.pck"], "bench needs a file with one value"],
  [["convert", "a.ndjson", "b.pck"], "PCK needs a schema: add --schema FILE"],
  [["convert", "a.pck", "b.mp"], "PCK converts only to and from JSON and NDJSON"],
  [["convert", "a.json", "b.mp", "--schema", "s.ts"], "neither input nor output is PCK"],
  [["convert", "a.pck", "b.json", "--typed"], "the schema sets the types"],
  [["convert", "a.pck", "--pretty"], "the output is ndjson"],
  [
    ["convert", "a.ndjson", "b", "--to", "message", "--schema", "s.ts"],
    "NDJSON holds many values, but a message holds one",
  ],
  [["convert", "a.pck", "--framed"], "--framed needs a PCK message"],
  [["convert", "a.pck", "--export", "A"], "--export needs --schema"],
  [["convert", "a.bin", "--schema", "schema.txt"], "schema.txt is not a schema"],
  [["inspect", "a.pck", "--schema", "s.ts"], "a.pck is a container by its name"],
  [["inspect", "a.bin", "--framed"], "need --schema"],
  [["inspect", "a.bin", "--sequence", "--schema", "s.ts"], "cannot be combined"],
  [["inspect", "a.pck", "--sequence"], "--sequence needs MessagePack"],
  [["compare", "a.json"], "missing required argument 'new'"],
  [["compare", "a.json", "b.json", "--export", "A"], "--export needs a module"],
  [["fingerprint"], "missing required argument 'schema'"],
  [["__proto__"], "unknown command '__proto__'"],
  [["constructor"], "unknown command 'constructor'"],
  [["convert", "--__proto__", "x"], "unknown option '--__proto__'"],
  [["convert", "--to-string"], "unknown option '--to-string'"],
  [["convert", "--from", "__proto__"], "Allowed choices are json, ndjson, msgpack"],
  [["convert", "--from", "constructor"], "Allowed choices are json, ndjson, msgpack"],
  [["convert", "--\u001b[2J"], "unknown option '--\\u001b[2J'"],
  [["pack", "a.json", "--outt", "x"], "Did you mean --out?"],
  [["series", "__proto__"], "unknown command '__proto__'"],
  [["load", "http://127.0.0.1:1/", "--rate", "NaN"], "--rate"],
];

test.each(rows(REFUSED))("bad usage: exit 2 and the reason: %j", async (args, text) => {
  const { code, stdout, stderr } = await moonpack(args);
  expect([code, stdout.length]).toEqual([2, 0]);
  expect(stderr).toContain(text);
  expect(stderr).not.toMatch(/^\s+at /m);
});
