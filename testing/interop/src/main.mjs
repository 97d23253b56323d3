// npm run test:interop: Go's Protobuf reads what our Writer writes, and our Reader reads what Go writes.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { randomMessage, randomSource } from "./messages.mjs";
import { ensureProgram } from "./program.mjs";

const SCHEMA = new URL("../../../packages/protobuf/test/everything.proto", import.meta.url);
const MESSAGE = "moon.Everything";
const COUNT = 400;
const SEED = 64;
const SHOWN = 5;

/** Sends messages to Go and back. Returns how many passed and failed. */
export async function runInterop() {
  const program = await ensureProgram();
  // Imported late: `npm test` imports this file before packages are installed.
  const { descriptorOf, protobuf } = await import("@moonpack/protobufjs-8");
  const { attach, Reader, Writer } = await import("@moonpack/protobuf");
  const require = createRequire(import.meta.resolve("@moonpack/protobufjs-8"));
  const protojson = require("protobufjs/ext/protojson");
  attach(protobuf);
  const source = readFileSync(SCHEMA, "utf8");
  const type = protobuf.parse(source, { keepCase: true }).root.resolveAll().lookupType(MESSAGE);
  const jsonOf = (message) => protojson.toJsonString(type, message);

  const random = randomSource(SEED);
  const cases = Array.from({ length: COUNT }, () => {
    const message = type.fromObject(randomMessage(type, random));
    const bytes = type.encode(message, new Writer()).finish();
    const strict = type.encode(message, new Writer({ strict: true })).finish();
    return { bytes, strict, json: jsonOf(message) };
  });
  const responses = askGo(program, descriptorOf(source, "everything.proto"), cases);

  let failed = 0;
  const fail = (index, why) => {
    if (++failed <= SHOWN) console.error(`  message ${index}: ${why}`);
  };
  for (const [index, { bytes, strict, json }] of cases.entries()) {
    const { isSame, response } = responses[index];
    const read = (options) => JSON.parse(jsonOf(type.decode(new Reader(response, options))));
    if (!isSame) fail(index, `Go reports: ${response.toString().slice(0, 600)}`);
    else if (Buffer.compare(bytes, strict) !== 0) fail(index, "a strict Writer writes other bytes");
    else if (!isDeepStrictEqual(read({}), JSON.parse(json)))
      fail(index, "our Reader reads a different message from Go's bytes");
    else if (!isDeepStrictEqual(read({ strict: true }), JSON.parse(json))) fail(index, "a strict Reader differs");
  }
  const total = cases.reduce((sum, { bytes }) => sum + bytes.length, 0);
  console.log(`Go and moonpack: ${COUNT} messages of ${total} bytes both ways, ${failed} failed`);
  return { passed: COUNT - failed, failed };
}

/**
 * The Go program's response for each message: whether both forms are the same message, with Go's bytes, or the
 * difference.
 */
function askGo(program, descriptor, cases) {
  const folder = mkdtempSync(join(tmpdir(), "moonpack-interop-"));
  try {
    const file = join(folder, "descriptor.pb");
    writeFileSync(file, descriptor);
    const input = Buffer.concat(cases.flatMap(({ bytes, json }) => [...framed(bytes), ...framed(Buffer.from(json))]));
    const { status, stdout, stderr } = spawnSync(program, [file, MESSAGE], {
      input,
      maxBuffer: 2 ** 30,
      timeout: 60_000,
    });
    if (status !== 0) throw new Error(`the Go program ended with ${status}\n${stderr}`);
    const responses = [];
    for (let at = 0; at < stdout.length; ) {
      const end = at + 4 + stdout.readUInt32LE(at);
      responses.push({ isSame: stdout[at + 4] === 1, response: stdout.subarray(at + 5, end) });
      at = end;
    }
    return responses;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function framed(payload) {
  const size = Buffer.alloc(4);
  size.writeUInt32LE(payload.length);
  return [size, payload];
}

/** Runs the command. Returns its exit code. */
export async function main() {
  const { passed, failed } = await runInterop();
  return failed === 0 && passed > 0 ? 0 : 1;
}
