// A schema that is inferred from samples, as `moonpack infer` prints it.
import { schemaSource } from "@moonpack/pck/emit";
import { infer } from "@moonpack/pck/infer";
import type { Inference } from "./answers.ts";

/** Infers a schema. Throws as `infer` does. */
export function inferenceOf(samples: readonly unknown[], name: string): Inference {
  const { document, problems } = infer(samples, { name });
  return { text: schemaSource(document), problems };
}
