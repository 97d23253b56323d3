// Questions and answers about an input that come late: another input has replaced it.
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { createSSRApp } from "vue";
import { renderToString } from "vue/server-renderer";
import type { Input } from "../src/playground/bytes/use-input.ts";

interface Message {
  readonly id: number;
  readonly name?: string;
  readonly news?: unknown;
}

/** The worker's side, on this thread. */
let receive: (event: { data: unknown }) => void;
let worker: EventTarget;
/** The function whose answers are held back, and those answers. */
let held: string | undefined;
let answers: unknown[] = [];
const names = new Map<number, string>();

class WorkerHere extends EventTarget {
  constructor() {
    super();
    worker = this;
  }

  postMessage(data: Message): void {
    if (data.name !== undefined) names.set(data.id, data.name);
    queueMicrotask(() => receive({ data: structuredClone(data) }));
  }

  terminate(): void {}
}

function send(data: unknown): void {
  worker.dispatchEvent(new MessageEvent("message", { data }));
}

/** Holds back the answers of a function while `act` runs. */
async function late<Result>(name: string, act: () => Promise<Result>): Promise<Result> {
  held = name;
  const result = await act();
  held = undefined;
  for (const answer of answers) send(answer);
  answers = [];
  return result;
}

beforeAll(async () => {
  vi.stubGlobal("Worker", WorkerHere);
  vi.stubGlobal("addEventListener", (_: string, listener: typeof receive) => {
    receive = listener;
  });
  vi.stubGlobal("postMessage", (data: Message) => {
    if (names.get(data.id) === held && data.news === undefined) answers.push(data);
    else send(structuredClone(data));
  });
  await import("../src/playground/bytes/bytes.worker.ts");
});
afterAll(() => vi.unstubAllGlobals());

/** The state of the tab, in which a list of 3,000 numbers was read. */
async function withNumbers(): Promise<Input> {
  const { useInput } = await import("../src/playground/bytes/use-input.ts");
  let input: Input | undefined;
  const setup = () => {
    input = useInput();
    return () => "";
  };
  await renderToString(createSSRApp({ setup }));
  await input!.read({ kind: "text", text: JSON.stringify(Array.from({ length: 3000 }, (_, index) => index)) });
  expect(input!.summary.value?.items).toBe(3001);
  return input!;
}

const FIVE = { kind: "text", text: "5" } as const;
/** Waits for an answer that is held back. */
const isHeld = () => vi.waitFor(() => expect(answers).toHaveLength(1));

describe("an input that was replaced", () => {
  it("gives no answers", async () => {
    const input = await withNumbers();
    const { size } = input.summary.value!;
    expect(await input.ask("at", { byte: size - 1 })).toMatchObject({ row: { item: 3000 } });
    const asked = await late("at", async () => {
      const answer = input.ask("at", { byte: size - 1 });
      await input.read(FIVE);
      return { answer };
    });
    expect(await asked.answer).toBeUndefined();
    expect(input.summary.value?.items).toBe(1);
    expect(await input.ask("rows", { from: 0, to: 10 })).toHaveLength(1);
  });

  it("has items that the new one lacks: questions about them are refused", async () => {
    const input = await withNumbers();
    await late("read", async () => {
      const reading = input.read(FIVE);
      // The worker has read it, and the page does not know.
      await isHeld();
      for (const name of ["reveal", "around", "open"])
        await expect(input.call(name, { item: 3000, isOpen: true })).rejects.toThrow("another input was read");
      return { reading };
    });
    await vi.waitFor(() => expect(input.summary.value?.items).toBe(1));
    expect(await input.ask("reveal", { item: 0 })).toEqual({ index: 0, rows: 1 });
  });

  it("leaves no row chosen when its settings are changed", async () => {
    const input = await withNumbers();
    const [row] = (await input.ask<never[]>("rows", { from: 2, to: 3 }))!;
    await late("read", async () => {
      input.change({ sequence: true });
      await isHeld();
      input.chosen.value = row;
      input.byte.value = 3;
    });
    await vi.waitFor(() => expect(input.work.isReading).toBe(false));
    expect([input.chosen.value, input.byte.value]).toEqual([undefined, undefined]);
  });
});
