/** The exports of `#runtime`, for TypeScript. A declaration file: bundlers in this repository would follow a path to a source. */
export * from "./edge.js";
