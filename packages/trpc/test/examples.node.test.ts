/** The project in examples/trpc-page, with a client and in a page; and the sizes in docs/trpc.md. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { withBrowser } from "@moonpack/tools/browser";
import { runtimeFor } from "@moonpack/tools/runtimes";
import { createTRPCClient } from "@trpc/client";
import { Encoder } from "moonpack/msgpack";
import { expect, onTestFinished, test } from "vitest";
import { moonpackLink } from "../src/client/index.ts";
import { envelopeBytes } from "../src/envelope.ts";
import { msgpackTransformer } from "../src/index.ts";

const folder = new URL("../../../examples/trpc-page/", import.meta.url);

/** Starts the server. Returns its address, and a function that ends it by a signal. */
async function start(): Promise<{ url: string; stop: () => Promise<unknown> }> {
  const server = fileURLToPath(new URL("server.js", folder));
  const child = spawn(process.execPath, [server, "0"], { stdio: ["ignore", "pipe", "ignore"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  const [url] = (await once(createInterface(child.stdout), "line")) as [string];
  const stop = async () => {
    child.kill("SIGTERM");
    return (await once(child, "exit"))[0] as unknown;
  };
  return { url, stop };
}

test("pictures are stored and returned; anything else is refused", async () => {
  const { url, stop } = await start();
  const client = createTRPCClient({ links: [moonpackLink({ url: `${url}/trpc` } as never)] }) as never as Client;
  const pixels = new Uint8Array(256).fill(7);
  const at = await client.save.mutate({ name: "a", tags: new Set(["x"]), pixels });
  expect(at).toBeInstanceOf(Date);
  expect(await client.list.query()).toEqual([{ name: "a", tags: new Set(["x"]), at }]);
  expect(await client.pixels.query("a")).toEqual(pixels);
  const codeOf = (call: Promise<unknown>) => call.catch((error) => error.data.code);
  expect(await codeOf(client.pixels.query("none"))).toBe("NOT_FOUND");
  expect(await codeOf(client.save.mutate({ name: "a", tags: [], pixels }))).toBe("BAD_REQUEST");
  expect(await codeOf(client.save.mutate({ pixels: new Uint8Array(10_000) }))).toBe("PAYLOAD_TOO_LARGE");
  expect(await stop()).toBe(0);
});

interface Client {
  readonly save: { mutate(picture: object): Promise<Date> };
  readonly list: { query(): Promise<object[]> };
  readonly pixels: { query(name: string): Promise<Uint8Array> };
}

test("the page, in Chromium", async (test) => {
  const { executable } = await runtimeFor(test, "chromium");
  const { url } = await start();
  await withBrowser("chromium", executable, async (context) => {
    const page = await context.newPage();
    const errors: Error[] = [];
    page.on("pageerror", (error) => errors.push(error));
    await page.goto(url);
    const wait = (condition: string) => page.waitForFunction(condition, undefined, { timeout: 60_000 });
    const save = (name: string) =>
      page.evaluate(
        `document.forms[0].elements.name.value = ${JSON.stringify(name)}; document.forms[0].querySelector("button").click()`,
      );
    for (const [i, name] of ["moon", "sun"].entries()) {
      await save(name);
      await wait(`document.querySelectorAll("#pictures li").length === ${i + 1}`);
    }
    expect(await page.evaluate(`document.querySelector("#pictures").innerText`)).toContain("moon, sky night, ");
    expect(await page.evaluate(`document.querySelector("#result").textContent`)).toContain("saved at ");
    await save("");
    await wait(`document.querySelector("#result").textContent === "BAD_REQUEST: a picture needs a name"`);
    expect(errors).toEqual([]);
  });
});

test("sizes", () => {
  const reading = (i: number) => ({
    at: new Date(1_700_000_000_000 + i),
    station: "Harbour",
    celsius: 21.5,
    humidity: 60,
    count: i,
  });
  const encoder = new Encoder({ fidelity: "js" });
  const sizes = (data: unknown): number[] => [
    envelopeBytes([{ result: { data: 0 } }], [encoder.encode(data)]).length,
    JSON.stringify([{ result: { data: msgpackTransformer().serialize(data) } }]).length,
    JSON.stringify([{ result: { data } }]).length,
  ];
  expect({
    readings: sizes(Array.from({ length: 100 }, (_, i) => reading(i))),
    picture: sizes(new Uint8Array(100_000).map((_, i) => i * 7)),
  }).toMatchInlineSnapshot(`
    {
      "picture": [
        100020,
        133364,
        1145936,
      ],
      "readings": [
        6014,
        8024,
        9413,
      ],
    }
  `);
});
