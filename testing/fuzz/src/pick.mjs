// Checks for parts of messages: picked, viewed, skipped and edited values are the values of `decode`, at their paths.
import { Decoder } from "moonpack";
import { each, edit, Picker, skip, view } from "moonpack/pick";
import { outcome, same } from "./outcome.mjs";
import { loadTestModules } from "./test-modules.mjs";

const keepAll = { unknownExtensions: "keep", maps: "map" };
/** Errors of content that is skipped unread. */
const UNREAD = /^ERR_(INVALID_UTF8|OUT_OF_RANGE|LIMIT_ELEMENTS)/;

/** A place of a decoded document, which the random numbers choose. */
function placeIn(value, random) {
  const steps = [];
  while (random(5) > 0) {
    if (Array.isArray(value)) {
      const at = random(value.length + 1);
      steps.push(random(3) === 0 ? each : at);
      value = value[at];
    } else if (value instanceof Map) {
      const keys = [...value.keys()].filter((key) => ["string", "number", "bigint"].includes(typeof key));
      if (keys.length === 0) break;
      const key = keys[random(keys.length)];
      if (Number.isNaN(key) || (typeof key === "string" && !key.isWellFormed())) break;
      steps.push(key);
      value = value.get(key);
    } else break;
  }
  return steps;
}

/** The value of a view, read step by step. Equal keys: the last one. */
function rebuilt(part) {
  if (part.type === "array") return [...part.entries()].map(([, element]) => rebuilt(element));
  if (part.type === "map") return new Map([...part.entries()].map(([key, value]) => [key, rebuilt(value)]));
  return part.value();
}

async function checkPick() {
  const { path, walk } = await loadTestModules("packages/moonpack/test/pick", ["documents"]);
  const { randomSource } = await loadTestModules("testing/harness/src", ["random"]);
  const decoder = new Decoder(keepAll);
  return (bytes) => {
    let seed = bytes.length;
    for (const byte of bytes) seed = (Math.imul(seed, 31) + byte) | 0;
    const random = randomSource(seed);
    let decoded;
    const whole = outcome(
      () => decoder.decode(bytes),
      bytes.length,
      (value) => {
        decoded = value;
        return "value";
      },
    );
    const isValid = whole === "value";
    const steps = isValid ? placeIn(decoded, random) : path(random);
    const picked = outcome(
      () => new Picker([steps], keepAll).decode(bytes)[0],
      bytes.length,
      (value) => {
        if (isValid) same(value, walk(decoded, steps), "pick");
        else if (!UNREAD.test(whole)) throw new Error(`decode: ${whole}, pick returns a value`);
        return "value";
      },
    );
    if (isValid && picked !== "value") throw new Error(`decode returns a value, pick: ${picked}`);
    outcome(
      () => rebuilt(view(bytes, keepAll)),
      bytes.length,
      (value) => {
        if (isValid) same(value, decoded, "view");
      },
    );
    outcome(
      () => skip(bytes),
      bytes.length,
      (end) => {
        if (isValid) same(end, bytes.length, "skip");
      },
    );
    return `${picked} ${whole} ${steps.length} ${editKind(bytes, steps, isValid)}`;
  };
}

/** An edited message is valid, and has the new value at its place. */
function editKind(bytes, steps, isValid) {
  if (steps.includes(each)) return "";
  const change = [[steps, "new"]];
  try {
    const edited = edit(bytes, change, keepAll);
    same(new Picker([steps], keepAll).decode(edited)[0], "new", "edit");
    if (isValid) new Decoder(keepAll).decode(edited);
    return "edited";
  } catch (error) {
    if (!(typeof error.code === "string" && error.code.startsWith("ERR_"))) throw error;
    return error.code;
  }
}

export const checks = { pick: checkPick };
