/** Requests of remote write over a store: what is kept, what is refused, and the answers. */
import { randomSource } from "@moonpack/harness/random.ts";
import { memory, openSeries, type Series, type SeriesOptions } from "@moonpack/series";
import { DecodeError } from "moonpack/bytes";
import { expect, test } from "vitest";
import { type HeaderOf, WriteReceiver } from "../../src/remote-write/receiver.ts";
import { readWriteRequest } from "../../src/remote-write/request.ts";
import { MetadataMap } from "../../src/store/metadata.ts";
import { writeSamples } from "../../src/store/sample-writer.ts";
import { storedContent } from "../harness/stored-content.ts";
import { bytes, field, label, labels, pack, request, STALE, sample, series, varint } from "./encode.ts";

const NOW = 1_700_000_000_000;
const NO_HEADERS: HeaderOf = () => undefined;
const headers =
  (record: Readonly<Record<string, string>>): HeaderOf =>
  (name) =>
    record[name];

interface Receiver {
  readonly store: Series;
  readonly receiver: WriteReceiver;
  readonly metadata: MetadataMap;
  readonly send: (...content: readonly number[][]) => ReturnType<WriteReceiver["receive"]>;
}

async function receiving(
  run: (given: Receiver) => Promise<void>,
  options: SeriesOptions = {},
  maxRawBytes = 2 ** 21,
): Promise<void> {
  const store = await openSeries({ driver: memory(), now: () => NOW, ...options });
  const metadata = new MetadataMap();
  const receiver = new WriteReceiver(store, metadata, { maxBodyBytes: 2 ** 20, maxRawBytes });
  const send: Receiver["send"] = (...content) => receiver.receive(NO_HEADERS, pack(request(...content)));
  try {
    await run({ store, receiver, metadata, send });
  } finally {
    await store.close();
  }
}

test("values, NaN and staleness markers are kept apart", () =>
  receiving(async ({ store, receiver, send }) => {
    const answer = await send(
      series(
        labels({ __name__: "up", job: "a\nb" }),
        sample(NOW, 1),
        sample(NOW + 1, Number.NaN),
        sample(NOW + 2, STALE),
        sample(NOW + 3, Number.POSITIVE_INFINITY),
      ),
      series(labels({ __name__: "\ue000", __stale__: "1" }), sample(NOW - 5, -0)),
    );
    expect(answer).toEqual({ status: 204, text: "" });
    expect(await storedContent(store, NOW)).toEqual({
      '{__name__="up", job="a\\nb"}': [
        [0, 1],
        [1, Number.NaN],
        [2, "stale"],
        [3, Number.POSITIVE_INFINITY],
      ],
      '{__name__="\\ue000", __stale__="1"}': [[-5, -0]],
    });
    expect(receiver.counts).toEqual({
      answers: new Map([[204, 1]]),
      samples: 5,
      refused: 0,
      histograms: 0,
      exemplars: 0,
      metadata: 0,
    });
  }));

test("any order of times; the last value of a time wins; a request may come twice", () =>
  receiving(async ({ store, send }) => {
    const a = labels({ __name__: "a" });
    const content = [series(a, sample(NOW, 1), sample(NOW - 9, 2), sample(NOW, 3)), series(a, sample(NOW - 9, 4))];
    for (let i = 0; i < 2; i++) expect((await send(...content)).status).toBe(204);
    expect(await storedContent(store, NOW)).toEqual({
      '{__name__="a"}': [
        [-9, 4],
        [0, 3],
      ],
    });
  }));

test("what is good is written, what is bad is counted, and the first one is named", () =>
  receiving(
    async ({ store, receiver, send }) => {
      const many = (count: number) =>
        labels({ __name__: "many", ...Object.fromEntries(Array.from({ length: count }, (_, i) => [`l${i}`, "x"])) });
      await store.metric({ name: "integers", type: "int64" });
      const answer = await send(
        series(many(32), sample(NOW, 1), sample(NOW, STALE)),
        series(many(31), sample(NOW, 2), sample(NOW + 1, STALE)),
        series(labels({ __name__: "x".repeat(256) }), sample(NOW, 3)),
        series(labels({ __name__: "old" }), sample(NOW - 86_400_001, 4), sample(NOW, 5)),
        series(labels({ __name__: "ahead" }), sample(NOW + 86_400_001, 6)),
        series(labels({ __name__: "early" }), sample(-1, 7), sample(8.64e15, STALE)),
        series(labels({ __name__: "integers" }), sample(NOW, 8)),
        series(labels({ job: "nameless" }), sample(NOW, 9)),
        series([...labels({ __name__: "twice" }), ...label("a", "1"), ...label("a", "2")], sample(NOW, 10)),
      );
      expect(answer.status).toBe(400);
      expect(answer.text).toMatch(
        /^10 samples were refused, 3 were written: the series has no __name__: \{"job"="nameless"\}/,
      );
      expect(Object.values(await storedContent(store, NOW)).flat()).toEqual([
        [0, 2],
        [1, "stale"],
        [0, 5],
      ]);
      expect(receiver.counts.refused).toBe(10);
      expect(receiver.counts.samples).toBe(3);
      for (const [text, ...bad] of [
        [/"many": 33 labels, more than 32/, series(many(32), sample(NOW, 1))],
        [/"x{200}": the name is longer than 255 bytes/, series(labels({ __name__: "x".repeat(256) }), sample(NOW, 1))],
        [
          /"old": the timestamp 1699913599999 is too old/,
          series(labels({ __name__: "old" }), sample(NOW - 86_400_001, 4)),
        ],
        [/"early": the timestamp -1 is beyond/, series(labels({ __name__: "early" }), sample(-1, 7))],
        [/"integers": .*int64/, series(labels({ __name__: "integers" }), sample(NOW, 8))],
      ] as const) {
        const { status, text: shown } = await send(...bad);
        expect(status).toBe(400);
        expect(shown).toMatch(text);
      }
    },
    { retention: "1d" },
  ));

test("histograms and exemplars are counted, metadata is kept", () =>
  receiving(async ({ receiver, metadata, send }) => {
    const family = (name: string, help: string) =>
      bytes(3, [...field(1, 0, varint(1)), ...bytes(2, name), ...bytes(4, help), ...bytes(5, "bytes")]);
    const { status } = await send(
      series(labels({ __name__: "h" }), bytes(4, [1, 2]), bytes(4, []), bytes(3, [])),
      family("read_bytes_total", "Bytes read."),
      bytes(3, bytes(4, "no name")),
    );
    expect(status).toBe(204);
    expect([...metadata.entries]).toEqual([
      ["read_bytes_total", { type: "counter", help: "Bytes read.", unit: "bytes" }],
    ]);
    expect(receiver.counts).toMatchObject({ histograms: 2, exemplars: 1, metadata: 1, samples: 0 });
  }));

test("types, encodings, sizes and bytes that are not valid", () =>
  receiving(async ({ receiver, store }) => {
    const body = pack(request(series(labels({ __name__: "a" }), sample(NOW, 1))));
    const status = async (record: Record<string, string>, content: Uint8Array = body) =>
      (await receiver.receive(headers(record), content)).status;
    const type = "application/x-protobuf";
    expect(await status({ "content-type": type, "content-encoding": "snappy" })).toBe(204);
    expect(await status({ "content-type": "application/json" })).toBe(415);
    expect(await status({ "content-type": `${type};proto=io.prometheus.write.v2.Request` })).toBe(415);
    expect(await status({ "content-type": type, "content-encoding": "gzip" })).toBe(415);
    expect(await status({ "content-length": "1048577" })).toBe(413);
    expect(await status({}, new Uint8Array(2 ** 20 + 1))).toBe(413);
    // Three bytes declare 2 MiB and one: refused before memory is taken.
    expect(await status({}, Uint8Array.from([...varint(2 ** 21 + 1), 0]))).toBe(413);
    expect(await status({}, new Uint8Array(0))).toBe(400);
    expect(await status({}, body.subarray(0, -1))).toBe(400);
    expect(await status({}, pack(request([0x0a, 0x05, 0x01])))).toBe(400);
    expect(Object.fromEntries(receiver.counts.answers)).toEqual({ 204: 1, 400: 3, 413: 3, 415: 3 });
    expect(await storedContent(store, NOW)).toEqual({ '{__name__="a"}': [[0, 1]] });
  }));

test("a store that is closed is a reason to try again", () =>
  receiving(async ({ store, send }) => {
    const content = series(labels({ __name__: "a" }), sample(NOW, 1));
    await store.close();
    expect(await send(content)).toMatchObject({ status: 503 });
  }));

test("requests beyond the memory for them are to be sent again", () =>
  receiving(
    async ({ receiver }) => {
      const samples = Array.from({ length: 2000 }, (_, i) => sample(NOW - i, 1));
      const body = pack(request(series(labels({ __name__: "a" }), ...samples)));
      const answers = await Promise.all(Array.from({ length: 12 }, () => receiver.receive(NO_HEADERS, body)));
      const room = Math.floor((4 * 50_000) / body.length);
      expect(answers.map(({ status }) => status)).toEqual([...Array(room).fill(204), ...Array(12 - room).fill(503)]);
      expect((await receiver.receive(NO_HEADERS, body)).status).toBe(204);
    },
    {},
    50_000,
  ));

test("random requests, sent at once: each sample is there", () =>
  receiving(async ({ store, send }) => {
    const below = randomSource(3501);
    const expected = new Map<string, Map<number, number | "stale">>();
    for (let round = 0; round < 5; round++) {
      const requests: Promise<{ status: number }>[] = [];
      for (let r = 0; r < 4; r++) {
        const content: number[][] = [];
        for (let i = below(700); i >= 0; i--) {
          const name = `m${below(40)}`;
          const job = `${below(30)}\t`;
          const key = `{__name__="${name}", job="${job.slice(0, -1)}\\t"}`;
          const samples = expected.get(key) ?? new Map<number, number | "stale">();
          expected.set(key, samples);
          const written: number[][] = [];
          for (let n = below(4); n >= 0; n--) {
            // A time has a value or a marker, always the same: requests at once have no order.
            const time = below(50);
            const value = time % 7 === 0 ? ("stale" as const) : time * 2;
            samples.set(time, value);
            written.push(sample(NOW + time, value === "stale" ? STALE : value));
          }
          content.push(series(labels({ __name__: name, job }), ...written));
        }
        requests.push(send(...content));
      }
      for (const { status } of await Promise.all(requests)) expect(status).toBe(204);
    }
    const sorted = [...expected].map(([key, samples]) => [key, [...samples].sort(([a], [b]) => a - b)]);
    expect(await storedContent(store, NOW)).toEqual(Object.fromEntries(sorted));
  }));

test("a store that cannot read itself is no fault of the sender, who tries again", () =>
  receiving(async ({ store, metadata }) => {
    const broken = Object.create(store) as Series;
    broken.metric = () => Promise.reject(new DecodeError("ERR_INVALID_BYTE", "the checksum does not match", 5));
    const receiver = new WriteReceiver(broken, metadata, { maxBodyBytes: 1000, maxRawBytes: 1000 });
    const body = pack(request(series(labels({ __name__: "a" }), sample(NOW, 1))));
    expect(await receiver.receive(NO_HEADERS, body)).toMatchObject({ status: 500 });
    expect(receiver.counts.samples).toBe(0);
  }));

test("the event loop has turns while series are refused", () =>
  receiving(async ({ store }) => {
    await store.metric({ name: "integers", type: "int64" });
    const integers = series(labels({ __name__: "integers" }), sample(NOW, 1));
    const read = readWriteRequest(request(...Array.from({ length: 20_000 }, () => integers)));
    let turns = 0;
    const timer = setInterval(() => turns++, 1);
    expect(await writeSamples(store, read)).toMatchObject({ accepted: 0, refused: 20_000 });
    clearInterval(timer);
    expect(turns).toBeGreaterThan(5);
  }));
