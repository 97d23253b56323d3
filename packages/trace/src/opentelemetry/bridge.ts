/** One trace for this package and OpenTelemetry. */
import { followSpans, type SpanView } from "../context/span-source.js";
import { switchOn } from "../context/storage.js";
import { checkApi, type OpenTelemetryApi } from "./api.js";
import { ContextManager } from "./context-manager.js";
import { SpanViews } from "./span-views.js";

/** The result of {@link bridgeOpenTelemetry}. */
export interface OpenTelemetryBridge {
  /**
   * `provide`: no context manager was registered, so ours is, and our trace is OpenTelemetry's active span. `follow`: an SDK had
   * registered one, and `traceId()` and `spanId()` return its active span.
   */
  readonly mode: "provide" | "follow";
  /** Ends the bridge. */
  stop(): void;
}

/**
 * Connects this package and OpenTelemetry. Call it once, after the start of an SDK if there is one. Then `traceId()`, `spanId()`,
 * `traceparent()` and log fields show the SDK's active span, if there is one, and the SDK sends `traceparent`. Without an SDK, or with
 * one that has no context manager, libraries that use OpenTelemetry's API see our trace. Throws `ERR_INVALID_ARGUMENT` unless `api` is
 * the module `@opentelemetry/api`.
 *
 * @example
 * import * as api from "@opentelemetry/api";
 * const bridge = bridgeOpenTelemetry(api);
 */
export function bridgeOpenTelemetry(api: OpenTelemetryApi): OpenTelemetryBridge {
  checkApi(api);
  const views = new SpanViews(api);
  return hasContextManager(api) ? follow(api, views) : provide(api, views);
}

function provide(api: OpenTelemetryApi, views: SpanViews): OpenTelemetryBridge {
  const manager = new ContextManager(api.ROOT_CONTEXT, views).enable();
  switchOn();
  api.context.setGlobalContextManager(manager as never);
  const stopFollowing = followForeign(() => manager.foreignSpan());
  return {
    mode: "provide",
    stop() {
      stopFollowing();
      // If ours was removed, another one may be registered.
      if (manager.isEnabled) api.context.disable();
    },
  };
}

function follow(api: OpenTelemetryApi, views: SpanViews): OpenTelemetryBridge {
  return { mode: "follow", stop: followForeign(() => views.foreign(api.context.active())) };
}

/** Makes active spans of other libraries the current ones. Returns a function that ends this. */
function followForeign(foreign: () => SpanView | undefined): () => void {
  let isStopped = false;
  const source = (): SpanView | undefined => {
    if (!isStopped) {
      try {
        const span = foreign();
        if (span !== undefined) return span;
      } catch {
        // An error of the SDK must not reach the caller of traceId().
      }
    }
    return former?.();
  };
  const former = followSpans(source);
  return () => {
    isStopped = true;
    const last = followSpans(former);
    if (last !== source) followSpans(last); // a later bridge stays active, and gets nothing from this one
  };
}

/** True if a context manager is registered. Trying to register ours would show it too, but logs an error. */
function hasContextManager(api: OpenTelemetryApi): boolean {
  const key = api.createContextKey("moonpack.trace.probe");
  const probe = api.ROOT_CONTEXT.setValue(key, true);
  return api.context.with(probe, () => api.context.active().getValue(key) === true);
}
