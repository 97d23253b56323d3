import { invalidArgument } from "moonpack/bytes";
import type { Scenario } from "../options/options.js";
import { isOperationNames } from "../report/result-shape.js";
import type { Target } from "../target.js";

/**
 * Returns the scenario for a target. Throws `ERR_INVALID_ARGUMENT` if the target lacks a function that the scenario needs, or has another
 * value in the place of an optional one.
 */
export function scenarioFor(target: Target, scenario: Scenario | undefined): Scenario {
  if (typeof target !== "object" || target === null || typeof target.name !== "string")
    throw invalidArgument("a target must be a function, or an object with a name and get, set or both");
  for (const name of ["setup", "check", "close"] as const)
    if (target[name] !== undefined && typeof target[name] !== "function")
      throw invalidArgument(`${name} of the target ${target.name} must be a function`);
  if (target.operationNames !== undefined && !isOperationNames(target.operationNames))
    throw invalidArgument(`operationNames of the target ${target.name} must be { get, set }, both texts`);
  const can = { get: typeof target.get === "function", set: typeof target.set === "function" };
  const chosen = scenario ?? (can.get || !can.set ? "get" : "set");
  const needs = chosen === "get" || chosen === "set" ? [chosen] : (["get", "set"] as const);
  const missing = needs.find((name) => !can[name]);
  if (missing !== undefined) throw invalidArgument(`the target ${target.name} has no function ${missing}`);
  return chosen;
}
