// The worker of the first tab: reads an input, and returns rows of its tree and its bytes.
import { answerCalls, type Report } from "../shared/worker-calls.ts";
import { type CopyForm, type Inspector, inspect } from "./inspector.ts";
import type { ReadSettings } from "./settings.ts";
import { bytesOf, type Source } from "./source.ts";

/** Messages to the page while an input is read. */
export type ReadNews = { readonly bytes: Uint8Array<ArrayBuffer> } | { readonly offset: number };

/** A copy: as text for the clipboard, or as a file. */
export interface Copied {
  /** Characters. */
  readonly length: number;
  /** Undefined if a file was requested, or if the text is too long for a clipboard. */
  readonly text?: string;
  readonly file?: Blob;
}

/** Longer texts make clipboards slow, and hold up the page that gets them. */
const MAX_COPIED = 4 * 1024 * 1024;

let current: Inspector | undefined;
/** The last source's bytes: other settings read them again. */
let last: { readonly source: Source; readonly read: Awaited<ReturnType<typeof bytesOf>> } | undefined;

/** The input that was read last. */
function input(): Inspector {
  if (current === undefined) throw new Error("nothing was read");
  return current;
}

answerCalls({
  async read({ source, settings }: { source?: Source; settings: ReadSettings }, report: Report, signal: AbortSignal) {
    if (source !== undefined) {
      current = undefined;
      last = { source, read: await bytesOf(source) };
      const copy = last.read.bytes.slice();
      report({ bytes: copy } satisfies ReadNews, [copy.buffer]);
    }
    if (last === undefined) throw new Error("nothing was read");
    current = await inspect(last.read, settings, (offset) => report({ offset } satisfies ReadNews), signal);
    return current.summary;
  },
  rows: ({ from, to }: { from: number; to: number }) => input().rows(from, to),
  names: ({ from, to }: { from: number; to: number }) => input().names(from, to),
  open: ({ item, isOpen }: { item: number; isOpen: boolean }) => input().open(item, isOpen),
  at: ({ byte }: { byte: number }) => input().at(byte),
  reveal: ({ item }: { item: number }) => input().reveal(item),
  around: ({ item }: { item: number }) => input().around(item),
  async copy({ form, item, isFile }: { form: CopyForm; item?: number; isFile: boolean }): Promise<Copied> {
    const text = await input().copy(form, item);
    const { length } = text;
    return isFile || length > MAX_COPIED ? { length, file: new Blob([text]) } : { length, text };
  },
});
