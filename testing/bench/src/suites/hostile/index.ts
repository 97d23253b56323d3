import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { candidates } from "../../candidates/index.js";
import { progress } from "../../progress.js";
import { pageHead } from "../../report/head.js";
import { formatCount, textTable } from "../../report/table.js";
import { type ResultHead, resultHead } from "../../results.js";
import type { Suite } from "../../suite.js";
import { type Bomb, bombs, bytesOf } from "./bombs.js";
import type { Report } from "./child.js";

/** The heap of each process, less than a small server's. */
const HEAP_MB = 512;
/** Filling the heap takes a slow machine half a minute. */
const PATIENCE_MS = 180_000;
const CHILD = fileURLToPath(new URL("./child.js", import.meta.url));

/** What became of a process that decoded a bomb. */
export type Outcome = { readonly kind: "value" | "ended" | "busy" } | { readonly kind: "error"; readonly code: string };

/** The result file. */
export interface HostileResult extends ResultHead {
  readonly heapMegabytes: number;
  readonly patienceMilliseconds: number;
  readonly candidates: readonly { readonly id: string; readonly title: string }[];
  /** Each bomb with its length, and the outcome by candidate. */
  readonly bombs: readonly (Bomb & { readonly bytes: number; readonly outcomes: Readonly<Record<string, Outcome>> })[];
}

/** Decoders of standard MessagePack in one mode each. */
const measured = candidates.filter(
  ({ format, shared, id }) => format === "msgpack" && shared !== true && /^(?!moonpack-)/.test(id),
);

/** Bombs in processes with a small heap. */
export const hostile: Suite<HostileResult> = {
  name: "hostile",
  title: "Hostile bytes: which processes survive",
  run({ quick }) {
    const rows = bombs.map((bomb) => {
      const outcomes: Record<string, Outcome> = {};
      for (const { id, title } of measured) {
        progress(`${bomb.id}, ${title}`);
        outcomes[id] = explode(id, bomb.id);
      }
      return { ...bomb, bytes: bytesOf(bomb).length, outcomes };
    });
    progress("");
    return Promise.resolve({
      ...resultHead(
        "hostile",
        quick,
        measured.flatMap((one) => one.package ?? []),
      ),
      heapMegabytes: HEAP_MB,
      patienceMilliseconds: PATIENCE_MS,
      candidates: measured.map(({ id, title }) => ({ id, title })),
      bombs: rows,
    });
  },
  page: hostilePage,
};

/** Decodes a bomb in a new process. */
function explode(candidate: string, bomb: string): Outcome {
  const { stdout, status, error } = spawnSync(
    process.execPath,
    [`--max-old-space-size=${HEAP_MB}`, CHILD, candidate, bomb],
    { encoding: "utf8", timeout: PATIENCE_MS, killSignal: "SIGKILL" },
  );
  if ((error as NodeJS.ErrnoException | undefined)?.code === "ETIMEDOUT") return { kind: "busy" };
  // An error of the decoder is caught; only the engine itself can end the process.
  if (status !== 0) return { kind: "ended" };
  const { error: code } = JSON.parse(stdout) as Report;
  return code === null ? { kind: "value" } : { kind: "error", code };
}

/** An outcome in words. */
export function outcomeText(outcome: Outcome): string {
  if (outcome.kind === "error") return `\`${outcome.code}\``;
  return { value: "a value", ended: "**process ended**", busy: "**no answer**" }[outcome.kind];
}

function hostilePage(result: HostileResult): string {
  const { heapMegabytes, patienceMilliseconds } = result;
  return [
    pageHead(hostile.title, result, [
      `Each decoder reads each input once, in a new process with a heap of ${heapMegabytes} MB.`,
      `"No answer" is more than ${patienceMilliseconds / 1000} s.`,
      "An error with a code, or of any other kind, can be caught; the end of a process cannot.",
    ]),
    textTable(
      ["input", "bytes", ...result.candidates.map(({ title }) => title)],
      result.bombs.map(({ title, bytes, outcomes }) => [
        title,
        formatCount(bytes),
        ...result.candidates.map(({ id }) => outcomeText(outcomes[id]!)),
      ]),
    ),
    "",
    "What moonpack promises for hostile bytes: [SECURITY.md](../../SECURITY.md#threat-model).",
    "",
  ].join("\n");
}
