// The input of a tab as a link, as the text that is kept, and as the ones before.
import { computed, onBeforeUnmount, onMounted, type Ref, ref, shallowRef, watch } from "vue";
import { copyText } from "./hand-out.ts";
import { keep, kept } from "./kept.ts";
import { contentIn, fragmentOf, isLink, type LinkForm } from "./link.ts";

/** The functions of a tab that links use. */
export interface Linked<Content> {
  readonly form: LinkForm<Content>;
  /** The states that the input is made of: a change of one is kept. */
  readonly parts: readonly Ref<unknown>[];
  /** The current input, without parts that cannot be shared. */
  readonly shared: () => Content;
  /** Shows an input. */
  readonly show: (content: Content) => void;
  /** A shorter input that shows nearly as much; undefined if there is none. */
  readonly shorter?: (content: Content) => Content | undefined;
}

const KEEPING_MS = 300;
/** Inputs that can be restored, one after another. */
const MAX_FORMER = 20;

/** The state of links, with its actions. Shows the kept input at once. */
export function useLink<Content extends object>({ form, parts, shared, show, shorter }: Linked<Content>) {
  const status = ref("");
  const isFault = ref(false);
  /** True when a link would be short enough without a part. */
  const canShorten = ref(false);
  /** The inputs that others have replaced, the last one last. */
  const former = shallowRef<readonly Content[]>([]);
  const canRestore = computed(() => former.value.length > 0);
  /** The fragment that was opened or copied. The entry of the history has it too: a reload must not open the link again. */
  let own = (history.state as { readonly opened?: string } | null)?.opened ?? "";
  let keeping: ReturnType<typeof setTimeout> | undefined;

  function report(text: string, fault = false): void {
    status.value = text;
    isFault.value = fault;
  }

  /** Marks the address as opened. Not a step of the history: the way back leads out of the playground. */
  function mark(fragment: string): void {
    own = fragment;
    history.replaceState({ ...(history.state as object | null), opened: own }, "", own);
  }

  function keepNow(): void {
    clearTimeout(keeping);
    keep(form, shared());
  }

  async function copy(isWhole: boolean): Promise<void> {
    canShorten.value = false;
    const whole = shared();
    const short = shorter?.(whole);
    try {
      mark(await fragmentOf(form, isWhole ? whole : (short ?? whole)));
    } catch (error) {
      report((error as Error).message, true);
      canShorten.value = isWhole && short !== undefined;
      return;
    }
    const wasCopied = await copyText(location.href);
    report(
      wasCopied ? "The link is copied, and in the address bar." : "The link is in the address bar: copy it there.",
    );
  }

  /** Makes the present input one that can be restored: another one replaces it. */
  function remember(): void {
    former.value = [...former.value.slice(1 - MAX_FORMER), shared()];
    report("");
  }

  /** Shows another input. The present one can be restored. */
  function replace(content: Content): void {
    remember();
    show(content);
  }

  async function open(): Promise<void> {
    const { hash } = location;
    if (!isLink(form, hash) || hash === own) return;
    mark(hash);
    try {
      replace(await contentIn(form, hash));
      report("Opened from the link.");
    } catch (error) {
      report(`${(error as Error).message} Your input is unchanged.`, true);
    }
  }

  /** Shows the input before the last replacement. */
  function restore(): void {
    const last = former.value.at(-1);
    former.value = former.value.slice(0, -1);
    if (last !== undefined) show(last);
    report("");
  }

  const last = kept(form);
  if (last !== undefined) show(last);
  watch(parts, () => {
    clearTimeout(keeping);
    keeping = setTimeout(keepNow, KEEPING_MS);
  });
  const onHash = () => void open();
  onMounted(() => {
    addEventListener("hashchange", onHash);
    addEventListener("pagehide", keepNow);
    void open();
  });
  onBeforeUnmount(() => {
    removeEventListener("hashchange", onHash);
    removeEventListener("pagehide", keepNow);
    keepNow();
  });

  return { status, isFault, canShorten, canRestore, copy, remember, replace, restore };
}

/** The result of {@link useLink}. */
export type LinkState<Content extends object> = ReturnType<typeof useLink<Content>>;
