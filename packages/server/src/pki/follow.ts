/** Follows files and objects that change while the server runs: certificates, token files, the control plane's client CA. */

import { readFile } from 'node:fs/promises';
import type { Logger } from 'pino';

export interface Followed<T> extends Disposable {
  /** The last valid value. */
  readonly value: T;
}

export interface FollowOptions<T> {
  /** A name for the log. */
  what: string;
  read(): Promise<string[]>;
  /** Throws if the content is invalid, as while only one file of a pair was replaced. */
  understand(texts: string[]): T;
  /** In milliseconds: the polling interval. Mounted Secrets change by symlinks, which file watches do not report. */
  every: number;
  onChange?: (value: T) => void;
  log: Logger;
}

/** The first reading must succeed. If a later one fails, the last value stays in use. */
export async function follow<T>({
  what,
  read,
  understand,
  every,
  onChange,
  log,
}: FollowOptions<T>): Promise<Followed<T>> {
  let texts = await read();
  let value = understand(texts);
  let complaint: string | undefined;
  let timer: NodeJS.Timeout;
  let ended = false;
  const look = async () => {
    try {
      const now = await read();
      if (now.join('\0') !== texts.join('\0')) {
        value = understand(now);
        texts = now;
        log.info({ what }, 'a change was read');
        if (!ended) onChange?.(value);
      }
      complaint = undefined;
    } catch (error) {
      const { message } = error as Error;
      if (message !== complaint) log.warn({ what, err: error }, 'reading it again failed: the last value stays in use');
      complaint = message;
    }
    if (!ended) next();
  };
  const next = () => {
    timer = setTimeout(look, every).unref();
  };
  next();
  return {
    get value() {
      return value;
    },
    [Symbol.dispose]() {
      ended = true;
      clearTimeout(timer);
    },
  };
}

export const readFiles = (paths: readonly string[]) => (): Promise<string[]> =>
  Promise.all(paths.map((path) => readFile(path, 'utf8')));
