// node testing/conformance/src/build.mjs: builds Google's conformance runner into the user's cache folder, if it is
// missing. It takes a minute on two cores.
import { existsSync } from "node:fs";
import { copyFile, mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { run } from "./command.mjs";
import { ensureTools, fetchSource } from "./debian.mjs";
import { findRunner, runnerPlace, VERSION } from "./runner.mjs";

/** The source files; the slowest to compile come first. */
const SUITE = [
  "binary_json_conformance_suite",
  "text_format_conformance_suite",
  "conformance_test",
  "conformance_test_runner",
  "conformance_test_main",
];
const MESSAGES = ["test_messages_proto2", "test_messages_proto3"];
const WELL_KNOWN = ["any", "duration", "field_mask", "struct", "timestamp", "wrappers"];

/** Returns the runner's place and builds it first if necessary. Throws an error that names what is missing. */
export async function ensureRunner() {
  const found = await findRunner();
  if (found !== undefined) return found;
  const begun = performance.now();
  const work = await mkdtemp(join(tmpdir(), "moonpack-conformance-"));
  try {
    await ensureTools();
    console.error("conformance runner: downloading its source");
    const source = await fetchSource("protobuf", VERSION, work);
    console.error("conformance runner: compiling it, which takes a minute");
    const built = await compile(source, work);
    await keep(source, built);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
  console.error(`conformance runner: done in ${((performance.now() - begun) / 1000).toFixed(0)} s`);
  return findRunner();
}

async function compile(source, work) {
  const suite = join(source, "conformance");
  const json = join(suite, "third_party/jsoncpp");
  const generated = join(work, "generated");
  const extra = join(work, "extra");
  const objects = join(work, "objects");
  for (const folder of [generated, extra, objects]) await mkdir(folder);
  await run("protoc", ["-I", suite, "--cpp_out", generated, "conformance.proto"]);
  const messages = MESSAGES.map((name) => `google/protobuf/${name}.proto`);
  await run("protoc", ["-I", join(source, "src"), "--cpp_out", generated, ...messages]);
  await addMissingHeader(source, extra);

  const files = [
    ...SUITE.map((name) => join(suite, `${name}.cc`)),
    ...MESSAGES.map((name) => join(generated, `google/protobuf/${name}.pb.cc`)),
    join(generated, "conformance.pb.cc"),
    join(json, "jsoncpp.cpp"),
  ];
  const includes = [generated, extra, suite, json, source].flatMap((folder) => ["-I", folder]);
  const objectOf = (file) => join(objects, `${basename(file)}.o`);
  const rest = files.values();
  const lane = async () => {
    for (const file of rest) {
      await run("g++", ["-c", file, "-o", objectOf(file), "-std=c++17", "-O1", "-w", ...includes]);
    }
  };
  await Promise.all([lane(), lane()]); // more than two need too much memory for a small machine
  const built = join(work, "runner");
  await run("g++", [...files.map(objectOf), "-o", built, "-l:libprotobuf.a", "-lz", "-lpthread"]);
  return built;
}

/** A file that the runner includes, but the library's package does not contain. */
async function addMissingHeader(source, extra) {
  const stubs = "google/protobuf/stubs";
  if (existsSync(`/usr/include/${stubs}/stringprintf.h`)) return;
  await mkdir(join(extra, stubs), { recursive: true });
  await copyFile(join(source, "src", stubs, "stringprintf.h"), join(extra, stubs, "stringprintf.h"));
}

/** Installs the .proto files, then the runner. The runner comes last, so that it exists only when everything does. */
async function keep(source, built) {
  const { folder, executable, protos } = await runnerPlace();
  await mkdir(join(protos, "google/protobuf"), { recursive: true });
  await copyFile(join(source, "conformance/conformance.proto"), join(protos, "conformance.proto"));
  for (const name of [...MESSAGES, ...WELL_KNOWN]) {
    const path = `google/protobuf/${name}.proto`;
    await copyFile(join(source, "src", path), join(protos, path));
  }
  // Copying may be interrupted, and renaming does not work across file systems.
  const arriving = join(folder, `arriving-${process.pid}`);
  await copyFile(built, arriving);
  await rename(arriving, executable);
}
