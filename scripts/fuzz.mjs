// `npm run fuzz [-- TARGET ..] [--seconds 60] [--seed N] [--keep]`
//
// Mutates the golden vectors and the kept corpus (vectors/corpus/TARGET) and feeds them to one target in a process of its
// own with a memory cap. Each case has a time cap. The oracle: a value that holds together, or one of our coded errors.
// An input that fails is kept as vectors/corpus/TARGET/crash-..; with --keep also inputs whose outcome is of a new kind.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { isDeepStrictEqual, parseArgs } from "node:util";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const HEAP_MB = 256;
const CASE_SECONDS = 5;
const MAX_INPUT = 4096;
const TARGETS = ["decode", "decode-strict", "encode-roundtrip", "diagnose", "stream", "frames", "utf8"];

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seconds: { type: "string", default: "60" },
    seed: { type: "string" },
    keep: { type: "boolean", default: false },
    worker: { type: "string" },
    scratch: { type: "string" },
  },
});

// ------------------------------------------------------------------------------------------------------- the overseer

async function main() {
  const seconds = Number(options.seconds);
  const wrong = positionals.filter((name) => !TARGETS.includes(name));
  if (wrong.length > 0 || !(seconds > 0)) {
    console.error(
      `usage: npm run fuzz [-- TARGET ..] [--seconds 60] [--seed N] [--keep]\ntargets: ${TARGETS.join(", ")}`,
    );
    process.exit(2);
  }
  const seed = options.seed === undefined ? Date.now() % 2 ** 31 : Number(options.seed);
  let clean = true;
  for (const target of positionals.length > 0 ? positionals : TARGETS)
    clean = (await oversee(target, seconds, seed)) && clean;
  return clean;
}

/** Runs one target; kills it when a case takes too long. The case that it works on is always in a file. */
async function oversee(target, seconds, seed) {
  const scratch = mkdtempSync(join(tmpdir(), "moonpack-fuzz-"));
  const current = join(scratch, "case");
  const args = [`--max-old-space-size=${HEAP_MB}`, fileURLToPath(import.meta.url), "--worker", target];
  args.push("--seconds", String(seconds), "--seed", String(seed), "--scratch", scratch);
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "pipe"], cwd: root });
  let output = "";
  let errors = "";
  child.stdout.on("data", (chunk) => (output += chunk));
  child.stderr.on("data", (chunk) => (errors += chunk));

  let seen = "";
  let since = Date.now();
  let hung = false;
  const watch = setInterval(() => {
    const now = existsSync(current) ? readFileSync(current).subarray(0, 8).toString("hex") : "";
    if (now !== seen) {
      seen = now;
      since = Date.now();
    } else if (Date.now() - since > CASE_SECONDS * 1000) {
      hung = true;
      child.kill("SIGKILL");
    }
  }, 500);
  const status = await new Promise((resolve) => child.on("close", resolve));
  clearInterval(watch);

  const report = output.trim().split("\n").at(-1) ?? "";
  if (status === 0 && !hung) {
    const { cases, kinds, kept } = JSON.parse(report);
    console.log(`${target}: ${cases} cases, ${kinds} kinds of outcome, no failure (seed ${seed})`);
    if (options.keep) for (const hex of kept) keep(target, Buffer.from(hex, "hex"), "");
  } else {
    const bytes = lastCase(current);
    const file = bytes === null ? "nowhere: it failed before the first case" : keep(target, bytes, "crash-");
    const why = hung
      ? `a case took more than ${CASE_SECONDS} s`
      : errors.trim().split("\n").slice(0, 12).join("\n") || `exit ${status}`;
    console.log(`${target}: FAILED (seed ${seed}), input kept in ${file}\n${why}`);
  }
  rmSync(scratch, { recursive: true, force: true });
  return status === 0 && !hung;
}

/** The case file: 4 bytes of counter, 4 of length, the input. */
function lastCase(path) {
  if (!existsSync(path)) return null;
  const all = readFileSync(path);
  return all.length < 8 ? null : all.subarray(8, 8 + all.readUInt32LE(4));
}

function keep(target, bytes, prefix) {
  const folder = join(root, "vectors/corpus", target);
  mkdirSync(folder, { recursive: true });
  const name = prefix + createHash("sha256").update(bytes).digest("hex").slice(0, 12);
  writeFileSync(join(folder, name), bytes);
  return join("vectors/corpus", target, name);
}

// --------------------------------------------------------------------------------------------------------- the worker

async function work(target, seconds, seed, scratch) {
  const judge = await judgeOf(target);
  const below = randomSource(seed);
  const corpus = seeds(target);
  const kinds = new Set();
  const kept = [];
  const file = openSync(join(scratch, "case"), "w");
  const header = Buffer.alloc(8);
  const end = performance.now() + seconds * 1000;
  let cases = 0;
  const attempt = (bytes) => {
    header.writeUInt32LE(++cases, 0);
    header.writeUInt32LE(bytes.length, 4);
    writeSync(file, Buffer.concat([header, bytes]), 0, bytes.length + 8, 0);
    const kind = judge(bytes);
    if (kinds.has(kind)) return;
    kinds.add(kind);
    corpus.push(bytes);
    if (bytes.length <= 64 && kept.length < 24) kept.push(Buffer.from(bytes).toString("hex"));
  };
  for (const bytes of corpus.slice()) attempt(bytes);
  kept.length = 0; // those are in the vectors or the corpus already
  while (performance.now() < end) for (let i = 0; i < 50; i++) attempt(mutate(corpus, below));
  closeSync(file);
  console.log(JSON.stringify({ cases, kinds: kinds.size, kept }));
}

/** Vectors of formats, and what was kept for the target. */
function seeds(target) {
  const list = [];
  const kind = target === "frames" ? "bytes" : "msgpack";
  for (const name of readdirSync(join(root, "vectors", kind))) {
    const { vectors } = JSON.parse(readFileSync(join(root, "vectors", kind, name), "utf8"));
    for (const { bytes } of vectors) {
      const raw = partsOf(bytes);
      if (raw.length <= 2048) list.push(raw);
    }
  }
  const folder = join(root, "vectors/corpus", target);
  if (existsSync(folder))
    for (const name of readdirSync(folder)) list.push(new Uint8Array(readFileSync(join(folder, name))));
  return list;
}

/** Bytes of the vectors' notation, see vectors/README.md. */
function partsOf(notation) {
  const parts = (Array.isArray(notation) ? notation : [notation]).map((part) => {
    if (typeof part === "string") return part;
    if (part.$repeat !== undefined) return part.$repeat[0].repeat(part.$repeat[1]);
    const digits = (i) => Buffer.from(`k${String(i).padStart(5, "0")}`).toString("hex");
    return Array.from({ length: part.$entries }, (_, i) => `a6${digits(i)}c0`).join("");
  });
  return new Uint8Array(Buffer.from(parts.join(""), "hex"));
}

const INTERESTING = [
  0x00, 0x01, 0x1f, 0x20, 0x7f, 0x80, 0x81, 0x8f, 0x90, 0x91, 0x9f, 0xa0, 0xa1, 0xbf, 0xc0, 0xc1, 0xc4, 0xc7, 0xca,
  0xcb, 0xcf, 0xd3,
];
INTERESTING.push(0xd4, 0xd6, 0xd7, 0xd9, 0xda, 0xdb, 0xdc, 0xdd, 0xde, 0xdf, 0xe0, 0xed, 0xef, 0xf0, 0xf4, 0xff);

function mutate(corpus, below) {
  let bytes = corpus[below(corpus.length)];
  for (let n = 1 + below(4); n > 0; n--) {
    const at = below(bytes.length + 1);
    const other = corpus[below(corpus.length)];
    switch (below(8)) {
      case 0:
        bytes = join3(bytes.subarray(0, at), [below(256)], bytes.subarray(at + 1));
        break;
      case 1:
        bytes = join3(bytes.subarray(0, at), [INTERESTING[below(INTERESTING.length)]], bytes.subarray(at + 1));
        break;
      case 2:
        bytes = join3(bytes.subarray(0, at), [INTERESTING[below(INTERESTING.length)]], bytes.subarray(at));
        break;
      case 3:
        bytes = join3(bytes.subarray(0, at), [], bytes.subarray(at + 1 + below(6)));
        break;
      case 4:
        bytes = join3(bytes.subarray(0, at), other.subarray(0, 200), bytes.subarray(at));
        break;
      case 5:
        bytes = join3(bytes.subarray(0, at), other.subarray(below(other.length + 1)), []);
        break;
      case 6:
        bytes = join3([0x90 + below(16)], bytes, other.subarray(0, 300));
        break;
      default: {
        const from = below(bytes.length + 1);
        bytes = join3(bytes, bytes.subarray(from, from + 1 + below(40)), []);
      }
    }
  }
  return bytes.length > MAX_INPUT ? bytes.slice(0, MAX_INPUT) : bytes;
}

function join3(a, b, c) {
  const out = new Uint8Array(a.length + b.length + c.length);
  out.set(a);
  out.set(b, a.length);
  out.set(c, a.length + b.length);
  return out;
}

/** Mulberry32: a seed repeats a run, as far as time allows the same number of cases. */
function randomSource(seed) {
  let state = seed >>> 0;
  return (n) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 4294967296) * n);
  };
}

// -------------------------------------------------------------------------------------------------------- the oracles

/** A function that throws when the bytes show a fault, and else names the kind of outcome. */
async function judgeOf(target) {
  const { Decoder, Encoder, Extension, MoonpackError, Timestamp, diagnose } = await import("moonpack");
  const { ByteWriter, readFrames, readUtf8, readUtf8Lossy, utf8Length, writeFrame, writeUtf8 } = await import(
    "moonpack/bytes"
  );
  const encoder = new Encoder({ maxDepth: 4096 });
  const keepAll = { unknownExtensions: "keep" };
  const same = (a, b, what) => {
    if (!isDeepStrictEqual(a, b)) throw new Error(`${what}: the value does not come back`);
  };
  /** What `act` answers, or the kind of our own error that it throws; anything else is thrown on. */
  const outcome = (act, length, found) => {
    let value;
    try {
      value = act();
    } catch (error) {
      if (!(error instanceof MoonpackError)) throw error;
      const { code, offset, needMore } = error;
      if (!(offset >= 0 && offset <= length)) throw new Error(`${code} with offset ${offset}`, { cause: error });
      if (needMore > 0 !== (code === "ERR_TRUNCATED"))
        throw new Error(`${code} with needMore ${needMore}`, { cause: error });
      return `${code} ${Math.min(offset, 6)}`;
    }
    return found(value);
  };
  const kindOf = (value) =>
    `${Object.prototype.toString.call(value)}${typeof value === "object" && value !== null ? Math.min(9, Object.keys(value).length) : ""}`;

  if (target === "decode") {
    const ways = [
      keepAll,
      { ...keepAll, codeGeneration: false },
      { ...keepAll, maxDepth: 4096 },
      { ...keepAll, maps: "map" },
    ].map((o) => new Decoder(o));
    return (bytes) => {
      const kinds = ways.map((decoder) =>
        outcome(
          () => decoder.decode(bytes),
          bytes.length,
          (value) => {
            same(decoder.decode(encoder.encode(value)), value, "decode");
            return kindOf(value);
          },
        ),
      );
      if (kinds[0] !== kinds[1]) throw new Error(`with generated code ${kinds[0]}, without ${kinds[1]}`);
      return `${bytes[0] >> 4} ${kinds[0]}`;
    };
  }
  if (target === "stream") {
    const { StreamDecoder } = await import("moonpack/stream");
    const collect = (next, length) => {
      const values = [];
      const end = outcome(
        () => {
          for (const value of next()) values.push(value);
        },
        length,
        () => "end",
      );
      return { values, end };
    };
    return (bytes) => {
      // The bytes themselves say where they are cut and how they are read.
      const step = 1 + (bytes.length > 0 ? bytes[bytes.length >> 1] % 61 : 0);
      const options = bytes.length % 2 === 0 ? keepAll : { ...keepAll, strict: true };
      const whole = collect(() => new Decoder(options).decodeMulti(bytes), bytes.length);
      const parts = collect(function* () {
        const decoder = new StreamDecoder(options);
        for (let i = 0; i < bytes.length; i += step) {
          const part = bytes.slice(i, i + step);
          yield* decoder.push(part);
          part.fill(0xc1);
        }
        decoder.end();
      }, bytes.length);
      same(parts.values, whole.values, `parts of ${step}`);
      // That bytes are missing is known only at a stream's end, and something else may be wrong before it.
      const isSame = parts.end === whole.end || (whole.end.startsWith("ERR_TRUNCATED") && parts.end !== "end");
      if (!isSame) throw new Error(`parts of ${step}: ${parts.end}, as a whole ${whole.end}`);
      return `${step} ${whole.end}`;
    };
  }
  if (target === "decode-strict") {
    const decoder = new Decoder({ ...keepAll, strict: true, maps: "map", timestamps: "timestamp" });
    return (bytes) =>
      outcome(
        () => decoder.decode(bytes),
        bytes.length,
        (value) => {
          // One value, one form: but a Map makes -0 and 0 one key.
          const again = encoder.encode(value);
          if (Buffer.compare(again, bytes) !== 0 && !Buffer.from(bytes).toString("hex").includes("ca80000000")) {
            throw new Error(`strict accepted what is written as ${Buffer.from(again).toString("hex").slice(0, 200)}`);
          }
          return `${bytes[0]} ${kindOf(value)}`;
        },
      );
  }
  if (target === "encode-roundtrip") {
    const plain = new Decoder(keepAll);
    const strict = new Decoder({ ...keepAll, strict: true });
    return (bytes) => {
      const value = valueFrom(bytes, Extension, Timestamp);
      const out = encoder.encode(value);
      same(plain.decode(out), value, "encode");
      same(strict.decode(out), value, "encode, strict");
      if (Buffer.compare(encoder.encodeOwned(value), out) !== 0) throw new Error("two encodings differ");
      return `${out[0] >> 3} ${Math.min(20, out.length >> 4)} ${kindOf(value)}`;
    };
  }
  if (target === "diagnose") {
    return (bytes) => {
      let last = { end: 0, format: "" };
      let count = 0;
      for (const item of diagnose(bytes)) {
        if (item.offset > bytes.length || item.end < item.offset)
          throw new Error(`an item from ${item.offset} to ${item.end}`);
        if (typeof item.meaning !== "string" || typeof item.path !== "string")
          throw new Error("an item without its texts");
        last = item;
        count++;
      }
      if (last.end !== bytes.length) throw new Error(`the dump ends at ${last.end} of ${bytes.length}`);
      return `${last.format} ${last.error?.code} ${Math.min(count, 20)}`;
    };
  }
  if (target === "frames") {
    return (bytes) =>
      ["uvar", "u32le", "u32be"]
        .map((prefix) =>
          outcome(
            () => [...readFrames(bytes, { prefix })],
            bytes.length,
            (frames) => {
              const writer = new ByteWriter(1);
              for (const frame of frames) writeFrame(writer, frame, { prefix });
              if (Buffer.compare(writer.written(), bytes) !== 0) throw new Error("frames do not come back");
              return `${Math.min(frames.length, 9)}`;
            },
          ),
        )
        .join();
  }
  const strictText = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  const lossyText = new TextDecoder("utf-8", { ignoreBOM: true });
  return (bytes) => {
    let want = null;
    try {
      want = strictText.decode(bytes);
    } catch {
      // Stays null.
    }
    const got = readUtf8(bytes, new DataView(bytes.buffer, bytes.byteOffset, bytes.length), 0, bytes.length);
    if (got !== want) throw new Error("another verdict or text than TextDecoder's");
    if (readUtf8Lossy(bytes, 0, bytes.length) !== lossyText.decode(bytes))
      throw new Error("another lossy text than TextDecoder's");
    // The same bytes as UTF-16, lone surrogates and all.
    const text = String.fromCharCode(
      ...Uint16Array.from({ length: bytes.length >> 1 }, (_, i) => (bytes[2 * i] << 8) | bytes[2 * i + 1]),
    );
    const target = new Uint8Array(text.length * 3 + 4);
    const end = writeUtf8(target, 2, text);
    const wanted = new TextEncoder().encode(text);
    if (text.isWellFormed() ? Buffer.compare(target.subarray(2, end), wanted) !== 0 : end !== -1)
      throw new Error("another encoding than TextEncoder's");
    if (utf8Length(text) !== wanted.length) throw new Error("utf8Length");
    return `${want === null} ${end < 0} ${Math.min(bytes.length >> 4, 20)}`;
  };
}

/** A JavaScript value spelled by bytes: each decides what comes next. Such that it comes back as it is. */
function valueFrom(bytes, Extension, Timestamp) {
  let at = 0;
  const next = () => (at < bytes.length ? bytes[at++] : 0);
  const wide = () => new DataView(Uint8Array.from({ length: 8 }, next).buffer);
  const text = (n) => Buffer.from(Uint8Array.from({ length: n }, next)).toString("utf8");
  const set = (object, key, value) =>
    Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
  const make = (depth) => {
    const kind = next();
    if (kind < 0x60 || depth > 30) return kind % 2 === 0 ? kind : -kind;
    switch (kind % 14) {
      case 0:
        return null;
      case 1:
        return kind > 0xb0;
      case 2:
        return wide().getFloat64(0);
      case 3:
        return wide().getFloat32(0);
      case 4: {
        const n = next() % 2 === 0 ? wide().getBigUint64(0) : wide().getBigInt64(0);
        return Number.isSafeInteger(Number(n)) ? Number(n) : n;
      }
      case 5:
        return text(next() % 50);
      case 6:
        return text(1 + (next() % 8)).repeat(1 + next());
      case 7:
        return Uint8Array.from({ length: next() % 80 }, next);
      case 8: {
        const time = new Timestamp(
          wide().getBigInt64(0) >> BigInt(next() % 64),
          (wide().getUint32(0) % 1000) * (next() % 2 === 0 ? 1e6 : 1),
        );
        return time.isDate ? time.toDate() : time;
      }
      case 9:
        return new Extension(next() % 128, Uint8Array.from({ length: next() % 20 }, next));
      case 10:
      case 11:
        return Array.from({ length: next() % 20 }, () => make(depth + 1));
      case 12: {
        const object = {};
        for (let n = next() % 20; n > 0; n--) set(object, text(next() % 12), make(depth + 1));
        return object;
      }
      default: {
        // At least one key is no string, else it would come back as an object.
        const map = new Map([[next(), make(depth + 1)]]);
        for (let n = next() % 5; n > 0; n--) map.set(next() % 2 === 0 ? text(4) : next(), make(depth + 1));
        return map;
      }
    }
  };
  return make(0);
}

// Last: everything above is defined by now.
if (options.worker !== undefined)
  await work(options.worker, Number(options.seconds), Number(options.seed), options.scratch);
else process.exitCode = (await main()) ? 0 : 1;
