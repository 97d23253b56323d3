/** Reading, forwarding and changing parts of messages, beside decoding everything. */
import { deepStrictEqual } from "node:assert/strict";
import { MsgPackDecoder } from "@jsonjoy.com/json-pack/lib/msgpack/MsgPackDecoder.js";
import { Decoder, Encoder, encode } from "moonpack";
import { edit, Picker, type Raw } from "moonpack/pick";
import { Unpackr } from "msgpackr";
import { runInChild } from "../../measure/child.js";
import { SocketInputs } from "../../measure/inputs.js";
import { type Contestant, interleave, type Pace } from "../../measure/interleave.js";
import { speedRatios, summarize } from "../../measure/statistics.js";
import { progress } from "../../progress.js";
import { type NumbersResult, numbersPage } from "../../report/numbers.js";
import { spreadRow } from "../../report/spread-row.js";
import { resultHead } from "../../results.js";
import type { Suite } from "../../suite.js";
import type { Payload } from "../../types.js";
import { cases, dictionary, envelope } from "./cases.js";
import { schemaCases } from "./schemas.js";
import { findSimdjson, keyPath } from "./simdjson.js";

type Read = (payload: Payload) => unknown;

interface Job {
  readonly race: string;
  readonly quick: boolean;
}

/** Times by contestant, nanoseconds per call. */
type Times = Record<string, number[]>;

const COLUMNS = [
  { id: "pick", title: "`Picker`" },
  { id: "ignore", title: '`Picker`, `rest: "ignore"`' },
  { id: "find", title: "json-pack, `find`" },
  { id: "msgpackr", title: "msgpackr" },
  { id: "json", title: "JSON.parse" },
  { id: "simdjson", title: "simdjson, `lazyParse`" },
];

/** Changes of one field, against decoding, changing and encoding. */
const EDITS = [
  { id: "edit-small", title: "change 1 field, 2.3 KB", make: envelope, pointer: "/payload/note" },
  { id: "edit-large", title: "change 1 field, 16 MB", make: dictionary, pointer: "/user:50000/mail" },
];
const FORWARD = "forward";

/** Parts of messages. */
export const pick: Suite<NumbersResult> = {
  name: "pick",
  title: "Parts of a message",
  async run({ quick, filter, processes }) {
    const times = async (race: string): Promise<Times[]> => {
      progress(`pick: ${race}`);
      const runs: Times[] = [];
      for (let i = 0; i < (quick ? 1 : processes); i++) runs.push(await runInChild<Times>("pick", { race, quick }));
      return runs;
    };
    const chosen = (id: string): boolean => filter?.test(id) ?? true;
    const reads = [];
    for (const { id, title } of cases.filter((one) => chosen(one.id))) reads.push(rowOf(id, title, await times(id)));
    const writes = [];
    for (const { id, title } of [{ id: FORWARD, title: "read the route, forward the payload" }, ...EDITS])
      if (chosen(id)) writes.push(rowOf(id, title, await times(id)));
    const schemas = [];
    for (const { id, title } of schemaCases.filter((one) => chosen(one.id)))
      schemas.push(rowOf(id, title, await times(id)));
    progress("");
    return {
      ...resultHead("pick", quick, [
        ...["moonpack", "msgpackr", "@jsonjoy.com/json-pack"],
        ...(findSimdjson() === null ? [] : ["simdjson"]),
      ]),
      tables: [
        {
          id: "read",
          title: "Reading",
          text: "How many times as fast as `decode` of moonpack and reading the fields from its result, in one process. Medians with quartiles.",
          unit: "ratio",
          columns: COLUMNS,
          rows: reads,
        },
        {
          id: "write",
          title: "Forwarding and changing",
          text: "How many times as fast as to decode the message, change it and encode it.",
          unit: "ratio",
          columns: [{ id: "pick", title: "`Raw` or `edit`" }],
          rows: writes,
        },
        {
          id: "schemas",
          title: "Messages with a schema",
          text: "How many times as fast as to decode the message, PCK with its codec and Protobuf with protobuf.js 8. avsc resolves the message to a schema of the two fields.",
          unit: "ratio",
          columns: [
            { id: "pick", title: "`pick`, `FieldPicker`" },
            { id: "ignore", title: 'the same, `rest: "ignore"`' },
            { id: "rest", title: "the same, and the other fields' bytes" },
            { id: "rival", title: "avsc" },
          ],
          rows: schemas,
        },
      ],
    };
  },
  work: (job) => measure(job as Job),
  page: (result) => numbersPage(pick.title, result),
};

function rowOf(id: string, title: string, runs: readonly Times[]) {
  const names = Object.keys(runs[0]!).filter((name) => name !== "decode");
  const cells = names.map(
    (name) => [name, summarize(runs.map((run) => speedRatios(run[name]!, run["decode"]!)))] as const,
  );
  return spreadRow(id, title, Object.fromEntries(cells));
}

function measure({ race, quick }: Job): Times {
  const readers = readersFor(race);
  const expected = readers[0]!.read(readers[0]!.payload);
  for (const { id, payload, read } of readers) deepStrictEqual(read(payload), expected, id);
  const large = readers[0]!.payload.length > 1_000_000;
  const pace: Pace = { warmUpRounds: quick ? 1 : 5, rounds: quick ? 2 : large ? 15 : 31, sampleMs: quick ? 1 : 20 };
  return Object.fromEntries(interleave(readers.map(contestant), pace));
}

function readersFor(race: string): readonly Reader[] {
  const found = cases.find(({ id }) => id === race);
  if (found !== undefined) return readersOf(found.make(), found.paths);
  const schema = schemaCases.find(({ id }) => id === race);
  return schema === undefined ? writersOf(race) : (schema.readers() as readonly Reader[]);
}

interface Reader {
  readonly id: string;
  readonly payload: Payload;
  readonly read: Read;
}

function contestant({ id, payload, read }: Reader): Contestant {
  const inputs = new SocketInputs("buffer");
  return {
    id,
    bytes: payload.length,
    prepare: (count) => Array.from({ length: count }, () => inputs.copy(payload)),
    call: (input) => read(input as Payload),
  };
}

/** Every way to read the paths of a message. */
function readersOf(value: unknown, paths: readonly string[]): Reader[] {
  const payload = encode(value);
  const decoder = new Decoder();
  const unpackr = new Unpackr({ useRecords: false });
  const picker = new Picker(paths);
  const first = new Picker(paths, { rest: "ignore" });
  const fields = (message: unknown) => paths.map((path) => at(message, path.split("/").slice(1)));
  const readers: Reader[] = [
    { id: "decode", payload, read: (bytes) => fields(decoder.decode(bytes as Uint8Array)) },
    { id: "pick", payload, read: (bytes) => picker.decode(bytes as Uint8Array) },
    { id: "ignore", payload, read: (bytes) => first.decode(bytes as Uint8Array) },
    { id: "msgpackr", payload, read: (bytes) => fields(unpackr.unpack(bytes as Uint8Array)) },
    { id: "json", payload: JSON.stringify(value), read: (text) => fields(JSON.parse(text as string)) },
  ];
  const simdjson = findSimdjson();
  if (simdjson !== null && !paths.some((path) => path.includes("*"))) {
    const keyPaths = paths.map(keyPath);
    const read = (text: Payload): unknown => {
      const lazy = simdjson.lazyParse(text as string);
      return keyPaths.map((path) => lazy.valueForKeyPath(path));
    };
    const json = JSON.stringify(value);
    if (readsAlike(read, json, readers[0]!)) readers.push({ id: "simdjson", payload: json, read });
  }
  // `find` has one path, and no `*`.
  if (paths.length === 1 && !paths[0]!.includes("*")) {
    const finder = new MsgPackDecoder();
    const steps = paths[0]!.split("/").slice(1);
    const read = (bytes: Payload): unknown => {
      finder.reader.reset(bytes as Uint8Array);
      return [finder.find(steps).readAny()];
    };
    if (readsAlike(read, payload, readers[0]!)) readers.push({ id: "find", payload, read });
  }
  return readers;
}

/** True if a candidate can read this message. */
function readsAlike(read: Read, payload: Payload, reference: Reader): boolean {
  try {
    deepStrictEqual(read(payload), reference.read(reference.payload));
    return true;
  } catch {
    return false;
  }
}

function at(value: unknown, steps: readonly string[]): unknown {
  const [step, ...rest] = steps;
  if (step === undefined) return value;
  if (step === "*") return (value as unknown[]).map((item) => at(item, rest));
  return at((value as Record<string, unknown> | undefined)?.[step], rest);
}

/** Forwarding and changing: with everything decoded, and without. */
function writersOf(race: string): Reader[] {
  const decoder = new Decoder();
  const encoder = new Encoder();
  if (race === FORWARD) {
    const payload = encode(envelope());
    const router = new Picker({ route: "/route", body: "/payload" }, { raw: ["body"] });
    return [
      {
        id: "decode",
        payload,
        read(bytes) {
          const { route, payload: body } = decoder.decode<Record<string, unknown>>(bytes as Uint8Array);
          return encoder.encode({ route, hop: 2, body });
        },
      },
      {
        id: "pick",
        payload,
        read(bytes) {
          const { route, body } = router.decode<{ route: string; payload: Raw }>(bytes as Uint8Array);
          return encoder.encode({ route, hop: 2, body });
        },
      },
    ];
  }
  const { make, pointer } = EDITS.find(({ id }) => id === race)!;
  const payload = encode(make());
  const [parent, key] = pointer.split("/").slice(1) as [string, string];
  return [
    {
      id: "decode",
      payload,
      read(bytes) {
        const value = decoder.decode<Record<string, Record<string, unknown>>>(bytes as Uint8Array);
        value[parent]![key] = "changed";
        return encoder.encode(value);
      },
    },
    { id: "pick", payload, read: (bytes) => edit(bytes as Uint8Array, { [pointer]: "changed" }) },
  ];
}
