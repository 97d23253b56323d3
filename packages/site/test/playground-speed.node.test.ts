// The race of codecs in the playground, without its worker: messages, checks, order and figures.
import { beforeAll, describe, expect, it } from "vitest";
import { browserName } from "../src/playground/speed/browser-name.ts";
import { CODEC_IDS } from "../src/playground/speed/codecs.ts";
import { rowsOf } from "../src/playground/speed/figure-rows.ts";
import { ratioRange, ratioText, timeRange, timeText } from "../src/playground/speed/figure-texts.ts";
import { MAX_SIZE, messagesOf } from "../src/playground/speed/messages.ts";
import { checkedBytes, type Prepared, prepare } from "../src/playground/speed/prepare.ts";
import { type Runner, race, type Times } from "../src/playground/speed/race.ts";
import { differenceOf } from "../src/playground/speed/same-value.ts";
import { SAMPLES } from "../src/playground/speed/samples.ts";
import { clockStep, type Direction, Sampler } from "../src/playground/speed/sampling.ts";
import { figuresOf, spreadOf } from "../src/playground/speed/statistics.ts";

describe("messages", () => {
  it("are a value, the elements of a list, or lines", () => {
    expect(messagesOf('{"a":1}', true)).toEqual([{ a: 1 }]);
    expect(messagesOf("[1,2]", true)).toEqual([1, 2]);
    expect(messagesOf("[1,2]", false)).toEqual([[1, 2]]);
    expect(messagesOf("[]", true)).toEqual([[]]);
    expect(messagesOf('{"a":1}\n\n[2]\n', true)).toEqual([{ a: 1 }, [2]]);
    expect(messagesOf('{\n"a": 1\n}', true)).toEqual([{ a: 1 }]);
  });

  it("that cannot be read say why, and where", () => {
    expect(() => messagesOf(" \n", true)).toThrow("There is nothing to measure");
    expect(() => messagesOf('{"a":}', true)).toThrow(/^This is not JSON: /);
    expect(() => messagesOf('{\n"a":\n}', true)).toThrow(/^This is not JSON: /);
    expect(() => messagesOf('{"a":1}\n{"a"}', true)).toThrow(/^Line 2 is not JSON: /);
    expect(() => messagesOf("1".repeat(MAX_SIZE + 1), true)).toThrow("These are 11 MB; a page measures up to 10 MB.");
  });
});

describe("equality", () => {
  it("finds the first difference", () => {
    const value = { a: [1, { b: "x" }], c: null, d: -0 };
    expect(differenceOf(value, structuredClone(value))).toBeUndefined();
    expect(differenceOf(value, { ...value, a: [1, { b: "y" }] })).toBe("$.a[1].b");
    expect(differenceOf(value, { ...value, a: [1] })).toBe("$.a");
    expect(differenceOf(value, { ...value, a: { 0: 1 } })).toBe("$.a");
    expect(differenceOf(value, { ...value, c: undefined })).toBe("$.c");
    expect(differenceOf(value, { ...value, d: 0 })).toBe("$.d");
    expect(differenceOf(value, { ...value, e: 1 })).toBe("$.e");
    expect(differenceOf({ a: 1 }, {})).toBe("$.a");
    expect(differenceOf(1, 1n)).toBe("$");
  });

  it("lets optional fields come back as nothing, and as nothing else", () => {
    const fill = { mayFill: true };
    expect(differenceOf({}, { a: null, b: 0, c: "", d: [], e: false }, fill)).toBeUndefined();
    expect(differenceOf({}, { a: null })).toBe("$.a");
    expect(differenceOf({}, { a: 1 }, fill)).toBe("$.a");
    expect(differenceOf({ a: null }, { a: 0 }, fill)).toBe("$.a");
  });
});

describe("codecs", () => {
  it.each(SAMPLES)("give back our messages: $title", async ({ text }) => {
    const task = { source: await text(), isList: true };
    for (const id of CODEC_IDS) {
      const { encoded, messages } = await prepare(id, task);
      expect(encoded).toHaveLength(messages.length);
    }
  });

  it("write MessagePack that the others read", async () => {
    const task = { source: '{"a":[1,"é",null,1.5,-7,9007199254740991]}', isList: true };
    const all = await Promise.all(
      (["moonpack", "msgpackr", "msgpackJavaScript"] as const).map((id) => prepare(id, task)),
    );
    for (const { codec } of all)
      for (const { encoded, messages } of all) expect(codec.decode(encoded[0]!)).toEqual(messages[0]);
  });

  it("that cannot hold the messages say why", async () => {
    await expect(prepare("pck", { source: new Blob(['{"a":[1,"x"]}']), isList: true })).rejects.toThrow(
      "no schema holds $.a",
    );
    await expect(prepare("pck", { source: "[[1]]", isList: false })).rejects.toThrow("not a plain object");
    await expect(prepare("json", { source: "", isList: true })).rejects.toThrow("nothing to measure");
  });

  it("that return another value are reported with the place", () => {
    const codec = { encode: () => Uint8Array.of(1), decode: () => ({ a: [2] }) };
    expect(() => checkedBytes(codec, [{ a: [1] }])).toThrow(/another value at \$\.a\[0\]$/);
    expect(() => checkedBytes(codec, [{ a: [2] }, { a: [3] }])).toThrow(/another value at \$\.a\[0\] of message 2$/);
    expect(checkedBytes(codec, [{ a: [2] }])).toEqual([Uint8Array.of(1)]);
  });
});

describe("a sampler", () => {
  let prepared: Prepared;
  beforeAll(async () => {
    prepared = await prepare("json", { source: '[{"a":1},{"a":2}]', isList: true });
  });

  it("measures each direction with the messages by turns", () => {
    const calls = { encode: [] as unknown[], decode: [] as string[] };
    const codec = {
      encode(value: unknown) {
        calls.encode.push(value);
        return prepared.codec.encode(value);
      },
      decode(bytes: Uint8Array) {
        calls.decode.push(new TextDecoder().decode(bytes));
        return prepared.codec.decode(bytes);
      },
    };
    const sampler = new Sampler(codec, prepared.messages, prepared.encoded, clockStep());
    // A sample may be a single call, if the machine takes a break in it.
    while (calls.encode.length < 3) expect(sampler.sample("encode", 1)).toBeGreaterThan(0);
    expect(calls.encode.slice(0, 3)).toEqual([{ a: 1 }, { a: 2 }, { a: 1 }]);
    expect(sampler.kept).toBeInstanceOf(Uint8Array);
    while (calls.decode.length < 2) expect(sampler.sample("decode", 1)).toBeGreaterThan(0);
    expect(new Set(calls.decode)).toEqual(new Set(['{"a":1}', '{"a":2}']));
    expect(sampler.kept).toEqual(expect.objectContaining({ a: expect.any(Number) as number }));
  });
});

describe("a race", () => {
  const pace = { warmUp: 1, rounds: 3, sampleMs: 5 };

  it("has rounds in which another runner begins, and counts those after the warming up", async () => {
    const order: string[] = [];
    const steps: number[] = [];
    let times: Times | undefined;
    let time = 0;
    const runner = (id: Runner["id"]): Runner => ({
      id,
      sample: (direction: Direction, sampleMs) => {
        expect(sampleMs).toBe(5);
        order.push(`${id} ${direction}`);
        return Promise.resolve(++time);
      },
    });
    const notices = {
      onRound: (seen: Times) => {
        times = seen;
      },
      onStep: (done: number, all: number) => steps.push(done / all),
    };
    await race([runner("moonpack"), runner("json")], pace, notices, new AbortController().signal);
    expect(order.slice(0, 6)).toEqual([
      "moonpack encode",
      "moonpack decode",
      "json encode",
      "json decode",
      "json encode",
      "json decode",
    ]);
    expect(steps.at(-1)).toBe(1);
    expect(steps).toHaveLength(16);
    expect(times?.encode.get("moonpack")).toEqual([7, 9, 15]);
    expect(times?.decode.get("json")).toEqual([6, 12, 14]);
  });

  it("ends when it is stopped, with the figures so far", async () => {
    const controller = new AbortController();
    let rounds = 0;
    const notices = {
      onRound: () => {
        if (++rounds === 2) controller.abort(new Error("enough"));
      },
      onStep: () => {},
    };
    const runner: Runner = { id: "json", sample: () => Promise.resolve(1) };
    await expect(race([runner], pace, notices, controller.signal)).rejects.toThrow("enough");
    expect(rounds).toBe(2);
  });
});

describe("figures", () => {
  it("are medians with quartiles", () => {
    expect(spreadOf([5, 1, 3, 2, 4])).toEqual({ low: 2, median: 3, high: 4 });
    expect(spreadOf([7])).toEqual({ low: 7, median: 7, high: 7 });
    expect(spreadOf([1, 2])).toEqual({ low: 1.25, median: 1.5, high: 1.75 });
  });

  it("have ratios within the rounds: a machine that slows down changes no ratio", () => {
    const times = new Map([
      ["moonpack", [10, 20, 40]],
      ["json", [20, 40, 80]],
    ] as const);
    const [ours, json] = figuresOf(times, "json");
    expect(ours?.ratio).toEqual({ low: 2, median: 2, high: 2 });
    expect(ours?.time.median).toBe(20);
    expect(json).toEqual({ id: "json", time: { low: 30, median: 40, high: 60 } });
  });

  it("are written with three digits", () => {
    expect([1.234, 999.6, 12_345, 99.99e3, 2.5e6, 3e9].map(timeText)).toEqual([
      "1.23 ns",
      "1.00 µs",
      "12.3 µs",
      "100 µs",
      "2.50 ms",
      "3.00 s",
    ]);
    expect(timeRange(950, 1500)).toBe("0.95–1.50 µs");
    expect(ratioText(12.345)).toBe("12.3×");
    expect(ratioRange(0.5, 2)).toBe("0.50–2.00×");
  });
});

describe("rows", () => {
  it("have one library each, with its formats, and bars in proportion to their numbers", () => {
    const rows = rowsOf([
      { id: "moonpack", figure: 1.5 },
      { id: "pck", figure: 3 },
      { id: "msgpackr", figure: 2 },
      { id: "json", figure: 1 },
    ]);
    expect(rows.map(({ library, isOurs, lines }) => [library, isOurs, lines.map(({ format }) => format)])).toEqual([
      ["moonpack", true, ["MessagePack", "PCK"]],
      ["msgpackr", false, ["MessagePack"]],
      ["JSON", false, ["JSON"]],
    ]);
    for (const { lines } of rows)
      for (const { figure, length } of lines) expect(length).toBeCloseTo((100 * figure) / 3);
  });
});

describe("the browser", () => {
  it("is named by what it says", () => {
    expect(browserName("Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0")).toBe("Firefox 140");
    const chrome =
      "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36";
    expect(browserName(chrome)).toBe("Chromium 141");
    expect(browserName(`${chrome} Edg/141.0.1.1`)).toBe("Edge 141");
    expect(browserName("Mozilla/5.0 (Macintosh) AppleWebKit/605 (KHTML, like Gecko) Version/18.3 Safari/605.1")).toBe(
      "Safari 18.3",
    );
    expect(browserName("curl")).toBe("this browser");
  });
});
