// The tab of schemas without its page: samples, their sizes, code, comparisons and links.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { type AnySchema, codec, compare, fingerprint, schema, u8, u16, utf8 } from "@moonpack/pck";
import { emit, emitGo, schemaSource } from "@moonpack/pck/emit";
import { infer } from "@moonpack/pck/infer";
import { encode } from "moonpack";
import { describe, expect, it } from "vitest";
import { changesOf } from "../src/playground/schema/changes.ts";
import { type EmitForm, emitted, printOf } from "../src/playground/schema/emitted.ts";
import { SCHEMA_EXAMPLES, type SchemaExample } from "../src/playground/schema/examples.ts";
import { formOf } from "../src/playground/schema/form.ts";
import { inferenceOf } from "../src/playground/schema/inference.ts";
import { MAX_SHOWN } from "../src/playground/schema/limits.ts";
import { SCHEMA_LINKS, type Shared } from "../src/playground/schema/link.ts";
import { Looker } from "../src/playground/schema/looker.ts";
import { readSchema } from "../src/playground/schema/read-schema.ts";
import { MAX_SAMPLE_BYTES, MAX_SAMPLES } from "../src/playground/schema/sample-limits.ts";
import { readSamples } from "../src/playground/schema/samples.ts";
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

describe("the command line", () => {
  it("prints the same schema, and the same changes", () => {
    const folder = mkdtempSync(join(tmpdir(), "moonpack-site-"));
    const file = (name: string, text: string) => {
      writeFileSync(join(folder, name), text);
      return join(folder, name);
    };
    const [{ schema: text, samples, older }] = SCHEMA_EXAMPLES as [SchemaExample];
    try {
      const { text: inferred } = inferenceOf(readSamples(samples).kept, "Order");
      expect(run("infer", file("samples.ndjson", samples), "--name", "Order")).toBe(inferred);
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
  const WHOLE: Shared = { schema: first!.schema, samples: first!.samples, older: first!.older, chosen: "Order" };

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
