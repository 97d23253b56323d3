// A schema that is inferred from samples, as `moonpack infer` prints it.
import { schemaSource } from "@moonpack/pck/emit";
import { infer } from "@moonpack/pck/infer";
import { shownText } from "../shared/shown.ts";
import type { Inference } from "./answers.ts";

/** Infers a schema. `headroom`: how many times the largest sample its integers hold. Throws as `infer` does. */
export function inferenceOf(samples: readonly unknown[], name: string, headroom: number): Inference {
  const { document, problems } = infer(samples, { name, headroom });
  const shown = problems.map(({ path, message }) => ({ path: shownText(path), message: shownText(message) }));
  return { text: schemaSource(document), problems: shown };
}
