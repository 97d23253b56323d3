/** A polluted Object.prototype has no effect on `resolve` and `compare`. */
import { fileURLToPath } from "node:url";
import { childResult } from "@moonpack/harness/child.ts";
import { expect, test } from "vitest";

const FOLDER = fileURLToPath(new URL("../../../vectors/pck/", import.meta.url));

test("resolve and compare return the same results", () => {
  const code = `
    import { readFileSync, writeSync } from "node:fs";
    import { compare, resolve } from "@moonpack/pck";
    const read = (file) => readFileSync(${JSON.stringify(FOLDER)} + file, "utf8").trimEnd().split("\\n");
    const cases = [...read("resolve.jsonl"), ...read("compare.jsonl")].filter((_, i) => i % 3 === 0);
    // JSON.stringify would call an inherited toJSON.
    const own = (value) => {
      if (Array.isArray(value)) return "[" + Array.from(value, own).join() + "]";
      if (value instanceof Map) return "Map" + own([...value]);
      if (ArrayBuffer.isView(value)) return "bytes:" + value.join();
      if (typeof value !== "object" || value === null) return typeof value + ":" + String(value);
      return "{" + Object.getOwnPropertyNames(value).map((key) => key + "=" + own(Object.getOwnPropertyDescriptor(value, key).value)).join() + "}";
    };
    const answers = () => cases.map((line) => {
      const one = JSON.parse(line);
      if (one.kind === "compare") return own(compare(one.old, one.new));
      try {
        const decoder = resolve(one.writer, one.reader);
        if (!Object.hasOwn(one, "bytes")) return "resolved";
        return own(decoder.decode(Uint8Array.from({ length: one.bytes.length / 2 }, (_, i) => parseInt(one.bytes.slice(2 * i, 2 * i + 2), 16))));
      } catch (error) {
        return error.code + " " + error.message;
      }
    });
    const before = answers();
    const names = "kind from to plan fields added root structs findings member members conversion target ifAbsent ifUnknown fill filled " +
      "struct type element key value arms arm place places discriminator values name names omit isOptional hasDefault fallback default " +
      "renamed doc length verdict text was is why path forward backward old now create bits bools bit required optionals settle unknown " +
      "absent make maker code message options int64 maps typedArrays classes maxDepth validate codeGeneration generator toJSON then next " +
      "done index schema ordered fixed dynamic";
    for (const name of names.split(" ")) Object.defineProperty(Object.prototype, name, { value: "polluted", writable: true, enumerable: true, configurable: true });
    const after = answers();
    writeSync(1, "[" + before.flatMap((answer, i) => (answer === after[i] ? [] : [i])).join() + "]");`;
  expect(childResult<number[]>(code)).toEqual([]);
});
