import { fileURLToPath } from "node:url";
import { bundleForBrowsers } from "@moonpack/tools/browser-bundle";
import { type NumberRow, type NumbersResult, numbersPage } from "../report/numbers.js";
import { resultHead } from "../results.js";
import type { Suite } from "../suite.js";

interface Bundle {
  readonly id: string;
  readonly title: string;
  readonly package: string;
  /** An entry module as an application would write it. */
  readonly source: string;
}

function bundle(id: string, title: string, name: string, source: string): Bundle {
  return { id, title, package: name, source };
}

const JSON_PACK = "@jsonjoy.com/json-pack/lib/msgpack";

const BUNDLES: readonly Bundle[] = [
  bundle("moonpack-decode", "moonpack, `decode` only", "moonpack", `export { decode } from "moonpack";`),
  bundle("moonpack-encode", "moonpack, `encode` only", "moonpack", `export { encode } from "moonpack";`),
  bundle("moonpack-both", "moonpack, `encode` and `decode`", "moonpack", `export { decode, encode } from "moonpack";`),
  bundle("moonpack-all", "moonpack, everything of MessagePack", "moonpack", `export * from "moonpack/msgpack";`),
  bundle("msgpackr-decode", "msgpackr, `unpack` only", "msgpackr", `export { unpack } from "msgpackr/unpack";`),
  bundle("msgpackr-both", "msgpackr, `pack` and `unpack`", "msgpackr", `export { pack, unpack } from "msgpackr";`),
  bundle(
    "json-pack-decode",
    "json-pack, decoder only",
    "@jsonjoy.com/json-pack",
    `export { MsgPackDecoderFast } from "${JSON_PACK}/MsgPackDecoderFast.js";`,
  ),
  bundle(
    "json-pack-both",
    "json-pack, encoder and decoder",
    "@jsonjoy.com/json-pack",
    `export { MsgPackEncoderFast, MsgPackDecoderFast } from "${JSON_PACK}";`,
  ),
  bundle(
    "msgpack-javascript-decode",
    "@msgpack/msgpack, `decode` only",
    "@msgpack/msgpack",
    `export { decode } from "@msgpack/msgpack";`,
  ),
  bundle(
    "msgpack-javascript-both",
    "@msgpack/msgpack, `encode` and `decode`",
    "@msgpack/msgpack",
    `export { decode, encode } from "@msgpack/msgpack";`,
  ),
  bundle(
    "msgpack-javascript-all",
    "@msgpack/msgpack, everything",
    "@msgpack/msgpack",
    `export * from "@msgpack/msgpack";`,
  ),
  bundle("notepack-both", "notepack.io, everything", "notepack.io", `export * from "notepack.io";`),
  bundle(
    "protobuf-es-both",
    "protobuf-es, `toBinary` and `fromBinary`, without a schema",
    "@bufbuild/protobuf",
    `export { create, fromBinary, toBinary } from "@bufbuild/protobuf";
     export { fileDesc, messageDesc } from "@bufbuild/protobuf/codegenv2";`,
  ),
  bundle(
    "avsc-both",
    "avsc, types only, without a schema",
    "avsc",
    // The package's entry for pages without streams and services; the others need modules of Node.
    `import { Type } from "avsc/etc/browser/avsc-types.js"; export const forSchema = Type.forSchema;`,
  ),
  bundle(
    "pck-both",
    "@moonpack/pck, schemas and codecs",
    "@moonpack/pck",
    `export { codec, i32, schema, utf8 } from "@moonpack/pck";`,
  ),
  bundle("cbor-x-both", "cbor-x, `encode` and `decode`", "cbor-x", `export { decode, encode } from "cbor-x";`),
];

/** Sizes of browser bundles. */
export const size: Suite<NumbersResult> = {
  name: "size",
  title: "Bundle sizes",
  async run() {
    const rows: NumberRow[] = [];
    for (const each of BUNDLES) rows.push({ id: each.id, title: each.title, values: await measureBundle(each) });
    return {
      ...resultHead("size", false, ["esbuild", ...BUNDLES.map((each) => each.package)]),
      tables: [
        {
          id: "bundles",
          title: "Browser bundles",
          text: "Built by esbuild for browsers as ES modules, minified, then gzip level 9. Features of the runtime are not included.",
          unit: "bytes",
          columns: [
            { id: "minified", title: "minified" },
            { id: "gzip", title: "minified + gzip" },
          ],
          rows,
        },
      ],
    };
  },
  page: (result) => numbersPage(size.title, result),
};

/** Size of an entry module with all its imports, for browsers. */
export async function measureBundle({ source }: Pick<Bundle, "source">): Promise<Record<string, number>> {
  const { minified, gzip } = await bundleForBrowsers(source, fileURLToPath(new URL(".", import.meta.url)));
  return { minified, gzip };
}
