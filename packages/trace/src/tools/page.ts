/** A page of recorded requests in one file: without scripts, and loading nothing. */
import { writeFileSync } from "node:fs";
import { warnOfOutput } from "./output.js";
import type { Recording } from "./recording.js";
import { MAX_ROWS, requestSvg } from "./svg.js";
import { htmlText, jsonId } from "./text.js";

/** The number of requests on a page: the last ones. */
const MAX_REQUESTS = 50;

const STYLE = `
:root { color-scheme: light dark; --back: #fff; --text: #1b1f24; --dim: #59636e; --line: #d8dee4; --wait: #a9cdf0; --run: #0b4a8f; }
@media (prefers-color-scheme: dark) {
  :root { --back: #0d1117; --text: #e6edf3; --dim: #9198a1; --line: #30363d; --wait: #234a70; --run: #79c0ff; }
}
body { margin: 2rem auto; max-width: 72rem; padding: 0 1rem; background: var(--back); color: var(--text);
  font: 15px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.4rem; margin: 0; }
p { color: var(--dim); margin: .3rem 0 1.2rem; }
.key { display: inline-block; width: 1.6em; height: .75em; border-radius: 2px; }
details { border-top: 1px solid var(--line); }
summary { cursor: pointer; padding: .5rem 0; overflow-wrap: anywhere; }
summary small { color: var(--dim); margin-left: .6rem; }
.picture { overflow-x: auto; padding-bottom: 1rem; }
svg { display: block; width: 100%; min-width: 40rem; height: auto; font: 11px ui-monospace, monospace; }
svg text { fill: var(--text); }
svg .scale text { fill: var(--dim); }
.scale line { stroke: var(--line); }
.wait { fill: var(--wait); }
.run { fill: var(--run); }`;

/** Collects the last requests, and writes them as a page. */
export class PageFile {
  readonly #path: string;
  readonly #recordings: Recording[] = [];

  constructor(path: string) {
    this.#path = path;
  }

  /** Adds a request that has ended. Removes the operations that are not drawn. */
  add(recording: Recording): void {
    recording.keepFirst(MAX_ROWS);
    this.#recordings.push(recording);
    if (this.#recordings.length > MAX_REQUESTS) this.#recordings.shift();
  }

  /** Writes the file. Emits a warning (`MOONPACK_TRACE_OUTPUT`) if that fails. */
  write(): void {
    try {
      writeFileSync(this.#path, pageOf(this.#recordings));
    } catch (error) {
      warnOfOutput("the page was not written", error);
    }
  }
}

function pageOf(recordings: readonly Recording[]): string {
  const requests = recordings.map((recording, index) => section(recording, index === recordings.length - 1)).reverse();
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Recorded requests</title>
<style>${STYLE}
</style>
</head>
<body>
<h1>Recorded requests</h1>
<p>${recordings.length === 1 ? "1 request" : `${recordings.length} requests`}, the last one first. A row is an operation,
below the one that began it: <span class="key" style="background: var(--wait)"></span> waiting,
<span class="key" style="background: var(--run)"></span> running JavaScript.</p>
${requests.join("\n")}
</body>
</html>
`;
}

function section(recording: Recording, isOpen: boolean): string {
  const { method, url, status, start, duration, end, isTruncated, total } = recording;
  const id = jsonId(recording.id);
  const facts = [
    `${status} in ${(duration / 1000).toFixed(1)} ms`,
    new Date(start).toISOString(),
    total === 1 ? "1 operation" : `${total} operations`,
    ...(end === "finish" ? [] : [`ended by ${end}`]),
    ...(isTruncated ? ["not recorded to its end"] : []),
    ...(id === undefined ? [] : [id]),
  ];
  return `<details${isOpen ? " open" : ""}>
<summary>${htmlText(`${method} ${url}`)}<small>${htmlText(facts.join(" · "))}</small></summary>
<div class="picture">${requestSvg(recording)}</div>
</details>`;
}
