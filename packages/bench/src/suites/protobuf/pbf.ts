import { PbfReader, PbfWriter } from "pbf";
import { compile } from "pbf/compile";
import { parse } from "protocol-buffers-schema";
import type { Player } from "./players.js";

/** pbf with the code that it compiles. */
export const pbf: Player = {
  id: "pbf",
  title: "pbf",
  prepare: (value) => withNumbers(value) as object,
  create({ source, type }) {
    const code = compile(parse(source));
    const write = code[`write${type}`]!;
    const read = code[`read${type}`]!;
    return {
      encode(message) {
        const writer = new PbfWriter();
        write(message, writer);
        return writer.finish();
      },
      decode: (bytes) => read(new PbfReader(bytes)),
    };
  },
};

/** The same with numbers for 64-bit integers; what holds none stays as it is. */
function withNumbers(value: unknown): unknown {
  if (typeof value !== "object" || value === null || value instanceof Uint8Array || Array.isArray(value)) return value;
  if ("low" in value && "high" in value) return (value.high as number) * 2 ** 32 + ((value.low as number) >>> 0);
  const entries = Object.entries(value).map(([key, item]) => [key, withNumbers(item)] as const);
  return entries.every(([key, item]) => (value as Readonly<Record<string, unknown>>)[key] === item)
    ? value
    : Object.fromEntries(entries);
}
