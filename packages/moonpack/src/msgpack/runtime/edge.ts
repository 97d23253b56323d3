/** What edge workers and unknown runtimes have by themselves: the complete reader and writer. No generated code, no presets. */
export * from "../complete/on.js";
export * from "../fidelity/off.js";
export * from "../read/shapes/off.js";
