/** Options of untyped callers: unknown names, getters. */
import { initTRPC } from "@trpc/server";
import { expect, test } from "vitest";
import { moonpackLink } from "../src/client/index.ts";
import { msgpackTransformer } from "../src/index.ts";
import { moonpackHandler } from "../src/node/index.ts";
import { moonpackFetchHandler } from "../src/server/fetch.ts";

const router = initTRPC.create({ transformer: msgpackTransformer() }).router({});
const refused = (text: string) =>
  expect.objectContaining({ code: "ERR_INVALID_ARGUMENT", message: expect.stringContaining(text) });

const misspelt = (name: string, meant: string) => refused(`"${name}" is not a known option: did you mean ${meant}?`);

test.each<[object, string]>([
  [{ encode: {} }, '"encode" is not a known option: did you mean encoder?'],
  [{ decoder: { maps: "map" } }, "decoder.maps cannot be set"],
])("options of MessagePack: %j is refused", (msgpack, text) => {
  expect(() => msgpackTransformer(msgpack)).toThrow(refused(text));
  expect(() => moonpackLink({ url: "/", ...msgpack } as never)).toThrow(refused(text));
  const nested = text.replace("known option", "known option of msgpack");
  expect(() => moonpackHandler({ router, msgpack })).toThrow(refused(nested));
  expect(() => moonpackFetchHandler({ router, endpoint: "/", msgpack })).toThrow(refused(nested));
});

test("names similar to an option of this package or of tRPC are refused; others are passed on", () => {
  for (const [name, meant] of [
    ["msgPack", "msgpack"],
    ["routr", "router"],
    ["createContex", "createContext"],
    ["onErorr", "onError"],
    ["maxBatchsize", "maxBatchSize"],
    ["allowBatchin", "allowBatching"],
  ] as const)
    for (const handler of [moonpackHandler, moonpackFetchHandler])
      expect(() => handler({ router, endpoint: "/", [name]: {} } as never)).toThrow(misspelt(name, meant));
  expect(() => moonpackFetchHandler({ router, endpont: "/" } as never)).toThrow(misspelt("endpont", "endpoint"));
  for (const [name, meant] of [
    ["header", "headers"],
    ["maxItem", "maxItems"],
    ["ulr", "url"],
    ["methodOverrride", "methodOverride"],
    ["maxUrlLenght", "maxURLLength"],
    ["Fetch", "fetch"],
  ] as const)
    expect(() => moonpackLink({ url: "/", [name]: 1 } as never)).toThrow(misspelt(name, meant));
  const options = { url: "/", headers: {}, maxItems: 1, maxURLLength: 9, methodOverride: "POST", pathSeparator: "/" };
  moonpackLink<typeof router>({ ...options, someday: 1 } as never);
  const all = { router, endpoint: "/", basePath: "/", middleware: () => {}, maxBodySize: 1, maxBatchSize: 1 };
  const more = { allowBatching: true, allowMethodOverride: true, createContext: () => ({}), responseMeta: () => ({}) };
  moonpackHandler({ ...all, ...more, onError: () => {} } as never);
  moonpackFetchHandler({ ...all, ...more, onError: () => {} } as never);
  expect(() => moonpackLink({ url: "/", transformer: msgpackTransformer() } as never)).toThrow(refused("transformer"));
});

test("arguments of tRPC that are read here are checked", () => {
  for (const options of [undefined, null, 5, [], {}, { url: 5 }, { url: "/", fetch: 5 }])
    expect(() => moonpackLink(options as never), JSON.stringify(options)).toThrow(refused(""));
  const routers = [{}, 5, { _def: {} }, { _def: { _config: {} } }];
  for (const options of [undefined, null, 5, [], {}, ...routers.map((wrong) => ({ router: wrong, endpoint: "/" }))])
    for (const handler of [moonpackHandler, moonpackFetchHandler])
      expect(() => handler(options as never), JSON.stringify(options)).toThrow(refused(""));
  expect(() => moonpackFetchHandler({ router } as never)).toThrow(refused("endpoint must be a text"));
  expect(() => moonpackHandler({ router, msgpack: { maxBytes: "1" } } as never)).toThrow(refused("maxBytes"));
});

test("each option is read once", () => {
  const reads: string[] = [];
  const getter = (name: string) => ({ enumerable: true, get: () => void reads.push(name) });
  const names = ["encoder", "decoder", "fetch"];
  const options = Object.defineProperties({ url: "/" }, Object.fromEntries(names.map((name) => [name, getter(name)])));
  moonpackLink(options as never);
  expect(reads).toEqual(names);
});
