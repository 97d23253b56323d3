// Opens pages in a browser, served from a folder over loopback, and returns their output and errors.
// The pages share the browser's storage, as pages of one site do.
import { createReadStream, statSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { launchBrowser } from "./launch-browser.mjs";

const types = { ".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8" };
/** Time limit of a page, and how long a page is observed after it has printed the expected lines. */
const PATIENCE_MS = 60_000;
const SETTLE_MS = 100;

/** Calls `use` with `visit(path, lines)`, which returns the output of a page of the folder once it has as many lines. */
export async function withPages(name, executablePath, folder, use) {
  const server = createServer((request, response) => serveFile(folder, request, response));
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${server.address().port}`;
  try {
    return await withBrowser(name, executablePath, (context) =>
      use((path, lines) => visit(context, `${origin}/${path}`, lines)),
    );
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

/** Starts `chromium` or `firefox` and calls `use` with it; `newPage` opens a page. */
export async function withBrowser(name, executablePath, use) {
  const browser = await launchBrowser(name, executablePath);
  try {
    // In Chromium, only pages of one context share storage.
    return await use(name === "chromium" ? await browser.newContext() : browser);
  } finally {
    await browser.close();
  }
}

async function visit(context, url, lines) {
  const page = await context.newPage();
  const printed = [];
  const errors = [];
  page.on("console", (message) => {
    if (message.type() === "log") printed.push(message.text());
    else errors.push(`${message.text()} (${message.location().url})`);
  });
  page.on("pageerror", (error) => errors.push(error.stack ?? error.message));
  try {
    // Not awaited: the page has loaded when its modules have run, or never. Closing the page may end it.
    page.goto(url, { timeout: 0 }).catch((error) => errors.push(error.message));
    const end = performance.now() + PATIENCE_MS;
    // No event fires when a module with top-level await ends: `load` may come earlier.
    while (printed.length < lines && errors.length === 0 && performance.now() < end) await sleep(10);
    await sleep(SETTLE_MS);
    if (printed.length < lines && errors.length === 0)
      errors.push(`it did not print ${lines} lines within ${PATIENCE_MS / 1000} s`);
    return { printed, errors: [...errors] };
  } finally {
    await page.close();
  }
}

function serveFile(folder, { url }, response) {
  // A parsed URL has no `../..` in its path, and no name here needs escapes.
  const path = join(folder, new URL(url, "http://page").pathname);
  const type = types[extname(path)];
  const isFile = type !== undefined && statSync(path, { throwIfNoEntry: false })?.isFile();
  if (!isFile) {
    response.writeHead(url === "/favicon.ico" ? 204 : 404).end();
    return;
  }
  // Modules do not change while the server runs: the next page may take them from the browser's cache.
  response.writeHead(200, { "content-type": type, "cache-control": "max-age=3600" });
  createReadStream(path).pipe(response);
}
