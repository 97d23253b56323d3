// The text and the files that come in, in whichever way, and what the text area shows of them.
import { onBeforeUnmount, ref, shallowRef } from "vue";
import { toBase64 } from "../shared/base64.ts";
import { useLink } from "../shared/use-link.ts";
import { EXAMPLES, type Example } from "./examples.ts";
import { BYTES_LINKS, type Entry } from "./link.ts";
import { settingsOf, settingsText } from "./settings.ts";
import { tooLarge } from "./source.ts";
import { TEXT_FORMS, type TextForm } from "./text-input.ts";
import type { Input } from "./use-input.ts";

/** Longer text is not put into the text area: browsers would lay it out for seconds. */
const MAX_SHOWN = 100_000;
/** Bytes of a file that are kept and shared as text. */
const MAX_KEPT_BYTES = 200_000;
const TYPING_MS = 250;

/** The state of the input box, with its actions. Reads the kept input, or the first example. */
export function useEntry(input: Input) {
  /** The text in the text area. */
  const text = ref(EXAMPLES[0]!.text);
  const form = ref<TextForm | "">("");
  /** The input that is not in the text area. */
  const aside = shallowRef<{ readonly name: string; readonly text?: string }>();
  const excuse = ref("");
  let typing: ReturnType<typeof setTimeout> | undefined;
  onBeforeUnmount(() => clearTimeout(typing));

  function readText(given: string): void {
    clearTimeout(typing);
    excuse.value = "";
    void input.read({ kind: "text", text: given, ...(form.value === "" ? {} : { form: form.value }) });
  }

  function onType(): void {
    clearTimeout(typing);
    // The form of a kept file is base64, and not that of the text that replaces it.
    if (aside.value !== undefined) form.value = "";
    aside.value = undefined;
    typing = setTimeout(() => readText(text.value), TYPING_MS);
  }

  /** Reads the text again, in the chosen form. */
  function onForm(): void {
    const given = aside.value === undefined ? text.value : aside.value.text;
    if (given !== undefined && given !== "") readText(given);
  }

  function show(entry: Entry): void {
    input.settings.value = settingsOf(entry.settings ?? "");
    form.value = Object.hasOwn(TEXT_FORMS, entry.form) ? (entry.form as TextForm) : "";
    const isAside = entry.name !== "" || entry.text.length > MAX_SHOWN;
    text.value = isAside ? "" : entry.text;
    aside.value = isAside ? { name: entry.name === "" ? "the pasted text" : entry.name, text: entry.text } : undefined;
    if (entry.text !== "") readText(entry.text);
    else if (isAside) excuse.value = `${entry.name} was too large to keep: choose it again.`;
  }

  /** The input as texts. Of a large file, nothing. */
  function shared(): Entry {
    const { name, text: given } = aside.value ?? { name: "", text: text.value };
    const settings = settingsText(input.settings.value);
    if (given !== undefined) return { text: given, form: form.value, name, settings };
    const isSmall = input.bytes.value.length <= MAX_KEPT_BYTES;
    return { text: isSmall ? toBase64(input.bytes.value) : "", form: "base64", name, settings };
  }

  const parts = [text, form, aside, input.bytes, input.settings];
  const link = useLink<Entry>({ form: BYTES_LINKS, parts, shared, show });
  if (!input.work.isReading && excuse.value === "") readText(text.value);

  function giveText(given: string, name: string): void {
    const settings = settingsText(input.settings.value);
    link.replace({ text: given, form: form.value, name: given.length > MAX_SHOWN ? name : "", settings });
  }

  function giveExample(example: Example): void {
    link.replace({ text: example.text, form: "", name: "" });
  }

  function giveFile(file: File): void {
    const reason = tooLarge(file);
    if (reason !== undefined) {
      excuse.value = reason;
      return;
    }
    clearTimeout(typing);
    link.remember();
    text.value = "";
    excuse.value = "";
    aside.value = { name: file.name };
    void input.read({ kind: "file", file });
  }

  return { text, form, aside, excuse, link, maxShown: MAX_SHOWN, onType, onForm, giveText, giveExample, giveFile };
}

/** The result of {@link useEntry}. */
export type EntryState = ReturnType<typeof useEntry>;
