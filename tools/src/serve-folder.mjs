// Serves a folder of static files over loopback, at the top of the server or below a path.
import { createServer } from "node:http";
import sirv from "sirv";

/**
 * Serves `folder` at http://127.0.0.1:`port``path`, where `path` begins and ends with a slash. Returns the address and `close`.
 * Nothing is cached: files may be built again.
 */
export async function serveFolder(folder, { path = "/", port = 0 } = {}) {
  const serve = sirv(folder, { dev: true, etag: true });
  const server = createServer((request, response) => {
    const none = () => response.writeHead(404, { "content-type": "text/plain" }).end("not found");
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
