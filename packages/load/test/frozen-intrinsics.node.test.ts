/** Load runs work under `node --frozen-intrinsics`, where the built-in prototypes are frozen. */
import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";

const PROGRAM = `
  import { once } from "node:events";
  import { createServer } from "node:http";
  import { compare, fromJson, load, toJson, toMarkdown, toSvg } from "@moonpack/load";
  import { http } from "@moonpack/load/targets";

  const server = createServer((_request, response) => response.end("x")).listen(0, "127.0.0.1");
  await once(server, "listening");
  const options = { operations: 100, rounds: 2, warmup: 0, keys: 10 };
  const result = await load(async () => {}, { ...options, rate: 5000 });
  const answers = await load(http({ url: "http://127.0.0.1:" + server.address().port + "/" }), options);
  const { targets } = await compare([{ name: "a", async get() {} }, { name: "b", async get() {} }], options);
  server.close();
  server.closeAllConnections();
  const again = fromJson(JSON.parse(JSON.stringify(toJson(result))));
  console.log(JSON.stringify([
    again.summary.operations, toMarkdown(again).length > 0, toSvg(again).length > 0,
    answers.summary.operations, answers.summary.errors, targets.length,
  ]));`;

test("a target, a server, a comparison and their reports", () => {
  const args = ["--frozen-intrinsics", "--no-warnings", "--input-type=module", "-e", PROGRAM];
  const cwd = new URL("..", import.meta.url); // the package finds itself by its name
  const printed = execFileSync(process.execPath, args, { cwd, encoding: "utf8", timeout: 60_000 });
  expect(JSON.parse(printed)).toEqual([200, true, true, 200, {}, 2]);
}, 60_000);
