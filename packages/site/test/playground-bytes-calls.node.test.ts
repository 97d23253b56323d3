// Calls of a worker, and texts of files: what the tab of bytes is built of.
import { afterEach, describe, expect, it, vi } from "vitest";
import { lookOf } from "../src/playground/bytes/signatures.ts";
import { beginsAsJson, textOf } from "../src/playground/bytes/text-encoding.ts";
import { pointerMoves } from "../src/playground/shared/pointer.ts";
import {
  answerCalls,
  CallError,
  faultOf,
  type Handlers,
  type Report,
  WorkerCalls,
} from "../src/playground/shared/worker-calls.ts";

/** A worker without a thread: messages arrive a turn later. */
class WorkerHere extends EventTarget {
  isEnded = false;
  readonly sent: unknown[] = [];
  #receive: (event: { data: unknown }) => void = () => {};

  constructor(handlers: Handlers) {
    super();
    vi.stubGlobal("addEventListener", (_: string, listener: (event: { data: unknown }) => void) => {
      this.#receive = listener;
    });
    answerCalls(handlers);
    vi.stubGlobal("postMessage", (data: unknown) => {
      if (!this.isEnded) this.dispatchEvent(new MessageEvent("message", { data: structuredClone(data) }));
    });
  }

  postMessage(data: unknown): void {
    this.sent.push(data);
    queueMicrotask(() => this.#receive({ data: structuredClone(data) }));
  }

  terminate(): void {
    this.isEnded = true;
  }
}

const start = (handlers: Handlers): [WorkerCalls, WorkerHere] => {
  const worker = new WorkerHere(handlers);
  return [new WorkerCalls(worker as unknown as Worker), worker];
};
const never = (): Promise<never> => new Promise<never>(() => {});

afterEach(() => vi.unstubAllGlobals());

describe("calls of a worker", () => {
  it("get results and news", async () => {
    const [calls] = start({
      add({ a, b }: { a: number; b: number }, report: Report) {
        report("adding");
        return a + b;
      },
    });
    const news: string[] = [];
    expect(await calls.call<number, string>("add", { a: 1, b: 2 }, { onNews: (one) => news.push(one) })).toBe(3);
    expect(news).toEqual(["adding"]);
  });

  it("throw what the function has thrown", async () => {
    const [calls] = start({
      fail() {
        throw Object.assign(new Error("it broke"), { code: "ERR_TRUNCATED", offset: 7 });
      },
    });
    const error: unknown = await calls.call("fail", undefined).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(CallError);
    expect((error as CallError).fault).toEqual({ message: "it broke", code: "ERR_TRUNCATED", offset: 7 });
  });

  it("can be cancelled", async () => {
    const [calls] = start({
      wait: (_: undefined, __: Report, signal: AbortSignal) =>
        new Promise((resolve) => signal.addEventListener("abort", () => resolve("stopped"))),
    });
    const controller = new AbortController();
    const waiting = calls.call("wait", undefined, { signal: controller.signal });
    queueMicrotask(() => controller.abort());
    expect(await waiting).toBe("stopped");
    // Before the call: the page waited until the worker was free.
    expect(await calls.call("wait", undefined, { signal: controller.signal })).toBe("stopped");
  });

  it("end with a worker that does not stop, and continue with another", async () => {
    const [calls, first] = start({ work: never });
    const waiting = calls.call("work", undefined);
    const second = new WorkerHere({ work: () => "done" });
    calls.restart(second as unknown as Worker);
    await expect(waiting).rejects.toMatchObject({ fault: { code: "ERR_ABORTED" } });
    expect(first.isEnded).toBe(true);
    expect(await calls.call("work", undefined)).toBe("done");
    expect(first.sent).toHaveLength(1);
  });

  it("fail when the worker does not load", async () => {
    const [calls, worker] = start({ work: never });
    const waiting = calls.call("work", undefined);
    worker.dispatchEvent(Object.assign(new Event("error"), { message: "no such script" }));
    await expect(waiting).rejects.toThrow("no such script");
  });
});

describe("faults", () => {
  it("have what a reader needs, of anything that was thrown", () => {
    expect(faultOf("text")).toEqual({ message: "text" });
    expect(faultOf(new Error("plain"))).toEqual({ message: "plain" });
    expect(faultOf(new CallError({ message: "m", line: 3 }))).toEqual({ message: "m", line: 3 });
  });

  it("name nesting, which engines name after their stacks", () => {
    for (const message of ["Maximum call stack size exceeded", "too much recursion"])
      expect(faultOf(new Error(message))).toEqual({ message: "the input is nested too deep" });
    const deep = Object.assign(new Error("too much recursion in field 3"), { code: "ERR_LIMIT_DEPTH" });
    expect(faultOf(deep).code).toBe("ERR_LIMIT_DEPTH");
  });
});

describe("text in files", () => {
  const text = '{"a":"é"}';
  const little = (content: string) => new Uint8Array(Buffer.from(content, "utf16le"));
  const big = (content: string) => new Uint8Array(Buffer.from(content, "utf16le").swap16());
  const utf8 = (content: string) => new TextEncoder().encode(content);

  it.each([
    ["UTF-8", utf8(text)],
    ["UTF-8 with a mark", utf8(`\ufeff${text}`)],
    ["UTF-16", little(text)],
    ["UTF-16 with a mark", little(`\ufeff${text}`)],
    ["UTF-16 of large ends", big(text)],
    ["UTF-16 of large ends with a mark", big(`\ufeff${text}`)],
  ])("is %s", (_, bytes) => {
    expect(textOf(bytes)).toBe(text);
    expect(beginsAsJson(bytes)).toBe(true);
  });

  it("differs from other bytes", () => {
    expect(() => textOf(Uint8Array.of(0xff, 0xff, 0xc1))).toThrow("neither UTF-8 nor UTF-16");
    for (const bytes of [[], [0x93, 1, 2], [0, 0x93], [0xff, 0xfe], [0x81, 0xa1]])
      expect(beginsAsJson(Uint8Array.from(bytes))).toBe(false);
    expect(textOf(new Uint8Array(0))).toBe("");
  });
});

describe("files of other kinds", () => {
  it("are known by their first bytes", () => {
    expect(lookOf(Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a))).toBe("a PNG picture");
    expect(lookOf(Uint8Array.of(0x1f, 0x8b, 8))).toContain("decompress");
    for (const bytes of [[], [0x89], [0x93, 1, 2, 3], [0x50, 0x43, 0x4b, 1]])
      expect(lookOf(Uint8Array.from(bytes))).toBeUndefined();
  });
});

describe("a pointer", () => {
  it("moves only if its place on the screen changes", () => {
    const isMove = pointerMoves();
    const at = (screenX: number, screenY: number) => isMove({ screenX, screenY } as PointerEvent);
    expect([at(1, 2), at(1, 2), at(1, 3), at(1, 3)]).toEqual([true, false, true, false]);
  });
});
