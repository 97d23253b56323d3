/** Schemas as Standard Schemas, version 1. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { caughtOurs } from "@moonpack/harness/caught.ts";
import { array, bool, I32, I64, map, omitNull, REF, ref, schema, standard, UTF8, u8, utf8 } from "@moonpack/pck";
import type { StandardSchemaV1 } from "@standard-schema/spec";
import { describe, expect, expectTypeOf, test } from "vitest";

const Point = schema("Point", u8("x"));
const Player = schema(
  "Player",
  utf8("name"),
  omitNull(u8("age")),
  array("tags", UTF8),
  ref("at", Point),
  map("seen", UTF8, UTF8),
  bool("a b"),
);
const players = standard(Player);
const valid = { name: "Ann", tags: [], at: { x: 1 }, seen: new Map([["k", "v"]]), "a b": true };

/** Validates a value like a library that knows only the interface. */
function check<S extends StandardSchemaV1>(given: S, value: unknown) {
  const result = given["~standard"].validate(value);
  if (result instanceof Promise) throw new TypeError("asynchronous");
  return result as StandardSchemaV1.Result<StandardSchemaV1.InferOutput<S>>;
}

describe("a schema is a Standard Schema", () => {
  test("with types", () => {
    expectTypeOf(players).toExtend<StandardSchemaV1>();
    type Output = StandardSchemaV1.InferOutput<typeof players>;
    expectTypeOf<Output["age"]>().toEqualTypeOf<number | null>();
    expectTypeOf<StandardSchemaV1.InferInput<typeof players>["age"]>().toEqualTypeOf<number | null | undefined>();
  });

  test("that returns decoded values, without unknown properties", () => {
    expect(players["~standard"]).toMatchObject({ version: 1, vendor: "moonpack" });
    expect(check(players, { ...valid, more: 1 })).toEqual({ value: { ...valid, age: null } });
  });

  test.each<[string, unknown, readonly (string | number)[]]>([
    ["no object", 7, []],
    ["a field", { ...valid, name: 1 }, ["name"]],
    ["a name in quotes", { ...valid, "a b": 1 }, ["a b"]],
    ["an element", { ...valid, tags: ["a", 2] }, ["tags", 1]],
    ["a field within", { ...valid, at: { x: 256 } }, ["at", "x"]],
    ["a map's value", { ...valid, seen: new Map([['a"]\\b', 1]]) }, ["seen", 'a"]\\b']],
  ])("the path leads to the invalid value: %s", (_, value, path) => {
    const { issues } = check(players, value);
    expect(issues).toEqual([{ path, message: expect.stringMatching(/^(?!.*\(at \$).+[^ ]$/s) }]);
  });

  test("the path contains keys of maps, and the steps after them", () => {
    const Entry = schema("Entry", u8("n"));
    const keyed = standard(schema("Keyed", map("by", I32, REF(Entry)), map("wide", I64, REF(Entry))));
    const pathOf = (by: [unknown, unknown][], wide: [unknown, unknown][] = []) =>
      check(keyed, { by: new Map(by), wide: new Map(wide) }).issues?.map(({ path }) => path);
    expect(pathOf([[-1, { n: "x" }]])).toEqual([["by", -1, "n"]]);
    expect(pathOf([], [[-5n, { n: "x" }]])).toEqual([["wide", "-5", "n"]]);
    for (const key of [1.5, Number.NaN, 2 ** 40, [], "x"]) expect(pathOf([[key, { n: 1 }]])?.[0]).toHaveLength(2);
  });

  test("that lets errors of a getter through", () => {
    const angry = Object.defineProperty({ ...valid }, "name", {
      get() {
        throw new TypeError("mine");
      },
    });
    expect(caughtOurs(() => check(players, angry))).toMatchObject({
      code: "ERR_USER_CODE",
      cause: new TypeError("mine"),
    });
  });
});

test("the example: the form keeps back what the schema refuses, the server too", async () => {
  const script = fileURLToPath(new URL("../../../examples/form-standard-schema/server.js", import.meta.url));
  const child = spawn(process.execPath, [script, "0"], { stdio: ["ignore", "pipe", "inherit"] });
  try {
    const lines: string[] = [];
    for await (const line of createInterface(child.stdout)) {
      lines.push(line);
      if (line === "ready") break;
    }
    const [url = "", ...rest] = lines;
    expect(rest).toEqual([
      "not sent: { seats: '300 is not a valid u8 (0 to 255)' }",
      'sent: 201 {"kept":1,"bytes":7}',
      "ready",
    ]);
    const refused = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: '{"name":"Ann","plan":"gold"}',
    });
    expect([refused.status, await refused.text()]).toEqual([400, expect.stringContaining('"path":["plan"]')]);
    expect(await (await fetch(url)).json()).toEqual([{ name: "Ann", plan: "free", seats: 3 }]);
  } finally {
    child.kill();
    await once(child, "exit");
  }
});
