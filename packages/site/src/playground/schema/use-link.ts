// Links that hold all that was typed: how they are made, and what happens when the page is opened by one.
import { onBeforeUnmount, onMounted, ref, shallowRef } from "vue";
import { copyText } from "../shared/hand-out.ts";
import { fragmentOf, isLink, type Shared, sharedIn } from "./link.ts";

/** What links need of the page. */
export interface Linked {
  /** What is there now. Without samples that are not in the box. */
  readonly shared: () => Shared;
  /** Puts in place what a link holds. */
  readonly show: (shared: Shared) => void;
}

/** The state of links, and what can be done. */
export function useLink({ shared, show }: Linked) {
  const told = ref("");
  const isFault = ref(false);
  /** True when a link would be short enough without the samples. */
  const canLeaveSamples = ref(false);
  /** What was there before a link was opened. */
  const before = shallowRef<Shared>();
  /** The fragment that this page has put into the address itself. */
  let own = "";

  function tell(text: string, fault = false): void {
    told.value = text;
    isFault.value = fault;
  }

  async function copy(withSamples: boolean): Promise<void> {
    canLeaveSamples.value = false;
    const whole = shared();
    try {
      own = await fragmentOf(withSamples ? whole : { ...whole, samples: "" });
    } catch (error) {
      tell((error as Error).message, true);
      canLeaveSamples.value = withSamples && whole.samples !== "";
      return;
    }
    // Not a step of the history: the way back leads out of the playground.
    history.replaceState(history.state, "", own);
    const wasCopied = await copyText(location.href);
    tell(wasCopied ? "The link is copied, and in the address bar." : "The link is in the address bar: copy it there.");
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
      tell("This is what the link holds.");
    } catch (error) {
      tell(`${(error as Error).message} What was here is still here.`, true);
    }
  }

  function back(): void {
    if (before.value !== undefined) show(before.value);
    before.value = undefined;
    tell("");
  }

  const onHash = () => void open();
  onMounted(() => {
    addEventListener("hashchange", onHash);
    void open();
  });
  onBeforeUnmount(() => removeEventListener("hashchange", onHash));

  return { told, isFault, canLeaveSamples, before, copy, back };
}

/** What {@link useLink} returns. */
export type LinkState = ReturnType<typeof useLink>;
