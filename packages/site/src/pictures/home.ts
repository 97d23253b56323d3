// The figures of the home page, all from committed results or from what the library encodes.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { decode, encode } from "moonpack";
import { stripOf } from "../home/strip.ts";
import { root } from "../repository.ts";
import { escaped } from "./figure.ts";
import { ratios } from "./ratios.ts";
import { figureOf, tableOf } from "./tables.ts";

const LIVE = {
  id: 4711,
  name: "Zoë",
  tags: ["new", "日本"],
  ratio: 0.5,
  active: true,
};

/** The live strip with its first text, as a tag of the component. */
export function liveStrip(): string {
  const bytes = encode(LIVE);
  const first = stripOf(JSON.stringify(LIVE), bytes, JSON.stringify(decode(bytes)));
  // A line for each property.
  const lines = Object.entries(LIVE).map(([key, value]) => `  "${key}": ${JSON.stringify(value)}`);
  const json = `{\n${lines.join(",\n")}\n}`;
  return `<LiveStrip json="${escaped(json)}" :first="${escaped(JSON.stringify(first))}" />`;
}

/** Three pillars, each with one figure. */
export function pillars(): string {
  const sizes = tableOf("pck", "sizes");
  const size = (row: string) => figureOf(sizes, row, "player");
  const service = figureOf(tableOf("service", "decode"), "steady", "msgpack-javascript");
  const codes = readFileSync(join(root, "docs/errors.md"), "utf8").match(/^\| `ERR_\w+`/gm)?.length ?? 0;
  const list = [
    {
      title: "Small",
      number: `${size("pck")} bytes`,
      text: `A player of a game with a schema (PCK). As JSON ${size("json")}, as MessagePack ${size("msgpack")}, as Protobuf ${size("protobuf")}.`,
      link: "pck.html",
      more: "Schemas",
    },
    {
      title: "Fast",
      number: `${service.toFixed(1)}×`,
      text: "The speed of @msgpack/msgpack when a service decodes messages of hundreds of kinds. The chart below has the others, and losses.",
      link: "benchmarks/service.html",
      more: "How it is measured",
    },
    {
      title: "Safe",
      number: `${codes} codes`,
      text: "Bytes of strangers end in a value or in an error with a code and its place. Depth and memory have limits that are on by default.",
      link: "security.html",
      more: "Threats and limits",
    },
  ];
  const boxes = list.map(
    ({ title, number, text, link, more }) =>
      `<div class="pillar"><h2 id="${title.toLowerCase()}">${title}</h2><strong>${number}</strong><p>${text} <a href="./${link}">${more}</a></p></div>`,
  );
  return `<div class="pillars">\n${boxes.join("\n")}\n</div>`;
}

/** Speed in the mix of a service against each other library. */
export function serviceRatios(): string {
  const group = (direction: "decode" | "encode", heading: string) => {
    const table = tableOf("service", direction);
    return {
      heading,
      ratios: table.columns.map(({ id, title }) => ({ name: title, value: figureOf(table, "steady", id) })),
    };
  };
  return ratios("ratios", "Our speed in a service as a multiple of each library's", [
    group("decode", "Decoding"),
    group("encode", "Encoding"),
  ]);
}

/** Figures in sentences: `<!-- figure: SUITE TABLE ROW COLUMN FORM -->`. */
export function figureText(words: string): string {
  const [suite = "", table = "", row = "", column = "", form = ""] = words.split(" ");
  const value = figureOf(tableOf(suite, table), row, column);
  if (form === "kB") return `${(value / 1000).toFixed(1)} kB`;
  if (form === "times") return `${value.toFixed(2)} times`;
  if (form === "inverse") return `${(1 / value).toFixed(1)} times`;
  throw new Error(`The figure ${words} has an unknown form: known are kB, times, inverse.`);
}
