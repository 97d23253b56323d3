// A server that refuses what the schema refuses, and keeps the rest as PCK. node server.js [port]
import { serve } from "@hono/node-server";
import { sValidator } from "@hono/standard-validator";
import { Hono } from "hono";
import { messagesOf, signupForm } from "./form.js";
import { signup, signups } from "./schema.js";

const kept = [];
const app = new Hono();
app.post("/signups", sValidator("json", signup), (context) => {
  const value = context.req.valid("json"); // typed, and without unknown properties
  kept.push(signups.encode(value));
  return context.json({ kept: kept.length, bytes: kept.at(-1).length }, 201);
});
app.get("/signups", (context) => context.json(kept.map((bytes) => signups.decode(bytes))));

const server = serve(
  { fetch: app.fetch, hostname: "127.0.0.1", port: Number(process.argv[2] ?? 3000) },
  async ({ port }) => {
    const url = `http://127.0.0.1:${port}/signups`;
    console.log(url);

    // The form's code in a page.
    const form = signupForm(async (value) => {
      const response = await fetch(url, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(value),
      });
      console.log(`sent: ${response.status} ${await response.text()}`);
    });
    form.setFieldValue("name", "Ann");
    form.setFieldValue("seats", 300);
    await form.handleSubmit();
    console.log("not sent:", messagesOf(form));
    form.setFieldValue("seats", 3);
    await form.handleSubmit();
    console.log("ready");
  },
);
process.on("SIGINT", () => server.close());
