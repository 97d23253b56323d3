// Links with the whole input: copies them, and opens the page's own.
import { onBeforeUnmount, onMounted, ref, shallowRef } from "vue";
import { copyText } from "../shared/hand-out.ts";
import { fragmentOf, isLink, type Shared, sharedIn } from "./link.ts";

/** The functions of the page that links use. */
export interface Linked {
  /** The current input, without samples from a file. */
  readonly shared: () => Shared;
  /** Shows the content of a link. */
  readonly show: (shared: Shared) => void;
}

/** The state of links, with its actions. */
export function useLink({ shared, show }: Linked) {
  const status = ref("");
  const isFault = ref(false);
  /** True when a link would be short enough without the samples. */
  const canLeaveSamples = ref(false);
  /** The input before a link was opened. */
  const before = shallowRef<Shared>();
  /** The fragment that this page has put into the address itself. */
  let own = "";

  function report(text: string, fault = false): void {
    status.value = text;
    isFault.value = fault;
  }

  async function copy(withSamples: boolean): Promise<void> {
    canLeaveSamples.value = false;
    const whole = shared();
    try {
      own = await fragmentOf(withSamples ? whole : { ...whole, samples: "" });
    } catch (error) {
      report((error as Error).message, true);
      canLeaveSamples.value = withSamples && whole.samples !== "";
      return;
    }
    // Not a step of the history: the way back leads out of the playground.
    history.replaceState(history.state, "", own);
    const wasCopied = await copyText(location.href);
    report(
      wasCopied ? "The link is copied, and in the address bar." : "The link is in the address bar: copy it there.",
    );
  }

  async function open(): Promise<void> {
    const { hash } = location;
    if (!isLink(hash) || hash === own) return;
    own = hash;
    try {
      const found = await sharedIn(hash);
      const present = shared();
      show(found);
      before.value = present;
      report("Opened from the link.");
    } catch (error) {
      report(`${(error as Error).message} Your input is unchanged.`, true);
    }
  }

  function back(): void {
    if (before.value !== undefined) show(before.value);
    before.value = undefined;
    report("");
  }

  const onHash = () => void open();
  onMounted(() => {
    addEventListener("hashchange", onHash);
    void open();
  });
  onBeforeUnmount(() => removeEventListener("hashchange", onHash));

  return { status, isFault, canLeaveSamples, before, copy, back };
}

/** The result of {@link useLink}. */
export type LinkState = ReturnType<typeof useLink>;
