import type { Cut, KindClass } from "../kind.js";

const BROWSER = ["json/browser_protocol.json", "json/js_protocol.json"];
const SERVICES = "api-with-examples link-example params-by-name-petstore petstore petstore-expanded simple-math".split(
  " ",
);
const WALLET = ["dist/build/openrpc.json"];

function devtools(name: string, path: string, rest: Partial<Cut> = {}): Cut {
  return {
    name: `devtools-${name}`,
    class: "specifications",
    package: "devtools-protocol",
    files: BROWSER,
    path,
    ...rest,
  };
}

function wallet(name: string, kindClass: KindClass, path: string): Cut {
  return { name: `wallet-${name}`, class: kindClass, package: "@metamask/api-specs", files: WALLET, path };
}

function service(name: string, kindClass: KindClass, path?: string): Cut {
  const files = SERVICES.map((file) => `build/service-descriptions/${file}-openrpc.json`);
  const cut: Cut = { name: `openrpc-${name}`, class: kindClass, package: "@open-rpc/examples", files };
  return path === undefined ? cut : { ...cut, path };
}

/** Descriptions of interfaces, and the requests with results that they give as examples. */
export const specifications: readonly Cut[] = [
  devtools("command", "domains/*/commands/*"),
  devtools("event", "domains/*/events/*"),
  devtools("type", "domains/*/types/*"),
  devtools("commands", "domains/*/commands", { slices: 6 }),
  wallet("method", "specifications", "methods/*"),
  wallet("schema", "specifications", "components/schemas/*"),
  wallet("call", "envelopes", "methods/*/examples/*"),
  wallet("parameters", "envelopes", "methods/*/examples/*/params"),
  service("document", "specifications"),
  service("method", "specifications", "methods/*"),
  service("info", "manifests", "info"),
];
