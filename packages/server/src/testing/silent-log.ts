/** A log that keeps its lines for the test instead of printing them. */

import { Writable } from 'node:stream';
import { type Logger, pino } from 'pino';
import { logOptions } from '../observe/log.ts';

export function silentLog(): { log: Logger; lines: { level: string; msg: string }[] } {
  const lines: { level: string; msg: string }[] = [];
  const stream = new Writable({
    write(chunk, _, done) {
      lines.push(JSON.parse(String(chunk)));
      done();
    },
  });
  return { log: pino({ ...logOptions, level: 'debug' }, stream), lines };
}
