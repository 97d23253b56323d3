/**
 * Values are stored and read under `node --frozen-intrinsics`, where the prototypes of the language are frozen. Express-session
 * itself does not load then.
 */
import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";

const PROGRAM = `
  import { createRequire } from "node:module";
  import { moonpackSerialization, Packed, stored } from "@moonpack/hazelcast";
  import { hazelcast } from "@moonpack/hazelcast/series";
  import { schema, u8, utf8 } from "@moonpack/pck";

  const require = createRequire(import.meta.url);
  const { ConfigBuilder } = require("hazelcast-client/lib/config/ConfigBuilder.js");
  const { SerializationServiceV1 } = require("hazelcast-client/lib/serialization/SerializationService.js");
  class Player extends stored(1001, schema("Player", utf8("name"), u8("lives"))) {}
  const serialization = moonpackSerialization({ stored: [Player] });
  const service = new SerializationServiceV1(new ConfigBuilder({ serialization }).build().serialization, undefined);
  const again = (value) => service.toObject(service.toData(value));
  console.log(JSON.stringify([
    again({ a: [new Date(0)] }), again(new Packed({ b: 1 })), again(new Player({ name: "ann", lives: 3 })),
    typeof hazelcast,
  ]));`;

test("values and stored classes", () => {
  const args = ["--frozen-intrinsics", "--no-warnings", "--input-type=module", "-e", PROGRAM];
  const cwd = new URL("..", import.meta.url); // the package finds itself by its name
  const printed = execFileSync(process.execPath, args, { cwd, encoding: "utf8", timeout: 60_000 });
  const date = "1970-01-01T00:00:00.000Z";
  expect(JSON.parse(printed)).toEqual([{ a: [date] }, { value: { b: 1 } }, { name: "ann", lives: 3 }, "function"]);
}, 60_000);
