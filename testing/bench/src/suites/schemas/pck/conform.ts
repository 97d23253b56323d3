import type { Json } from "../../../corpus/select.js";
import type { InferredDocument, InferredType } from "./infer.js";

/** A value as a codec of the inferred schema takes and returns it, with every field. */
export function conform(document: InferredDocument, type: InferredType, value: Json): unknown {
  if (value === null) return type === "bool" ? false : null;
  if (typeof type === "string") return type === "utf8" && typeof value !== "string" ? JSON.stringify(value) : value;
  if ("enumeration" in type) return value;
  if ("nullable" in type) return conform(document, type.nullable, value);
  if ("array" in type) return (value as Json[]).map((item) => conform(document, type.array, item));
  const object = value as { [key: string]: Json };
  if ("map" in type) {
    const [, item] = type.map;
    return Object.fromEntries(Object.entries(object).map(([key, each]) => [key, conform(document, item, each)]));
  }
  const { fields } = document.structs[type.ref]!;
  return Object.fromEntries(fields.map(({ name, type: own }) => [name, conform(document, own, object[name] ?? null)]));
}
