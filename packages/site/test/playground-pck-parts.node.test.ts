// The bytes of PCK explained to the bit. The oracle is the library that has written them.
import {
  type AnySchema,
  array,
  ascii,
  BOOL,
  bool,
  bytes,
  ContainerWriter,
  codec,
  doc,
  enumeration,
  f32,
  fromDocument,
  i16,
  ivar,
  map,
  nullable,
  omitEmpty,
  omitNull,
  REF,
  ref,
  schema,
  U8,
  UNION,
  UTF8,
  u8,
  u16,
  union,
  utf8,
  uvar,
} from "@moonpack/pck";
import { infer } from "@moonpack/pck/infer";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { EXAMPLES } from "../src/playground/bytes/examples.ts";
import { inspect } from "../src/playground/bytes/inspector.ts";
import { DEFAULT_SETTINGS } from "../src/playground/bytes/settings.ts";
import { bytesOfText } from "../src/playground/bytes/text-input.ts";

async function read(container: Uint8Array<ArrayBuffer>) {
  return inspect({ bytes: container, from: "bytes" }, DEFAULT_SETTINGS, () => {}, new AbortController().signal);
}

function written(of: AnySchema, ...values: unknown[]): Uint8Array<ArrayBuffer> {
  const writer = new ContainerWriter<never>(of as never);
  for (const value of values) writer.add(value as never);
  return writer.take().slice();
}

/** The parts of the rows of a value of one struct, by their paths. */
async function explained(of: AnySchema, value: unknown): Promise<Record<string, string[]>> {
  const inspector = await read(written(of, value));
  const rows = inspector.rows(0, 1000).filter(({ path }) => path.startsWith("$[0]"));
  return Object.fromEntries(
    rows.map(({ path, label, parts }) => [
      label === "key" ? `${path} key` : path,
      parts.map(({ digits, text }) => `${digits}: ${text}`),
    ]),
  );
}

const Point = schema("Point", ivar("x"), ivar("y"));
const Tag = schema("Tag", utf8("name"));

describe("the bytes of PCK", () => {
  it("are explained to the bit: the bits of a struct have names", async () => {
    const Order = schema(
      "Order",
      bool("paid"),
      omitNull(utf8("note")),
      omitEmpty(array("tags", UTF8)),
      bool("sent"),
      uvar("id"),
    );
    expect(await explained(Order, { id: 300, paid: true, sent: false, note: "hi", tags: [] })).toMatchObject({
      "$[0]": [
        "06: length of the message: 6 bytes",
        "00000101: from the right: note is present, tags is absent, paid = true, sent = false",
      ],
      "$[0].tags": ["00000101: bit 1 (0 is the right one) is 0: absent, read as list of 0"],
      "$[0].paid": ["00000101: bit 2 (0 is the right one) is 1: true"],
      "$[0].sent": ["00000101: bit 3 (0 is the right one) is 0: false"],
      "$[0].id": ["ac 02: 44 + 2 × 2^7 = 300"],
      "$[0].note": ["02: length: 2 bytes", "68 69: its text in UTF-8"],
    });
  });

  it("are explained for each type", async () => {
    const All = schema(
      "All",
      u8("a"),
      u16("b"),
      i16("c"),
      f32("d"),
      ivar("e"),
      enumeration("f", "new", "paid"),
      bytes("g"),
      ascii("h", 2),
      ref("i", Point),
      union("j", { tag: Tag, point: Point }),
      array("k", BOOL),
      array("l", nullable(U8)),
      map("m", UTF8, nullable(U8)),
    );
    const value = {
      ...{ a: 200, b: 4711, c: -2, d: 1.5, e: -3, f: "paid", g: Uint8Array.of(7), h: "ok", i: { x: 1, y: 0 } },
      ...{ j: { kind: "point", x: 64, y: 0 }, k: [true, false, true], l: [null, 5] },
      m: new Map([
        ["p", null],
        ["q", 9],
      ]),
    };
    expect(await explained(All, value)).toMatchObject({
      "$[0].a": ["c8: 200"],
      "$[0].b": ["67 12: from its last byte: 0x1267 = 4,711"],
      "$[0].c": ["fe ff: from its last byte: 0xfffe = 65,534; its highest bit is 1, so 2^16 is taken off: −2"],
      "$[0].d": [
        "00 00 c0 3f: from its last byte: sign 0 (+), exponent 01111111 = 127 − 127 = 0, fraction 1.5: 1.5 × 2^0 = 1.5",
      ],
      "$[0].e": ["05: 5; odd, so −(5 + 1) / 2 = −3"],
      "$[0].f": ['01: name 1, from 0: "paid"'],
      "$[0].g": ["01: length: 1 byte", "07: its bytes"],
      "$[0].h": ["6f 6b: its text in ASCII"],
      "$[0].i": [],
      "$[0].i.x": ["02: 2; even, so 2 / 2 = 1"],
      "$[0].j": ["01: arm 1, from 0: point (Point)"],
      "$[0].j.x": ["80 01: 0 + 1 × 2^7 = 128; even, so 128 / 2 = 64"],
      "$[0].k": ["03: 3 elements", "05: a bit for each element, from the right: 1 is true, or not null"],
      "$[0].k[1]": ["00000101: bit 1 (0 is the right one) is 0: false"],
      "$[0].l": ["02: 2 elements", "02: a bit for each element, from the right: 1 is true, or not null"],
      "$[0].l[0]": ["00000010: bit 0 (0 is the right one) is 0: absent, null"],
      "$[0].l[1]": ["05: 5"],
      "$[0].m": ["02: 2 entries"],
      '$[0].m["p"]': ["01: length: 1 byte", "70: its text in UTF-8", "00: null"],
      '$[0].m["q"]': ["01: length: 1 byte", "71: its text in UTF-8", "01: not null", "09: 9"],
    });
  });

  it("of the head are the magic, the schema and the fingerprint", async () => {
    const [container, document, fingerprint] = (await read(written(Point, { x: 1, y: 2 }))).rows(0, 3);
    expect(container!.parts.map(({ digits, text }) => `${digits}: ${text}`)).toEqual([
      "50 43 4b: PCK in ASCII",
      "01: version 1",
    ]);
    expect(document!.parts.map(({ text }) => text)[1]).toBe("the schema document, JSON in UTF-8");
    expect(fingerprint!.parts).toHaveLength(1);
  });

  it("are all explained, each once, in data of any shape", async () => {
    const leaf = fc.oneof(fc.boolean(), fc.nat(70_000), fc.integer(), fc.double(), fc.string(), fc.constant(null));
    const sample = fc.dictionary(
      fc.string({ minLength: 1 }),
      fc.oneof(leaf, fc.array(fc.boolean()), fc.array(fc.option(fc.nat())), fc.dictionary(fc.uuid(), fc.option(leaf))),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(sample, { minLength: 1, maxLength: 4 }), async (samples) => {
        const { document } = infer(samples);
        const own = fromDocument(document);
        const messages = codec(own);
        const values = samples.map((one) => messages.fromJSON(one, { int64: "any" }));
        const inspector = await read(written(own, ...values));
        for (const { parts, offset, end, format, from } of inspector.rows(0, 10_000)) {
          if (offset === end) continue;
          expect([parts[0]!.from, parts.at(-1)!.to], format).toEqual([from, end]);
          for (const [index, part] of parts.entries()) if (index > 0) expect(part.from).toBe(parts[index - 1]!.to);
        }
      }),
      { numRuns: 200 },
    );
  });

  it("that are broken have none, and names of strangers are shown as they are", async () => {
    const Odd = schema("Odd", bool("a\u202eb"), doc(omitNull(u8("c d")), "A comment."));
    const whole = written(Odd, { "a\u202eb": true, "c d": 7 });
    const rows = (await read(whole)).rows(0, 9);
    expect(JSON.stringify(rows)).not.toContain("\u202e");
    expect(rows.at(-1)!.parts.map(({ text }) => text)).toEqual(["7"]);
    for (let end = 0; end <= whole.length; end++) {
      const cut = (await read(whole.slice(0, end))).rows(0, 99);
      for (const { isFault, parts } of cut) if (isFault) expect(parts).toEqual([]);
    }
  });

  it("of the example are explained", async () => {
    const { text } = EXAMPLES.find(({ title }) => title === "PCK")!;
    const inspector = await read(bytesOfText(text, undefined).bytes);
    const rows = inspector.rows(0, 99);
    expect(rows.filter(({ parts, offset, end }) => parts.length === 0 && end > offset)).toEqual([]);
  });

  it("of a deep value are explained", async () => {
    const Deep: AnySchema = schema("Deep", u8("v"), omitNull(ref("next", () => Deep)));
    let value: object = { v: 1, next: null };
    for (let level = 1; level < 400; level++) value = { v: 1, next: value };
    const inspector = await read(written(Deep, value));
    const last = inspector.rows(0, 5000).at(-1)!;
    expect(last.level).toBeGreaterThan(300);
    expect(last.parts.length).toBeGreaterThan(0);
  });

  it("of lists of structs and of unions in them are explained", async () => {
    const Drawing = schema("Drawing", array("shapes", UNION({ tag: Tag, point: Point })), array("points", REF(Point)));
    const seen = await explained(Drawing, { shapes: [{ kind: "tag", name: "a" }], points: [{ x: 1, y: 2 }] });
    expect(seen["$[0].shapes[0].name"]).toEqual(["01: length: 1 byte", "61: its text in UTF-8"]);
    expect(seen["$[0].points[0].y"]).toEqual(["04: 4; even, so 4 / 2 = 2"]);
  });
});
