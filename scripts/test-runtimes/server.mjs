// Serves a project's folder to browsers over loopback, with or without a strict policy, and takes their reports.
import { createReadStream, statSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join } from "node:path";
import { json, text } from "node:stream/consumers";

const types = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".mjs": "text/javascript; charset=utf-8",
};
/** Everything else is forbidden, code from text above all. */
const STRICT = "default-src 'none'; script-src 'self'; worker-src 'self'; connect-src 'self'";
/** With these a page is alone in its process, and has SharedArrayBuffer. */
const ISOLATED = { "cross-origin-opener-policy": "same-origin", "cross-origin-embedder-policy": "require-corp" };

/** Starts it: `urlOf(path, isStrict)`, `report(path)`, which waits for what a page posts, `lastSuite()`, and `close()`. */
export async function serveProject(folder) {
  const waiting = new Map();
  let suite = "no suite begun";
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
