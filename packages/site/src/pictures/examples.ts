// The gallery of examples: a picture of who sends what to whom, the title, and one command each.
import { escaped, WIDTH } from "./figure.ts";

/** Who is in an example, from left to right, and what goes between two neighbours. */
const SCENES: Readonly<Record<string, { readonly parts: readonly string[]; readonly between: readonly string[] }>> = {
  "http-express": { parts: ["page", "Express"], between: ["PCK, MessagePack, JSON"] },
  "trpc-page": { parts: ["page", "tRPC"], between: ["bytes, Sets, Dates"] },
  "live-websocket": { parts: ["pages", "ws", "pages"], between: ["14 B each", "14 B each"] },
  "chat-socket.io": { parts: ["pages", "socket.io", "pages"], between: ["text", "pictures"] },
  tcp: { parts: ["client", "server"], between: ["calls and results"] },
  "workers-transfer": { parts: ["program", "workers"], between: ["memory moves"] },
  "pck-go": { parts: ["JavaScript", "Go"], between: ["one schema"] },
  "pck-weather": { parts: ["page", "server", "Go"], between: ["PCK", "PCK"] },
  "form-standard-schema": { parts: ["form", "Hono", "bytes"], between: ["checked", "PCK"] },
  "series-latency": { parts: ["Fastify", "series", "page"], between: ["points", "windows"] },
  "prometheus-grafana": { parts: ["service", "series", "Grafana"], between: ["metrics", "PromQL"] },
  "queue-bullmq": { parts: ["program", "Redis", "worker"], between: ["jobs", "jobs"] },
  "trace-gateway": { parts: ["gateway", "services", "worker"], between: ["request id", "request id"] },
  "load-http": { parts: ["runner", "servers"], between: ["requests at a rate"] },
};

const HEIGHT = 96;
const BOX = { width: 92, height: 40, y: 38 } as const;

/** Replaces each table of the page by cards. Rows are `| [title](../examples/NAME) | command |`. */
export function withGallery(text: string): string {
  return text.replace(/^\| example \| command \|\n\| --- \| --- \|\n((?:\|.*\n)+)/gm, (_, rows: string) => {
    const cards = [...rows.matchAll(/^\| \[([^\]]+)\]\(\.\.\/examples\/([^)]+)\) \| `([^`]+)` \|$/gm)].map(
      ([, title = "", name = "", command = ""]) =>
        `<a class="card" href="./examples/${name}.html">${scene(name)}<strong>${escaped(title)}</strong><code>${escaped(command)}</code></a>`,
    );
    return `<div class="gallery" v-pre>\n${cards.join("\n")}\n</div>\n`;
  });
}

/** A picture of an example. Throws an Error for one without a scene. */
function scene(name: string): string {
  const { parts, between } = SCENES[name] ?? missing(name);
  const gap = (WIDTH - parts.length * BOX.width) / Math.max(1, parts.length - 1);
  const middle = BOX.y + BOX.height / 2;
  const boxes = parts.map((part, i) => {
    const x = i * (BOX.width + gap);
    return `<rect class="part" x="${x + 0.5}" y="${BOX.y}" width="${BOX.width - 1}" height="${BOX.height}" rx="8"/><text x="${x + BOX.width / 2}" y="${middle + 4}" text-anchor="middle">${escaped(part)}</text>`;
  });
  const arrows = between.map((what, i) => {
    const from = (i + 1) * BOX.width + i * gap + 6;
    const to = from + gap - 12;
    return `<path class="arrow" d="M${from + 5} ${middle - 4}L${from} ${middle}L${from + 5} ${middle + 4}M${from} ${middle}H${to}M${to - 5} ${middle - 4}L${to} ${middle}L${to - 5} ${middle + 4}"/><text class="value" x="${(from + to) / 2}" y="${BOX.y - 12}" text-anchor="middle">${escaped(what)}</text>`;
  });
  return `<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${escaped(parts.join(", "))}">${boxes.join("")}${arrows.join("")}</svg>`;
}

function missing(name: string): never {
  throw new Error(`The example ${name} has no scene for its picture: add one in src/pictures/examples.ts.`);
}
