// The worker of the second tab: reads schemas and samples, and computes what the page shows.

import { textOf } from "../bytes/text-encoding.ts";
import { answerCalls, type Report } from "../shared/worker-calls.ts";
import type { SampleSource } from "./answers.ts";
import type { EmitForm } from "./emitted.ts";
import { inferenceOf } from "./inference.ts";
import { Looker } from "./looker.ts";
import { readSamples, type Samples } from "./samples.ts";
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
    samples = readSamples(
      source.kind === "text" ? source.text : textOf(new Uint8Array(await source.file.arrayBuffer())),
    );
    return { count: samples.count, kept: samples.kept.length };
  },
  infer: ({ name }: { name: string }) => inferenceOf(samples?.kept ?? [], name),
  sizes({ text, chosen }: { text: string; chosen: string }, _: Report, signal: AbortSignal) {
    if (samples === undefined) throw new Error("the samples are missing");
    return sizesOf(samples, looker.schemaOf(text, chosen), signal);
  },
});
