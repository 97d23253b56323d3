// State of the schema in the second tab: the texts, and the worker's results.
import { computed, onBeforeUnmount, ref, shallowRef, watch } from "vue";
import { CallError, WorkerCalls } from "../shared/worker-calls.ts";
import type { Comparison, Emission, Look } from "./answers.ts";
import type { EmitForm } from "./emitted.ts";
import { SCHEMA_EXAMPLES } from "./examples.ts";
import { LastSchema } from "./last-schema.ts";

/** Delay after the last key before a text is read. */
const TYPING_MS = 200;
/** The longest time of an evaluation; it is stopped then. */
const MAX_MS = 10_000;
/** Shows that it works after this long. */
const SLOW_MS = 400;

/** Makes the worker of this tab. */
export function schemaWorker(): Worker {
  return new Worker(new URL("./schema.worker.ts", import.meta.url), { type: "module" });
}

/** The words for anything that a call has thrown. */
export function wordsOf(error: unknown): string {
  if (!(error instanceof CallError)) return String(error);
  const { code, message } = error.fault;
  return code === undefined ? message : `${code}: ${message}`;
}

/** The state of the texts, with its actions. */
export function useSchema() {
  const calls = new WorkerCalls(schemaWorker());
  const text = ref(SCHEMA_EXAMPLES[0]!.schema);
  const older = ref(SCHEMA_EXAMPLES[0]!.older);
  const last = new LastSchema();
  last.arrive(text.value, text.value);
  /** The name of the chosen schema; "" for the one to begin with. */
  const wanted = ref("");
  const look = shallowRef<Look>();
  /** A problem outside the text that prevents reading the schema; "" for none. */
  const trouble = ref("");
  /** The last text without faults, and the schema that was chosen in it. All results belong to it. */
  const good = shallowRef({ text: "", chosen: "" });
  const form = ref<EmitForm>("typescript");
  const emission = shallowRef<Emission>({ files: [], fault: "" });
  const comparison = shallowRef<Comparison>();
  const isStale = computed(() => good.value.text !== text.value && (look.value?.faults.length ?? 0) > 0);
  /** True while the worker takes its time. */
  const isSlow = ref(false);
  let waiting = 0;
  let typing: ReturnType<typeof setTimeout> | undefined;
  let turn = 0;
  onBeforeUnmount(() => {
    clearTimeout(typing);
    turn = -1;
    calls.end();
  });

  async function withNotice<Result>(name: string, argument: unknown): Promise<Result> {
    const slow = setTimeout(() => {
      isSlow.value = true;
    }, SLOW_MS);
    waiting++;
    try {
      return await timed<Result>(name, argument);
    } finally {
      clearTimeout(slow);
      if (--waiting === 0) isSlow.value = false;
    }
  }

  async function timed<Result>(name: string, argument: unknown): Promise<Result> {
    for (;;) {
      let isLate = false;
      const end = () => {
        isLate = true;
        calls.restart(schemaWorker());
      };
      const timer = setTimeout(end, MAX_MS);
      try {
        return await calls.call<Result>(name, argument);
      } catch (error) {
        if (!(error instanceof CallError) || error.fault.code !== "ERR_ABORTED") throw error;
        if (isLate)
          throw new CallError({ message: `This schema takes more than ${MAX_MS / 1000} seconds, so it was stopped.` });
        // Another call was stopped, and this one with it: once more.
      } finally {
        clearTimeout(timer);
      }
    }
  }

  async function read(): Promise<void> {
    const own = ++turn;
    const given = { text: text.value, chosen: wanted.value };
    try {
      const found = await withNotice<Look>("look", given);
      if (turn !== own) return;
      trouble.value = "";
      look.value = found;
      if (found.chosen < 0) return;
      const chosen = found.names[found.chosen]!;
      older.value = last.next({ text: given.text, names: found.names, chosen }) ?? older.value;
      good.value = { text: given.text, chosen };
    } catch (error) {
      if (turn === own) trouble.value = wordsOf(error);
    }
  }

  async function make(): Promise<void> {
    const from = good.value;
    const given = { ...from, form: form.value };
    const made = await withNotice<Emission>("emit", given).catch((error) => ({ files: [], fault: wordsOf(error) }));
    if (good.value === from && form.value === given.form) emission.value = made;
  }

  async function compare(): Promise<void> {
    const from = good.value;
    const given = { ...from, older: older.value };
    if (given.older.trim() === "") {
      comparison.value = undefined;
      return;
    }
    const isCurrent = () => good.value === from && older.value === given.older;
    try {
      const found = await withNotice<Comparison>("compare", given);
      if (isCurrent()) comparison.value = found;
    } catch (error) {
      if (isCurrent()) trouble.value = wordsOf(error);
    }
  }

  /** Shows a schema with an older one, whose changes are shown until the schema is changed here. */
  function show(shown: { readonly schema: string; readonly older: string; readonly chosen: string }): void {
    const isExample = SCHEMA_EXAMPLES.some((one) => one.schema === shown.schema && one.older === shown.older);
    // An answer about an earlier text is late.
    turn++;
    // An example has no faults: changes are compared with it even if they begin before it is read.
    last.arrive(shown.schema, isExample ? shown.schema : shown.older);
    text.value = shown.schema;
    wanted.value = shown.chosen;
    older.value = shown.older;
  }

  /** Replaces the schema by an inferred one. */
  function replace(inferred: string): void {
    last.replace();
    wanted.value = "";
    text.value = inferred;
  }

  /** Takes what the visitor has written as the older schema. */
  function editOlder(written: string): void {
    if (written === older.value) return;
    last.edit();
    older.value = written;
  }

  /** Compares with the present schema from now on. */
  function keepNow(): void {
    older.value = good.value.text;
    last.arrive(good.value.text, good.value.text);
  }

  function soon(work: () => Promise<void>): void {
    clearTimeout(typing);
    typing = setTimeout(() => void work(), TYPING_MS);
  }

  watch(text, () => soon(read), { immediate: true });
  watch(wanted, () => void read());
  watch([good, form], () => good.value.text !== "" && void make());
  watch([good, older], () => good.value.text !== "" && void compare());

  return {
    ...{ text, older, wanted, look, trouble, good, form, emission, comparison, isStale, isSlow },
    ...{ show, replace, editOlder, keepNow },
  };
}

/** The result of {@link useSchema}. */
export type SchemaState = ReturnType<typeof useSchema>;
