// Serves a folder of static files over loopback, at the top of the server or below a path.
import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import sirv from "sirv";

/**
 * Serves `folder` at http://127.0.0.1:`port``path`, where `path` begins and ends with a slash. Returns the address and `close`.
 * Nothing is cached: files may be built again. As hosts of static files do, an address without a file is answered with the folder's 404.html,
 * if there is one. `headers` are those of every answer.
 */
export async function serveFolder(folder, { path = "/", port = 0, headers = {} } = {}) {
  const serve = sirv(folder, { dev: true, etag: true });
  const lost = join(folder, "404.html");
  const server = createServer((request, response) => {
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    const none = () => {
      const page = request.headers.accept?.includes("text/html") && existsSync(lost) ? readFileSync(lost) : undefined;
      response
        .writeHead(404, { "content-type": page === undefined ? "text/plain" : "text/html" })
        .end(page ?? "not found");
    };
    if (!request.url.startsWith(path)) return none();
    request.url = request.url.slice(path.length - 1);
    serve(request, response, none);
  });
  await new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
  return {
    url: `http://127.0.0.1:${server.address().port}${path}`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
