/** Copies responses with immutable headers, such as responses of `fetch`. */

/**
 * Returns a response with the same body and one more header; undefined if it cannot be copied (`Response.error()`, an upgrade). The
 * headers are copied here: the `Response` by which `@hono/node-server` replaces the global one would share the headers of `fetch`.
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
