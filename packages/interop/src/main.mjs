// npm run test:interop: our Writer writes what Go's Protobuf reads, and our Reader reads what Go's writes.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { isCommand } from "../../../scripts/runtimes.mjs";
import { ensureBuilt, ensureInstalled } from "../../../scripts/setup.mjs";
import { randomMessage, randomSource } from "./messages.mjs";
import { ensureProgram } from "./program.mjs";

const SCHEMA = new URL("../../moonpack/test/protobuf/everything.proto", import.meta.url);
const MESSAGE = "moon.Everything";
const COUNT = 400;
const SEED = 64;
const SHOWN = 5;

/** Sends messages to Go and back; answers how many came through, and how many did not. */
export async function runInterop() {
  const program = await ensureProgram();
  // Not at import, as above.
  const { descriptorOf, protobuf } = await import("@moonpack/protobufjs-8");
  const { attach, Reader, Writer } = await import("moonpack/protobuf");
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
  const answers = askGo(program, descriptorOf(source, "everything.proto"), cases);

  let failed = 0;
  const fail = (index, why) => {
    if (++failed <= SHOWN) console.error(`  message ${index}: ${why}`);
  };
  for (const [index, { bytes, strict, json }] of cases.entries()) {
    const { isSame, answer } = answers[index];
    const read = (options) => JSON.parse(jsonOf(type.decode(new Reader(answer, options))));
    if (!isSame) fail(index, `Go says: ${answer.toString().slice(0, 600)}`);
    else if (Buffer.compare(bytes, strict) !== 0) fail(index, "a strict Writer writes other bytes");
    else if (!isDeepStrictEqual(read({}), JSON.parse(json))) fail(index, "what Go wrote is read as another message");
    else if (!isDeepStrictEqual(read({ strict: true }), JSON.parse(json))) fail(index, "a strict Reader differs");
  }
  const total = cases.reduce((sum, { bytes }) => sum + bytes.length, 0);
  console.log(`Go and moonpack: ${COUNT} messages of ${total} bytes both ways, ${failed} failed`);
  return { passed: COUNT - failed, failed };
}

/** What the Go program answers to each message: is it the same in both forms, and its bytes by Go, or why not. */
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
    const answers = [];
    for (let at = 0; at < stdout.length; ) {
      const end = at + 4 + stdout.readUInt32LE(at);
      answers.push({ isSame: stdout[at + 4] === 1, answer: stdout.subarray(at + 5, end) });
      at = end;
    }
    return answers;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function framed(payload) {
  const size = Buffer.alloc(4);
  size.writeUInt32LE(payload.length);
  return [size, payload];
}

if (isCommand(import.meta.url)) {
  ensureInstalled();
  ensureBuilt();
  const { passed, failed } = await runInterop();
  process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
}
