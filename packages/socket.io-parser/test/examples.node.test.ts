/** The project in examples/chat-socket.io: lines reach all clients, also later ones; an invalid line does not. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { Parser } from "@moonpack/socket.io-parser";
import { encode } from "moonpack";
import { expect, onTestFinished, test } from "vitest";
import { client, event } from "./harness/sockets.ts";

const folder = new URL("../../../examples/chat-socket.io/", import.meta.url);

test("a chat with pictures", async () => {
  const child = spawn(process.execPath, [fileURLToPath(new URL("server.js", folder)), "0"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const [url] = (await once(createInterface(child.stdout), "line")) as [string];
  expect(await (await fetch(url)).text()).toContain("<h1>Chat</h1>");
  expect(await (await fetch(`${url}/page.js`)).text()).toContain("emitWithAck");

  const { parser } = (await import(new URL("parser.js", folder).href)) as { parser: Parser };
  const [one, two] = [client(url, { parser }), client(url, { parser })];
  await Promise.all([event(one, "connect"), event(two, "connect")]);
  const line = { name: "Ada", text: "größer", picture: new Uint8Array([1, 2, 3]) };
  const seen = event(two, "line");
  expect(await one.emitWithAck("line", line)).toBeNull();
  expect((await seen)[0]).toEqual(line);
  expect((await event(client(url, { parser }), "line"))[0]).toEqual(line);
  expect(await one.emitWithAck("line", { name: "Ada", text: "x".repeat(1001) })).toBe("too long");

  one.emit("line", line, "not a function");
  const left = event(one, "disconnect");
  one.io.engine.write(encode([2, "/", ["line", { text: 5 }]]) as unknown as string);
  await left;
  expect(await two.emitWithAck("line", { name: "Bo", text: "still here" })).toBeNull();

  child.kill("SIGTERM");
  expect((await once(child, "exit"))[0]).toBe(0);
});
