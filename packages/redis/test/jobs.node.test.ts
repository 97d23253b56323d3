/** Data of jobs, through BullMQ 5 and 6 with a worker. */
import { once } from "node:events";
import { array, codec, f32, REF, schema, u8, u32, u64, utf8 } from "@moonpack/pck";
import { Job, Queue, QueueEvents, Worker } from "bullmq";
import * as six from "bullmq-6";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { framed, jobValues, type RedisValueError } from "../src/index.ts";
import { isLeftOut, startServer, type TestServer } from "./harness/server.ts";
import { ada, User, UserV1 } from "./harness/user.ts";

const mail = { to: ["ada@example.org"], at: new Date(5), id: 2n ** 60n, picture: new Uint8Array([1, 2, 255]) };

describe.skipIf(isLeftOut)("BullMQ", () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startServer();
  });
  afterAll(() => server?.stop());

  describe.each([
    ["5", { Job, Queue, QueueEvents, Worker }],
    [
      "6",
      six as unknown as {
        Job: typeof Job;
        Queue: typeof Queue;
        QueueEvents: typeof QueueEvents;
        Worker: typeof Worker;
      },
    ],
  ])("%s", (version, bull) => {
    test("a worker gets the added data, and its result can be read", async () => {
      const name = `mails-${version}`;
      const connection = { host: "127.0.0.1", port: server.port, maxRetriesPerRequest: null };
      const [mails, users] = [jobValues<typeof mail>(), jobValues({ codec: framed(User) })];
      const queue = new bull.Queue(name, { connection });
      const events = new bull.QueueEvents(name, { connection });
      await events.waitUntilReady();
      const got: unknown[] = [];
      const work = async (job: Job): Promise<unknown> => {
        if (job.name === "mail") got.push(mails.unpack(job.data));
        else got.push(users.unpack(job.data));
        return mails.pack(mail);
      };
      const worker = new bull.Worker(name, work, { connection });
      try {
        const added = await queue.add("mail", mails.pack(mail));
        expect(mails.unpack(await added.waitUntilFinished(events))).toEqual(mail);
        await (await queue.add("user", users.pack(ada))).waitUntilFinished(events);
        expect(got).toEqual([mail, ada]);
        const silent = new bull.Worker(`silent-${version}`, async () => undefined, { connection });
        const nothing = new bull.Queue(`silent-${version}`, { connection });
        const ended = once(silent, "completed");
        const { id } = await nothing.add("mail", mails.pack(mail));
        await ended;
        const { returnvalue } = (await bull.Job.fromId(nothing, id!))!;
        expect(thrown(() => mails.unpack(returnvalue)).message).toContain("a job that returned nothing has no value");
        await silent.close();
        await nothing.close();
        const stored = await bull.Job.fromId(queue, added.id!);
        expect(mails.unpack(stored!.data)).toEqual(mail);
        const failed = once(worker, "failed");
        await queue.add("user", { id: 7 });
        const [, error] = (await failed) as [Job, Error];
        expect(error.message).toContain("json: true also reads JSON");
      } finally {
        await worker.close();
        await events.close();
        await queue.close();
      }
    });
  });
});

describe("packed data", () => {
  const values = jobValues();

  test("any value survives JSON", () => {
    for (const value of [null, 5, "é", mail, [1.5, -1], {}])
      expect(values.unpack(JSON.parse(JSON.stringify(values.pack(value))))).toEqual(value);
  });

  test("plain data is an error without json: true", () => {
    const both = jobValues({ codec: framed(User, { older: [UserV1] }), json: true });
    expect(both.unpack({ id: 7, name: "Ada", level: 3 })).toEqual(ada);
    expect(both.unpack(both.pack(ada))).toEqual(ada);
    expect(jobValues({ json: true }).unpack({ $moonpack: 1 })).toEqual({ $moonpack: 1 });
    expect(thrown(() => values.unpack({ a: 1 }))).toMatchObject({ code: "ERR_REDIS_TEXT", key: undefined });
    for (const noJSON of [undefined, { a: 1n }])
      expect(thrown(() => values.unpack(noJSON)).code).toBe("ERR_REDIS_TEXT");
    expect(thrown(() => values.unpack(Object.create({ $moonpack: "wA==" }))).code).toBe("ERR_REDIS_TEXT");
    expect(thrown(() => both.unpack({ id: "x", name: "Ada" })).name).toBe("RedisValueError");
  });

  test("a job without a result is an error that explains this", () => {
    for (const nothing of [null, undefined]) {
      const error = thrown(() => values.unpack(nothing));
      expect([error.code, error.message]).toEqual([
        "ERR_REDIS_TEXT",
        expect.stringContaining(`is ${nothing} instead of a packed value: a job that returned nothing has no value`),
      ]);
    }
    expect(values.unpack(values.pack(null))).toBeNull();
    expect(jobValues({ json: true }).unpack(null)).toBeNull();
  });

  test("invalid base64, or an invalid value, is an error", () => {
    expect(thrown(() => values.unpack({ $moonpack: "w A" })).code).toBe("ERR_INVALID_BYTE");
    expect(thrown(() => values.unpack({ $moonpack: "" })).code).toBe("ERR_TRUNCATED");
    expect(thrown(() => values.unpack({ $moonpack: "wQ==" })).message).toContain("at byte 0");
  });

  // The figures of docs/redis.md.
  test("bytes beside JSON", () => {
    const Reading = schema("Reading", utf8("station"), u64("at"), f32("celsius"), u8("humidity"), u32("count"));
    const reading = { station: "Harbour", at: 1_700_000_000_000n, celsius: 21.5, humidity: 60, count: 1234 };
    const sizeOf = (data: unknown): number => JSON.stringify(data).length;
    expect({
      json: sizeOf({ ...reading, at: Number(reading.at) }),
      msgpack: sizeOf(values.pack({ ...reading, at: Number(reading.at) })),
      framed: sizeOf(jobValues({ codec: framed(Reading) }).pack(reading)),
      pck: sizeOf(jobValues({ codec: codec(Reading) }).pack(reading)),
    }).toMatchInlineSnapshot(`
      {
        "framed": 60,
        "json": 82,
        "msgpack": 100,
        "pck": 52,
      }
    `);
    const Readings = schema("Readings", array("readings", REF(Reading)));
    const readings = Array.from({ length: 100 }, (_, i) => ({ ...reading, at: reading.at + BigInt(i) }));
    expect({
      json: sizeOf({ readings: readings.map((one) => ({ ...one, at: Number(one.at) })) }),
      framed: sizeOf(jobValues({ codec: framed(Readings) }).pack({ readings })),
    }).toMatchInlineSnapshot(`
      {
        "framed": 3364,
        "json": 8314,
      }
    `);
    const text = { body: "All work and no play makes Jack a dull boy. ".repeat(20) };
    expect({ json: sizeOf(text), msgpack: sizeOf(values.pack(text)) }).toMatchInlineSnapshot(`
      {
        "json": 891,
        "msgpack": 1204,
      }
    `);
    const picture = { bytes: new Uint8Array(1000).map((_, i) => i * 7) };
    expect({
      json: sizeOf(picture),
      array: sizeOf({ bytes: [...picture.bytes] }),
      msgpack: sizeOf(values.pack(picture)),
    }).toMatchInlineSnapshot(`
      {
        "array": 3573,
        "json": 9463,
        "msgpack": 1364,
      }
    `);
  });
});

function thrown(run: () => unknown): RedisValueError {
  try {
    run();
  } catch (error) {
    return error as RedisValueError;
  }
  throw new Error("nothing was thrown");
}
