/**
 * Optional fields (`omitNull`, `omitEmpty`, `omitZero`): which values are written as absent, and the values of absent
 * fields when they are read (docs/pck-format.md, "Optional fields"). Generated code does the same in
 * generate/write-struct.ts.
 */

import { isWide, type Member, type Node } from "../model/model.js";
import { frozen, frozenMap } from "../runtime/shared-empty.js";
import { isEmptyBytes, isEmptyList, isEmptyMap, isEmptyNumbers, isEmptyRecord } from "../runtime/value-kinds.js";
import { isZeroF32 } from "../runtime/write-numbers.js";
import type { CodecSettings } from "../settings.js";
import { isNumber, isObjectMap, typedArrayOf } from "./representation.js";

/** True for values that make a field absent. False for values of a wrong type: writing them throws. */
export type AbsenceTest = (value: unknown) => boolean;

/** Returns the absence test of a field: for values to write, and for decoded values. */
export function absenceOf(member: Pick<Member, "omit" | "type">, settings: CodecSettings): AbsenceTest {
  const { omit, type } = member;
  const tests: AbsenceTest[] = [];
  if (omit.has("empty")) tests.push(isEmptyOf(type, settings));
  if (omit.has("zero")) tests.push(isZeroOf(type));
  const takesNull = omit.has("null");
  const [first, second] = tests;
  if (first === undefined) return (value) => value === undefined || value === null;
  return (value) =>
    value === undefined || (value === null ? takesNull : first(value) || (second !== undefined && second(value)));
}

/** Returns the values that `omitEmpty` writes as absent: no bytes but a presence bit 0. */
function isEmptyOf(type: Node, settings: CodecSettings): AbsenceTest {
  switch (type.kind) {
    case "bytes":
      return isEmptyBytes;
    case "array":
      return isNumber(type.element) ? isEmptyNumbers : isEmptyList;
    case "map":
      return isObjectMap(type, settings) ? isEmptyRecord : isEmptyMap;
    default:
      return (value) => value === "";
  }
}

/** Returns the values that `omitZero` writes as absent. -0 is not 0 for floats. */
function isZeroOf({ kind }: Node): AbsenceTest {
  if (kind === "f32") return isZeroF32;
  if (kind === "f64") return (value) => Object.is(value, 0);
  return isWide(kind) ? (value) => value === 0 || value === 0n : (value) => value === 0;
}

/** Returns a function that makes the value of an absent field. */
export function absentValueOf(member: Pick<Member, "omit" | "type">, settings: CodecSettings): () => unknown {
  const { omit, type } = member;
  if (omit.has("null")) return () => null;
  if (omit.has("zero")) {
    const zero = settings.int64 === "bigint" && isWide(type.kind) ? 0n : 0;
    return () => zero;
  }
  if (settings.absent === "shared") {
    const shared = sharedEmptyOf(type, settings);
    return () => shared;
  }
  return emptyOf(type, settings);
}

function emptyOf(type: Node, settings: CodecSettings): () => unknown {
  switch (type.kind) {
    case "bytes":
      return () => new Uint8Array(0);
    case "array":
      return emptyListOf(type.element, settings);
    case "map":
      return isObjectMap(type, settings) ? () => ({}) : () => new Map();
    default:
      return () => "";
  }
}

function sharedEmptyOf(type: Node, settings: CodecSettings): unknown {
  if (type.kind === "map" && !isObjectMap(type, settings)) return frozenMap();
  const empty = emptyOf(type, settings)();
  return typeof empty === "object" ? frozen(empty as object) : empty;
}

function emptyListOf(element: Node, settings: CodecSettings): () => unknown {
  const Class = typedArrayOf(element, settings);
  return Class === undefined ? () => [] : () => new Class(new ArrayBuffer(0));
}
