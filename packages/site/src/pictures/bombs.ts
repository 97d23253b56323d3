// The bombs of the home page: what moonpack answers here and now, and what was measured with others.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../repository.ts";
import { escaped } from "./figure.ts";

/** The part of the result of `npm run bench -- hostile` that the page shows. */
interface Hostile {
  readonly heapMegabytes: number;
  readonly versions: Readonly<Record<string, string>>;
  readonly candidates: readonly { readonly id: string; readonly title: string }[];
  readonly bombs: readonly {
    readonly id: string;
    readonly title: string;
    readonly unit: string;
    readonly times: number;
    readonly tail: string;
    readonly bytes: number;
    readonly outcomes: Readonly<
      Record<string, { readonly kind: "value" | "error" | "ended" | "busy"; readonly code?: string }>
    >;
  }[];
}

/** The libraries of the page's other tables. */
const OTHERS = ["msgpackr", "msgpack-javascript", "json-pack", "notepack"];

/** The demo as a tag of its component, with all that it shows before anyone runs it. */
export function bombDemo(): string {
  const { heapMegabytes, candidates, bombs } = JSON.parse(
    readFileSync(join(root, "testing/bench/results/hostile.json"), "utf8"),
  ) as Hostile;
  const shown = {
    heap: heapMegabytes,
    others: OTHERS.map((id) => candidates.find((one) => one.id === id)?.title ?? missing(id)),
    bombs: bombs.map(({ title, unit, times, tail, bytes, outcomes }) => ({
      ...{ title, unit, times, tail, bytes },
      outcomes: OTHERS.map((id) => {
        const { kind, code } = outcomes[id] ?? missing(id);
        return kind === "error" ? (code ?? "an error") : WORDS[kind];
      }),
    })),
  };
  return `<BombDemo :shown="${escaped(JSON.stringify(shown))}" />`;
}

const WORDS = { value: "a value", ended: "process ended", busy: "no answer" } as const;

function missing(id: string): never {
  throw new Error(`The result of the benchmark hostile lacks ${id}.`);
}
