/** A server with a connector and a few pods, on a real port, for upgrade requests. */

import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { text } from 'node:stream/consumers';
import { SpdyClient } from '@fleet/kube/spdy/testing/spdy-client.ts';
import { onTestFinished } from 'vitest';
import { privileged } from '../authn/user.ts';
import { TestConnector } from '../connect/testing/test-connector.ts';
import { listen } from '../http/listener.ts';
import { openServer, type TestServer } from './open-server.ts';

export const podAt = (name: string, containers: readonly string[], spec: object = { nodeName: 'node' }) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name },
  spec: { containers: containers.map((one) => ({ name: one, image: 'i', ports: [{ containerPort: 80 }] })), ...spec },
});

export const podsUrl = '/api/v1/namespaces/default/pods';

/** `one` has a container, `two` has two, `lost` has no node. */
export async function withPods(connector?: TestConnector): Promise<TestServer> {
  const server = await openServer(connector ? { connector } : {});
  for (const pod of [podAt('one', ['app']), podAt('two', ['a', 'b']), podAt('lost', ['app'], {})]) {
    const { status } = await server.ask('POST', podsUrl, pod);
    if (status !== 201) throw new Error(`${pod.metadata.name}: ${status}`);
  }
  return server;
}

export interface Changed {
  status: number;
  headers: IncomingMessage['headers'];
  /** The connection with the new protocol, if the upgrade succeeded. */
  socket: Duplex | undefined;
  body: string;
}

export interface ConnectedServer extends TestServer {
  connector: TestConnector;
  port: number;
  change(url: string, headers: Record<string, string | string[]>, method?: string): Promise<Changed>;
  /** Over SPDY, with the offered protocols. */
  spdy(
    url: string,
    ...protocols: string[]
  ): Promise<{ client: SpdyClient; socket: Duplex; headers: Changed['headers'] }>;
}

export async function connectedServer(): Promise<ConnectedServer> {
  const connector = new TestConnector();
  const server = await withPods(connector);
  const listener = await listen(server.server.handler, { as: privileged('test') });
  onTestFinished(() => listener[Symbol.asyncDispose]());
  const change: ConnectedServer['change'] = async (url, headers, method = 'POST') => {
    const asked = request({ port: listener.port, host: '127.0.0.1', path: url, method, headers, agent: false });
    asked.end();
    const upgraded = (once(asked, 'upgrade') as Promise<[IncomingMessage, Socket, Buffer]>).then(
      ([reply, socket, head]) => {
        onTestFinished(() => void socket.destroy());
        if (head.length > 0) socket.unshift(head);
        return { status: reply.statusCode!, headers: reply.headers, socket, body: '' };
      },
    );
    const answered = (once(asked, 'response') as Promise<[IncomingMessage]>).then(async ([reply]) => ({
      status: reply.statusCode!,
      headers: reply.headers,
      socket: undefined,
      body: await text(reply),
    }));
    return Promise.race([upgraded, answered]);
  };
  return {
    ...server,
    connector,
    port: listener.port,
    change,
    async spdy(url, ...protocols) {
      const { socket, headers, body } = await change(url, { ...spdyHeaders, 'x-stream-protocol-version': protocols });
      if (!socket) throw new Error(body);
      return { client: new SpdyClient(socket), socket, headers };
    },
  };
}

export const spdyHeaders = { connection: 'Upgrade', upgrade: 'SPDY/3.1' };
