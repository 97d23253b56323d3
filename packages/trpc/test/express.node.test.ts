/** In Express, beside JSON bodies of the application; cookies, status and middleware. */
import { once } from "node:events";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createTRPCClient } from "@trpc/client";
import { initTRPC } from "@trpc/server";
import express from "express";
import { expect, onTestFinished, test } from "vitest";
import { moonpackLink } from "../src/client/index.ts";
import { msgpackTransformer } from "../src/index.ts";
import { moonpackHandler } from "../src/node/index.ts";

async function listening(server: Server): Promise<string> {
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  await once(server, "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test("behind express.json(), with cookies, a status and a middleware", async () => {
  const t = initTRPC
    .context<{ res: import("node:http").ServerResponse }>()
    .create({ transformer: msgpackTransformer() });
  const router = t.router({
    keep: t.procedure
      .input((input) => input as { at: Date })
      .mutation(({ input, ctx }) => {
        ctx.res.setHeader("set-cookie", ["a=1", "b=2"]);
        ctx.res.statusCode = 202;
        return input;
      }),
  });
  const app = express();
  app.use(express.json());
  const order: string[] = [];
  app.use(
    "/trpc",
    moonpackHandler({
      router,
      createContext: ({ res }) => ({ res }),
      responseMeta: () => ({ headers: { "cache-control": "no-store" } }),
      middleware: (req, _res, next) => {
        order.push(req.method!);
        next(req.headers["x-refuse"] === undefined ? undefined : new Error("refused"));
      },
    }),
  );
  const url = await listening(app.listen(0, "127.0.0.1"));
  let response: Response | undefined;
  const send = async (to: string, init: RequestInit): Promise<Response> => {
    response = await fetch(to, init);
    return response;
  };
  const options = { url: `${url}/trpc`, fetch: send };
  const client = createTRPCClient<typeof router>({ links: [moonpackLink(options)] });
  expect(await client.keep.mutate({ at: new Date(5) })).toEqual({ at: new Date(5) });
  expect(response!.status).toBe(202);
  expect(response!.headers.getSetCookie()).toEqual(["a=1", "b=2"]);
  expect(response!.headers.get("cache-control")).toBe("no-store");
  expect(response!.headers.get("vary")).toContain("accept");
  expect(order).toEqual(["POST"]);
  const refused = createTRPCClient<typeof router>({
    links: [moonpackLink({ ...options, headers: { "x-refuse": "1" } })],
  });
  await expect(refused.keep.mutate({ at: new Date(5) })).rejects.toMatchObject({
    data: { code: "INTERNAL_SERVER_ERROR" },
  });
});

test("an error formatter that throws, or returns an unsupported value: a response, and a call of onError", async () => {
  for (const broken of [() => ({ run: () => 1 }), () => JSON.parse("{")]) {
    const t = initTRPC.create({ transformer: msgpackTransformer(), errorFormatter: broken as never });
    const router = t.router({ fails: t.procedure.mutation(() => Promise.reject(new Error("secret"))) });
    const errors: string[] = [];
    const app = express();
    app.use(moonpackHandler({ router, onError: ({ error }) => void errors.push(error.message) }));
    const url = await listening(app.listen(0, "127.0.0.1"));
    const client = createTRPCClient<typeof router>({ links: [moonpackLink({ url } as never)] });
    const error = await client.fails.mutate().then(
      () => undefined,
      (reason) => reason,
    );
    expect(error.message).toBe("Internal server error");
    expect(error.shape).toEqual({
      code: -32_603,
      message: "Internal server error",
      data: { code: "INTERNAL_SERVER_ERROR", httpStatus: 500 },
    });
    expect(errors[0]).toBe("secret");
    expect(errors.length).toBeGreaterThan(1);
  }
});
