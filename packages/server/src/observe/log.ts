/** The log: one JSON line per entry, or readable lines on a terminal. */

import { type Logger, pino } from 'pino';

export type { Logger };

/** In characters. */
const longest = 8 * 1024;

const cut = (text: string): string =>
  text.length > longest ? `${text.slice(0, longest)}… (${text.length} characters)` : text;

/** Errors quote members' answers, which may be megabytes, in their message, stack and details (SEC-2). */
function loggedError(error: unknown): unknown {
  const logged: unknown = error instanceof Error ? pino.stdSerializers.err(error) : error;
  if (typeof logged !== 'object' || logged === null) return typeof logged === 'string' ? cut(logged) : logged;
  const entries = Object.entries(logged).filter(([, value]) => typeof value !== 'object');
  return Object.fromEntries(entries.map(([key, value]) => [key, typeof value === 'string' ? cut(value) : value]));
}

export const logOptions = {
  base: null,
  serializers: { err: loggedError },
  // `"level":"warn"`, which people and log stores read, instead of pino's 40.
  formatters: { level: (level: string) => ({ level }) },
};

/** Writes to stderr, so that stdout has only what a command prints. */
export function createLog(level: string): Logger {
  const destination = process.stderr.isTTY ? readable() : pino.destination({ fd: 2, sync: false });
  return pino({ ...logOptions, level, timestamp: pino.stdTimeFunctions.isoTime }, destination);
}

function readable() {
  return {
    write(line: string) {
      const { level, time, msg, err, ...rest } = JSON.parse(line) as Record<string, unknown> & { level: string };
      const details = Object.entries(rest).map(([key, value]) => ` ${key}=${JSON.stringify(value)}`);
      const cause = err ? ` (${(err as { message?: string }).message})` : '';
      process.stderr.write(
        `${String(time).slice(11, 19)} ${level.toUpperCase().padEnd(5)} ${msg}${cause}${details.join('')}\n`,
      );
    },
  };
}
