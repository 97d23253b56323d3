/**
 * Bytes that move to another thread: owned bytes move, the encoder works further, and moving a slice of a slab does not move
 * other results.
 * Besides, the example in examples/workers-transfer.
 */
import { execFile } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { MessageChannel, Worker } from "node:worker_threads";
import { codec, schema, utf8 } from "@moonpack/pck";
import { decode, Encoder, encodeOwned } from "moonpack";
import { expect, test } from "vitest";

const text = (size: number): string => "x".repeat(size);
const Note = codec(schema("Note", utf8("text")));

/** A worker that sends back what it gets, with its memory. */
const ECHO = `
  import { parentPort } from "node:worker_threads";
  parentPort.on("message", (bytes) => parentPort.postMessage(bytes, [bytes.buffer]));
`;

test("owned bytes move to a worker and back, and encoders work further", async () => {
  const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(ECHO)}`));
  const encoder = new Encoder();
  try {
    for (const size of [0, 10, 65, 1000, 2048, 2049, 100_000]) {
      const sent = encoder.encodeOwned(text(size));
      const pck = Note.encodeOwned({ text: text(size) });
      worker.postMessage(sent, [sent.buffer]);
      const [back] = await once(worker, "message");
      worker.postMessage(pck, [pck.buffer]);
      const [pckBack] = await once(worker, "message");
      expect([sent.length, pck.length]).toEqual([0, 0]);
      expect(decode(back)).toBe(text(size));
      expect(Note.decode(pckBack)).toEqual({ text: text(size) });
    }
  } finally {
    await worker.terminate();
  }
});

test("a transfer in the middle of a message, by a getter", () => {
  const encoder = new Encoder();
  const moved: Uint8Array[] = [];
  const value = {
    before: text(300),
    get inner() {
      const bytes = encoder.encodeOwned({ inner: text(300) });
      moved.push(structuredClone(bytes, { transfer: [bytes.buffer] }));
      return moved.length;
    },
    after: text(300),
  };
  expect(decode(encoder.encode(value))).toEqual({ before: text(300), inner: 1, after: text(300) });
  expect(decode(moved[0]!)).toEqual({ inner: text(300) });
});

test.each([
  ["MessagePack", (size: number) => new Encoder().encode.bind(new Encoder(), text(size))],
  ["PCK", (size: number) => () => Note.encode({ text: text(size) })],
])("%s: a result that shares its buffer takes no other with it", async (_, encoderOf) => {
  const encode = encoderOf(100);
  const [other, sent] = [encode(), encode()];
  expect(other.buffer).toBe(sent.buffer);
  const hex = Buffer.from(other).toString("hex");
  const { port1, port2 } = new MessageChannel();
  const received = once(port2, "message");
  let error: unknown;
  try {
    port1.postMessage(sent, [sent.buffer]);
  } catch (thrown) {
    error = thrown;
  }
  // Node 20 sends a copy; later lines refuse.
  if (error === undefined) expect(Buffer.from((await received)[0]).toString("hex")).toBe(hex);
  else expect(error).toMatchObject({ name: "DataCloneError" });
  port1.close();
  expect([Buffer.from(other).toString("hex"), Buffer.from(sent).toString("hex")]).toEqual([hex, hex]);
  expect(Buffer.from(encode()).toString("hex")).toBe(hex);
});

test("the package-level encodeOwned", () => {
  const bytes = encodeOwned({ a: text(100) });
  expect(bytes.buffer.byteLength).toBe(bytes.length);
});

test("the example counts what came back, and shows the error of a damaged batch", async () => {
  const script = fileURLToPath(new URL("../../../../examples/workers-transfer/main.js", import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [script]);
  expect(stdout).toMatch(
    /^100000 readings came back in means\na batch that is cut: DecodeError: .*\(at byte 0\)\na batch of 5,000: a structured clone takes \d+\.\d+ ms; to encode, transfer and decode takes \d+\.\d+ ms\n$/,
  );
});
