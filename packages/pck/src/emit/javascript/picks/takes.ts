/** Constants of emitted code that say what is wanted of values which are read whole: see runtime/take.ts. */
import { quoted } from "../../../generate/code.js";
import type { Module } from "../../../generate/module.js";
import type { TakeMaker } from "../../../pick/take.js";

/** Returns a maker of constants; a take is the name of its constant. */
export function takeConstants(module: Module): TakeMaker<string> {
  const pairs = (named: readonly (readonly [string, string])[]) =>
    `[${named.map(([name, take]) => `[${quoted(name)}, ${take}]`).join(", ")}]`;
  const constant = (of: "takeOf" | "takeEachOf", parts: readonly string[]) =>
    module.constant(`${of} ${parts}`, "TAKE", () => `/* @__PURE__ */ ${module.use(of)}(${parts.join(", ")})`);
  return {
    take(keys, fields = [], discriminator = "", arms = []) {
      const inArms = arms.length === 0 ? [] : [quoted(discriminator), pairs(arms)];
      const parts = [
        JSON.stringify(keys),
        ...(fields.length === 0 && arms.length === 0 ? [] : [pairs(fields)]),
        ...inArms,
      ];
      return constant("takeOf", parts);
    },
    each: (keys, lists, each, perSlot) =>
      constant("takeEachOf", [JSON.stringify(keys), JSON.stringify(lists), each, String(perSlot)]),
  };
}
