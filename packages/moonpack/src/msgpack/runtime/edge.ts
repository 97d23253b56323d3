/** The defaults in edge workers and unknown runtimes: the complete reader and writer, without generated code and presets. */
export * from "../complete/on.js";
export * from "../fidelity/off.js";
export * from "../read/shapes/off.js";
