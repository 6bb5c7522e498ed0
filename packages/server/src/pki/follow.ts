/** What others keep and may change while the server runs: certificates, token files, the control plane's client CA. */

import { readFile } from 'node:fs/promises';
import type { Logger } from 'pino';

export interface Followed<T> extends Disposable {
  /** As last read, if it could be understood. */
  readonly value: T;
}

export interface FollowOptions<T> {
  /** For the log. */
  what: string;
  read(): Promise<string[]>;
  /** Throws if it makes no sense: a pair of which one file is not written yet, say. */
  understand(texts: string[]): T;
  /** Looked at again after so many milliseconds: mounted Secrets change by links that no watch tells of. */
  every: number;
  onChange?: (value: T) => void;
  log: Logger;
}

/** The first reading must succeed; a later one that fails leaves what was read before in use. */
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
        log.info({ what }, 'changed, and read again');
        if (!ended) onChange?.(value);
      }
      complaint = undefined;
    } catch (error) {
      const { message } = error as Error;
      if (message !== complaint)
        log.warn({ what, err: error }, 'cannot be read again: what was read before stays in use');
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
