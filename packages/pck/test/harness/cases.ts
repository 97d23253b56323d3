/** Cases of PCK, from vectors and from the random generator, and the checks of each case. */
import { fault } from "@moonpack/harness/caught.ts";
import { equal, none } from "@moonpack/harness/each.ts";
import { bytesDiffer, fromHex } from "@moonpack/harness/hex.ts";
import { differ } from "@moonpack/harness/same.ts";
import type { Rejection } from "./decode.ts";
import type { PckEndpoint, PckEngine } from "./engines.ts";
import type { RefusedCase } from "./refusals.ts";
import type { Json, SchemaDocument } from "./shape.ts";
import { valueOfJson } from "./values.ts";

/** A value and its bytes. */
export interface ValueCase {
  readonly kind: "value";
  readonly doc: SchemaDocument;
  readonly value: Json;
  /** The same value with maps in another order, or without some fields: it encodes to the same bytes. */
  readonly given?: Json;
  readonly bytes: string;
  readonly fingerprint?: string;
}

/** Bytes whose value encodes to other bytes: payloads of NaNs. */
export interface ReadCase {
  readonly kind: "read";
  readonly doc: SchemaDocument;
  readonly bytes: string;
  readonly value: Json;
}

/** Invalid bytes. */
export interface RejectedCase {
  readonly kind: "rejected";
  readonly doc: SchemaDocument;
  readonly bytes: string;
  readonly error: Rejection;
}

/** A valid or invalid document. */
export interface SchemaCase {
  readonly kind: "schema";
  readonly doc: unknown;
  readonly cause: string;
  readonly error?: { readonly code: string };
  readonly fingerprint?: string;
}

/** A case with bytes. */
export type BytesCase = ValueCase | ReadCase | RejectedCase;

/** Fails unless an engine throws the error of the case. */
export function checkRefused({ doc, value, error }: RefusedCase, endpoint: PckEndpoint): void {
  equal(
    fault(() => endpoint.encode(valueOfJson(doc, value))),
    { ...error },
    JSON.stringify(value).slice(0, 200),
  );
}

/** Returns cases with names, for `each`. */
export function named<T>(cases: readonly T[], from: string): readonly (T & { readonly name: string })[] {
  return cases.map((one, i) => ({ ...one, name: `${from}, line ${i + 1}${causeOf(one)}` }));
}

function causeOf(one: unknown): string {
  const { cause = "" } = one as { readonly cause?: string };
  return cause === "" ? "" : ` (${cause})`;
}

/** Opens an engine once for successive cases of one schema. */
export function opener(engine: PckEngine): (doc: SchemaDocument) => PckEndpoint {
  let last: { readonly doc: SchemaDocument; readonly endpoint: PckEndpoint } | undefined;
  return (doc) => {
    if (last?.doc !== doc) last = { doc, endpoint: engine.open(doc) };
    return last.endpoint;
  };
}

/** Fails unless an engine has the outcome of the case. */
export function check(one: BytesCase, endpoint: PckEndpoint): void {
  const bytes = fromHex(one.bytes);
  if (one.kind === "rejected") {
    const { code, offset, needMore = 0 } = one.error;
    equal(
      fault(() => endpoint.decode(bytes)),
      { code, offset, needMore },
      one.bytes.slice(0, 200),
    );
    return;
  }
  none(differ(endpoint.decode(bytes), valueOfJson(one.doc, one.value)), "decoded");
  if (one.kind === "read") return;
  none(bytesDiffer(endpoint.encode(valueOfJson(one.doc, one.value)), bytes), "encoded");
  none(
    bytesDiffer(endpoint.encode(valueOfJson(one.doc, one.value, { mix: (pairs) => [...pairs].reverse() })), bytes),
    "maps reversed",
  );
  if (one.given !== undefined) none(bytesDiffer(endpoint.encode(valueOfJson(one.doc, one.given)), bytes), "given");
}
