/**
 * A driver of `@moonpack/series` that keeps pages and metrics in maps of a Hazelcast cluster.
 *
 * @module
 */
export { type ClusterOptions, hazelcast } from "./driver.js";
