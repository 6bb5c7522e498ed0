/** A process that writes what it is sent: each line on stdin is a key, and is answered with the key and its revision. */

import { createInterface } from 'node:readline';
import { WorkerStore } from '@fleet/apiserver/store/worker/worker-store.ts';
import { valueFor } from './value.ts';

const [, , directory] = process.argv;
if (!directory) throw new Error('usage: writer.ts DIRECTORY');

const store = await WorkerStore.open({ directory, encryptedPrefixes: [] });
process.stdout.write('open\n');

const answer = async (key: string): Promise<void> => {
  const value = Buffer.from(valueFor(key));
  try {
    const outcome = await store.write({ op: 'create', key, value });
    process.stdout.write(`${key} ${outcome.done ? outcome.revision : 'taken'}\n`);
  } catch (error) {
    const read = await store.range({ prefix: '' });
    process.stdout.write(`${key} ${(error as Error).message}; ${read.entries.length} can be read\n`);
  }
};

const answers: Promise<void>[] = [];
for await (const key of createInterface(process.stdin)) answers.push(answer(key));
await Promise.all(answers);
await store[Symbol.asyncDispose]();
