/** A bare HTTPS server of Node that answers the same bytes to everything: what TLS, HTTP and the kernel take at least. */

import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { answerParent } from '../scale/child-process.ts';

export interface PlainServerAsk {
  cert: string;
  key: string;
  ca: string;
  body: string;
}

const commands = {
  /** Returns its port. */
  async start({ cert, key, ca, body }: PlainServerAsk): Promise<number> {
    const bytes = Buffer.from(body);
    const headers = { 'content-type': 'application/json', 'content-length': bytes.length };
    const server = createServer({ cert, key, ca, requestCert: true, rejectUnauthorized: false }, (_, response) => {
      response.writeHead(200, headers).end(bytes);
    });
    const listening = Promise.withResolvers<void>();
    server.listen(0, '127.0.0.1', () => listening.resolve());
    await listening.promise;
    return (server.address() as AddressInfo).port;
  },
};

export type PlainServerCommands = typeof commands;

if (process.send && import.meta.main) answerParent(commands);
