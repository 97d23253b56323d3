// The figures, the chart and the comparison of the home page. The oracles are the results of benchmarks and the libraries themselves.
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { create, createFileRegistry, fromBinary, type Message, toBinary } from "@bufbuild/protobuf";
import type { GenMessage } from "@bufbuild/protobuf/codegenv2";
import {
  FieldDescriptorProto_Label,
  FieldDescriptorProto_Type,
  FieldDescriptorProtoSchema,
  FileDescriptorProtoSchema,
  FileDescriptorSetSchema,
} from "@bufbuild/protobuf/wkt";
import * as pck from "@moonpack/pck";
import * as msgpackJavascript from "@msgpack/msgpack";
import avsc, { type Schema } from "avsc";
import * as moonpack from "moonpack";
import * as msgpackr from "msgpackr";
import { describe, expect, it } from "vitest";
import { answerTo, type Bomb, bytesOf } from "../src/home/bombs.ts";
import { converted, explained } from "../src/home/convert.ts";
import { stripOf } from "../src/home/strip.ts";
import { bombDemo } from "../src/pictures/bombs.ts";
import { figureText, liveStrip, pillars, serviceRatios } from "../src/pictures/home.ts";
import { withPictures } from "../src/pictures/places.ts";
import { ratios } from "../src/pictures/ratios.ts";
import { figureOf, tableOf } from "../src/pictures/tables.ts";
import { BYTES_LINKS } from "../src/playground/bytes/link.ts";
import { contentIn } from "../src/playground/shared/link.ts";
import { root } from "../src/repository.ts";

const PAGE = "packages/site/src/pages/index.md";
const text = withPictures(PAGE, readFileSync(join(root, PAGE), "utf8"));

describe("the live strip", () => {
  it("has the bytes of its JSON, and the JSON of its bytes", () => {
    const found = converted('{ "id": 4711, "name": "Zoë" }');
    expect(found).toEqual({
      hex: "82 a2 69 64 cd 12 67 a4 6e 61 6d 65 a4 5a 6f c3 ab",
      back: '{"id":4711,"name":"Zoë"}',
      jsonBytes: Buffer.byteLength('{"id":4711,"name":"Zoë"}'),
      bytes: 17,
    });
    expect(converted("[9007199254740993]").back).toBe("[9007199254740993]");
  });

  it("says what is wrong", () => {
    expect(() => converted('{"a":')).toThrow();
    expect(() => converted(`"${"x".repeat(5000)}"`)).toThrow("The playground reads longer texts");
  });

  it("begins with figures that its own codec returns", () => {
    const tag = liveStrip().replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)));
    const [, json = "", first = ""] = /json="([\s\S]*)" :first="(.*)" \/>/.exec(tag) ?? [];
    expect(JSON.parse(first)).toEqual(converted(json));
    expect(stripOf("[]", Uint8Array.of(0x90), "[]")).toEqual({ hex: "90", back: "[]", jsonBytes: 2, bytes: 1 });
  });

  it("leads to its bytes in the playground", async () => {
    expect(await contentIn(BYTES_LINKS, await explained("[1]"))).toEqual({
      text: "[1]",
      form: "json",
      name: "",
      settings: "",
    });
  });
});

describe("figures", () => {
  it("come from the results, and no comment is left for them", () => {
    const bundles = tableOf("size", "bundles");
    expect(text).toContain(`${(figureOf(bundles, "moonpack-decode", "gzip") / 1000).toFixed(1)} kB`);
    expect(text).not.toMatch(/<!-- (?:figure|picture)/);
    expect(figureText("service encode steady json-pack inverse")).toBe(
      `${(1 / figureOf(tableOf("service", "encode"), "steady", "json-pack")).toFixed(1)} times`,
    );
    expect(() => figureText("size bundles nothing gzip kB")).toThrow("lack gzip in bundles, nothing");
    expect(() => figureText("size bundles moonpack-both gzip miles")).toThrow("unknown form");
  });

  it("are not typed by hand", () => {
    const source = readFileSync(join(root, PAGE), "utf8").replace(/<!--[\s\S]*?-->/g, "");
    expect(source).not.toMatch(/\d[.,]?\d*\s?(?:kB|KB|bytes|×|times)/);
  });

  it("stand in three pillars, one in each", () => {
    expect(pillars().match(/<strong>[^<]+<\/strong>/g)?.length).toBe(3);
    const sizes = tableOf("pck", "sizes");
    expect(pillars()).toContain(`<strong>${figureOf(sizes, "pck", "player")} bytes</strong>`);
  });

  it("of losses stand left of 1, in their colour; of gains right of it", () => {
    const chart = ratios("x", "x", [
      {
        heading: "h",
        ratios: [
          { name: "a", value: 0.5 },
          { name: "b", value: 2 },
        ],
      },
    ]);
    const [middle] = [.../class="axis" d="M([\d.]+)/.exec(chart)!].slice(1).map(Number);
    const bars = [...chart.matchAll(/class="bar (\w+)" x="([\d.]+)" y="\d+" width="([\d.]+)"/g)];
    expect(bars.map(([, colour]) => colour)).toEqual(["loss", "ours"]);
    expect(Number(bars[0]![2]) + Number(bars[0]![3])).toBeCloseTo(middle!, 0);
    expect(Number(bars[1]![2])).toBeCloseTo(middle!, 0);
    // Half and twice are equally long.
    expect(Number(bars[0]![3])).toBeCloseTo(Number(bars[1]![3]), 0);
    expect(serviceRatios()).toContain("we are slower");
  });
});

describe("the comparison", () => {
  const rows = new Map(
    [...text.matchAll(/^\| ([^|]+) \| (.*) \|$/gm)].map(([, name = "", cells = ""]) => [
      name.trim(),
      cells.split(" | "),
    ]),
  );
  const messages = protobufMessages();
  const avroOf = (schema: Schema) => avsc.Type.forSchema(schema);
  const isDate = (back: unknown) => back instanceof Date && back.getTime() === 5;
  const isBig = (back: unknown) => back === 2n ** 60n + 1n;

  /** What a library does with a value: "yes" if it comes back. */
  function kept(turn: () => unknown, isSame: (back: unknown) => boolean): string {
    try {
      return isSame(turn()) ? "yes" : "no";
    } catch {
      return "no";
    }
  }

  /** The cells of the libraries that need no schema, and of protobuf-es and avsc with the closest type that they have. */
  function row(
    value: unknown,
    isSame: (back: unknown) => boolean,
    protobuf: () => unknown,
    avro: () => unknown,
  ): string[] {
    const schemaless = [
      () => moonpack.decode(moonpack.encode(value)),
      () => msgpackr.unpack(msgpackr.pack(value)) as unknown,
      () => msgpackJavascript.decode(msgpackJavascript.encode(value)),
    ].map((turn) => kept(turn, isSame));
    const json = kept(() => JSON.parse(JSON.stringify(value)) as unknown, isSame);
    return [...schemaless, kept(protobuf, isSame), kept(avro, isSame), json];
  }

  /** A cell as yes or no: other words say how far it goes. */
  const isYes = (cell: string) => (cell === "yes" ? "yes" : "no");

  it("says which take any value, and which check types", () => {
    const value = { a: [1] };
    const noSchema = (): unknown => {
      throw new Error("needs a schema");
    };
    const same = (back: unknown) => JSON.stringify(back) === JSON.stringify(value);
    expect(rows.get("any value, without a schema")).toEqual(row(value, same, noSchema, noSchema));
    const codec = pck.codec(pck.schema("A", pck.u8("a")));
    const checks = [
      () => codec.encode({ a: "x" } as never),
      () => msgpackr.pack({ a: "x" }),
      () => msgpackJavascript.encode({ a: "x" }),
      () => toBinary(messages.A, create(messages.A, { a: "x" } as never)),
      () => avroOf({ type: "record", name: "A", fields: [{ name: "a", type: "int" }] }).toBuffer({ a: "x" }),
      () => JSON.stringify({ a: "x" }),
    ].map((write) => kept(write, () => true));
    const cells = rows.get("a schema that checks types")!.map((cell) => (cell === "no" ? "yes" : "no"));
    expect(cells).toEqual(checks);
  });

  it("says which keep dates, bytes, integers of 64 bits and Maps", () => {
    const protobuf = (field: "at" | "data" | "big", value: unknown) => () =>
      fromBinary(messages.B, toBinary(messages.B, create(messages.B, { [field]: value } as never)))[field];
    const avro = (type: Schema, value: unknown) => () =>
      avroOf(type).fromBuffer(avroOf(type).toBuffer(value)) as unknown;
    const dates = row(new Date(5), isDate, protobuf("at", new Date(5)), avro("long", new Date(5)));
    expect(rows.get("dates")!.map(isYes)).toEqual(dates);
    const isBytes = (back: unknown) => back instanceof Uint8Array && back[1] === 2;
    const bytes = Buffer.of(1, 2);
    expect(rows.get("bytes")).toEqual(row(Uint8Array.of(1, 2), isBytes, protobuf("data", bytes), avro("bytes", bytes)));
    const big = 2n ** 60n + 1n;
    expect(rows.get("integers of 64 bits, exact by default")).toEqual(
      row(big, isBig, protobuf("big", big), avro("long", big)),
    );
    const map = new Map([[1, 2]]);
    expect(rows.get("a Map with keys of any type")).toEqual(
      row(
        map,
        (back) => back instanceof Map && back.get(1) === 2,
        () => fromBinary(messages.B, toBinary(messages.B, create(messages.B, { pairs: map } as never))).pairs,
        avro({ type: "map", values: "int" }, map),
      ),
    );
  });

  it("says which work without eval", () => {
    // Each library by itself, in a process that refuses code from texts.
    const programs = [
      `const { encode, decode } = require("moonpack"); decode(encode(rows));`,
      `const { pack, unpack } = require("msgpackr"); unpack(pack(rows));`,
      `const { encode, decode } = require("@msgpack/msgpack"); decode(encode(rows));`,
      `const { create, fromBinary, toBinary } = require("@bufbuild/protobuf"); const { EmptySchema: E } = require("@bufbuild/protobuf/wkt");
       fromBinary(E, toBinary(E, create(E)));`,
      `const type = require("avsc").Type.forSchema({ type: "record", name: "A", fields: [{ name: "a", type: "int" }] });
       type.fromBuffer(type.toBuffer({ a: 1 }));`,
      `JSON.parse(JSON.stringify(rows));`,
    ];
    const works = programs.map((program) => {
      const code = `const rows = Array.from({ length: 100 }, (_, i) => ({ id: i, name: "x" })); ${program}`;
      const args = ["--disallow-code-generation-from-strings", "-e", code];
      return spawnSync(process.execPath, args, { cwd: join(root, "packages/site"), encoding: "utf8" }).status === 0
        ? "yes"
        : "no";
    });
    expect(rows.get("works without `eval`")).toEqual(works);
  });

  it("has the size of each library, as measured", () => {
    const sizes = ["moonpack-both", "msgpackr-both", "msgpack-javascript-both", "protobuf-es-both", "avsc-both"].map(
      (id) => `${(figureOf(tableOf("size", "bundles"), id, "gzip") / 1000).toFixed(1)} kB`,
    );
    const cells = rows.get("both ways in a page, gzip")!;
    expect(cells.slice(0, 5).map((cell) => cell.replace(/\\?\*$/, ""))).toEqual(sizes);
    expect(text).not.toContain("not measured");
  });
});

/** A message with a number, and one with the types that the table asks about. */
function protobufMessages() {
  const field = (name: string, number: number, type: FieldDescriptorProto_Type, typeName = "") =>
    create(FieldDescriptorProtoSchema, { name, number, type, typeName, label: FieldDescriptorProto_Label.OPTIONAL });
  const file = create(FileDescriptorProtoSchema, {
    name: "a.proto",
    syntax: "proto3",
    messageType: [
      { name: "A", field: [field("a", 1, FieldDescriptorProto_Type.INT32)] },
      {
        name: "B",
        field: [
          field("at", 1, FieldDescriptorProto_Type.INT64),
          field("data", 2, FieldDescriptorProto_Type.BYTES),
          field("big", 3, FieldDescriptorProto_Type.INT64),
          field("pairs", 4, FieldDescriptorProto_Type.BYTES),
        ],
      },
    ],
  });
  const registry = createFileRegistry(create(FileDescriptorSetSchema, { file: [file] }));
  return {
    A: registry.getMessage("A")!,
    B: registry.getMessage("B")! as GenMessage<Message & Record<string, unknown>>,
  };
}

describe("the README", () => {
  const readme = readFileSync(join(root, "README.md"), "utf8");

  it("has one example a format, and one table", () => {
    expect(readme.match(/^```js$/gm)).toHaveLength(3);
    expect(readme.match(/^\| ?:?-+/gm)).toHaveLength(1);
    expect(readme).toContain("## When to choose what");
  });
});

describe("figures of a service", () => {
  it("are of one corpus: no page calls other messages by that name", () => {
    const pages = readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" }).filter((path) =>
      path.endsWith(".md"),
    );
    for (const path of ["../README.md", ...pages])
      expect(readFileSync(join(root, "docs", path), "utf8"), path).not.toMatch(/service messages/i);
  });
});

describe("the bombs", () => {
  it("have their recipes and outcomes from the benchmark, and our decoder answers each with the recorded code", () => {
    const tag = bombDemo().replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)));
    const { bombs } = JSON.parse(/:shown="(.*)" \/>$/.exec(tag)![1]!) as {
      bombs: (Bomb & { title: string; bytes: number; outcomes: string[] })[];
    };
    const recorded = JSON.parse(readFileSync(join(root, "testing/bench/results/hostile.json"), "utf8")) as {
      bombs: { outcomes: { moonpack: { code: string } } }[];
    };
    expect(bombs.map((bomb) => answerTo(bomb).code)).toEqual(
      recorded.bombs.map(({ outcomes }) => outcomes.moonpack.code),
    );
    expect(bombs.map((bomb) => bytesOf(bomb).length)).toEqual(bombs.map(({ bytes }) => bytes));
    // It would be no demonstration if others survived all of it.
    expect(bombs.flatMap(({ outcomes }) => outcomes)).toContain("process ended");
  });
});
