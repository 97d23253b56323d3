/** Values that cannot be decoded: their errors, and their bytes, which are never lost. */

import { fingerprint } from "@moonpack/pck";
import fc from "fast-check";
import { EncodeError, MoonpackError } from "moonpack/bytes";
import { describe, expect, test } from "vitest";
import { moonpackSerialization, Packed, UndecodableError, Undecoded } from "../src/index.ts";
import { OldPlayer, Player, PlayerV1, StrictPlayer } from "./harness/schema-versions.ts";
import { bytesOf, serviceOf, valueIn } from "./harness/service.ts";

const old = serviceOf(moonpackSerialization({ stored: [OldPlayer] }));
const strict = serviceOf(moonpackSerialization({ stored: [StrictPlayer] }));
const keeping = serviceOf(moonpackSerialization({ stored: [StrictPlayer], undecodable: "keep" }));
const OLD_BYTES = bytesOf(old, new OldPlayer({ nick: "ann", score: 7 }));
const print = Buffer.from(fingerprint(PlayerV1)).toString("hex");

function errorOf(read: () => unknown): UndecodableError {
  try {
    read();
  } catch (error) {
    expect(error).toBeInstanceOf(UndecodableError);
    return error as UndecodableError;
  }
  return expect.unreachable();
}

describe("an unknown schema", () => {
  test("throw: an error with the fingerprint", () => {
    const error = errorOf(() => valueIn(strict, OLD_BYTES));
    expect(error).toBeInstanceOf(MoonpackError);
    expect([error.code, error.typeId, error.fingerprint, error.name]).toEqual([
      "ERR_FINGERPRINT",
      1001,
      print,
      "UndecodableError",
    ]);
    expect(error.message).toContain(print);
    expect(error.undecoded).toBeInstanceOf(Undecoded);
    expect(error.undecoded.error).toBe(error);
    expect(error.undecoded.bytes.toString("hex")).toBe(OLD_BYTES.slice(24));
    // Loggers convert errors to JSON.
    expect(() => JSON.stringify([error, error.undecoded])).not.toThrow();
  });

  test("keep: the value is written back unchanged, also by a client without classes", () => {
    const kept = valueIn(keeping, OLD_BYTES) as Undecoded;
    expect([kept.typeId, kept.error.code]).toEqual([1001, "ERR_FINGERPRINT"]);
    for (const service of [
      keeping,
      strict,
      serviceOf(moonpackSerialization()),
      serviceOf(moonpackSerialization({ write: "json" })),
    ])
      expect(bytesOf(service, kept)).toBe(OLD_BYTES);
  });

  test("a function: its result is the value, its exception is thrown", () => {
    const undecodable = ({ typeId }: Undecoded): unknown => {
      if (typeId === 1001) return `type ${typeId}`;
      throw new RangeError("mine");
    };
    const own = serviceOf(moonpackSerialization({ stored: [StrictPlayer], undecodable }));
    expect(valueIn(own, OLD_BYTES)).toBe("type 1001");
    expect(() => valueIn(own, "00000000 00006d70 00000001 c1")).toThrow("mine");
  });

  test("older: it is decoded with new names and defaults", () => {
    const player = valueIn(serviceOf(moonpackSerialization({ stored: [Player] })), OLD_BYTES) as Player;
    expect(player).toBeInstanceOf(Player);
    expect([{ ...player }, player.isAlive]).toEqual([{ name: "ann", score: 7, lives: 3 }, true]);
  });

  test("decode decodes the value again", () => {
    const kept = valueIn(keeping, OLD_BYTES) as Undecoded;
    const knowing = moonpackSerialization({ stored: [Player] });
    expect(knowing.decode(kept)).toEqual(new Player({ name: "ann", score: 7, lives: 3 }));
    const again = errorOf(() => moonpackSerialization({ stored: [StrictPlayer] }).decode(kept));
    expect(bytesOf(keeping, again.undecoded)).toBe(OLD_BYTES);
    for (const wrong of [() => moonpackSerialization().decode(kept), () => knowing.decode({} as never)])
      expect(wrong).toThrow(expect.objectContaining({ code: "ERR_INVALID_ARGUMENT" }));
  });
});

describe("damaged values", () => {
  const CASES: [string, string, string][] = [
    ["no length", "00000000 00006d70", "ERR_TRUNCATED"],
    ["half a length", "00000000 00006d70 0000", "ERR_TRUNCATED"],
    ["a negative length", "00000000 00006d70 ffffffff", "ERR_INVALID_BYTE"],
    ["a length beyond the end", "00000000 00006d70 00000005 81a16101", "ERR_TRUNCATED"],
    ["bytes after the payload", "00000000 00006d70 00000001 c0 00", "ERR_TRAILING_BYTES"],
    ["an empty payload", "00000000 00006d70 00000000", "ERR_TRUNCATED"],
    ["a truncated message", "00000000 00006d70 00000003 81a161", "ERR_TRUNCATED"],
    ["a byte that MessagePack does not use", "00000000 00006d71 00000001 c1", "ERR_INVALID_BYTE"],
    ["bytes after the message", "00000000 00006d70 00000002 c0c0", "ERR_TRAILING_BYTES"],
    ["half a fingerprint", "00000000 000003e9 00000004 0f83c27d", "ERR_TRUNCATED"],
    ["a fingerprint alone", "00000000 000003e9 00000008 0f83c27d6b4271bb", "ERR_TRUNCATED"],
    ["bytes after the struct", "00000000 000003e9 00000010 0f83c27d6b4271bb 07000303616e6e00", "ERR_TRAILING_BYTES"],
    ["a damaged value with a hash", "12345678 000003e9 00000004 0f83c27d", "ERR_TRUNCATED"],
    ["a damaged value with a high hash", "f2345678 000003e9 00000004 0f83c27d", "ERR_TRUNCATED"],
  ];
  test.each(CASES)("%s", (_, hex, code) => {
    const error = errorOf(() => valueIn(strict, hex));
    expect([error.code, (error.cause as MoonpackError).code]).toEqual([code, code]);
    const kept = valueIn(keeping, hex);
    expect(kept).toBeInstanceOf(Undecoded);
    expect(bytesOf(keeping, kept)).toBe(hex.replaceAll(" ", ""));
    expect(() => moonpackSerialization({ stored: [StrictPlayer] }).decode(kept as Undecoded)).toThrow(UndecodableError);
  });

  test("any bytes: a value, or an Undecoded that keeps them", () => {
    const typeIds = fc.constantFrom("00006d70", "00006d71", "000003e9");
    const player = "0000000f0f83c27d6b4271bb07000303616e6e";
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 40 }).map((array) => Buffer.from(array).toString("hex")),
      fc
        .tuple(fc.nat(player.length), fc.integer({ min: 0, max: 15 }))
        .map(([at, digit]) => player.slice(0, at) + digit.toString(16) + player.slice(at + 1)),
    );
    const hash = fc.constantFrom("00000000", "ffffffff", "00000001");
    fc.assert(
      fc.property(hash, typeIds, bytes, (hash, typeId, rest) => {
        const hex = hash + typeId + (rest.length % 2 === 0 ? rest : rest + "0");
        const value = valueIn(keeping, hex);
        if (value instanceof Undecoded) expect(bytesOf(keeping, value)).toBe(hex);
      }),
      { numRuns: 2000 },
    );
  });

  test("the bytes of an Undecoded are a copy", () => {
    const service = keeping as unknown as { toObject(data: unknown): unknown };
    const data = strict.toData({ a: 1 });
    data.toBuffer()[12] = 0xc1;
    const kept = service.toObject(data) as Undecoded;
    data.toBuffer().fill(0);
    expect(kept.bytes.toString("hex")).toBe("c1a16101");
  });
});

describe("values that cannot be encoded", () => {
  const service = serviceOf(moonpackSerialization({ stored: [Player] }));
  const cycle: Record<string, unknown> = {};
  cycle.self = cycle;
  const CASES: [string, unknown, string, string][] = [
    ["a function", { a: [1, () => 1] }, "ERR_UNSUPPORTED_TYPE", "$.a[1]"],
    ["a cycle", cycle, "ERR_CYCLE", "$.self"],
    ["text that is not well-formed", { a: "\ud800" }, "ERR_INVALID_UTF8", "$.a"],
    ["in Packed", new Packed({ a: Symbol() }), "ERR_UNSUPPORTED_TYPE", "$.a"],
    ["out of range", new Player({ name: "ann", score: 70_000, lives: 3 }), "ERR_OUT_OF_RANGE", "$.score"],
    ["a field that is missing", new Player({ name: "ann", score: 7 } as never), "ERR_UNSUPPORTED_TYPE", "$.lives"],
    [
      "a class inside of an object",
      { a: new Player({ name: "ann", score: 7, lives: 3 }) },
      "ERR_UNSUPPORTED_TYPE",
      "$.a",
    ],
    ["Packed inside of an object", [{}, new Packed(1)], "ERR_UNSUPPORTED_TYPE", "$[1]"],
    ["Undecoded inside of an object", { a: valueIn(keeping, OLD_BYTES) }, "ERR_UNSUPPORTED_TYPE", "$.a"],
  ];
  test.each(CASES)("%s", (_, value, code, path) => {
    expect(() => service.toData(value)).toThrow(expect.objectContaining({ code, path }));
    expect(() => service.toData(value)).toThrow(EncodeError);
    expect(bytesOf(service, { a: 1 })).toBe("0000000000006d700000000481a16101");
  });

  test("a getter that uses the same serialization while it is encoded", () => {
    const value = {
      get a() {
        return bytesOf(service, { b: new Map([[1, 2]]) });
      },
    };
    const inner = "0000000000006d700000000681a162810102";
    expect(valueIn(service, bytesOf(service, value))).toEqual({ a: inner });
  });
});
