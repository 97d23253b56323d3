/** Emitted code for older schemas: functions that read their bytes as values of the new ones. */
import type { Module } from "../../../generate/module.js";
import type { Struct } from "../../../model/model.js";
import type { Version } from "../../older.js";
import { OlderFunctions } from "./functions.js";
import { OlderStructs } from "./structs.js";

/** What a version gives a module. */
export interface OlderReaders {
  readonly version: Version;
  /** The functions that read a whole struct, by the struct that it is read as. */
  readonly roots: ReadonlyMap<Struct, string>;
  readonly texts: readonly string[];
}

/** The functions for one version. */
export function olderReaders(module: Module, version: Version, maxDepth: number): OlderReaders {
  const functions = new OlderFunctions(module, version, maxDepth);
  const structs = new OlderStructs(functions);
  const roots = new Map([...version.plans].map(([struct, plan]) => [struct, structs.struct(plan)]));
  return { version, roots, texts: functions.texts() };
}
