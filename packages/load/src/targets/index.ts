/** `@moonpack/load/targets`: ready-made targets. The library that a target needs must be installed separately. */
export type { Codec } from "./codec.js";
export { type HazelcastClientLike, type HazelcastMapOptions, hazelcastMap } from "./hazelcast-map.js";
export { type HttpAnswer, type HttpTargetOptions, http } from "./http.js";
export { type SeriesLike, type SeriesMetric, type SeriesStoreOptions, seriesStore } from "./series-store.js";
export { type TcpEchoOptions, tcpEcho } from "./tcp-echo.js";
