/** Errors that list what is allowed, and that name what another library has written. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Extension, encode } from "moonpack";
import { expect, test } from "vitest";
import { rows } from "./rows.js";
import { emptyFolder, moonpack } from "./run.js";

const DOCUMENT = {
  pck: 1,
  root: "A",
  structs: {
    A: {
      fields: [
        { name: "colour", type: { enumeration: ["red", "green"] } },
        { name: "all", type: { array: { nullable: { enumeration: ["x", "y"] } } } },
        { name: "by", type: { map: ["utf8", { enumeration: ["on", "off"] }] } },
        {
          name: "shape",
          type: {
            union: [
              ["circle", "B"],
              ["square", "C"],
            ],
          },
        },
      ],
    },
    B: { fields: [{ name: "size", type: { enumeration: ["small", "large"] } }] },
    C: { fields: [] },
  },
};
const GOOD = { colour: "red", all: ["x"], by: { a: "on" }, shape: { kind: "circle", size: "small" } };

test.each(
  rows<[object, string]>([
    [{ colour: "blue" }, 'unknown name "blue": expected red, green (at $.colour)'],
    [{ all: ["x", "z"] }, 'unknown name "z": expected x, y (at $.all[1])'],
    [{ by: { a: "no" } }, 'unknown name "no": expected on, off (at $.by'],
    [{ by: [["a", "no"]] }, 'unknown name "no": expected on, off (at $.by'],
    [{ shape: { kind: "line" } }, 'unknown name "line": expected circle, square (at $.shape.kind)'],
    [{ shape: { kind: "circle", size: "(at $.all[0])" } }, 'unknown name "(at $.all[0])": expected small, large (at'],
  ]),
)("a name that a schema does not have: %j", async (change, text) => {
  const cwd = emptyFolder();
  writeFileSync(join(cwd, "s.json"), JSON.stringify(DOCUMENT));
  const args = ["convert", "-", "a.pck", "--schema", "s.json"];
  const good = await moonpack(args, { cwd, input: `${JSON.stringify(GOOD)}\n` });
  expect([good.code, good.stderr]).toEqual([0, ""]);
  const { code, stderr } = await moonpack([...args, "--from", "ndjson"], {
    cwd,
    input: JSON.stringify({ ...GOOD, ...change }),
  });
  expect(code).toBe(1);
  expect(stderr).toContain(`standard input: ERR_OUT_OF_RANGE: ${text}`);
  expect(stderr).toMatch(/, line 1\n$/);
});

test("a type that no document has", async () => {
  const cwd = emptyFolder();
  const fields = [{ name: "a", type: "int" }];
  writeFileSync(join(cwd, "s.json"), JSON.stringify({ pck: 1, root: "A", structs: { A: { fields } } }));
  const { code, stderr } = await moonpack(["fingerprint", "s.json"], { cwd });
  expect(code).toBe(1);
  expect(stderr).toContain('unknown type "int": expected ascii, bool, bytes, f32, f64, i16, i32,');
  expect(stderr).toContain('utf8, uvar, uvar64, or an object such as {"array": "u8"}\n');
});

test("extension 114 is a record of msgpackr", async () => {
  const note = "msgpackr's records: @moonpack/compat/msgpackr reads them";
  const input = encode([new Extension(114, Uint8Array.of(0x40)), new Extension(7, Uint8Array.of(1))]);
  const dump = (await moonpack(["inspect"], { input })).stdout.toString();
  expect(dump).toMatch(/ extension 114 .*\(msgpackr's records: @moonpack\/compat\/msgpackr reads them\)/);
  expect(dump.match(/msgpackr/g)).toHaveLength(2);
  expect((await moonpack(["convert", "--to", "json"], { input })).stderr).toContain(
    `JSON cannot hold an extension of type 114 (${note}); --typed writes it`,
  );
});

test("a Set is refused with the option that keeps it", () => {
  expect(() => encode(new Set([1]))).toThrow('an instance of Set has no MessagePack form: see fidelity: "js"');
});
