import { createServer as createHttpServer } from "node:http";
import { type AddressInfo, createServer } from "node:net";
import { type LoadResult, load } from "@moonpack/load";
import { type Codec, type HttpAnswer, hazelcastMap, http, seriesStore, tcpEcho } from "@moonpack/load/targets";
import { memory, openSeries } from "@moonpack/series";

const short = { operations: 40, rounds: 1, warmup: 0, keys: 5, concurrency: 4 };

function texts({ target, summary, failures }: LoadResult): string {
  return `${target} ${summary!.operations} ${failures.length}`;
}

async function main(): Promise<void> {
  const echo = createServer((socket) => socket.pipe(socket).on("error", () => {})).listen(0, "127.0.0.1");
  await new Promise((resolve) => echo.once("listening", resolve));
  const codec: Codec = {
    name: "json",
    encode: (value) => new TextEncoder().encode(JSON.stringify(value)),
    decode: (bytes) => JSON.parse(new TextDecoder().decode(bytes)),
  };
  const { port } = echo.address() as AddressInfo;
  console.log(texts(await load(tcpEcho({ port, codec, name: "echo" }), short))); // echo 40 0
  echo.close();

  const server = createHttpServer((_request, response) => void response.end("text")).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/{key}`;
  const check = (_key: number, { status }: HttpAnswer) => status === 200;
  console.log(texts(await load(http({ url, check, name: "web" }), short))); // web 40 0
  server.close();
  server.closeAllConnections();

  const series = await openSeries({ driver: memory() });
  console.log(texts(await load(seriesStore({ series, name: "store" }), { ...short, scenario: { gets: 50 } }))); // store 40 0
  await series.close();

  const stored = new Map<number, unknown>();
  const map = {
    get: async (key: number) => stored.get(key),
    set: async (key: number, value: unknown) => stored.set(key, value),
    async setAll(pairs: [number, unknown][]) {
      for (const [key, value] of pairs) stored.set(key, value);
    },
    clear: async () => stored.clear(),
    size: async () => stored.size,
  };
  const client = { getMap: async () => map, shutdown: async () => {} };
  console.log(texts(await load(hazelcastMap({ client, map: "m" }), short))); // hazelcast://127.0.0.1:5701/m 40 0
}
main().catch((error: unknown) => console.log(String(error)));
