/** The path of a value within its struct, for errors. */
import type { Node } from "../../model/model.js";
import type { GoContext } from "./context.js";
import { goString } from "./text.js";

/** Text, with Go expressions for indexes and keys. */
export type Path = readonly (string | { readonly code: string })[];

/** Returns a path as a Go expression. gofmt puts spaces around `plus` in a call's only argument. */
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

/** Returns the step to an element. `k`: the variable of its index. */
export function indexStep(context: GoContext, k: string): Path[number] {
  return { code: `${context.runtime("IndexStep")}(${k})` };
}

/** Returns the step to the value of a key. `x`: the expression of the key. */
export function keyStep(context: GoContext, key: Node, x: string): Path[number] {
  return { code: keyCode(context, key, x) };
}

function keyCode(context: GoContext, key: Node, x: string): string {
  switch (key.kind) {
    case "utf8":
    case "ascii":
      return `${context.runtime("KeyStepText")}(${context.plain(key, x)})`;
    case "enumeration":
      return `${context.runtime("KeyStepText")}(${x}.String())`;
    case "u64":
    case "uvar64":
      return `${context.runtime("KeyStepU64")}(${context.plain(key, x)})`;
    case "i64":
    case "ivar64":
      return `${context.runtime("KeyStepI64")}(${context.plain(key, x)})`;
    default:
      return `${context.runtime("KeyStep")}(${x})`;
  }
}
