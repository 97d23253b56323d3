/** The memory of a server, in a new process: limited by received bytes, not by announced ones, nor by the length of streams. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fetchStream, fetchValue, streamBody } from "@moonpack/http/client";
import { expect, onTestFinished, test } from "vitest";
import { RawConnection } from "./harness/raw.ts";

const MB = 1 << 20;

test("memory follows the bytes that arrive, and streams of any length take the same", async () => {
  const program = new URL("programs/memory.mjs", import.meta.url);
  const child = spawn(process.execPath, ["--expose-gc", program.pathname], { stdio: ["ignore", "pipe", "inherit"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  const [port] = (await once(createInterface(child.stdout), "line")) as [string];
  const url = `http://127.0.0.1:${port}`;
  const ask = async (path: string) => Number(await (await fetch(url + path)).text());
  const MSGPACK = "Content-Type: application/vnd.msgpack";
  // Compiled, and with the buffers of connections.
  expect(await fetchValue(`${url}/`, { value: new Uint8Array(4 * MB) })).toBe(4 * MB);
  const before = await ask("/memory");

  // 100 clients that announce 8 MB each, and send a header of bytes of that size.
  const open: RawConnection[] = [];
  for (let i = 0; i < 100; i++) {
    const connection = await RawConnection.open(Number(port));
    open.push(connection);
    connection.head("POST", "/", [MSGPACK, `Content-Length: ${8 * MB}`]);
    connection.socket.write(new Uint8Array([0xc6, 0, 0x7f, 0xff, 0xfb, 1, 2, 3]));
  }
  await expect.poll(async () => (await ask("/memory")) - before, { timeout: 30_000 }).toBeLessThan(10 * MB);
  for (const connection of open) connection.close();

  // One byte in each chunk: what is kept is the bytes.
  const slow = await RawConnection.open(Number(port));
  slow.head("POST", "/", [MSGPACK, "Transfer-Encoding: chunked"]).chunk(new Uint8Array([0xc6, 0, 0x7f, 0xff, 0xf0]));
  slow.socket.write("1\r\nx\r\n".repeat(500_000));
  await expect.poll(() => slow.socket.writableLength, { timeout: 30_000 }).toBe(0);
  for (let i = 0; i < 5; i++) expect((await ask("/memory")) - before).toBeLessThan(10 * MB);
  slow.close();

  const rows = function* () {
    for (let i = 0; i < 2000; i++) yield new Uint8Array(100_000);
  };
  await ask("/peak");
  expect(await fetchValue(`${url}/sum`, { body: streamBody(rows()) })).toBe(2000);
  expect((await ask("/peak")) - before).toBeLessThan(30 * MB);
  let count = 0;
  for await (const _ of fetchStream(`${url}/rows`)) count++;
  expect(count).toBe(3000);
  expect((await ask("/peak")) - before).toBeLessThan(30 * MB);
});
