import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import type { Writable } from 'node:stream';
import type { WatchdogOrder } from './watchdog.ts';

let watchdog: ChildProcess | undefined;

/** From now on the member's processes and folder do not outlive this process. */
export function watchRun(run: string, folder: string): void {
  send({ watch: run, folder });
}

export function releaseRun(run: string): void {
  send({ release: run });
}

function send(order: WatchdogOrder): void {
  watchdog ??= startWatchdog();
  (watchdog.stdin as Writable).write(`${JSON.stringify(order)}\n`);
}

function startWatchdog(): ChildProcess {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'watchdog.ts')], {
    // a session of its own: Ctrl-C must not reach it
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
    env: { ...process.env, NODE_OPTIONS: '' },
  });
  child.unref();
  (child.stdin as unknown as { unref(): void }).unref();
  return child;
}
