/** The listener on a real port with a certificate of its own, and clients that trust it. */

import type { ClientRequest } from 'node:http';
import { type ClientHttp2Session, connect as connectH2, type SecureClientSessionOptions } from 'node:http2';
import { Agent, type RequestOptions, request } from 'node:https';
import { createCa, issueServing, type KeyPair } from '@fleet/apiserver/pki/certificates.ts';
import { type Listener, type ListenerOptions, listen } from '../http/listener.ts';
import type { Handler } from '../http/message.ts';

export interface Listening extends AsyncDisposable {
  ca: KeyPair;
  listener: Listener;
  errors: unknown[];
  url: string;
  h1(path: string, options?: RequestOptions): ClientRequest;
  h2(options?: SecureClientSessionOptions): ClientHttp2Session;
}

export async function startListening(handler: Handler, more: Partial<ListenerOptions> = {}): Promise<Listening> {
  const ca = await createCa('test-ca');
  const serving = await issueServing(ca, ['localhost', '127.0.0.1']);
  const errors: unknown[] = [];
  const listener = await listen({
    host: '127.0.0.1',
    port: 0,
    ...serving,
    clientCas: [ca.cert],
    handler,
    onError: (error) => errors.push(error),
    ...more,
  });
  const { port } = listener.address;
  const agent = new Agent({ keepAlive: true, ca: ca.cert });
  const sessions = new Set<ClientHttp2Session>();
  return {
    ca,
    listener,
    errors,
    url: `https://127.0.0.1:${port}`,
    h1: (path, options = {}) => request({ host: '127.0.0.1', port, path, agent, ca: ca.cert, ...options }),
    h2(options = {}) {
      const session = connectH2(`https://127.0.0.1:${port}`, { ca: ca.cert, ...options });
      session.on('error', () => {});
      sessions.add(session);
      return session;
    },
    async [Symbol.asyncDispose]() {
      agent.destroy();
      for (const session of sessions) session.destroy();
      await listener.close(0);
    },
  };
}
