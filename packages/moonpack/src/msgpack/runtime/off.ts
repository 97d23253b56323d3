/** What pages have by themselves: the small reader and writer. No generated code, no presets: these are imports. */
export * from "../complete/off.js";
export * from "../fidelity/off.js";
export * from "../read/shapes/off.js";
