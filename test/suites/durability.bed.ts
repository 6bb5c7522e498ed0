/** CP-7: an acknowledged write is on disk. The store in a real process, killed, traced, and on a disk that is full. */

import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openLocal } from '@fleet/apiserver/store/open-local.ts';
import type { Mutant } from '@fleet/bed/mutant.ts';
import { describe, expect, onTestFinished, test } from 'vitest';
import { smallest, writeSteadily } from './durability/steady-writes.ts';
import { readTrace, syncedBeforeAnswer } from './durability/trace.ts';
import { valueFor } from './durability/value.ts';
import { WritingProcess } from './durability/writing-process.ts';

const newDirectory = (): string => {
  const directory = mkdtempSync(join(tmpdir(), 'fleet-durability-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
};

/** What was answered and is not there, or is there otherwise than it was answered. */
async function lostOf(directory: string, answers: ReadonlyMap<string, string>): Promise<string[]> {
  await using store = openLocal({ directory, encryptedPrefixes: [] });
  const there = new Map((await store.range({ prefix: '' })).entries.map((entry) => [entry.key, entry]));
  return [...answers].flatMap(([key, revision]) => {
    const entry = there.get(key);
    const same = entry && `${entry.revision}` === revision && Buffer.from(entry.value).toString() === valueFor(key);
    return same ? [] : [key];
  });
}

/** How often a process is killed. */
const kills = Number(process.env['DURABILITY_KILLS'] ?? 6);

async function killUnderLoad(directory: string, round: number, mutant?: Mutant): Promise<WritingProcess> {
  const writer = new WritingProcess({ directory, mutant });
  await writer.opened();
  // Never at the same moment of the store's own work.
  await writer.write(`round${round}`, { answers: 150 + 70 * (round % 6) + round, underWay: 40 });
  await writer.kill();
  return writer;
}

describe('CP-7: kill -9 under load', () => {
  test('loses nothing that was answered, however often', { timeout: 60_000 + kills * 10_000 }, async () => {
    const directory = newDirectory();
    const answers = new Map<string, string>();
    const sent = new Set<string>();
    for (let round = 0; round < kills; round += 1) {
      const writer = await killUnderLoad(directory, round);
      for (const [key, revision] of writer.answers) answers.set(key, revision);
      for (const key of writer.sent) sent.add(key);
      expect(await lostOf(directory, answers)).toEqual([]);
    }
    await using store = openLocal({ directory, encryptedPrefixes: [] });
    const { entries } = await store.range({ prefix: '' });
    expect(entries.filter(({ key }) => !sent.has(key))).toEqual([]);
    expect(entries.length).toBeGreaterThanOrEqual(answers.size);
    expect(answers.size).toBeGreaterThan(1_000);
  });

  test('a store that answers before it has written is noticed', async () => {
    const directory = newDirectory();
    const writer = await killUnderLoad(directory, 0, {
      file: 'apiserver/src/store/local-store.ts',
      from: 'return settle.promise;',
      to: 'return { done: true, revision: 0 };',
    });
    expect(await lostOf(directory, writer.answers)).not.toEqual([]);
  });
});

/** Of history. */
const mebibytes = Number(process.env['STORE_SIZE_HISTORY'] ?? 16);
/** Bytes of one object: large ones fill a history in seconds that is larger than what a file keeps in any case. */
const size = Number(process.env['STORE_SIZE_OBJECT'] ?? 8_192);

describe('CP-1: a thousand writes a second', () => {
  test('leave a file that has a bound, over five compactions', {
    timeout: 60_000 + mebibytes * (10_240_000 / size),
  }, async () => {
    const seen = await writeSteadily({ directory: newDirectory(), rate: 1_000, compactions: 5, mebibytes, size });
    console.log(`a thousand writes a second: ${JSON.stringify(seen)}`);
    expect(seen.compactions).toBe(5);
    // What is used, as much again that is free at the most, what sweeping has not come to, and a write-ahead log.
    expect(seen.largestMebibytes).toBeLessThan(2 * mebibytes + 16);
    expect(seen.mebibytesAfter).toBeLessThan(smallest);
  });
});

describe('CP-7: system calls', () => {
  async function traced(mutant?: Mutant): Promise<{ answered: string[]; unsynced: string[] }> {
    if (spawnSync('strace', ['-V']).status !== 0) throw new Error('strace is needed: apt-get install strace');
    const directory = newDirectory();
    const trace = join(directory, 'trace');
    const calls = 'trace=read,write,writev,pwrite64,fsync,fdatasync';
    const under = ['strace', '-f', '-y', '-ttt', '-s', '16384', '-e', calls, '-o', trace];
    const writer = new WritingProcess({ directory: join(directory, 'data'), mutant, under });
    await writer.opened();
    await writer.write('traced', { answers: 120, underWay: 7 });
    await writer[Symbol.asyncDispose]();
    const seen = readTrace(readFileSync(trace, 'latin1'));
    const answered = [...writer.answers.keys()];
    return { answered, unsynced: answered.filter((key) => !syncedBeforeAnswer(seen, key)) };
  }

  test('every answer comes after the log was synced that holds the write', async () => {
    const { answered, unsynced } = await traced();
    expect(answered.length).toBeGreaterThanOrEqual(120);
    expect(unsynced).toEqual([]);
  });

  test('without syncing, each is noticed', async () => {
    const { answered, unsynced } = await traced({
      file: 'apiserver/src/store/sqlite/open-database.ts',
      from: 'PRAGMA synchronous = FULL;',
      to: 'PRAGMA synchronous = OFF;',
    });
    expect(unsynced).toEqual(answered);
  });
});

describe('a disk that is full', () => {
  test('is reported with a clear message, and all that was answered can be read, also by the next process', async () => {
    const directory = newDirectory();
    const place = join(directory, 'small');
    mkdirSync(place);
    // A disk of its own, for the writer alone. What it leaves is copied out for the next.
    const onSmallDisk = `mount -t tmpfs -o size=1m small ${place} && "$@"; cp -r ${place} ${directory}/left`;
    const under = ['unshare', '--map-root-user', '--mount', 'sh', '-c', onSmallDisk, 'sh'];
    const writer = new WritingProcess({ directory: place, under });
    await writer.opened();
    await writer.write('full', { answers: 1_500, underWay: 20 });
    await writer[Symbol.asyncDispose]();
    const done = new Map([...writer.answers].filter(([, answer]) => /^\d+$/.test(answer)));
    const refused = [...writer.answers.values()].filter((answer) => !/^\d+$/.test(answer));
    expect(done.size).toBeGreaterThan(100);
    expect(refused.length).toBeGreaterThan(100);
    expect(new Set(refused.map((answer) => answer.split(';')[0]))).toEqual(
      new Set(['no space left on the disk of the data directory']),
    );
    expect(Math.max(...refused.map((answer) => Number(/(\d+) can be read/.exec(answer)?.[1])))).toBe(done.size);
    expect(await lostOf(join(directory, 'left'), done)).toEqual([]);
  });
});
