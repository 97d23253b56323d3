/** Responses whose headers may not change, such as those of `fetch`: a copy gets the header. */

/**
 * A response with the same body and a header more; undefined if there is no copy of it (`Response.error()`, an upgrade). The headers are
 * copied here: the `Response` that `@hono/node-server` puts in the place of the global one would take those of `fetch` as they are.
 */
export function copyWithHeader(response: Response, name: string, value: string): Response | undefined {
  try {
    const headers = new Headers(response.headers);
    headers.set(name, value);
    return new Response(response.body, { status: response.status, statusText: response.statusText, headers });
  } catch {
    return undefined;
  }
}
