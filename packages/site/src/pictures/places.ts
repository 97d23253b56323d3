// The pictures, and their places in pages.
import { bombDemo } from "./bombs.ts";
import { withGallery } from "./examples.ts";
import { figureText, liveStrip, pillars, serviceRatios } from "./home.ts";
import { playerPicture } from "./player.ts";
import { memoryChart, serviceChart, sizeChart } from "./results.ts";

const PICTURES = new Map<string, () => string>([
  ["player", playerPicture],
  ["service", () => sideBySide(serviceChart("decode"), serviceChart("encode"))],
  ["service-decode", () => serviceChart("decode")],
  ["sizes", sizeChart],
  ["memory", memoryChart],
  ["live-strip", liveStrip],
  ["pillars", pillars],
  ["bombs", bombDemo],
  ["ratios-and-sizes", () => sideBySide(serviceRatios(), sizeChart())],
  ["size-and-memory", () => sideBySide(sizeChart(), memoryChart())],
]);

/** Generated pages, or pages where GitHub shows another picture: the picture stands before this text, or replaces it. */
const PLACES: readonly { readonly page: string; readonly at: RegExp; readonly name: string }[] = [
  { page: "docs/benchmarks/service.md", at: /(?=^## Decoding: moonpack\n)/m, name: "service" },
  { page: "docs/benchmarks/size.md", at: /(?=^\| bytes)/m, name: "sizes" },
  { page: "docs/benchmarks/memory.md", at: /(?=^\| bytes)/m, name: "memory" },
  { page: "docs/pck.md", at: /(?=^## Schemas\n)/m, name: "player" },
  { page: "docs/pck-format.md", at: /^!\[[^\]]*\]\(pck-player\.svg\)$/m, name: "player" },
];

/** Returns the text of a page with its pictures: those in the list, `<!-- picture: NAME -->`, and `<!-- figure: .. -->` in sentences. */
export function withPictures(page: string, text: string): string {
  let result = text;
  for (const { at, name } of PLACES.filter((place) => place.page === page)) {
    if (!at.test(result)) throw new Error(`${page} has no place for the picture ${name}: nothing matches ${at}.`);
    result = result.replace(at, () => `${draw(name)}\n\n`);
  }
  if (page === "docs/examples.md") result = withGallery(result);
  return result
    .replace(/^<!-- picture: (\S+) -->$/gm, (_, name: string) => draw(name))
    .replace(/<!-- figure: ([a-z][^>]+?) -->/g, (_, words: string) => figureText(words));
}

function draw(name: string): string {
  const picture = PICTURES.get(name);
  if (picture === undefined) throw new Error(`unknown picture ${name}: known are ${[...PICTURES.keys()].join(", ")}.`);
  return picture();
}

function sideBySide(...pictures: readonly string[]): string {
  return `<div class="pictures">\n${pictures.join("\n")}\n</div>`;
}
