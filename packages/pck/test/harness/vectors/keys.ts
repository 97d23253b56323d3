/** Keys of maps: every type of key, its order, and keys out of order. */
import { encodeReference } from "../encode.ts";
import { Layout } from "../layout.ts";
import type { DocumentType, Json } from "../shape.ts";
import { Cases, type OwnCase, oneField } from "./make.ts";

/** Ascending keys of each type. */
const KEYS: readonly (readonly [DocumentType, readonly Json[]])[] = [
  ["u8", [0, 1, 127, 128, 255]],
  ["u16", [0, 255, 256, 65535]],
  ["u32", [0, 65536, 2147483647, 2147483648, 4294967295]],
  ["u64", ["0", "4294967295", "4294967296", "9007199254740993", "9223372036854775808", "18446744073709551615"]],
  ["i8", [-128, -1, 0, 1, 127]],
  ["i16", [-32768, -256, -1, 0, 255, 32767]],
  ["i32", [-2147483648, -1, 0, 1, 2147483647]],
  ["i64", ["-9223372036854775808", "-4294967296", "-1", "0", "1", "4294967296", "9223372036854775807"]],
  ["uvar", [0, 127, 128, 16384, 4294967295]],
  ["ivar", [-2147483648, -65, -64, -1, 0, 1, 63, 64, 2147483647]],
  ["uvar64", ["0", "127", "128", "9007199254740991", "9007199254740992", "18446744073709551615"]],
  ["ivar64", ["-9223372036854775808", "-65", "-1", "0", "64", "9223372036854775807"]],
  // By index, not by name.
  [{ enumeration: ["z", "m", "a"] }, ["z", "m", "a"]],
  // By bytes: a prefix comes first, U+E000 before surrogate pairs, and length does not matter.
  ["utf8", ["", "A", "a", "aa", "a".repeat(130), "b", "é", "\ue000", "\uffff", "😀", "\u{10ffff}"]],
  ["ascii", ["", "\0", "10", "9", "Z", "a", "ab"]],
  [{ ascii: 2 }, ["00", "0a", "zz"]],
];

/** Every type of key. */
export function keyCases(): readonly OwnCase[] {
  const cases = new Cases();
  for (const [key, ascending] of KEYS) {
    const name = JSON.stringify(key);
    const doc = oneField({ map: [key, "u8"] });
    const layout = new Layout(doc);
    const pairs = ascending.map((one, i) => [one, i] as const);
    cases.value(`${name}: given in descending order`, doc, { v: [...pairs].reverse() });
    // Each pair of neighbours, in the wrong order.
    const bodies = pairs.map((pair) => encodeReference(layout, { v: [pair] }).slice(1));
    for (let i = 1; i < bodies.length; i++) {
      const cause = `${name}: ${JSON.stringify(ascending[i]).slice(0, 30)}, then the key before it`;
      cases.refused(cause, doc, "ERR_MAP_ORDER", [2, ...bodies[i]!, ...bodies[i - 1]!]);
    }
    cases.refused(`${name}: a key twice`, doc, "ERR_MAP_ORDER", [3, ...bodies[0]!, ...bodies[1]!, ...bodies[1]!]);
  }
  return cases.list;
}
