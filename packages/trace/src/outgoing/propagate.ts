/** Sending the current request's id and trace to other services: one switch for `http`, `fetch` and undici. */
import { active } from "./active.js";
import { stopGlobalDispatchers, watchGlobalDispatchers } from "./global-dispatcher.js";
import { patchAgents, restoreAgents } from "./http-agent.js";
import { type PropagateOptions, readPropagation } from "./options.js";
import { unwatchRequests, watchRequests } from "./undici-requests.js";

/**
 * From now on, requests that are made within a context carry its id, `traceparent` with a span id of their own, and `tracestate`:
 * those of `http.request` and `https.request`, the global `fetch`, and undici's functions with its global dispatcher. One's own
 * dispatchers of undici need an {@link undiciInterceptor}. Only requests to destinations in `to` do; it is matched on where a
 * request really goes, at each redirect anew, never by a Host header. Headers that the caller sets stay. Several may be active;
 * `stop` ends this one, in any order.
 *
 * A request that asks a proxy for a whole URL needs both to be allowed. Nothing is sent with CONNECT, to Unix sockets, or by an
 * agent that makes its connections itself, except, for the last, with `"any"`.
 *
 * @example
 * const outgoing = propagate({ to: ["api.internal", "*.svc.cluster.local"] });
 */
export function propagate(options: PropagateOptions): { stop(): void } {
  const propagation = readPropagation(options);
  const all = active();
  if (all.length === 0) {
    patchAgents();
    watchRequests();
    watchGlobalDispatchers();
  }
  all.push(propagation);
  return {
    stop() {
      const index = all.indexOf(propagation);
      if (index < 0) return;
      all.splice(index, 1);
      if (all.length > 0) return;
      restoreAgents();
      unwatchRequests();
      stopGlobalDispatchers();
    },
  };
}
