/** Reads the golden vectors (vectors/README.md is their notation). */
import { Extension, Timestamp } from "moonpack";
import arrays from "../../../vectors/msgpack/arrays.json" with { type: "json" };
import binary from "../../../vectors/msgpack/binary.json" with { type: "json" };
import extensions from "../../../vectors/msgpack/extensions.json" with { type: "json" };
import floats from "../../../vectors/msgpack/floats.json" with { type: "json" };
import integers from "../../../vectors/msgpack/integers.json" with { type: "json" };
import maps from "../../../vectors/msgpack/maps.json" with { type: "json" };
import nilBool from "../../../vectors/msgpack/nil-bool.json" with { type: "json" };
import rejectedFile from "../../../vectors/msgpack/rejected.json" with { type: "json" };
import strings from "../../../vectors/msgpack/strings.json" with { type: "json" };
import timestamps from "../../../vectors/msgpack/timestamps.json" with { type: "json" };
import { isWhole } from "./effort.ts";
import { readBytes } from "./parts.ts";

/** A vector of valid bytes. */
export interface Vector {
  readonly group: string;
  readonly name: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** False if decoders accept these bytes but encoders write another form. */
  readonly shortest: boolean;
  /** Creates the value anew at each call, so that no test can change another test's value. */
  value(): unknown;
}

/** A vector that a decoder rejects, with the expected error. */
export interface Rejected {
  readonly name: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly code: string;
  readonly offset: number;
  readonly needMore: number;
  /** Only strict decoders reject it. Others return `value`. */
  readonly strict: boolean;
  value(): unknown;
}

/** Returns the value that the JSON of the vectors' notation stands for. */
export function toValue(json: unknown): unknown {
  if (typeof json !== "object" || json === null) return json;
  if (Array.isArray(json)) return json.map(toValue);
  const keys = Object.keys(json);
  const form = keys.length === 1 && keys[0]!.startsWith("$") ? keys[0]! : "";
  if (form === "") {
    const object = {};
    for (const [key, value] of Object.entries(json)) define(object, key, toValue(value));
    return object;
  }
  const body: unknown = (json as Record<string, unknown>)[form];
  const [first, second] = Array.isArray(body) ? (body as unknown[]) : [];
  switch (form) {
    case "$int": {
      const n = BigInt(String(body));
      return Number.isSafeInteger(Number(n)) ? Number(n) : n;
    }
    case "$float":
      return Number(body);
    case "$bin":
      return readBytes(body);
    case "$ext":
      return new Extension(Number(first), readBytes(second));
    case "$time": {
      const time = new Timestamp(BigInt(String(first)), Number(second));
      return time.isDate ? time.toDate() : time;
    }
    case "$map": {
      const pairs = (body as [unknown, unknown][]).map(([key, value]) => [toValue(key), toValue(value)] as const);
      if (!pairs.every(([key]) => typeof key === "string")) return new Map(pairs);
      const object = {};
      for (const [key, value] of pairs) define(object, String(key), value);
      return object;
    }
    case "$repeat":
      return String(first).repeat(Number(second));
    case "$array":
      return Array.from({ length: Number(second) }, () => toValue(first));
    case "$entries": {
      const object: Record<string, null> = {};
      for (let i = 0; i < Number(body); i++) object[`k${String(i).padStart(5, "0")}`] = null;
      return object;
    }
    case "$nested": {
      let value: unknown = first === "array" ? [] : {};
      for (let i = 1; i < Number(second); i++) value = first === "array" ? [value] : { a: value };
      return value;
    }
    default:
      throw new Error(`unknown form ${form}`);
  }
}

/** Defines an own property. Assigning to `__proto__` would set the prototype. */
function define(object: object, key: string, value: unknown): void {
  Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
}

interface File {
  readonly vectors: readonly { readonly name: string; readonly bytes: unknown; readonly [key: string]: unknown }[];
}

const files: Record<string, unknown> = {
  "nil-bool": nilBool,
  integers,
  floats,
  strings,
  binary,
  arrays,
  maps,
  extensions,
  timestamps,
};

/** All vectors of valid bytes. */
export const vectors: readonly Vector[] = Object.entries(files).flatMap(([group, file]) =>
  (file as File).vectors.map((v) => ({
    group,
    name: `${group}: ${v.name}`,
    bytes: readBytes(v.bytes),
    shortest: v.shortest !== false,
    value: () => toValue(v.value),
  })),
);

/** Vectors for tests that repeat another test by another function: without the large ones, unless all cases run. */
export const vectorsAgain: readonly Vector[] = isWhole ? vectors : vectors.filter((v) => v.bytes.length < 4096);

/** Vectors below 4,096 bytes, for tests that do much work with each. */
export const smallVectors = vectors.filter((v) => v.bytes.length < 4096);

/** All vectors that a decoder rejects. */
export const rejected: readonly Rejected[] = (rejectedFile as unknown as File).vectors.map((v) => ({
  name: v.name,
  bytes: readBytes(v.bytes),
  code: String(v.code),
  offset: Number(v.offset),
  needMore: Number(v.needMore),
  strict: v.strict === true,
  value: () => toValue(v.value),
}));
