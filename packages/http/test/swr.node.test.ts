/** SWR as in docs/http.md: `fetchValue` as its fetcher and in a mutation, in a page with React. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { bodies } from "@moonpack/http/node";
import { withBrowser } from "@moonpack/tools/browser";
import { bundleForBrowsers } from "@moonpack/tools/browser-bundle";
import { runtimeFor } from "@moonpack/tools/runtimes";
import { expect, test } from "vitest";

const PROGRAM = `
import { fetchValue } from "@moonpack/http/client";
import { createElement, useEffect } from "react";
import { createRoot } from "react-dom/client";
import useSWR from "swr";
import useSWRMutation from "swr/mutation";

const fetcher = (path) => fetchValue(path);

function Users() {
  const { data } = useSWR("/users/1", fetcher);
  const { error } = useSWR("/users/2", fetcher, { shouldRetryOnError: false });
  const { trigger } = useSWRMutation("/users", (path, { arg }) => fetchValue(path, { value: arg }));
  useEffect(() => {
    if (data === undefined || error === undefined) return;
    trigger({ name: "Bo", born: new Date(0) }).then((created) => {
      const isDate = created.born instanceof Date;
      window.results = JSON.stringify({ name: data.name, id: String(data.id), status: error.status, code: error.code, created: created.name, isDate });
    });
  }, [data, error, trigger]);
  return createElement("p", null, data?.name ?? "..");
}

createRoot(document.getElementById("users")).render(createElement(Users));
`;

test("values, errors and mutations", async (context) => {
  const { executable } = await runtimeFor(context, "chromium");
  const { text } = await bundleForBrowsers(PROGRAM, import.meta.dirname);
  const values = bodies();
  const server = createServer(async (request, response) => {
    if (request.url === "/page.js") return response.writeHead(200, { "content-type": "text/javascript" }).end(text);
    if (request.url === "/users/1") return values.send(response, { id: 2n ** 60n, name: "Ada" });
    if (request.url === "/users" && request.method === "POST") return values.send(response, await values.read(request));
    if (request.url !== "/") return response.writeHead(404).end();
    const page =
      '<!doctype html><link rel="icon" href="data:,"><div id="users"></div><script type="module" src="/page.js"></script>';
    return response.writeHead(200, { "content-type": "text/html" }).end(page);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  try {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const results = await withBrowser("chromium", executable, async (context) => {
      const page = await context.newPage();
      await page.goto(url);
      await page.waitForFunction("window.results !== undefined", undefined, { timeout: 60_000 });
      return JSON.parse((await page.evaluate("window.results")) as string);
    });
    expect(results).toMatchObject({ name: "Ada", id: String(2n ** 60n), status: 404, created: "Bo", isDate: true });
  } finally {
    server.closeAllConnections();
    server.close();
  }
});
