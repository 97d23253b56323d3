/** What `#runtime` exports, for TypeScript. A declaration, since bundlers in this repository would follow a path to a source. */
export * from "./edge.js";
