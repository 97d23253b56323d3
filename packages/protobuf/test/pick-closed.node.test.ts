/**
 * Unknown values of closed enums are unknown fields for protobuf.js 8.8, and values for 7.6: random fields, picked and decoded. A picker
 * follows the library of its type.
 */
import { share } from "@moonpack/harness/effort.ts";
import { concat, toHex } from "@moonpack/harness/hex.ts";
import { randomSource } from "@moonpack/harness/random.ts";
import { FieldPicker, type ReflectedType } from "@moonpack/protobuf/pick";
import { describe, expect, test } from "vitest";
import { delimited, field, varint } from "./model.ts";
import { type Original, originals, protobuf7, protobuf8 } from "./protobufjs.ts";

const BODY = `
  message M {
    NO_LABEL E e = 1;
    oneof o { string s = 2; E oe = 3; F of = 7; }
    repeated E re = 4;
    map<string, E> me = 5;
    map<string, F> mf = 6;
    repeated E packed = 3000 [PACKED];
    NO_LABEL M m = 8;
  }`;
const PROTO2 = `syntax = "proto2"; enum E { A = 0; B = 1; C = -2; } enum F { X = 5; } ${BODY}`
  .replaceAll("NO_LABEL", "optional")
  .replace("PACKED", "packed = true");
const EDITION = `edition = "2023"; enum E { option features.enum_type = CLOSED; A = 0; B = 1; C = -2; }
  enum F { option features.enum_type = CLOSED; X = 5; } ${BODY}`
  .replaceAll("NO_LABEL", "")
  .replace("PACKED", "features.repeated_field_encoding = PACKED");
const NAMES = ["e", "s", "oe", "of", "re", "me", "mf", "packed", "m.oe", "m.re"];

interface Message {
  readonly [name: string]: unknown;
}

/** The type without its features: decoding finds them. */
function typeOf({ library }: Original, source: string) {
  return library.protobuf.parse(source).root.lookupType("M");
}

function pick(of: ReturnType<typeof typeOf>, paths: readonly string[], bytes: Uint8Array) {
  const type = of as unknown as ReflectedType;
  const { rest, ...picked } = new FieldPicker(Object.fromEntries(paths.map((path) => [path, path])), {
    type,
    rest: true,
  }).decode(bytes);
  return { ...picked, rest: [...rest] };
}

describe.each([
  ["proto2", PROTO2],
  ["edition 2023", EDITION],
])("%s", (_, source) => {
  test("an unknown value is an unknown field: it is no value, stays in the rest, and clears no oneof", () => {
    const picked = (paths: readonly string[], ...bytes: number[]) =>
      pick(typeOf(protobuf8, source), paths, Uint8Array.from(bytes));
    expect(picked(["s"], 18, 1, 97, 24, 9)).toEqual({ s: "a", rest: [24, 9] });
    expect(picked(["s", "oe"], 18, 1, 97, 24, 9)).toEqual({ s: "a", oe: undefined, rest: [24, 9] });
    expect(picked(["s", "oe"], 18, 1, 97, 24, 1)).toEqual({ s: undefined, oe: 1, rest: [] });
    expect(picked(["e"], 8, 1, 8, 9)).toEqual({ e: 1, rest: [8, 9] });
    expect(picked(["re"], 32, 0, 32, 9, 34, 3, 1, 9, 0)).toEqual({ re: [0, 1, 0], rest: [32, 9, 32, 9] });
    expect(picked(["me"], 42, 5, 10, 1, 97, 16, 9)).toEqual({ me: {}, rest: [42, 5, 10, 1, 97, 16, 9] });
    // An entry without a value has 0, which this enum lacks.
    expect(picked(["mf"], 50, 3, 10, 1, 97)).toEqual({ mf: {}, rest: [50, 3, 10, 1, 97] });
    expect(picked(["m.oe"], 66, 2, 24, 9)).toEqual({ "m.oe": undefined, rest: [66, 2, 24, 9] });
  });

  test("random fields, in part picked, have the values of decode, and the rest its unknown fields", () => {
    for (const one of originals) {
      const type = typeOf(one, source);
      const random = randomSource(91);
      let unknown = 0;
      const value = (): Uint8Array<ArrayBuffer> => varint([0, 1, -2, 5, 9, 300, -7][random(7)]!);
      const values = (): Uint8Array<ArrayBuffer> => concat(...Array.from({ length: random(4) }, value));
      const text = delimited(Uint8Array.of(97 + random(3)));
      const entry = (): Uint8Array<ArrayBuffer> =>
        concat(field(1, 2, text), random(4) === 0 ? new Uint8Array(0) : field(2, 0, value()));
      const fields = (depth: number): Uint8Array<ArrayBuffer> =>
        concat(
          ...Array.from({ length: random(6) }, () => {
            const number = [1, 2, 3, 4, 5, 6, 7, 8, 3000][random(9)]!;
            if (number === 2) return field(2, 2, text);
            if (number === 8) return field(8, 2, delimited(depth > 2 ? new Uint8Array(0) : fields(depth + 1)));
            if (number === 5 || number === 6) return field(number, 2, delimited(entry()));
            if ((number === 4 || number === 3000) && random(2) === 0) return field(number, 2, delimited(values()));
            return field(number, 0, value());
          }),
        );
      for (let i = 0; i < share(400); i++) {
        const bytes = fields(0);
        const reader = one.Reader.create(bytes);
        reader.discardUnknown = false;
        const message = type.decode(reader as never) as unknown as Message & { readonly $unknowns?: Uint8Array[] };
        const at = (from: Message | undefined, name: string): unknown => {
          const isSet = from != null && Object.hasOwn(from, name);
          const isMember = ["s", "oe", "of"].includes(name);
          if (isSet && (!isMember || from["o"] === name)) return from[name];
          return name === "re" || name === "packed" ? [] : name === "me" || name === "mf" ? {} : undefined;
        };
        // 7.6 neither merges messages nor knows the last member of a oneof that is there twice.
        const names = one.version === 7 ? ["e", "re", "me", "mf", "packed"] : NAMES;
        const paths = names.filter(() => random(2) === 0);
        for (const [path, found] of Object.entries(pick(type, paths, bytes))) {
          if (path === "rest") continue;
          const [outer, inner] = path.split(".");
          const expected = inner === undefined ? at(message, outer!) : at(message["m"] as Message, inner);
          expect([toHex(bytes), path, found]).toEqual([toHex(bytes), path, expected]);
        }
        const all = pick(type, [...NAMES.slice(0, 8), "m"], bytes).rest;
        expect([toHex(bytes), all]).toEqual([toHex(bytes), [...concat(...(message.$unknowns ?? []))]]);
        unknown += all.length;
      }
      expect(unknown > 0).toBe(one.version === 8);
    }
  });
});

test("enums of proto3 are open, and so are all of protobuf.js 7.6", () => {
  const open = 'syntax = "proto3"; enum E { A = 0; } message M { E e = 1; repeated E re = 2; map<string, E> me = 3; }';
  const bytes = Uint8Array.of(8, 9, 18, 1, 9, 26, 5, 10, 1, 97, 16, 9);
  for (const one of originals)
    expect(pick(typeOf(one, open), ["e", "re", "me"], bytes)).toEqual({ e: 9, re: [9], me: { a: 9 }, rest: [] });
  const seven = pick(typeOf(protobuf7, PROTO2), ["s", "oe", "re"], Uint8Array.of(18, 1, 97, 24, 9, 32, 9));
  expect(seven).toEqual({ s: undefined, oe: 9, re: [9], rest: [] });
});

test("the required fields of the message do not matter, nor does the size of the enum", () => {
  const values = Array.from({ length: 200 }, (_, i) => `V${i} = ${i};`).join(" ");
  const source = `syntax = "proto2"; enum E { ${values} } message M { required string s = 1; optional E e = 536870911; map<string, E> me = 3; }`;
  const bytes = (value: number) =>
    concat(
      field(536870911, 0, varint(value)),
      field(3, 2, delimited(concat(field(1, 2, delimited(Uint8Array.of(97))), field(2, 0, varint(value))))),
    );
  for (const [one, found] of [
    [protobuf7, { e: 200, me: { a: 200 }, rest: [] }],
    [protobuf8, { e: undefined, me: {}, rest: [...bytes(200)] }],
  ] as const)
    expect(pick(typeOf(one, source), ["e", "me"], bytes(200))).toEqual(found);
  expect(pick(typeOf(protobuf8, source), ["e", "me"], bytes(199))).toEqual({ e: 199, me: { a: 199 }, rest: [] });
});
