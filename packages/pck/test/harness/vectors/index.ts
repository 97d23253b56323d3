/** The vectors that the reference model generates: the files of vectors/pck/own. */
import { documentCases } from "./documents.ts";
import { layoutCases, modifierCases } from "./fields.ts";
import { keyCases } from "./keys.ts";
import { countCases, depthCases } from "./limits.ts";
import { refusedCases } from "./refused.ts";
import { typeCases } from "./types.ts";

/** Returns the cases by file name. */
export function ownFiles(): ReadonlyMap<string, readonly object[]> {
  return new Map<string, readonly object[]>([
    ["own/types.jsonl", typeCases()],
    ["own/keys.jsonl", keyCases()],
    ["own/modifiers.jsonl", modifierCases()],
    ["own/layout.jsonl", layoutCases()],
    ["own/depth.jsonl", depthCases()],
    ["own/counts.jsonl", countCases()],
    ["own/refused.jsonl", refusedCases()],
    ["own/schema.jsonl", documentCases()],
  ]);
}
