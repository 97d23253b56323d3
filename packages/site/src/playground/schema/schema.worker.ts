// The worker of the second tab: reads schemas and samples, and computes what the page shows.

import { schemaSource } from "@moonpack/pck/emit";
import { answerCalls, type Report } from "../shared/worker-calls.ts";
import type { SampleSource } from "./answers.ts";
import { type ConvertForm, converted } from "./converted.ts";
import type { EmitForm } from "./emitted.ts";
import { inferenceOf } from "./inference.ts";
import { Looker } from "./looker.ts";
import { readSampleFile, readSamples, type Samples } from "./samples.ts";
import { sizesOf } from "./sizes.ts";

const looker = new Looker();
let samples: Samples | undefined;

answerCalls({
  look: ({ text, chosen }: { text: string; chosen: string }) => looker.look(text, chosen),
  emit: ({ text, chosen, form }: { text: string; chosen: string; form: EmitForm }) => looker.emit(text, chosen, form),
  compare: ({ older, text, chosen }: { older: string; text: string; chosen: string }) =>
    looker.compare(older, text, chosen),
  async samples({ source }: { source: SampleSource }) {
    samples = undefined;
    samples =
      source.kind === "text"
        ? readSamples(source.text)
        : readSampleFile(source.file.name, new Uint8Array(await source.file.arrayBuffer()));
    const { count, kept, schema } = samples;
    return { count, kept: kept.length, schema: schema === undefined ? "" : schemaSource(schema) };
  },
  infer: ({ name, headroom }: { name: string; headroom: number }) => inferenceOf(samples?.kept ?? [], name, headroom),
  convert({ text, chosen, form }: { text: string; chosen: string; form: ConvertForm }) {
    const schema = looker.schemaOf(text, chosen);
    if (samples === undefined || schema === undefined) throw new Error("the samples or the schema are missing");
    return converted(samples, schema, form);
  },
  sizes({ text, chosen }: { text: string; chosen: string }, _: Report, signal: AbortSignal) {
    if (samples === undefined) throw new Error("the samples are missing");
    return sizesOf(samples, looker.schemaOf(text, chosen), signal);
  },
});
