/** What servers have by themselves: the complete reader and writer, generated readers for objects that recur, the presets by their names. */
export * from "../complete/on.js";
export * from "../fidelity/on.js";
export * from "../read/shapes/on.js";
