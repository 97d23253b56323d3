/** The routes in Hono: in Node and in workerd. */
import type { BodiesOptions } from "@moonpack/http";
import { bodies } from "@moonpack/http/hono";
import { Hono } from "hono";
import { HTTPException } from "hono/http-exception";
import { failing, failingFirst, firstOf, levels, live, quiet, rows, type State, sumOf, VALUES } from "./app.ts";
import { players } from "./player.ts";

export function honoApp(state: State, options: BodiesOptions): Hono {
  const http = bodies(options);
  const app = new Hono();
  app.get("/value", (c) => http.send(c, VALUES[c.req.query("kind")!]));
  app.post("/echo", async (c) => {
    const got = await http.read(c);
    return http.send(c, { got, type: typeof got });
  });
  app.put("/player", async (c) => http.send(c, (await http.read(c, { pck: players }))!, { pck: players }));
  app.get("/rows", (c) => http.sendStream(c, rows(Number(c.req.query("n")))));
  app.get("/live", (c) => http.sendStream(c, live(state)));
  app.get("/quiet", (c) => http.sendStream(c, quiet(state)));
  app.get("/cut", (c) => http.sendStream(c, failing()));
  app.get("/early-error", async (c) => {
    try {
      return await http.sendStream(c, failingFirst());
    } catch (cause) {
      throw new HTTPException(500, { message: "failed", cause }); // Hono would write any other error to the console
    }
  });
  app.post("/sum", async (c) => http.send(c, await sumOf(http.readStream(c), state)));
  app.post("/first", async (c) => http.send(c, await firstOf(http.readStream(c))));
  app.post("/levels", async (c) => http.send(c, await levels(http.readStream(c, { pck: players }))));
  app.get("/empty", (c) => c.body(null, 204));
  return app;
}
