import { deflateSync } from "node:zlib";
import fc from "fast-check";
import { ByteWriter } from "moonpack/bytes";
import { expect, test } from "vitest";
import {
  type Comparison,
  compare,
  fromJson,
  type LoadResult,
  load,
  type Target,
  toJson,
  toMarkdown,
  toReport,
  toSvg,
} from "../src/index.js";
import { Latencies } from "../src/measure/histogram.js";
import { notesOf } from "../src/measure/notes.js";
import { ratiosOf } from "../src/measure/ratios.js";
import { failuresOf, summaryOf } from "../src/measure/summary.js";
import { bytesText, durationText, percentText, rateText, ratioText } from "../src/report/number-text.js";
import type { RoundResult } from "../src/result.js";

/** A round whose operations took these times, in milliseconds. */
function roundOf(times: readonly number[], change: Partial<RoundResult> = {}): RoundResult {
  const latencies = new Latencies();
  for (const time of times) latencies.record(time);
  const { percentiles, encoded } = latencies;
  return {
    operations: times.length,
    seconds: 10,
    perSecond: times.length / 10,
    errors: {},
    wrong: 0,
    response: percentiles,
    service: percentiles,
    late: null,
    histograms: { response: encoded, service: null, late: null },
    cpuMicros: 12.5,
    utilisation: 0.25,
    loopDelayMs: 3,
    gcMs: 40,
    saturated: false,
    partial: false,
    ...change,
  };
}

function encodedOf(times: readonly number[]): string {
  return roundOf(times).histograms.response;
}

function resultOf(target: string, rounds: readonly RoundResult[], change: Partial<LoadResult> = {}): LoadResult {
  const summary = summaryOf(rounds);
  return {
    format: 1,
    target,
    options: {
      scenario: { gets: 80 },
      payload: { bytes: 1024 },
      concurrency: 64,
      rate: null,
      operations: null,
      durationMs: 10_000,
      warmupMs: 3000,
      rounds: rounds.length,
      keys: 10_000,
      distribution: "zipf",
      seed: 1,
      timeoutMs: 10_000,
    },
    interrupted: false,
    machine: { node: "20.19.0", cpu: "A CPU", cores: 2, os: "Linux 6 x64", loadBefore: 0.5 },
    date: "2026-01-31T12:34:56.789Z",
    rounds,
    summary,
    failures: failuresOf(rounds, 0),
    notes: notesOf(rounds, summary),
    ...change,
  };
}

const times = Array.from({ length: 1000 }, (_, i) => (i + 1) / 100);
const good = resultOf("tcp://a", [roundOf(times), roundOf(times), roundOf(times.slice(50))]);
const better = resultOf("tcp://b", [roundOf(times), roundOf([...times, ...times]), roundOf(times)]);
const comparison: Comparison = {
  format: 1,
  interrupted: false,
  targets: [good, better],
  ratios: ratiosOf([good, better]),
};

test("a result as Markdown", () => {
  expect(toMarkdown(good)).toBe(`## tcp://a

80 % get, 20 % set, 1 KB, 10,000 keys (zipf); 64 in flight; 3 rounds of 10 s after 3 s of warm-up

| time    |     p50 |     p90 |     p99 | p99.9 |   max |    mean |
| :------ | ------: | ------: | ------: | ----: | ----: | ------: |
| service | 5.09 ms | 9.03 ms | 9.91 ms | 10 ms | 10 ms | 5.09 ms |

| round | ops/s |     p99 | errors |  CPU/op | busy | loop delay |    GC |
| :---- | ----: | ------: | -----: | ------: | ---: | ---------: | ----: |
| 1     |   100 |  9.9 ms |      0 | 12.5 µs | 25 % |       3 ms | 40 ms |
| 2     |   100 |  9.9 ms |      0 | 12.5 µs | 25 % |       3 ms | 40 ms |
| 3     |    95 | 9.91 ms |      0 | 12.5 µs | 25 % |       3 ms | 40 ms |

100 operations/s, median of 3 rounds (95 to 100); 2,950 in total.
This process used 12.5 µs of CPU time per operation and was busy 25 % of the time.
2026-01-31 12:34 UTC; Node 20.19.0, Linux 6 x64, 2 x A CPU, load before 0.5.
`);
});

test("a comparison as Markdown: ratios within rounds", () => {
  expect(comparison.ratios[0]!.perSecond).toEqual({ median: expect.closeTo(1.0526, 3), low: 1, high: 2 });
  expect(toMarkdown(comparison)).toContain("## tcp://b beside tcp://a\n");
  expect(toReport(comparison).tables[0]!.rows).toEqual([
    ["tcp://a", "100", "5.09 ms", "9.91 ms", "10 ms", "12.5 µs", "", ""],
    ["tcp://b", "100", "5 ms", "9.9 ms", "10 ms", "12.5 µs", "1.05x (1.00x to 2.00x)", "1.00x (1.00x to 1.00x)"],
  ]);
});

test("notes: failures, errors, saturation, an interruption, a busy process, a wide spread", () => {
  const rounds = [
    roundOf(times, { wrong: 2, errors: { ECONNRESET: 7 }, utilisation: 1, cpuMicros: 12_000 }),
    roundOf(times.slice(0, 500), {
      saturated: true,
      errors: { ECONNRESET: 1, ERR_TIMEOUT: 2 },
      utilisation: 0.9,
      cpuMicros: 12_000,
    }),
    roundOf(times.slice(0, 3), { partial: true, errors: { ERR_TIMEOUT: 5 }, wrong: 1 }),
  ];
  const { failures, notes, lines, tables } = toReport(resultOf("a", rounds));
  expect(failures).toEqual(["3 wrong answers"]);
  expect(notes).toEqual([
    "interrupted: the last round is incomplete and does not count",
    "saturated: 1 of 3 rounds ended behind their schedule; the rate is too high",
    "this process was busy 95 % of the time: it may have been the limit, not the target",
    "throughput varies by 67 % between rounds",
  ]);
  expect(lines[1]).toContain("Errors (0.66 %): 8 ECONNRESET, 2 ERR_TIMEOUT.");
  expect(tables[1]!.rows.map(([title]) => title)).toEqual(["1", "2 (saturated)", "3 (partial)"]);
  expect(failuresOf([], 1)).toEqual(["1 wrong answer in the warm-up"]);
  expect(notesOf([rounds[2]!], summaryOf([rounds[2]!]))[0]).toContain("come from an incomplete round");
});

test("a ramp names the first round behind its schedule, and its throughput may vary", () => {
  const rounds = [roundOf(times), roundOf(times.slice(0, 100), { saturated: true })];
  expect(notesOf(rounds, summaryOf(rounds), { isRamp: true })).toEqual([
    "saturated: 1 of 2 rounds ended behind their schedule, the first is round 2",
  ]);
});

test("a busy process is a note only if it worked, and if something was limited", () => {
  const busy = { utilisation: 0.97, cpuMicros: 9700 };
  const notes = (...rounds: readonly RoundResult[]) => notesOf(rounds, summaryOf(rounds));
  expect(notes(roundOf(times, busy))).toEqual([
    "this process was busy 97 % of the time: it may have been the limit, not the target",
  ]);
  // Another process had the CPU, or a call blocked.
  expect(notes(roundOf(times, { ...busy, cpuMicros: 3000 }))).toEqual([
    "the event loop was busy 97 % of the time, but with 30 % of a core: it was blocked, or waited for the CPU",
  ]);
  const { response: late, histograms } = roundOf(times);
  const scheduled = { ...busy, late, histograms: { ...histograms, late: histograms.response } };
  expect(notes(roundOf(times, scheduled))).toEqual([]);
  expect(notes(roundOf(times, { ...scheduled, saturated: true }))).toHaveLength(2);
  expect(notes(roundOf([], { ...busy, errors: { ECONNREFUSED: 1000 } }))).toEqual([]);
});

test("a run without rounds has a report", () => {
  const none = resultOf("a", [], { interrupted: true });
  expect(none.summary).toBeNull();
  expect(toMarkdown(none)).toContain("* interrupted before the first round");
  expect(toSvg(none)).toContain("no operations");
  expect(toMarkdown({ ...comparison, targets: [none, none], ratios: ratiosOf([none, none]) })).toContain("interrupted");
});

test("rounds without operations, and times of 0, do not make ratios NaN or infinite", () => {
  const failed = resultOf("a", [
    roundOf([], { cpuMicros: 0, errors: { A: 5 } }),
    roundOf([0], { cpuMicros: 0 }),
    roundOf([1]),
  ]);
  const ratios = ratiosOf([failed, good]);
  expect(JSON.parse(JSON.stringify(ratios))).toEqual(ratios);
  expect(ratiosOf([resultOf("a", [roundOf([])]), good])).toEqual([]);
  const { tables } = toReport(resultOf("a", [roundOf([], { errors: { A: 5 } })]));
  expect(tables.map(({ columns }) => columns[0])).toEqual(["round"]);
});

test("names cannot break Markdown or SVG", () => {
  const name = 'a|b\n# c <script> `x` *y* & "z" \u001b[31m\ud800';
  const result = resultOf(name, [roundOf(times)]);
  expect(toMarkdown(result).split("\n")[0]).toBe(
    '## a\\|b \\# c \\<script\\> \\`x\\` \\*y\\* & "z" \\u001b\\[31m\ufffd',
  );
  const failing = resultOf(`a\u0000\u007f\u009b\u202e`, [roundOf(times, { errors: { "E\u001b]0;x\u0007": 1 } })], {
    failures: ["\u001b[2J"],
    notes: ["\u2066n"],
  });
  const all = toMarkdown(failing);
  expect(all).toMatch(/^## a\\u0000\\u007f\\u009b\\u202e\n/);
  expect(all).not.toMatch(/[^\P{Cc}\n]|\p{Bidi_Control}/u);
  const svg = toSvg(result);
  expect(svg).toContain("&lt;script&gt;");
  for (const text of ["<script", "\u001b", "\ud800"]) expect(svg).not.toContain(text);
});

test("JSON: plain data that is read back to the same result", async () => {
  const result = await load(async () => {}, { operations: 50, warmup: 0, rounds: 2 });
  expect(JSON.parse(JSON.stringify(toJson(result)))).toEqual(result);
  for (const one of [result, good, comparison]) expect(fromJson(JSON.parse(JSON.stringify(toJson(one))))).toEqual(one);
  expect(toJson(good)).not.toBe(good);
});

test.each([
  [null, "no format"],
  [[], "no format"],
  [{ format: 2 }, "format 2"],
  [{ format: 1 }, "damaged"],
  [{ format: 1, targets: [{}] }, "damaged"],
  [{ ...good, rounds: 5 }, "damaged"],
  [{ ...good, summary: {} }, "damaged"],
  [{ ...good, date: undefined }, "damaged"],
  [{ ...good, options: { ...good.options, scenario: {} } }, "damaged"],
  [{ ...good, rounds: [{}] }, "damaged"],
  [{ ...good, summary: { ...good.summary, perSecond: null } }, "damaged"],
  [{ ...good, summary: { ...good.summary, errors: { A: "many" } } }, "damaged"],
  [{ ...comparison, targets: [] }, "damaged"],
  [{ ...comparison, ratios: [{ target: "a" }] }, "damaged"],
])("other data are refused: %#", (data, text) => {
  expect(() => fromJson(data)).toThrow(
    expect.objectContaining({ code: "ERR_INVALID_ARGUMENT", message: expect.stringContaining(text) }),
  );
});

test("an invalid histogram is refused", () => {
  const scheduled = resultOf("a", [
    roundOf(times, { histograms: { response: encodedOf(times), service: encodedOf(times), late: encodedOf(times) } }),
  ]);
  const changed = (result: LoadResult, member: keyof RoundResult["histograms"], text: string): LoadResult => ({
    ...result,
    rounds: result.rounds.map((round) => ({ ...round, histograms: { ...round.histograms, [member]: text } })),
  });
  const refused = expect.objectContaining({
    code: "ERR_INVALID_ARGUMENT",
    message: expect.stringContaining("damaged"),
  });
  const whole = scheduled.rounds[0]!.histograms.response;
  for (const member of ["response", "service", "late"] as const)
    for (const text of ["", "zzzz", "not base64!", whole.slice(0, -8), whole.slice(8)])
      expect(() => fromJson(changed(scheduled, member, text)), `${member} ${text}`).toThrow(refused);
  expect(() => fromJson({ ...comparison, targets: [changed(good, "response", "zzzz")] })).toThrow(refused);

  // After any change it is either refused or can be drawn.
  const at = fc.nat(whole.length - 1);
  const character = fc.constantFrom(..."Az09+/=");
  fc.assert(
    fc.property(at, character, (i, other) => {
      let read: unknown;
      try {
        read = fromJson(changed(scheduled, "response", whole.slice(0, i) + other + whole.slice(i + 1)));
      } catch (error) {
        expect(error).toEqual(refused);
        return;
      }
      toSvg(read as LoadResult);
    }),
    { numRuns: 60 },
  );
});

/** A histogram in HdrHistogram's format. Its payload is zigzag varints: counts, and negative lengths of runs of zeros. */
function forged(
  payload: Uint8Array,
  { length = payload.length, digits = 3, lowest = 1n, highest = 3_600_000_000_000n } = {},
) {
  const header = Buffer.alloc(40);
  header.writeUInt32BE(0x1c849313, 0);
  header.writeUInt32BE(length, 4);
  header.writeUInt32BE(digits, 12);
  header.writeBigInt64BE(lowest, 16);
  header.writeBigInt64BE(highest, 24);
  const compressed = deflateSync(Buffer.concat([header, payload]));
  const start = Buffer.alloc(8);
  start.writeUInt32BE(0x1c849314, 0);
  start.writeUInt32BE(compressed.length, 4);
  return Buffer.concat([start, compressed]).toString("base64");
}

test("a histogram that would take unlimited memory or time is refused", () => {
  const isEncoded = (text: string): boolean => Latencies.isEncoded(text);
  const zeros = (count: number): Uint8Array => {
    const writer = new ByteWriter();
    writer.ivar32(-count);
    return writer.written();
  };
  expect(isEncoded(forged(Uint8Array.of(2)))).toBe(true);
  expect(isEncoded(forged(zeros(33_792)))).toBe(true);
  for (const text of [
    forged(zeros(33_793)),
    forged(zeros(2 ** 31)),
    forged(Buffer.concat([zeros(33_792), Uint8Array.of(2)])),
    forged(new Uint8Array(33_793)),
    forged(new Uint8Array(1 << 24)), // 16 KB in base64
    forged(Uint8Array.of(2), { length: 2e8 }), // a second for each 100 million
    forged(Uint8Array.of(0x82)),
    forged(Uint8Array.of(0x80, 0x80, 0x80, 0x80, 0x20)), // more than its counts can hold
    forged(Uint8Array.of(2), { digits: 5 }),
    forged(Uint8Array.of(2), { lowest: 2n }),
    forged(Uint8Array.of(2), { highest: 2n ** 53n }),
  ])
    expect(isEncoded(text)).toBe(false);
});

test("members that a newer version may add are kept", () => {
  expect(fromJson({ ...good, more: 1 })).toEqual({ ...good, more: 1 });
});

test.each([
  [0, "0 ns"],
  [0.000_31, "310 ns"],
  [0.000_9996, "1 µs"],
  [0.0166, "16.6 µs"],
  [0.99949, "999 µs"],
  [0.9996, "1 ms"],
  [7.054, "7.05 ms"],
  [999.6, "1 s"],
  [12_345, "12.3 s"],
])("%d ms is %s", (milliseconds, text) => expect(durationText(milliseconds)).toBe(text));

test("rates, shares, ratios and bytes", () => {
  expect([0, 0.0126, 12.34, 99.96, 123.4, 1_042_282.4].map(rateText)).toEqual([
    "0",
    "0.0126",
    "12.3",
    "100",
    "123",
    "1,042,282",
  ]);
  expect([0, 0.0066, 0.256, 1].map(percentText)).toEqual(["0 %", "0.66 %", "25.6 %", "100 %"]);
  expect([0.5, 1.066, 12.34].map(ratioText)).toEqual(["0.50x", "1.07x", "12.3x"]);
  expect([3, 1023, 1024, 102_400, 2 ** 20].map(bytesText)).toEqual(["3 B", "1023 B", "1 KB", "100 KB", "1 MB"]);
});

test("pictures do not contain undefined coordinates", () => {
  const time = fc.oneof(fc.constant(0), fc.double({ min: 0, max: 1e7, noNaN: true }), fc.integer({ min: 0, max: 5 }));
  fc.assert(
    fc.property(
      fc.array(fc.array(time, { maxLength: 50 }), { minLength: 1, maxLength: 4 }),
      fc.boolean(),
      (all, isScheduled) => {
        const rounds = all.map((some) => {
          const round = roundOf(some);
          const { response } = round.histograms;
          return isScheduled
            ? { ...round, late: round.response, histograms: { response, service: response, late: response } }
            : round;
        });
        const result = resultOf("a", rounds);
        const svg = toSvg({ ...result, options: { ...result.options, rate: isScheduled ? 5 : null } });
        expect(svg).not.toMatch(/NaN|Infinity|undefined/);
      },
    ),
    { numRuns: 100 },
  );
});

test("histograms keep a time within a thousandth, and merge", () => {
  fc.assert(
    fc.property(
      fc.array(fc.double({ min: 1e-5, max: 3.6e6, noNaN: true }), { minLength: 1, maxLength: 100 }),
      (all) => {
        const half = Math.floor(all.length / 2);
        const parts = [all.slice(0, half), all.slice(half)].map((some) => roundOf(some).histograms.response);
        const merged = Latencies.merged(parts);
        const sorted = [...all].sort((a, b) => a - b);
        expect(merged.count).toBe(all.length);
        for (const percent of [0.001, 50, 100]) {
          const exact = sorted[Math.max(0, Math.ceil((percent * all.length) / 100) - 1)]!;
          expect(Math.abs(merged.at(percent) - exact)).toBeLessThanOrEqual(exact / 1000 + 1e-6);
        }
      },
    ),
  );
});

test("the picture of a real comparison on a schedule names its four lines", async () => {
  const target = (name: string): Target => ({ name, get: () => new Promise((resolve) => void setImmediate(resolve)) });
  const result = await compare([target("one"), target("two")], { operations: 50, rate: 5000, warmup: 0, rounds: 2 });
  const svg = toSvg(result);
  for (const name of ["one", "two"]) {
    expect(svg).toContain(`<title>${name}: response time, from the due time of operations</title>`);
    expect(svg).toContain(`<title>${name}: service time, from the start of operations</title>`);
  }
});
