// State of the samples in the second tab: the input, the number of samples, and their sizes.
import { onBeforeUnmount, type Ref, reactive, ref, shallowRef, watch } from "vue";
import { CallError, WorkerCalls } from "../shared/worker-calls.ts";
import type { Conversion, Inference, SampleCount, SampleSource } from "./answers.ts";
import type { ConvertForm } from "./converted.ts";
import { SCHEMA_EXAMPLES } from "./examples.ts";
import type { Sizes } from "./sizes.ts";
import { schemaWorker, wordsOf } from "./use-schema.ts";

const TYPING_MS = 300;
/** The name of an inferred schema, and how many times the largest sample its integers hold, by default. */
const DEFAULT_NAME = "Sample";
const DEFAULT_HEADROOM = 1000;

/** The state of the work, as shown. */
interface SampleWork {
  /** The current step; "" for none. */
  doing: "" | "reading" | "inferring" | "measuring" | "converting";
  /** The error of the samples; "" for none. */
  fault: string;
}

/** The state of the samples, with its actions. `good`: the schema that they are measured with. */
export function useSamples(good: Ref<{ readonly text: string; readonly chosen: string }>) {
  const calls = new WorkerCalls(schemaWorker());
  /** The text in the box. */
  const text = ref(SCHEMA_EXAMPLES[0]!.samples);
  /** The given samples, if they are not in the box. */
  const source = shallowRef<SampleSource>({ kind: "text", text: text.value });
  const count = shallowRef<SampleCount>();
  const sizes = shallowRef<Sizes>();
  const inference = shallowRef<Inference>();
  const name = ref(DEFAULT_NAME);
  const headroom = ref(DEFAULT_HEADROOM);
  const work = reactive<SampleWork>({ doing: "", fault: "" });
  let typing: ReturnType<typeof setTimeout> | undefined;
  let measuring: AbortController | undefined;
  let turn = 0;
  onBeforeUnmount(() => {
    clearTimeout(typing);
    calls.end();
  });

  async function guarded<Result>(doing: SampleWork["doing"], call: () => Promise<Result>): Promise<Result | undefined> {
    const own = ++turn;
    Object.assign(work, { doing, fault: "" } satisfies SampleWork);
    try {
      const result = await call();
      return turn === own ? result : undefined;
    } catch (error) {
      if (turn === own && !isStop(error)) work.fault = wordsOf(error);
      return undefined;
    } finally {
      if (turn === own) work.doing = "";
    }
  }

  async function read(): Promise<void> {
    await load();
    await measure();
  }

  /** Has the worker read the samples that were given last. */
  async function load(): Promise<void> {
    measuring?.abort();
    const own = source.value;
    const found = await guarded("reading", () => calls.call<SampleCount>("samples", { source: own }));
    if (source.value !== own) return;
    count.value = found;
    if (found === undefined) sizes.value = undefined;
  }

  async function measure(): Promise<void> {
    if (count.value === undefined) return;
    measuring?.abort();
    const own = new AbortController();
    measuring = own;
    const found = await guarded("measuring", () => calls.call<Sizes>("sizes", good.value, { signal: own.signal }));
    if (found !== undefined) sizes.value = found;
  }

  /** Infers a schema. Undefined if that failed: the fault says why. */
  async function infer(): Promise<Inference | undefined> {
    measuring?.abort();
    if (typing !== undefined) take({ kind: "text", text: text.value });
    if (count.value === undefined) await load();
    if (count.value === undefined) return undefined;
    const settings = { name: name.value, headroom: headroom.value };
    inference.value = await guarded("inferring", () => calls.call<Inference>("infer", settings));
    return inference.value;
  }

  /** Converts the samples with the schema. Undefined if that failed: the fault says why. */
  async function convert(form: ConvertForm): Promise<Conversion | undefined> {
    measuring?.abort();
    if (count.value === undefined) await load();
    if (count.value === undefined) return undefined;
    return guarded("converting", () => calls.call<Conversion>("convert", { ...good.value, form }));
  }

  /** The name and the headroom as texts; "" for the defaults. */
  function sharedSettings(): { readonly name: string; readonly headroom: string } {
    return {
      name: name.value === DEFAULT_NAME ? "" : name.value,
      headroom: headroom.value === DEFAULT_HEADROOM ? "" : String(headroom.value),
    };
  }

  function showSettings(settings: ReturnType<typeof sharedSettings>): void {
    name.value = settings.name === "" ? DEFAULT_NAME : settings.name;
    const given = Number(settings.headroom);
    headroom.value = Number.isInteger(given) && given >= 1 ? given : DEFAULT_HEADROOM;
  }

  function take(given: SampleSource): void {
    clearTimeout(typing);
    typing = undefined;
    source.value = given;
    count.value = undefined;
    inference.value = undefined;
  }

  /** Takes samples, and reads them. */
  function give(given: SampleSource): void {
    take(given);
    void read();
  }

  function onType(): void {
    clearTimeout(typing);
    typing = setTimeout(() => give({ kind: "text", text: text.value }), TYPING_MS);
  }

  /** Stops the current step. The samples stay, and are read again when needed. */
  function stop(): void {
    turn++;
    calls.restart(schemaWorker());
    count.value = undefined;
    Object.assign(work, { doing: "", fault: "Stopped." } satisfies SampleWork);
  }

  /** The samples as text, for links; "" for samples from a file. */
  function shared(): string {
    const given = source.value;
    // The text in the box may be newer than the samples.
    return text.value !== "" || given.kind === "file" ? text.value : given.text;
  }

  watch(good, () => void measure());
  void read();

  return {
    ...{ text, source, count, sizes, inference, name, headroom, work, give, onType, infer, convert, stop },
    ...{ shared, sharedSettings, showSettings },
  };
}

function isStop(error: unknown): boolean {
  return error instanceof CallError && (error.fault.code === "ERR_ABORTED" || /abort/i.test(error.fault.message));
}

/** The result of {@link useSamples}. */
export type SampleState = ReturnType<typeof useSamples>;
