/** Sends the current request's id and trace to other services, for `http`, `fetch` and undici together. */

import { watchGlobalDispatchers } from "./global-dispatcher.js";
import { patchAgents } from "./http-agent.js";
import { type PropagateOptions, readPropagation } from "./options.js";
import { propagations } from "./propagations.js";

/**
 * Adds the current id, `traceparent` with a new span id, and `tracestate` to outgoing requests: of `http.request` and
 * `https.request`, of the global `fetch`, and of undici's functions with the global dispatcher. Only requests to destinations in
 * `to` get them, each redirect of `fetch` is matched again, and a Host header is never trusted. Headers that the caller sets stay.
 * A dispatcher that you make yourself needs an {@link undiciInterceptor}. Several propagations may be active; `stop` ends this one,
 * in any order. Throws `ERR_INVALID_ARGUMENT` for invalid options.
 *
 * For `http` the destination is the address that is connected to; for `fetch` and undici it is the origin that the request names. A
 * request to a proxy for an absolute URL needs both to be allowed. Nothing is added to CONNECT, to requests to Unix sockets, or, unless
 * `to` is `"any"`, to requests of an `http.Agent` that makes its connections itself.
 *
 * @example
 * const outgoing = propagate({ to: ["api.internal", "*.svc.cluster.local"] });
 */
export function propagate(options: PropagateOptions): { stop(): void } {
  const propagation = readPropagation(options);
  const { active } = propagations;
  if (active.length === 0) propagations.restore = patch();
  active.push(propagation);
  return {
    stop() {
      const index = active.indexOf(propagation);
      if (index < 0) return;
      active.splice(index, 1);
      // Another copy of this package may have patched.
      if (active.length === 0) propagations.restore();
    },
  };
}

function patch(): () => void {
  const [restoreAgents, restoreDispatchers] = [patchAgents(), watchGlobalDispatchers()];
  return () => {
    restoreAgents();
    restoreDispatchers();
  };
}
