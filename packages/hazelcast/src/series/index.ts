/**
 * A driver for `@moonpack/series` that stores pages and metrics in maps of a Hazelcast cluster.
 *
 * @module
 */
export { type ClusterOptions, hazelcast } from "./driver.js";
