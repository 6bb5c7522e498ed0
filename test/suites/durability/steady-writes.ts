/** Writes the same objects over and over at a steady rate, and looks at the size of the files, compactions and slow writes. */

import { statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { ObjectStore } from '@fleet/apiserver/store/object-store.ts';
import { openStore } from '@fleet/apiserver/store/open-store.ts';

interface Steady {
  directory: string;
  /** Writes a second. */
  rate: number;
  /** After so many it ends. */
  compactions: number;
  /** Of history. */
  mebibytes: number;
  /** Bytes of one object. */
  size: number;
}

/** Bytes of all objects together. */
const there = 1 << 20;
/** In mebibytes: what is there, what stays free, and half as much as a write-ahead log grows to. */
export const smallest = 7;
/** Writes begun together. */
const together = 20;

const mebibytesIn = (directory: string): number =>
  ['store.db', 'store.db-wal'].reduce((sum, file) => sum + statSync(join(directory, file)).size, 0) / (1 << 20);

/** The oldest revision that can be read. */
const oldest = (store: ObjectStore): Promise<number> =>
  store.range({ prefix: '/k', revision: 0 }).then(
    () => 0,
    (error: { limit: number }) => error.limit,
  );

export async function writeSteadily({ directory, rate, compactions, mebibytes, size }: Steady) {
  await using store = await openStore({ directory, encryptedPrefixes: [], historyLimit: mebibytes << 20 });
  const value = new Uint8Array(size).fill(7);
  const keys = there / size;
  const revisions: number[] = [];
  const millis: number[] = [];
  const compacted = new Set([0]);
  let largest = 0;
  const write = async (index: number): Promise<void> => {
    const [key, ifRevision] = [`/k${index}`, revisions[index]];
    const begun = performance.now();
    const outcome = await store.write(
      ifRevision === undefined ? { op: 'create', key, value } : { op: 'update', key, value, ifRevision },
    );
    millis.push(performance.now() - begun);
    if (!outcome.done) throw new Error(`${key} was written by somebody else`);
    revisions[index] = outcome.revision;
  };
  const begun = performance.now();
  // Files that grow without bound have shown it by then.
  const isBounded = () => largest < 4 * mebibytes + smallest;
  for (let done = 0; compacted.size <= compactions && isBounded(); done += together) {
    await Promise.all(Array.from({ length: together }, (_, index) => write((done + index) % keys)));
    if (done % (rate / 5) === 0) {
      compacted.add(await oldest(store));
      largest = Math.max(largest, mebibytesIn(directory));
    }
    await pause(Math.max(0, (done * 1_000) / rate - (performance.now() - begun)));
  }
  const perSecond = Math.round((millis.length * 1_000) / (performance.now() - begun));
  await store.compact(await store.revision());
  const mebibytesAfter = await below(smallest, () => mebibytesIn(directory));
  millis.sort((left, right) => left - right);
  const quantile = (share: number): number => Math.round(millis[Math.floor(share * (millis.length - 1))]! * 10) / 10;
  return {
    writes: millis.length,
    perSecond,
    compactions: compacted.size - 1,
    largestMebibytes: Math.round(largest),
    mebibytesAfter: Math.round(mebibytesAfter * 10) / 10,
    slowest: { median: quantile(0.5), p99: quantile(0.99), most: quantile(1) },
  };
}

/** What it is once it is below a bound, or after a minute. */
async function below(bound: number, read: () => number): Promise<number> {
  for (let tries = 0; tries < 200 && read() >= bound; tries += 1) await pause(300);
  return read();
}
