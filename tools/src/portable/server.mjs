// Serves a project's folder to browsers over loopback, with or without a strict policy, and receives their reports.
import { createReadStream, statSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join } from "node:path";
import { json, text } from "node:stream/consumers";

const types = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".mjs": "text/javascript; charset=utf-8",
};
/** Forbids everything else, above all code from strings. */
const STRICT = "default-src 'none'; script-src 'self'; worker-src 'self'; connect-src 'self'";
/** With these headers a page is isolated, and has SharedArrayBuffer. */
const ISOLATED = { "cross-origin-opener-policy": "same-origin", "cross-origin-embedder-policy": "require-corp" };

/**
 * Starts it. Returns `urlOf(path, isStrict)`, `report(path)`, which waits for a posted report, `lastSuite()` and
 * `close()`.
 */
export async function serveProject(folder) {
  const waiting = new Map();
  let suite = "before the first suite";
  const server = createServer(async (request, response) => {
    const [, policy, ...rest] = new URL(request.url, "http://page").pathname.split("/");
    const path = rest.join("/");
    if (request.method === "POST") {
      waiting.get(`${policy}/${path}`)?.(await json(request));
      response.writeHead(204).end();
    } else if (request.method === "PUT") {
      suite = `in ${await text(request)}`;
      response.writeHead(204).end();
    } else sendFile(join(folder, path), policy === "strict", response);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const placeOf = (path, isStrict) => `${isStrict ? "strict" : "open"}/${path}`;
  return {
    urlOf: (path, isStrict) => `http://127.0.0.1:${server.address().port}/${placeOf(path, isStrict)}`,
    report: (path, isStrict) => new Promise((resolve) => waiting.set(placeOf(path, isStrict), resolve)),
    lastSuite: () => suite,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

function sendFile(path, isStrict, response) {
  const type = types[extname(path)];
  if (type === undefined || !statSync(path, { throwIfNoEntry: false })?.isFile()) {
    response.writeHead(404).end();
    return;
  }
  const policy = isStrict ? { "content-security-policy": STRICT } : {};
  response.writeHead(200, { "content-type": type, ...ISOLATED, ...policy });
  createReadStream(path).pipe(response);
}
