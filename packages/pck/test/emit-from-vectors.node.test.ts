/**
 * Emitted decoders of older schemas: the vectors of `resolve` and random pairs of schemas give the same values and
 * errors.
 */

import { caughtOurs, fault } from "@moonpack/harness/caught.ts";
import { each, equal, none } from "@moonpack/harness/each.ts";
import { fromHex } from "@moonpack/harness/hex.ts";
import { differ } from "@moonpack/harness/same.ts";
import { type Resolver, resolve, type SchemaDocument } from "@moonpack/pck";
import { emit, emitGo, type JavaScriptOptions } from "@moonpack/pck/emit";
import { DecodeError } from "moonpack/bytes";
import { expect, test } from "vitest";
import type { Rejection } from "./harness/decode.ts";
import { load } from "./harness/emitted.ts";
import { evolvedPairs } from "./harness/evolved-pairs.ts";
import { linesOf } from "./harness/files.ts";
import { withPlainNames } from "./harness/plain-names.ts";
import type { Json } from "./harness/shape.ts";
import { valueOfJson } from "./harness/values.ts";

interface ResolveCase {
  readonly writer: SchemaDocument;
  readonly reader: SchemaDocument;
  readonly bytes?: string;
  readonly value?: Json;
  readonly error?: Rejection;
}

type Decode = (bytes: Uint8Array) => unknown;

/** The emitted decoder that reads the writer's bytes as the reader's values. */
function decoderOf(writer: SchemaDocument, reader: SchemaDocument, options: JavaScriptOptions): Decode {
  const functions = Object.entries(load(emit(withPlainNames(reader), { ...options, older: writer })));
  return functions.find(([name]) => /^decode.*FromOld$/.test(name))![1] as Decode;
}

function vectors(options: JavaScriptOptions, isWanted: (i: number) => boolean): void {
  const decoders = new Map<string, Decode>();
  const cases = linesOf<ResolveCase>("resolve.jsonl").filter((_, i) => isWanted(i));
  each(cases, ({ writer, reader, bytes, value, error }) => {
    if (bytes === undefined) {
      const { message } = caughtOurs(() => resolve(writer, reader));
      const refused = caughtOurs(() => emit(reader, { ...options, older: writer }));
      const inGo = caughtOurs(() => emitGo(reader, { package: "game", older: writer }));
      equal([inGo.code, inGo.message], [error!.code, message]);
      return equal([refused.code, refused.message], [error!.code, message]);
    }
    const key = JSON.stringify([writer, reader]);
    const decode = decoders.get(key) ?? decoderOf(writer, reader, options);
    decoders.set(key, decode);
    if (error === undefined) return none(differ(decode(fromHex(bytes)), valueOfJson(reader, value!)));
    const { code, offset, needMore = 0 } = error;
    equal(
      fault(() => decode(fromHex(bytes))),
      { code, offset, needMore },
    );
  });
}

test("the vectors of resolve in JavaScript", () => {
  vectors({ target: "js" }, () => true);
});

test("some vectors of resolve in TypeScript", () => {
  vectors({ target: "ts" }, (i) => i % 20 === 0);
});

/** Returns a decoder's result for bytes: a value, or the error's code and offset. */
function outcome(decode: Decode, bytes: Uint8Array): { readonly value: unknown } | { readonly error: unknown } {
  try {
    return { value: decode(bytes) };
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    const { code, offset, needMore } = error;
    return { error: { code, offset, needMore } };
  }
}

test("random pairs behave like resolve with every option", () => {
  const options: readonly Omit<JavaScriptOptions, "target">[] = [
    {},
    { int64: "number" },
    { maps: "object" },
    { typedArrays: true, binary: "view" },
    { maxDepth: 4 },
  ];
  const seen = { values: 0, errors: 0, pairs: 0 };
  const pairs = [...evolvedPairs(20270101, 60)];
  each(
    pairs.map((pair, i) => ({ ...pair, options: options[i % options.length]! })),
    ({ writer, reader, messages, options }) => {
      let resolver: Resolver<unknown>;
      try {
        resolver = resolve<unknown, unknown>(writer, reader, options);
      } catch {
        return equal(caughtOurs(() => decoderOf(writer, reader, { ...options, target: "js" })).code, "ERR_SCHEMA");
      }
      seen.pairs++;
      const decode = decoderOf(writer, reader, { ...options, target: "js" });
      for (const message of messages) {
        const bytes = Uint8Array.from(message);
        const want = outcome((b) => resolver.decode(b), bytes);
        const got = outcome(decode, bytes);
        if ("error" in want || "error" in got) {
          equal(got, want);
          seen.errors++;
        } else {
          none(differ(got.value, want.value));
          seen.values++;
        }
      }
    },
  );
  for (const [what, count] of Object.entries(seen)) expect(count, what).toBeGreaterThan(80);
});
