/** The log: one JSON line per entry, or readable lines on a terminal. */

import { type Logger, pino } from 'pino';

export type { Logger };

/** Written to stderr, so that stdout stays for what a command prints. */
export function createLog(level: string): Logger {
  const destination = process.stderr.isTTY ? readable() : pino.destination({ fd: 2, sync: false });
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, destination);
}

const levels: Record<number, string> = { 20: 'DEBUG', 30: 'INFO ', 40: 'WARN ', 50: 'ERROR' };

function readable() {
  return {
    write(line: string) {
      const { level, time, msg, err, ...rest } = JSON.parse(line) as Record<string, unknown> & { level: number };
      const details = Object.entries(rest).map(([key, value]) => ` ${key}=${JSON.stringify(value)}`);
      const cause = err ? ` (${(err as { message?: string }).message})` : '';
      process.stderr.write(
        `${String(time).slice(11, 19)} ${levels[level] ?? level} ${msg}${cause}${details.join('')}\n`,
      );
    },
  };
}
