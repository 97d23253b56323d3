/** The project in examples/live-websocket: pointers reach the other pages, with numbers from the server. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { connect, type Kinds } from "@moonpack/websocket/ws";
import { expect, onTestFinished, test } from "vitest";

const folder = new URL("../../../examples/live-websocket/", import.meta.url);

test("pointers, live", async () => {
  const child = spawn(process.execPath, [fileURLToPath(new URL("server.js", folder)), "0"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const [url] = (await once(createInterface(child.stdout), "line")) as [string];
  expect(await (await fetch(url)).text()).toContain("<title>Pointers</title>");
  expect(await (await fetch(`${url}/page.js`)).text()).toContain("pointermove");

  const { kinds } = (await import(new URL("kinds.js", folder).href)) as { kinds: Kinds };
  const socketUrl = url.replace("http", "ws");
  const one = await connect(socketUrl, { kinds });
  expect(await one.receive()).toEqual({ kind: 0, value: { hello: 1 } });
  const two = await connect(socketUrl, { kinds });
  expect(await two.receive()).toEqual({ kind: 0, value: { hello: 2 } });
  void one.sendKind(1, { who: 99, x: 0.5, y: 0.25 } as never);
  expect(await two.receive()).toEqual({ kind: 1, value: { who: 1, x: 0.5, y: 0.25 } });
  await one.close();
  expect(await two.receive()).toEqual({ kind: 0, value: { left: 1 } });

  child.kill("SIGTERM");
  expect(await two.receive()).toBeUndefined();
  expect((await once(child, "exit"))[0]).toBe(0);
});
