// The messages of a race: typed, pasted, dropped, chosen as a file, or ours.
import { computed, ref, shallowRef } from "vue";
import { useLink } from "../shared/use-link.ts";
import { SPEED_LINKS, type SpeedEntry } from "./link.ts";
import { textOfSource, tooLarge } from "./messages.ts";
import type { Task } from "./prepare.ts";
import { SAMPLES, type Sample } from "./samples.ts";

/** Longer text is not put into the text area: browsers would lay it out for seconds. */
const MAX_SHOWN = 100_000;

/** The numbers of rounds that can be chosen. */
export const ROUNDS = [
  { count: 5, title: "5: a first look" },
  { count: 15, title: "15" },
  { count: 50, title: "50: more exact" },
] as const;

const DEFAULT_ROUNDS = 15;

/** The state of the input, with its actions. Shows the kept input, or the first messages of ours. */
export function useMessages() {
  /** The text in the text area. */
  const text = ref("");
  /** The input that is not in the text area: a text, or a file. */
  const aside = shallowRef<{ readonly name: string; readonly text?: string; readonly source: Blob }>();
  const isList = ref(true);
  const rounds = ref<number>(DEFAULT_ROUNDS);
  const fault = ref("");
  const task = computed<Task>(() => ({ source: aside.value?.source ?? text.value, isList: isList.value }));
  /** True without an input, as after a visit that ended before our first messages were loaded. */
  const isEmpty = () => text.value === "" && aside.value === undefined && fault.value === "";

  function put(given: string, name: string): void {
    fault.value = "";
    const isShown = given.length <= MAX_SHOWN;
    text.value = isShown ? given : "";
    aside.value = isShown ? undefined : { name, text: given, source: new Blob([given]) };
  }

  function show({ text: given, name, list, rounds: count }: SpeedEntry): void {
    put(given, name);
    isList.value = list === "";
    rounds.value = ROUNDS.find((one) => String(one.count) === count)?.count ?? DEFAULT_ROUNDS;
    if (given === "" && name !== "") fault.value = `${name} was too large to keep: choose it again.`;
  }

  function shared(): SpeedEntry {
    const { name, text: given = "" } = aside.value ?? { name: "", text: text.value };
    return {
      ...{ text: given, name, list: isList.value ? "" : "whole" },
      rounds: rounds.value === DEFAULT_ROUNDS ? "" : String(rounds.value),
    };
  }

  const link = useLink<SpeedEntry>({ form: SPEED_LINKS, parts: [text, aside, isList, rounds], shared, show });

  function giveText(given: string, name: string): void {
    link.remember();
    put(given, name);
  }

  async function giveFile(file: File): Promise<void> {
    fault.value = tooLarge(file.size) ?? "";
    if (fault.value !== "") return;
    link.remember();
    text.value = "";
    aside.value = { name: file.name, source: file };
    if (file.size > MAX_SHOWN) return;
    try {
      put(await textOfSource(file), file.name);
    } catch (error) {
      fault.value = (error as Error).message;
    }
  }

  async function giveSample({ title, text: load }: Sample): Promise<void> {
    giveText(await load(), title);
  }

  async function begin({ title, text: load }: Sample): Promise<void> {
    const given = await load();
    // A link may have been opened while it was loaded.
    if (isEmpty()) put(given, title);
  }
  if (isEmpty()) void begin(SAMPLES[0]!);

  return { text, aside, isList, rounds, fault, task, link, maxShown: MAX_SHOWN, giveText, giveFile, giveSample };
}
