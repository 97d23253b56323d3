/** Our own vectors: the files of vectors/pck that the reference model makes. */
import { documentCases } from "./documents.ts";
import { layoutCases, modifierCases } from "./fields.ts";
import { keyCases } from "./keys.ts";
import { countCases, depthCases } from "./limits.ts";
import { refusedCases } from "./refused.ts";
import { typeCases } from "./types.ts";

/** Their cases by their names. */
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
