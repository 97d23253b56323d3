import { pbfCodec } from "../../candidates/pbf.js";
import type { Candidate } from "./candidates.js";

/** pbf with its generated code. */
export const pbf: Candidate = {
  id: "pbf",
  title: "pbf",
  prepare: (value) => withNumbers(value) as object,
  create: ({ source, type }) => pbfCodec(source, type),
};

/** The same message with numbers for 64-bit integers. */
function withNumbers(value: unknown): unknown {
  if (typeof value !== "object" || value === null || value instanceof Uint8Array || Array.isArray(value)) return value;
  if ("low" in value && "high" in value) return (value.high as number) * 2 ** 32 + ((value.low as number) >>> 0);
  const entries = Object.entries(value).map(([key, item]) => [key, withNumbers(item)] as const);
  return entries.every(([key, item]) => (value as Readonly<Record<string, unknown>>)[key] === item)
    ? value
    : Object.fromEntries(entries);
}
