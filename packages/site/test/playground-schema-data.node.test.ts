// The tab of schemas without its page: samples, their sizes, code, comparisons and links.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import {
  type AnySchema,
  bytes,
  codec,
  compare,
  encodeContainer,
  fingerprint,
  fromDocument,
  map,
  schema,
  U8,
  UTF8,
  u8,
  u16,
  utf8,
} from "@moonpack/pck";
import { emit, emitGo, schemaSource } from "@moonpack/pck/emit";
import { infer } from "@moonpack/pck/infer";
import { encode } from "moonpack";
import { describe, expect, it } from "vitest";
import type { Conversion } from "../src/playground/schema/answers.ts";
import { changesOf } from "../src/playground/schema/changes.ts";
import { converted } from "../src/playground/schema/converted.ts";
import { type EmitForm, emitted, printOf } from "../src/playground/schema/emitted.ts";
import { SCHEMA_EXAMPLES, type SchemaExample } from "../src/playground/schema/examples.ts";
import { formOf } from "../src/playground/schema/form.ts";
import { inferenceOf } from "../src/playground/schema/inference.ts";
import { LastSchema } from "../src/playground/schema/last-schema.ts";
import { MAX_SHOWN } from "../src/playground/schema/limits.ts";
import { SCHEMA_LINKS, type Shared } from "../src/playground/schema/link.ts";
import { Looker } from "../src/playground/schema/looker.ts";
import { readSchema } from "../src/playground/schema/read-schema.ts";
import { MAX_SAMPLE_BYTES, MAX_SAMPLES } from "../src/playground/schema/sample-limits.ts";
import { readSampleFile, readSamples } from "../src/playground/schema/samples.ts";
import { sizesOf } from "../src/playground/schema/sizes.ts";
import { contentIn, fragmentOf, isLink, MAX_LINK_CHARACTERS } from "../src/playground/shared/link.ts";
import { tabOf } from "../src/playground/shared/tabs.ts";
import { root } from "../src/repository.ts";

const NEVER = new AbortController().signal;

describe("samples", () => {
  it("are one value, a list, or a value on each line", () => {
    expect(readSamples('{"a": 1}').kept).toEqual([{ a: 1 }]);
    expect(readSamples('[{"a": 1}, {"a": 2}]').kept).toEqual([{ a: 1 }, { a: 2 }]);
    expect(readSamples('{"a": 1}\r\n\n{"a": 2}\n').kept).toEqual([{ a: 1 }, { a: 2 }]);
    expect(readSamples("[1]\n[2]").kept).toEqual([[1], [2]]);
    expect(readSamples('\n[{"a": 9007199254740993}]\n').kept).toEqual([{ a: 9007199254740993n }]);
  });

  it("are limited in number", () => {
    const { kept, count } = readSamples("{}\n".repeat(MAX_SAMPLES + 5));
    expect([kept.length, count]).toEqual([MAX_SAMPLES, MAX_SAMPLES + 5]);
    const long = { length: MAX_SAMPLE_BYTES + 1, trim: () => "" } as unknown as string;
    expect(() => readSamples(long)).toThrow("npx @moonpack/cli infer");
  });

  it("are refused with their line if they are broken", () => {
    expect(() => readSamples("")).toThrow("No samples found");
    expect(() => readSamples("[]")).toThrow("The list is empty");
    expect(() => readSamples('{"a": 1}\n{"a": 2}\n{"a"}')).toThrow(/^Line 3 is not JSON: /);
    expect(() => readSamples('{\n"a": 1\n"b": 2\n}')).toThrow(/^This is not JSON: /);
    expect(() => readSamples("[".repeat(100_000))).toThrow();
  });
});

describe("sizes", () => {
  const People = schema("Person", utf8("name"), u8("age"));

  it("equal the formats' own sizes", async () => {
    const people = Array.from({ length: 5000 }, (_, i) => ({ name: `Zoë ${i}`, age: i % 90 }));
    const text = people.map((one) => JSON.stringify(one)).join("\n");
    const { formats, problem } = await sizesOf(readSamples(text), People, NEVER);
    const sum = (bytesOf: (one: unknown) => Uint8Array) =>
      people.reduce((total, one) => total + bytesOf(one).length, 0);
    const messages = codec(People);
    expect(problem).toBeUndefined();
    expect(formats.map(({ format }) => format)).toEqual(["JSON", "MessagePack", "PCK"]);
    expect(formats.map(({ bytes }) => bytes)).toEqual([
      sum((one) => Buffer.from(JSON.stringify(one))),
      sum(encode),
      sum((one) => messages.encode(one as never)),
    ]);
    const [json] = formats;
    expect(Math.abs(json!.gzipped - gzipSync(`${text}\n`).length)).toBeLessThan(gzipSync(text).length / 20);
  });

  it("leave out PCK if a sample does not fit, or without a schema", async () => {
    const samples = readSamples('{"name": "a", "age": 1}\n{"name": "b", "age": 300}\n');
    const { formats, problem } = await sizesOf(samples, People, NEVER);
    expect(formats).toHaveLength(2);
    expect(problem).toMatchObject({ sample: 2, code: "ERR_OUT_OF_RANGE" });
    expect(problem!.message).toContain("age");
    expect((await sizesOf(samples, undefined, NEVER)).problem).toBeUndefined();
  });

  it("take integers of 64 bits, and the JSON form of values", async () => {
    const { schemas } = readSchema(
      'import { bytes, map, schema, u64, U8, UTF8 } from "@moonpack/pck"; export const A = schema("A", u64("id"), bytes("raw"), map("m", UTF8, U8));',
    );
    const samples = readSamples('{"id": "18446744073709551615", "raw": "AQID", "m": [["a", 1]]}');
    const { problem, formats } = await sizesOf(samples, schemas[0]!.schema, NEVER);
    expect(problem).toBeUndefined();
    expect(formats[2]!.bytes).toBe(8 + 1 + 3 + 1 + 2 + 1);
    expect((await sizesOf(readSamples('{"a": 9007199254740993}'), undefined, NEVER)).formats[0]!.bytes).toBe(22);
  });

  it("stop when they are aborted", async () => {
    const own = new AbortController();
    const sizes = sizesOf(readSamples("{}\n".repeat(10_000)), undefined, own.signal);
    own.abort();
    await expect(sizes).rejects.toThrow(/abort/i);
  });
});

describe("code", () => {
  const Player = schema("TopPlayer", utf8("name"), u8("level"));

  it("is what the command line makes", () => {
    const made = (form: EmitForm) => emitted(Player, form).files.map(({ path, text }) => ({ path, text }));
    expect(made("typescript")).toEqual(emit(Player, { target: "ts" }));
    expect(made("go")).toEqual(emitGo(Player, { package: "topplayer" }));
    expect(made("module")).toEqual([{ path: "schema.ts", text: schemaSource(Player) }]);
    const [document] = emitted(Player, "document").files;
    expect(printOf(readSchema(document!.text).schemas[0]!.schema)).toBe(
      Buffer.from(fingerprint(Player)).toString("hex"),
    );
  });

  it("is shown in part if it is long, and is there whole", async () => {
    const wide = schema("Wide", ...Array.from({ length: 3000 }, (_, i) => utf8(`field_${i}`)));
    const [file] = emitted(wide, "typescript").files;
    const { text } = emit(wide, { target: "ts" })[0]!;
    expect(file).toMatchObject({ length: text.length, text: text.slice(0, MAX_SHOWN) });
    expect(await file!.whole!.text()).toBe(text);
    expect(emitted(Player, "go").files.every(({ whole }) => whole === undefined)).toBe(true);
  });

  it("has a package for each name", () => {
    const packageOf = (name: string) =>
      /^package (\w+)$/m.exec(emitted(schema(name, u8("x")), "go").files[0]!.text)?.[1];
    expect(["Type", "Main", "_9"].map(packageOf)).toEqual(["messages", "messages", "messages"]);
    expect(packageOf("Top_Ten2")).toBe("topten2");
  });

  it("says why there is none", () => {
    const twice = schema("A", u8("a_b"), u8("aB"));
    expect(emitted(twice, "go").files).toEqual([]);
    expect(emitted(twice, "go").fault).toMatch(/^ERR_SCHEMA: /);
    expect(emitted(twice, "typescript").fault).toBe("");
  });
});

describe("comparisons", () => {
  it("have the words of compare", () => {
    const Old = schema("Player", utf8("name"), u16("level"));
    const Now = schema("Player", utf8("name"), u8("level"), u8("lives"));
    const { rows, reasons } = changesOf(Old, Now);
    const changes = compare(Old, Now);
    expect(rows.map(({ change, where, what }) => [change, where, what])).toEqual(
      changes.map(({ kind, path, text }) => [kind, path, text]),
    );
    expect(rows.some(({ newReadsOld }) => newReadsOld === "no")).toBe(true);
    expect(reasons).toEqual(changes.filter(({ why }) => why !== "").map(({ path, why }) => `${path}: ${why}`));
    expect(changesOf(Now, Now)).toEqual({ rows: [], reasons: [] });
  });

  it("find the schema of the same name", () => {
    const text = (fields: string) =>
      `import { schema, u8 } from "@moonpack/pck"; export const A = schema("A", ${fields}); export const B = schema("B");`;
    const looker = new Looker();
    const [older, now] = [text('u8("x")'), text('u8("x"), u8("y")')];
    expect(looker.compare(older, now, "A").changes?.rows.map(({ where }) => where)).toEqual(["A.y"]);
    expect(looker.compare(older, now, "").changes?.rows).toEqual([]);
    expect(looker.compare("const", now, "A")).toMatchObject({ changes: undefined, faults: [{ line: 1 }] });
    expect(looker.look(now, "A")).toMatchObject({ names: ["A", "B"], chosen: 0, faults: [] });
    expect(looker.look(now, "gone").chosen).toBe(1);
    expect(looker.look("", "A")).toMatchObject({ names: [], chosen: -1, fingerprint: "" });
  });
});

/** Samples of the kinds that infer takes: dictionaries, missing values, equal structs, long integers. */
const MANY = `{"id":1,"prices":{"2026-01-01":5,"2026-01-02":7,"2026-01-03":8,"2026-01-04":0.5},"from":{"x":1,"y":2},"to":{"x":0.5,"y":70000}}
{"id":2,"prices":{},"from":{"x":3,"y":-2},"to":{"x":9,"y":1},"note":null,"count":9007199254740993}
{"id":3,"prices":{"2026-01-01":5},"from":{"x":3,"y":-2},"to":{"x":9,"y":1},"tags":["a",null]}
`;

describe("samples of files", () => {
  const Point = schema("Point", u8("x"), u8("y"));
  const points = [
    { x: 1, y: 2 },
    { x: 3, y: 4 },
  ];
  const bytesOf = (one: string | Uint8Array) => Uint8Array.from(typeof one === "string" ? Buffer.from(one) : one);

  it("are JSON, MessagePack by name or content, or a container with its schema", () => {
    const packed = bytesOf(Buffer.concat(points.map((one) => encode(one))));
    expect(readSampleFile("a.json", bytesOf(JSON.stringify(points)))).toMatchObject({ kept: points, isJson: true });
    expect(readSampleFile("a.msgpack", packed)).toMatchObject({ kept: points, count: 2, isJson: false });
    expect(readSampleFile("a", bytesOf(encode({ raw: Uint8Array.of(255) }))).count).toBe(1);
    expect(readSampleFile("a.mp", bytesOf(encode(points))).kept).toEqual(points);
    const container = bytesOf(encodeContainer(Point, points));
    const read = readSampleFile("a.bin", container);
    expect(read).toMatchObject({ kept: points, isJson: true });
    expect(printOf(read.schema!)).toBe(printOf(Point));
    expect(() => readSampleFile("a.pck", bytesOf(encodeContainer(Point, [])))).toThrow("no values");
    expect(() => readSampleFile("a.pck", container.slice(0, -1))).toThrow(/ERR_|bytes|truncated|end/i);
  });

  it("have sizes also if JSON cannot hold them", async () => {
    const samples = readSampleFile("a.msgpack", bytesOf(encode({ raw: Uint8Array.of(1, 2) })));
    const Raw = schema("Raw", bytes("raw"));
    const { formats, problem } = await sizesOf(samples, Raw, NEVER);
    expect(problem).toBeUndefined();
    expect(formats.map((one) => one.bytes)).toEqual(['{"raw":{"$bin":"AQI="}}'.length, 9, 3]);
  });
});

describe("conversions", () => {
  it("are the files of the command line", async () => {
    const folder = mkdtempSync(join(tmpdir(), "moonpack-site-"));
    const at = (name: string) => join(folder, name);
    const save = (name: string, content: string | Uint8Array) => writeFileSync(at(name), content);
    const contentOf = async ({ file, fault }: Conversion) => {
      expect(fault).toBe("");
      return Buffer.from(await file!.arrayBuffer());
    };
    try {
      for (const lines of [MANY, SCHEMA_EXAMPLES[0]!.samples]) {
        const samples = readSamples(lines);
        const { document } = infer(samples.kept);
        const own = fromDocument(document);
        save("schema.json", JSON.stringify(document));
        save("in.ndjson", lines);
        run("convert", at("in.ndjson"), at("out.pck"), "--schema", at("schema.json"));
        expect(await contentOf(converted(samples, own, "container"))).toEqual(readFileSync(at("out.pck")));
        run("convert", at("out.pck"), at("out.ndjson"));
        expect(await contentOf(converted(samples, own, "ndjson"))).toEqual(readFileSync(at("out.ndjson")));
        run("convert", at("in.ndjson"), at("out.msgpack"));
        expect(await contentOf(converted(samples, own, "msgpack"))).toEqual(readFileSync(at("out.msgpack")));
        const first = lines.split("\n", 1)[0]!;
        save("one.json", first);
        run("convert", at("one.json"), at("one.bin"), "--schema", at("schema.json"));
        run("convert", at("one.json"), at("framed.bin"), "--schema", at("schema.json"), "--framed");
        const one = readSamples(first);
        expect(await contentOf(converted(one, own, "message"))).toEqual(readFileSync(at("one.bin")));
        expect(await contentOf(converted(one, own, "framed"))).toEqual(readFileSync(at("framed.bin")));
        const back = readSampleFile("out.pck", Uint8Array.from(readFileSync(at("out.pck"))));
        expect(await contentOf(converted(back, own, "container"))).toEqual(readFileSync(at("out.pck")));
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it("take MessagePack with objects for maps, and say which sample does not fit", () => {
    const By = schema("By", map("m", UTF8, U8));
    const samples = readSampleFile("a.msgpack", Uint8Array.from(encode({ m: { a: 1 } })));
    expect(converted(samples, By, "container")).toMatchObject({ fault: "", file: expect.any(Blob) as Blob });
    const unfit = converted(readSamples('{"m":{"a":1}}\n{"m":{"a":300}}'), By, "container");
    expect(unfit.file).toBeUndefined();
    expect(unfit.fault).toMatch(/^Sample 2: ERR_OUT_OF_RANGE: /);
  });
});

describe("the last schema", () => {
  const good = (text: string, ...names: string[]) => ({ text, names, chosen: names.at(-1)! });
  const LONG = "export const Order = schema(".padEnd(200, "o");
  const OTHER = "import something else".padEnd(200, "p");

  it("is the one before the first change, whatever follows", () => {
    const last = new LastSchema();
    last.arrive(LONG, "");
    expect(last.next(good(LONG, "Order"))).toBeUndefined();
    expect(last.next(good(`${LONG}1`, "Order"))).toBe(LONG);
    expect(last.next(good(`${LONG}12`, "Order"))).toBe(LONG);
    expect(last.next(good(`${LONG}12`, "Order"))).toBeUndefined();
    expect(last.next(good(`${LONG}1`, "Orders"))).toBe(LONG);
  });

  it("is the shared one until another schema comes", () => {
    const last = new LastSchema();
    last.arrive(LONG, "older");
    expect(last.next(good(LONG, "Order"))).toBeUndefined();
    expect(last.next(good(`${LONG}1`, "Order"))).toBe("older");
    expect(last.next(good(OTHER, "Player"))).toBe(OTHER);
    expect(last.next(good(`${OTHER}1`, "Player"))).toBe(OTHER);
  });

  it("is the schema that an inferred one replaces, if it has the same name", () => {
    const last = new LastSchema();
    last.arrive(LONG, "");
    last.next(good(LONG, "Order"));
    last.replace();
    expect(last.next(good(OTHER, "Order"))).toBe(LONG);
    last.replace();
    expect(last.next(good(`${OTHER}1`, "Order"))).toBe(OTHER);
    last.replace();
    expect(last.next(good("import a third one".padEnd(200, "q"), "Player"))).toBe(
      "import a third one".padEnd(200, "q"),
    );
  });

  it("stays when the visitor has written it", () => {
    const last = new LastSchema();
    last.arrive(LONG, "");
    last.next(good(LONG, "Order"));
    last.edit();
    expect(last.next(good(OTHER, "Player"))).toBeUndefined();
    last.arrive(LONG, LONG);
    expect(last.next(good(`${LONG}2`, "Order"))).toBe(LONG);
  });
});

describe("the command line", () => {
  it("prints the same schema, and the same changes", () => {
    const folder = mkdtempSync(join(tmpdir(), "moonpack-site-"));
    const file = (name: string, text: string) => {
      writeFileSync(join(folder, name), text);
      return join(folder, name);
    };
    const [{ schema: text, samples, older }] = SCHEMA_EXAMPLES as [SchemaExample];
    try {
      const input = file("samples.ndjson", samples);
      for (const headroom of [1, 10, 1000]) {
        const { text: inferred } = inferenceOf(readSamples(samples).kept, "Order", headroom);
        expect(run("infer", input, "--name", "Order", "--headroom", String(headroom))).toBe(inferred);
      }
      // Documents: modules of a temporary folder do not find moonpack.
      const [old, now] = [older, text].map((one) => readSchema(one).schemas[0]!.schema);
      const document = (schema: AnySchema) => emitted(schema, "document").files[0]!.text;
      const table = run("compare", file("old.json", document(old!)), file("new.json", document(now!)));
      const { rows, reasons } = changesOf(old!, now!);
      const lines = table
        .trim()
        .split("\n")
        .map((line) => line.trim().split(/ {2,}/));
      const seen = lines.filter(([kind]) => /^(?:added|changed|removed|renamed|order)$/.test(kind!));
      expect(seen).toEqual(rows.map((row) => Object.values(row)));
      expect(lines.slice(-reasons.length).map((cells) => cells.join("  "))).toEqual(reasons);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

/** The output of the command line. */
function run(...named: string[]): string {
  const args = ["packages/cli/bin/moonpack.js", ...named];
  // With CI=true the command has colours.
  const env = { ...process.env, NO_COLOR: "1" };
  return spawnSync(process.execPath, args, { cwd: root, encoding: "utf8", env }).stdout;
}

describe("examples", () => {
  it.each(SCHEMA_EXAMPLES)("$title fits its samples", async ({ schema: text, samples, older }) => {
    const { faults, schemas, preferred, form } = readSchema(text);
    expect(faults).toEqual([]);
    expect(form).toBe(formOf(text));
    const read = readSamples(samples);
    const now = schemas[preferred]!.schema;
    const { problem } = await sizesOf(read, now, NEVER);
    expect(problem).toBeUndefined();
    const old = readSchema(older);
    expect(old.faults.length).toBe(older === "" ? 1 : 0);
    if (older !== "") expect(changesOf(old.schemas[old.preferred]!.schema, now).rows.length).toBeGreaterThan(0);
    expect(readSchema(schemaSource(infer(read.kept).document)).faults).toEqual([]);
    for (const form of ["typescript", "go", "document", "module"] as const) expect(emitted(now, form).fault).toBe("");
  });
});

describe("links", () => {
  const [first] = SCHEMA_EXAMPLES;
  const WHOLE: Shared = {
    schema: first!.schema,
    samples: first!.samples,
    older: first!.older,
    chosen: "Order",
    ...{ name: "", headroom: "" },
  };

  it("come back as they were", async () => {
    // Numbers that look random and are the same in each run.
    let seed = 7;
    const random = (below: number) => (seed = (seed * 48_271) % 0x7fffffff) % below;
    const text = (length: number) =>
      Array.from({ length }, () =>
        String.fromCodePoint([random(128), random(0xd7ff), 0x10000 + random(0xffff)][random(3)]!),
      ).join("");
    for (let run = 0; run < 200; run++) {
      const shared = {
        schema: text(random(300)),
        samples: text(random(50)),
        older: text(random(20)),
        chosen: text(random(3)),
        ...{ name: text(random(2)), headroom: text(random(2)) },
      };
      const fragment = await fragmentOf(SCHEMA_LINKS, shared);
      expect(fragment).toMatch(/^#schema=1\.[0-9a-z]+\.[\w-]+$/);
      expect(tabOf(fragment)).toBe("schema");
      expect(await contentIn(SCHEMA_LINKS, fragment)).toEqual(shared);
    }
  });

  it("are refused when they are broken, wherever that is", async () => {
    const fragment = await fragmentOf(SCHEMA_LINKS, WHOLE);
    expect(isLink(SCHEMA_LINKS, fragment)).toBe(true);
    for (let end = 8; end < fragment.length; end += 11)
      await expect(contentIn(SCHEMA_LINKS, fragment.slice(0, end))).rejects.toThrow("This link is not complete");
    for (let at = 12; at < fragment.length; at += 7) {
      const other = fragment[at] === "A" ? "B" : "A";
      const changed = fragment.slice(0, at) + other + fragment.slice(at + 1);
      await expect(contentIn(SCHEMA_LINKS, changed)).rejects.toThrow(
        /^This link (?:is not complete|was made by a newer)/,
      );
    }
    for (const odd of ["#schema=", "#schema=1..", "#schema=1.0.%00", fragment.replace(".", ",")])
      await expect(contentIn(SCHEMA_LINKS, odd)).rejects.toThrow("This link is not complete");
    await expect(contentIn(SCHEMA_LINKS, fragment.replace("1.", "2."))).rejects.toThrow("a newer version");
  });

  it("unfold to a limit only", async () => {
    const bomb = { ...WHOLE, samples: "x".repeat(5 * 1024 * 1024) };
    const fragment = await fragmentOf(SCHEMA_LINKS, bomb);
    expect(fragment.length).toBeLessThan(MAX_LINK_CHARACTERS);
    await expect(contentIn(SCHEMA_LINKS, fragment)).rejects.toThrow("This link is not complete");
  });

  it("have a limit, and say what to do", async () => {
    let seed = 1;
    const digits = Array.from({ length: 60_000 }, () => ((seed = (seed * 48_271) % 0x7fffffff) % 36).toString(36)).join(
      "",
    );
    await expect(fragmentOf(SCHEMA_LINKS, { ...WHOLE, samples: digits })).rejects.toThrow(
      /This link would have .* Shorten the samples/,
    );
  });
});
