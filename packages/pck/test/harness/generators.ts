/** Engine generators as functions: the public type `EngineGenerator` hides their signature. */
import type { EngineGenerator } from "@moonpack/pck";
import { codeGeneration } from "@moonpack/pck/codegen";
import type { Model } from "../../build/model/model.js";
import type { CodecSettings, Engine } from "../../build/settings.js";

/** Makes an engine; null where there is none. */
export type Generate = (model: Model, settings: CodecSettings) => Engine | null;

/** The library's generator. */
export const generate: Generate = codeGeneration as unknown as Generate;

/** Returns a function as a generator, for the option `codeGeneration`. */
export function generatorOf(made: Generate): EngineGenerator {
  return made as unknown as EngineGenerator;
}
