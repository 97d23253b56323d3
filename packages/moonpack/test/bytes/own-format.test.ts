/**
 * A small format that uses only `moonpack/bytes`: trees of text, integers, floats, bytes and lists, one to a frame. It shows
 * what the engine gives to a new format: writer, reader, frames in parts, limits, and coded errors with offset or path.
 *
 * A value is one tag byte and its payload:
 *   0 text     uvar32 size, UTF-8
 *   1 integer  ivar64
 *   2 float    8 bytes, low byte first
 *   3 bytes    uvar32 size, bytes
 *   4 list     uvar32 count, values
 */

import { fault } from "@moonpack/harness/caught.ts";
import fc from "fast-check";
import {
  ByteReader,
  type BytesInput,
  ByteWriter,
  copyOwned,
  DEFAULT_MAX_DEPTH,
  DecodeError,
  EncodeError,
  FrameSplitter,
  type Limits,
  Slab,
  utf8Length,
  writeFrame,
} from "moonpack/bytes";
import { describe, expect, test } from "vitest";

type Tree = string | bigint | number | Uint8Array | readonly Tree[];

const TEXT = 0;
const INTEGER = 1;
const FLOAT = 2;
const BYTES = 3;
const LIST = 4;

/** Encodes trees; it keeps its writer and its slab for the next one. */
class TreeEncoder {
  readonly #writer: ByteWriter;
  readonly #slab = new Slab();

  constructor(maxBytes = Infinity) {
    this.#writer = new ByteWriter(1024, maxBytes);
  }

  encode(tree: Tree): Uint8Array<ArrayBuffer> {
    const w = this.#writer;
    w.reset();
    writeTree(w, tree, "$", 0);
    return this.#slab.copy(w.written(), 0, w.pos);
  }
}

function writeTree(w: ByteWriter, tree: Tree, path: string, depth: number): void {
  if (typeof tree === "string") {
    w.u8(TEXT);
    w.uvar32(utf8Length(tree));
    try {
      w.utf8(tree);
    } catch (cause) {
      const isText = cause instanceof EncodeError;
      throw isText ? new EncodeError(cause.code, "a lone surrogate has no UTF-8 form", path) : cause;
    }
  } else if (typeof tree === "bigint") {
    if (BigInt.asIntN(64, tree) !== tree) throw new EncodeError("ERR_OUT_OF_RANGE", `${tree} is not an int64`, path);
    w.u8(INTEGER);
    w.ivar64(Number(BigInt.asIntN(32, tree)), Number(tree >> 32n));
  } else if (typeof tree === "number") {
    w.u8(FLOAT);
    w.f64(tree, true);
  } else if (tree instanceof Uint8Array) {
    w.u8(BYTES);
    w.uvar32(tree.length);
    w.raw(tree);
  } else if (Array.isArray(tree)) {
    if (depth === DEFAULT_MAX_DEPTH) throw new EncodeError("ERR_LIMIT_DEPTH", "lists are nested too deeply", path);
    w.u8(LIST);
    w.uvar32(tree.length);
    for (const [i, item] of (tree as readonly Tree[]).entries()) writeTree(w, item, `${path}[${i}]`, depth + 1);
  } else throw new EncodeError("ERR_UNSUPPORTED_TYPE", `a value of type ${typeof tree} has no form`, path);
}

/** Decodes one tree, and nothing after it. */
function decodeTree(input: BytesInput, limits: Limits = {}): Tree {
  const r = new ByteReader(input);
  const { maxBytes = Infinity, maxDepth = DEFAULT_MAX_DEPTH } = limits;
  if (r.end > maxBytes) throw new DecodeError("ERR_LIMIT_BYTES", `more than ${maxBytes} bytes`, 0);
  const tree = readTree(r, maxDepth);
  if (r.pos < r.end) throw new DecodeError("ERR_TRAILING_BYTES", "bytes after the tree", r.pos);
  return tree;
}

function readTree(r: ByteReader, levels: number): Tree {
  const start = r.pos;
  const tag = r.u8();
  if (tag === TEXT) return r.utf8(r.uvar32());
  if (tag === INTEGER) {
    const low = r.ivar64();
    return (BigInt(r.high) << 32n) | BigInt(low);
  }
  if (tag === FLOAT) return r.f64(true);
  if (tag === BYTES) {
    const size = r.uvar32();
    return copyOwned(r.raw(size), 0, size);
  }
  if (tag !== LIST) throw new DecodeError("ERR_INVALID_BYTE", `${tag} is not a valid tag`, start);
  const count = r.uvar32();
  if (levels === 0) throw new DecodeError("ERR_LIMIT_DEPTH", "lists are nested too deeply", start);
  // Every value takes two bytes at least, so a count cannot ask for more memory than its bytes are worth.
  if (count * 2 > r.end - r.pos) throw new DecodeError("ERR_LIMIT_ELEMENTS", `a list of ${count} values`, start);
  const list: Tree[] = [];
  for (let i = 0; i < count; i++) list.push(readTree(r, levels - 1));
  return list;
}

/** Trees from chunks: offsets of errors count from the start of the stream. */
class TreeStream {
  readonly #splitter: FrameSplitter;
  constructor(maxFrameBytes: number) {
    this.#splitter = new FrameSplitter({ maxFrameBytes, frames: "view" });
  }

  *push(chunk: Uint8Array): Generator<Tree, void, undefined> {
    for (const frame of this.#splitter.push(chunk)) {
      try {
        yield decodeTree(frame);
      } catch (error) {
        if (!(error instanceof DecodeError)) throw error;
        this.#splitter.close();
        throw new DecodeError(error.code, "an invalid tree", this.#splitter.payloadAt + error.offset, 0, error);
      }
    }
  }

  end(): void {
    this.#splitter.end();
  }
}

const tree = fc.letrec<{ tree: Tree }>((tie) => ({
  tree: fc.oneof(
    { depthSize: "small" },
    fc.string({ unit: "binary" }),
    fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
    fc.double(),
    fc.uint8Array(),
    fc.array(tie("tree")),
  ),
})).tree;

const encoder = new TreeEncoder();
const example: Tree = ["é", -3n, [0.5, new Uint8Array([7])]];
const exampleBytes = [4, 3, 0, 2, 0xc3, 0xa9, 1, 5, 4, 2, 2, 0, 0, 0, 0, 0, 0, 0xe0, 0x3f, 3, 1, 7];

describe("a format of one's own", () => {
  test("writes its bytes, and reads them back", () => {
    expect([...encoder.encode(example)]).toEqual(exampleBytes);
    expect(decodeTree(encoder.encode(example))).toEqual(example);
    expect(decodeTree(new Uint8Array(exampleBytes).buffer)).toEqual(example);
    fc.assert(
      fc.property(tree, (value) => {
        expect(decodeTree(encoder.encode(value))).toEqual(value);
      }),
      { numRuns: 500, seed: 1 },
    );
  });

  test("results stay as they are when the encoder writes more", () => {
    const text = "x".repeat(100);
    const first = encoder.encode(text);
    encoder.encode("y".repeat(100));
    expect(decodeTree(first)).toBe(text);
  });

  test("errors of values have a code and a path", () => {
    expect(fault(() => encoder.encode(["a", [2n ** 63n]]))).toEqual({ code: "ERR_OUT_OF_RANGE", path: "$[1][0]" });
    expect(fault(() => encoder.encode(["\ud800"]))).toEqual({ code: "ERR_INVALID_UTF8", path: "$[0]" });
    expect(fault(() => encoder.encode([true as never]))).toEqual({ code: "ERR_UNSUPPORTED_TYPE", path: "$[0]" });
    expect(fault(() => new TreeEncoder(10).encode("more than ten bytes"))).toEqual({ code: "ERR_LIMIT_BYTES" });
    expect(decodeTree(encoder.encode(example))).toEqual(example); // an error leaves nothing behind
  });

  test("each strict prefix is ERR_TRUNCATED or a count that is too large, and each extra byte ERR_TRAILING_BYTES", () => {
    for (let n = 0; n < exampleBytes.length; n++) {
      const { code } = fault(() => decodeTree(new Uint8Array(exampleBytes.slice(0, n))));
      expect(code === "ERR_TRUNCATED" || code === "ERR_LIMIT_ELEMENTS", `${n}: ${String(code)}`).toBe(true);
    }
    const longer = new Uint8Array([...exampleBytes, 0]);
    expect(fault(() => decodeTree(longer))).toEqual({ code: "ERR_TRAILING_BYTES", offset: 22, needMore: 0 });
  });

  test.each([
    ["ERR_INVALID_BYTE", 2, [4, 1, 9, 0]],
    ["ERR_INVALID_UTF8", 2, [0, 1, 0x80]],
    ["ERR_NOT_SHORTEST", 1, [0, 0x80, 0]],
    ["ERR_OUT_OF_RANGE", 1, [3, 0xff, 0xff, 0xff, 0xff, 0x7f]],
    ["ERR_OUT_OF_RANGE", 1, [1, ...new Array<number>(9).fill(0xff), 2]],
    ["ERR_LIMIT_ELEMENTS", 0, [4, 0xff, 0xff, 0xff, 0xff, 0x0f]],
    ["ERR_TRUNCATED", 6, [3, 0xff, 0xff, 0xff, 0xff, 0x0f]],
  ] as const)("hostile bytes: %s at byte %d", (code, offset, bytes) => {
    const { needMore: _, ...found } = fault(() => decodeTree(new Uint8Array(bytes)));
    expect(found).toEqual({ code, offset });
  });

  test("deep nesting and large messages meet their limits", () => {
    const deep = new Uint8Array(2000).map((_, i) => (i % 2 === 0 ? LIST : 1));
    expect(fault(() => decodeTree(deep))).toEqual({ code: "ERR_LIMIT_DEPTH", offset: 1024, needMore: 0 });
    expect(fault(() => decodeTree(deep, { maxDepth: 3 }))).toEqual({ code: "ERR_LIMIT_DEPTH", offset: 6, needMore: 0 });
    expect(fault(() => decodeTree(deep, { maxBytes: 1999 })).code).toBe("ERR_LIMIT_BYTES");
  });

  test("any bytes are a tree or a coded error", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
        let value: Tree;
        try {
          value = decodeTree(bytes);
        } catch (error) {
          expect(error instanceof DecodeError && error.offset <= bytes.length).toBe(true);
          return;
        }
        expect(decodeTree(encoder.encode(value))).toEqual(value);
      }),
      { numRuns: 2000, seed: 2 },
    );
  });

  test("a framed stream gives the same trees, wherever its chunks end", () => {
    const w = new ByteWriter();
    const trees: Tree[] = [example, "text", [], 1n];
    for (const one of trees) writeFrame(w, encoder.encode(one));
    const bytes = copyOwned(w.bytes, 0, w.pos);
    for (let size = 1; size <= bytes.length; size++) {
      const stream = new TreeStream(1000);
      const got: Tree[] = [];
      for (let at = 0; at < bytes.length; at += size) got.push(...stream.push(bytes.slice(at, at + size)));
      stream.end();
      expect(got).toEqual(trees);
    }
  });

  test("errors of a framed stream have their offset in the stream", () => {
    const w = new ByteWriter();
    writeFrame(w, encoder.encode(example));
    const frame = copyOwned(w.bytes, 0, w.pos);
    const read = (...chunks: Uint8Array[]) => {
      const stream = new TreeStream(30);
      for (const chunk of chunks) for (const _ of stream.push(chunk));
      stream.end();
    };
    expect(fault(() => read(frame, new Uint8Array([2, 9, 9])))).toEqual({
      code: "ERR_INVALID_BYTE",
      offset: frame.length + 1,
      needMore: 0,
    });
    expect(fault(() => read(frame, new Uint8Array([31])))).toEqual({
      code: "ERR_FRAME_TOO_LARGE",
      offset: frame.length,
      needMore: 0,
    });
    expect(fault(() => read(frame, frame.subarray(0, 5)))).toEqual({
      code: "ERR_TRUNCATED",
      offset: frame.length,
      needMore: frame.length - 5,
    });
  });
});
