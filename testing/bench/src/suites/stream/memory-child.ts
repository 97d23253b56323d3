/** One huge stream in its own process, which loads only moonpack; prints its peak of resident memory. */
import { Readable, Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { encode } from "moonpack";
import { DecodeStream, EncodeStream } from "moonpack/node";
import { decodeArrayStream, decodeStream, encodeStream } from "moonpack/stream";
import { serviceMessages } from "../../workloads/messages.js";

/** The printed result. */
export interface MemoryResult {
  readonly peakBytes: number;
  readonly values: number;
  readonly bytes: number;
}

const CHUNK_BYTES = 65_536;
const BLOCK_VALUES = 2048;

const values = serviceMessages.flatMap((workload) => (workload.id === "tiny" ? [] : workload.values(false)));
const block = Buffer.concat(Array.from({ length: BLOCK_VALUES }, (_, index) => encode(values[index % values.length])));

/** Whole blocks of messages, in chunks that end anywhere. */
async function* chunks(blocks: number, head: Uint8Array): AsyncGenerator<Uint8Array> {
  if (head.length > 0) yield head;
  for (let sent = 0; sent < blocks; sent++) {
    for (let start = 0; start < block.length; start += CHUNK_BYTES) {
      yield Buffer.from(block.subarray(start, start + CHUNK_BYTES));
    }
  }
}

/** Values from an async iterable. */
async function* items(count: number): AsyncGenerator<unknown> {
  for (let index = 0; index < count; index++) yield { ...(values[index % values.length] as object), index };
}

async function count(source: AsyncIterable<unknown>): Promise<number> {
  let taken = 0;
  for await (const _ of source) taken++;
  return taken;
}

async function length(source: AsyncIterable<Uint8Array>): Promise<number> {
  let bytes = 0;
  for await (const chunk of source) bytes += chunk.length;
  return bytes;
}

/** The header of an array with `count` elements. */
function arrayHead(elements: number): Uint8Array {
  const head = Buffer.alloc(5, 0xdd);
  head.writeUInt32BE(elements, 1);
  return head;
}

const NONE = new Uint8Array(0);

/** The work on this many blocks. Returns how many values, or bytes, came out. */
const works: Readonly<Record<string, (blocks: number) => Promise<{ values?: number; bytes?: number }>>> = {
  nothing: async (blocks) => ({ bytes: await length(chunks(blocks, NONE)) }),
  decodeStream: async (blocks) => ({ values: await count(decodeStream(chunks(blocks, NONE))) }),
  decodeArrayStream: async (blocks) => ({
    values: await count(decodeArrayStream(chunks(blocks, arrayHead(blocks * BLOCK_VALUES)))),
  }),
  DecodeStream: async (blocks) => {
    let taken = 0;
    const sink = new Writable({
      objectMode: true,
      write(_value, _encoding, callback) {
        taken++;
        callback();
      },
    });
    await pipeline(Readable.from(chunks(blocks, NONE), { objectMode: false }), new DecodeStream(), sink);
    return { values: taken };
  },
  encodeStream: async (blocks) => ({ bytes: await length(encodeStream(items(blocks * BLOCK_VALUES))) }),
  EncodeStream: async (blocks) => {
    let bytes = 0;
    const sink = new Writable({
      write(chunk: Uint8Array, _encoding, callback) {
        bytes += chunk.length;
        callback();
      },
    });
    await pipeline(Readable.from(items(blocks * BLOCK_VALUES)), new EncodeStream(), sink);
    return { bytes };
  },
};

const [work, wanted] = process.argv.slice(2);
const blocks = Math.ceil(Number(wanted) / block.length);
const { values: taken, bytes } = await works[work!]!(blocks);
if (taken !== undefined && taken !== blocks * BLOCK_VALUES) throw new Error(`${work} returned ${taken} values`);
if (bytes !== undefined && bytes < blocks * block.length) throw new Error(`${work} returned ${bytes} bytes`);
const measurement: MemoryResult = {
  peakBytes: process.resourceUsage().maxRSS * 1024,
  values: blocks * BLOCK_VALUES,
  bytes: bytes ?? blocks * block.length,
};
process.stdout.write(`${JSON.stringify(measurement)}\n`);
