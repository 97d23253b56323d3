// Two servers of the same answers: one makes each anew, the other keeps them.
import { once } from "node:events";
import { createServer } from "node:http";

/** The data of an answer. */
function page(key) {
  const lines = Array.from({ length: 200 }, (_, i) => ({ key, line: i, text: `line ${i} of ${key}` }));
  return JSON.stringify(lines);
}

/** Starts a server. Returns its URL and how to close it. */
export async function start({ keeps }) {
  const kept = new Map();
  const server = createServer((request, response) => {
    const key = request.url.slice(1);
    let text = kept.get(key);
    if (text === undefined) {
      text = page(key);
      if (keeps) kept.set(key, text);
    }
    response.setHeader("content-type", "application/json");
    response.end(text);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return { url: `http://127.0.0.1:${server.address().port}/{key}`, close };
}
