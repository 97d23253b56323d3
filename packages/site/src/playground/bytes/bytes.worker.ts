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

let current: { readonly reading: number; readonly inspector: Inspector } | undefined;
/** The last source's bytes: other settings read them again. */
let last: { readonly source: Source; readonly read: Awaited<ReturnType<typeof bytesOf>> } | undefined;

/** A question about an input. Items and rows are numbers that are valid for one reading. */
type About<Question> = Question & { readonly reading: number };

/** The input of a reading. Throws if another one has replaced it. */
function input({ reading }: { readonly reading: number }): Inspector {
  if (current?.reading !== reading) throw new Error("another input was read");
  return current.inspector;
}

answerCalls({
  async read(
    { source, settings, reading }: About<{ source?: Source; settings: ReadSettings }>,
    report: Report,
    signal: AbortSignal,
  ) {
    if (source !== undefined) {
      current = undefined;
      last = { source, read: await bytesOf(source) };
      const copy = last.read.bytes.slice();
      report({ bytes: copy } satisfies ReadNews, [copy.buffer]);
    }
    if (last === undefined) throw new Error("nothing was read");
    const inspector = await inspect(last.read, settings, (offset) => report({ offset } satisfies ReadNews), signal);
    current = { reading, inspector };
    return inspector.summary;
  },
  rows: (of: About<{ from: number; to: number }>) => input(of).rows(of.from, of.to),
  names: (of: About<{ from: number; to: number }>) => input(of).names(of.from, of.to),
  open: (of: About<{ item: number; isOpen: boolean }>) => input(of).open(of.item, of.isOpen),
  at: (of: About<{ byte: number }>) => input(of).at(of.byte),
  reveal: (of: About<{ item: number }>) => input(of).reveal(of.item),
  around: (of: About<{ item: number }>) => input(of).around(of.item),
  async copy(of: About<{ form: CopyForm; item?: number; isFile: boolean }>): Promise<Copied> {
    const { form, item, isFile } = of;
    const text = await input(of).copy(form, item);
    const { length } = text;
    return isFile || length > MAX_COPIED ? { length, file: new Blob([text]) } : { length, text };
  },
});
