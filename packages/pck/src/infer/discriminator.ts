/** Finds the property that distinguishes the objects of a union. */
import { isWellFormed } from "moonpack/bytes";
import type { SampleObject } from "./draft.js";
import { isMixed, kindsByName, TEXT } from "./kinds.js";

const MAX_ARMS = 64;
/** How many properties are tried: each costs a pass over all objects. */
const MAX_CANDIDATES = 16;
const LONGEST_ARM = 64;
/** Names that discriminators usually have. Such a one is believed when every arm has come once, others after twice. */
const USUAL: ReadonlySet<string> = /* @__PURE__ */ new Set([
  "kind",
  "type",
  "$type",
  "__typename",
  "event",
  "tag",
  "op",
  "action",
]);

/**
 * Returns the property that makes a union of the objects, or undefined if they are better described by one struct. A
 * union is better when its arms leave out at most half as many properties as one struct would, or when properties have
 * one kind within each arm and several altogether.
 */
export function discriminatorOf(objects: readonly SampleObject[]): string | undefined {
  const kinds = kindsByName(objects);
  const whole = fitOf(objects, kinds);
  if (whole.missing < objects.length && whole.mixed === 0) return undefined;
  let best: string | undefined;
  let bestCost = Infinity;
  let left = MAX_CANDIDATES;
  for (const name of candidates(kinds)) {
    const arms = armsBy(objects, name);
    if (arms === undefined) continue;
    if (left-- === 0) break;
    let missing = 0;
    let mixed = 0;
    for (const arm of arms.values()) {
      const fit = fitOf(arm, kindsByName(arm));
      missing += fit.missing;
      mixed += fit.mixed;
    }
    const isBetter = whole.mixed > 0 ? mixed === 0 && missing <= whole.missing : 2 * missing <= whole.missing;
    const cost = missing - (USUAL.has(name) ? 0.5 : 0);
    if (isBetter && cost < bestCost) {
      best = name;
      bestCost = cost;
    }
  }
  return best;
}

/** Returns the properties that are text wherever they are; properties with usual names come first. */
function candidates(kinds: ReadonlyMap<string, number>): readonly string[] {
  const names = [...kinds.keys()].filter((name) => kinds.get(name) === TEXT);
  return [...names.filter((name) => USUAL.has(name)), ...names.filter((name) => !USUAL.has(name))];
}

/** Returns the objects by their value of a property, or undefined if it cannot be a discriminator. */
export function armsBy(objects: readonly SampleObject[], name: string): Map<string, SampleObject[]> | undefined {
  const arms = new Map<string, SampleObject[]>();
  for (const object of objects) {
    const value = Object.hasOwn(object, name) ? object[name] : undefined;
    if (typeof value !== "string" || !isArmName(value)) return undefined;
    const arm = arms.get(value);
    if (arm !== undefined) arm.push(object);
    else if (arms.size === MAX_ARMS) return undefined;
    else arms.set(value, [object]);
  }
  const recurrence = USUAL.has(name) ? 1 : 2;
  return arms.size >= 2 && objects.length >= recurrence * arms.size ? arms : undefined;
}

/** Returns an arm that looks like an array index would lose its place: JavaScript sorts such properties before all others. */
function isArmName(text: string): boolean {
  return text !== "" && text.length <= LONGEST_ARM && isWellFormed(text) && !/^\d+$/.test(text);
}

/** How many properties the objects lack that others have, and how many properties are of several kinds. */
function fitOf(
  objects: readonly SampleObject[],
  kinds: ReadonlyMap<string, number>,
): { readonly missing: number; readonly mixed: number } {
  let missing = 0;
  for (const object of objects) missing += kinds.size - Object.keys(object).length;
  let mixed = 0;
  for (const kind of kinds.values()) if (isMixed(kind)) mixed++;
  return { missing, mixed };
}
