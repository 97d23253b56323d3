/** One trace for this package and OpenTelemetry, whichever of them makes the spans. */
import { followSpans, type SpanView } from "../context/span-source.js";
import { switchOn } from "../context/storage.js";
import { checkApi, type OpenTelemetryApi } from "./api.js";
import { ContextManager } from "./context-manager.js";
import { SpanViews } from "./span-views.js";

/** What {@link bridgeOpenTelemetry} returns. */
export interface OpenTelemetryBridge {
  /**
   * `provide`: nobody had registered a context manager, so ours is it, and our trace is OpenTelemetry's active span. `follow`: an
   * SDK had, and its active span is what we tell.
   */
  readonly mode: "provide" | "follow";
  /** Undoes it. */
  stop(): void;
}

/**
 * Joins this package and OpenTelemetry. Call it once, after an SDK has been started, if there is one. Then `traceId()`,
 * `spanId()`, `traceparent()` and the fields of log lines tell the SDK's active span where there is one, and the SDK sends
 * `traceparent`. Without an SDK, or with one that has no context manager, libraries that use OpenTelemetry's API see our trace.
 * Throws `ERR_INVALID_ARGUMENT` for what is not `@opentelemetry/api`.
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
      // Else somebody has removed ours, and may have registered another one.
      if (manager.isEnabled) api.context.disable();
    },
  };
}

function follow(api: OpenTelemetryApi, views: SpanViews): OpenTelemetryBridge {
  return { mode: "follow", stop: followForeign(() => views.foreign(api.context.active())) };
}

/** Tells the spans of others that are active, until the function that it returns is called. */
function followForeign(foreign: () => SpanView | undefined): () => void {
  let isStopped = false;
  const source = (): SpanView | undefined => {
    if (!isStopped) {
      try {
        const span = foreign();
        if (span !== undefined) return span;
      } catch {
        // An SDK's fault must not reach who asks for an id.
      }
    }
    return former?.();
  };
  const former = followSpans(source);
  return () => {
    isStopped = true;
    const last = followSpans(former);
    if (last !== source) followSpans(last); // a later bridge goes on, and asks this one in vain
  };
}

/** True if contexts that are entered become active. Registering tells it too, but logs an error. */
function hasContextManager(api: OpenTelemetryApi): boolean {
  const key = api.createContextKey("moonpack.trace.probe");
  const probe = api.ROOT_CONTEXT.setValue(key, true);
  return api.context.with(probe, () => api.context.active().getValue(key) === true);
}
