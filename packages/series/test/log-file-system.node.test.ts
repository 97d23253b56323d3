/** The log's requirements of a file system, for Node's file system and the one of the tests. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { type LogFileSystem, nodeFileSystem } from "../src/log/file-system.ts";
import { FailingFileSystem } from "./harness/failing-file-system.ts";
import { ForgetfulFileSystem } from "./harness/forgetful-file-system.ts";

const root = mkdtempSync(join(tmpdir(), "moonpack-log-"));
afterAll(() => rmSync(root, { recursive: true }));

const bytes = (...list: number[]) => Uint8Array.from(list);

describe.each<[string, LogFileSystem]>([
  ["of the machine", nodeFileSystem()],
  ["in memory", new ForgetfulFileSystem()],
  ["in memory, by way of one that may fail", new FailingFileSystem(new ForgetfulFileSystem())],
])("the file system %s", (name, fileSystem) => {
  const folder = join(root, name.replaceAll(" ", "-"), "a", "b");
  const path = join(folder, "file");

  test("opens, writes at positions, cuts off, lists and deletes", async () => {
    expect(await fileSystem.list(folder)).toEqual([]);
    await expect(fileSystem.open(path)).rejects.toMatchObject({ code: "ENOENT" });
    await fileSystem.makeFolder(folder);
    await fileSystem.makeFolder(folder);
    const file = await fileSystem.open(path);
    await file.write(bytes(1, 2, 3, 4), 0);
    await file.write(bytes(5), 6);
    await file.write(bytes(6, 7), 1);
    await file.datasync();
    expect([...(await fileSystem.read(path))]).toEqual([1, 6, 7, 4, 0, 0, 5]);
    expect(await fileSystem.size(path)).toBe(7);
    await file.truncate(2);
    await file.truncate(4);
    await file.close();
    await fileSystem.syncFolder(folder);
    const again = await fileSystem.open(path);
    await again.write(bytes(9), 3);
    await again.close();
    const read = await fileSystem.read(path);
    expect([...read]).toEqual([1, 6, 0, 9]);
    expect(Buffer.isBuffer(read)).toBe(false);
    expect(await fileSystem.list(folder)).toEqual(["file"]);
    await fileSystem.unlink(path);
    await fileSystem.unlink(path);
    expect(await fileSystem.list(folder)).toEqual([]);
    await expect(fileSystem.read(path)).rejects.toMatchObject({ code: "ENOENT" });
    await expect(fileSystem.size(path)).rejects.toMatchObject({ code: "ENOENT" });
  });
});

test("the file system of the machine makes folders below a path that does not exist, and only lists folders", async () => {
  const fileSystem = nodeFileSystem();
  const folder = join(root, "x", "y", "z");
  await fileSystem.makeFolder(folder);
  const file = await fileSystem.open(join(folder, "file"));
  await file.close();
  await expect(fileSystem.list(join(folder, "file"))).rejects.toMatchObject({ code: "ENOTDIR" });
});

describe("the file system that forgets", () => {
  const folder = "/store/log";
  const path = `${folder}/file`;

  async function opened(): Promise<[ForgetfulFileSystem, Awaited<ReturnType<ForgetfulFileSystem["open"]>>]> {
    const fileSystem = new ForgetfulFileSystem();
    await fileSystem.makeFolder(folder);
    return [fileSystem, await fileSystem.open(path)];
  }

  test("keeps what was synced, and names of a folder that was synced", async () => {
    const [fileSystem, file] = await opened();
    await file.write(bytes(1, 2), 0);
    await file.datasync();
    expect(await fileSystem.afterPowerLoss().list(folder)).toEqual([]);
    await fileSystem.syncFolder(folder);
    await file.write(bytes(3, 4), 1);
    await fileSystem.unlink(path);
    const after = fileSystem.afterPowerLoss();
    expect([...(await after.read(path))]).toEqual([1, 2]);
    expect(await fileSystem.afterPowerLoss(() => 0).list(folder)).toEqual([]);
    expect(await fileSystem.afterKill().list(folder)).toEqual([]);
    // A kill does not make things durable.
    expect([...(await fileSystem.afterKill().afterPowerLoss().read(path))]).toEqual([1, 2]);
  });

  test("by chance keeps any sectors that were not synced", async () => {
    const [fileSystem, file] = await opened();
    await fileSystem.syncFolder(folder);
    await file.write(new Uint8Array(2048).fill(7), 0);
    const chances = [0.9, 0.1, 0.9, 0.1];
    const after = await fileSystem.afterPowerLoss(() => chances.shift()!).read(path);
    const sectors = [0, 512, 1024, 1536].map((at) => after[at]);
    expect(after.length).toBe(2048);
    expect(sectors).toEqual([0, 7, 0, 7]);
    expect([...(await fileSystem.afterKill().read(path))]).toEqual(new Array(2048).fill(7));
  });

  test("after a failed sync only what is written again comes to the medium", async () => {
    const [fileSystem, file] = await opened();
    await fileSystem.syncFolder(folder);
    await file.write(new Uint8Array(1024).fill(7), 0);
    fileSystem.forget(path);
    await file.datasync();
    expect([...(await fileSystem.read(path))]).toEqual(new Array(1024).fill(7));
    expect([...(await fileSystem.afterPowerLoss().read(path))]).toEqual(new Array(1024).fill(0));
    await file.write(new Uint8Array(512).fill(7), 512);
    await file.datasync();
    const half = [...new Array(512).fill(0), ...new Array(512).fill(7)];
    expect([...(await fileSystem.afterPowerLoss().read(path))]).toEqual(half);
  });

  test("a cut that was synced does not bring old bytes back", async () => {
    const [fileSystem, file] = await opened();
    await fileSystem.syncFolder(folder);
    await file.write(bytes(1, 2, 3), 0);
    await file.datasync();
    await file.truncate(1);
    expect([...(await fileSystem.afterPowerLoss().read(path))]).toEqual([1, 2, 3]);
    await file.datasync();
    await file.truncate(3);
    await file.datasync();
    expect([...(await fileSystem.afterPowerLoss().read(path))]).toEqual([1, 0, 0]);
  });
});

test("the file system that fails has limited space, and writes what fits", async () => {
  const fileSystem = new FailingFileSystem(new ForgetfulFileSystem());
  await fileSystem.makeFolder("/log");
  fileSystem.space = 3;
  const file = await fileSystem.open("/log/file");
  await expect(file.write(bytes(1, 2, 3, 4), 0)).rejects.toMatchObject({ code: "ENOSPC" });
  expect([...(await fileSystem.read("/log/file"))]).toEqual([1, 2, 3]);
  await file.write(bytes(9), 1);
  await file.truncate(1);
  await file.write(bytes(8, 8), 1);
  fileSystem.failing.set("write", "EIO");
  await expect(file.write(bytes(1), 0)).rejects.toMatchObject({ code: "EIO" });
  fileSystem.failing.clear();
  await fileSystem.unlink("/log/file");
  expect(fileSystem.space).toBe(3);
  expect(fileSystem.journal.at(-2)).toBe("write file 0..1");
});
