/** Emitted JavaScript for older schemas: functions that read their bytes as values of the new ones. */
import type { Module } from "../../../generate/module.js";
import type { Struct } from "../../../model/model.js";
import type { Version } from "../../older-schemas/versions.js";
import { OlderFunctions } from "./functions.js";
import { OlderStructs } from "./structs.js";

/** The function that reads a root struct, and how many elements the older struct counts. */
export interface OlderRoot {
  readonly reader: string;
  readonly weight: number;
}

/** The functions of one version. */
export interface OlderReaders {
  readonly version: Version;
  /** The functions that read a root struct, by the new struct. */
  readonly roots: ReadonlyMap<Struct, OlderRoot>;
  readonly texts: readonly string[];
}

/** Writes the functions for one version. */
export function olderReaders(module: Module, version: Version, maxDepth: number): OlderReaders {
  const functions = new OlderFunctions(module, version, maxDepth);
  const structs = new OlderStructs(functions);
  const roots = new Map(
    [...version.plans].map(([struct, plan]) => {
      const root: OlderRoot = {
        reader: structs.struct(plan),
        weight: functions.counts ? module.weights.struct(plan.from) : 0,
      };
      return [struct, root];
    }),
  );
  return { version, roots, texts: functions.texts() };
}
