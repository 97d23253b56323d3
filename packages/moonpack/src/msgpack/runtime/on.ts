/** What runtimes of servers have by themselves: generated readers for objects that recur, and the presets by their names. */
export * from "../fidelity/on.js";
export * from "../read/shapes/on.js";
