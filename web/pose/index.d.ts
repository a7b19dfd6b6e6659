export * from "./sinew-pose.js";

/**
 * Loads the program, once. Without an argument, from the file beside this module; otherwise from an address, a response, bytes
 * or a compiled module.
 */
export default function init(source?: RequestInfo | URL | Response | BufferSource | WebAssembly.Module): Promise<void>;
