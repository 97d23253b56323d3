/** Where a value lies in its struct, for errors: as Go's code says it. */
import type { Node } from "../../model/model.js";
import type { Shared } from "./shared.js";
import { goString } from "./text.js";

/** Text, and Go expressions for indices and keys between. */
export type Path = readonly (string | { readonly code: string })[];

/** A path as a Go expression; gofmt has spaces around `plus` in a call's only argument. */
export function pathCode(path: Path, plus: "+" | " + "): string {
  const parts: string[] = [];
  let text = "";
  for (const step of path) {
    if (typeof step === "string") text += step;
    else {
      if (text !== "") parts.push(goString(text));
      text = "";
      parts.push(step.code);
    }
  }
  if (text !== "" || parts.length === 0) parts.push(goString(text));
  return parts.join(plus);
}

/** The step to an element; `k` is its index in Go. */
export function indexStep(shared: Shared, k: string): Path[number] {
  return { code: `${shared.run("Index")}(${k})` };
}

/** The step to the value of a key, which is `x` in Go. */
export function keyStep(shared: Shared, key: Node, x: string): Path[number] {
  return { code: keyCode(shared, key, x) };
}

function keyCode(shared: Shared, key: Node, x: string): string {
  switch (key.kind) {
    case "utf8":
    case "ascii":
      return `${shared.run("KeyText")}(${shared.plain(key, x)})`;
    case "enumeration":
      return `${shared.run("KeyText")}(${x}.String())`;
    case "u64":
    case "uvar64":
      return `${shared.run("KeyU64")}(${shared.plain(key, x)})`;
    case "i64":
    case "ivar64":
      return `${shared.run("KeyI64")}(${shared.plain(key, x)})`;
    default:
      return `${shared.run("Key")}(${x})`;
  }
}
