/** Reads and writes the file with an agent's token: one line, mode 0600. */

import { readFile, writeFile } from 'node:fs/promises';
import { readIfThere } from '@fleet/client/private-file.ts';
import { type AgentToken, formatToken, parseToken } from '@fleet/tunnel/token.ts';
import { HintedError } from '../errors.ts';

/** Throws without quoting what is in it. */
export async function readTokenFile(path: string): Promise<AgentToken> {
  const text = await readFile(path, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    throw new Error(cause.code === 'ENOENT' ? `the token file ${path} does not exist` : cause.message, { cause });
  });
  return parseFile(path, text);
}

export async function readTokenFileIfThere(path: string): Promise<AgentToken | undefined> {
  const text = await readIfThere(path);
  return text === undefined ? undefined : parseFile(path, text);
}

function parseFile(path: string, text: string): AgentToken {
  try {
    return parseToken(text);
  } catch (cause) {
    throw new HintedError(
      `${path} holds no agent token`,
      'Name the file that "fleet join --agent" or "fleet agent token rotate" wrote',
      { cause },
    );
  }
}

/** Never over something else: what is there may be a token that is in use, or a link to a file of others. */
export async function writeTokenFile(path: string, token: AgentToken): Promise<void> {
  await writeFile(path, `${formatToken(token)}\n`, { mode: 0o600, flag: 'wx' }).catch(
    (cause: NodeJS.ErrnoException) => {
      if (cause.code !== 'EEXIST') throw cause;
      throw new HintedError(`${path} is there already`, 'Name another file, or remove it', { cause });
    },
  );
}
