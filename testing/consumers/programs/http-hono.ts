import { fetchValue } from "@moonpack/http/client";
import { bodies, type HonoBodies, type HonoContextLike } from "@moonpack/http/hono";

/** As much of Hono as is used. */
function contextOf(raw: Request): HonoContextLike {
  const headers = new Headers();
  return {
    req: { raw },
    header: (name, value, options) => headers[options?.append === true ? "append" : "set"](name, value ?? ""),
    body: (data) => new Response(data, { headers }),
  };
}

async function main(): Promise<void> {
  const http: HonoBodies = bodies();
  const app = async (url: string | URL, init: RequestInit): Promise<Response> => {
    const context = contextOf(new Request(url, init));
    return http.send(context, { got: await http.read(context) });
  };
  console.log(JSON.stringify(await fetchValue("http://localhost/", { value: "Ada", fetch: app }))); // {"got":"Ada"}
}
main().catch((error: unknown) => console.log(String(error)));
