/** A member that is no cluster: it answers just as much as the product asks for, or whatever a test has it answer instead. */

import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { Authority } from '@fleet/bed/pki.ts';

/** Answers a request, or leaves it to a member that is well. */
export type Behaviour = (request: IncomingMessage, response: ServerResponse) => boolean;

const json = { 'content-type': 'application/json' };
const pod = { metadata: { name: 'web', namespace: 'default', resourceVersion: '1' } };
const verbs = ['get', 'list', 'watch', 'create', 'delete'];
const pods = { resource: 'pods', responseKind: { kind: 'Pod' }, scope: 'Namespaced', singularResource: 'pod', verbs };
const discovery = (name: string, resources: object[]) => ({
  kind: 'APIGroupDiscoveryList',
  apiVersion: 'apidiscovery.k8s.io/v2',
  items: [{ metadata: { name }, versions: [{ version: 'v1', resources, freshness: 'Current' }] }],
});
const table = {
  kind: 'Table',
  apiVersion: 'meta.k8s.io/v1',
  metadata: { resourceVersion: '1' },
  columnDefinitions: [{ name: 'Name', type: 'string', format: 'name', description: '', priority: 0 }],
  rows: [{ cells: ['web'], object: { kind: 'PartialObjectMetadata', ...pod } }],
};

function wellAnswer({ url = '', method, headers }: IncomingMessage): [code: number, body: object | string] {
  const path = url.split('?')[0]!;
  if (path === '/readyz') return [200, 'ok'];
  if (path === '/version') return [200, { major: '1', minor: '36', gitVersion: 'v1.36.3' }];
  if (path === '/api') return [200, discovery('', [pods])];
  if (path === '/apis') return [200, discovery('apps', [])];
  if (path === '/openapi/v3') return [200, { paths: {} }];
  if (method === 'POST') return [201, { kind: 'Review', status: { allowed: true, reason: 'well' } }];
  if (path.endsWith('/web')) return [200, { kind: 'Pod', apiVersion: 'v1', ...pod }];
  if (!path.endsWith('/pods')) return [404, { kind: 'Status', apiVersion: 'v1', code: 404, reason: 'NotFound' }];
  if (String(headers.accept).includes('as=Table')) return [200, table];
  return [200, { kind: 'PodList', apiVersion: 'v1', metadata: { resourceVersion: '1' }, items: [pod] }];
}

function well(request: IncomingMessage, response: ServerResponse): void {
  if (request.url?.includes('watch=true')) {
    response.writeHead(200, json).flushHeaders();
    return;
  }
  const [code, body] = wellAnswer(request);
  response.writeHead(code, json).end(typeof body === 'string' ? body : JSON.stringify(body));
}

export class FakeMember implements AsyncDisposable {
  readonly name: string;
  behaviour: Behaviour = () => false;
  private readonly server: Server;
  private readonly sockets = new Set<Socket>();

  private constructor(name: string, server: Server) {
    this.name = name;
    this.server = server;
    const answer = (request: IncomingMessage, response: ServerResponse) => {
      response.on('error', () => {});
      if (!this.behaviour(request, response)) well(request, response);
    };
    server.on('request', answer);
    server.on('upgrade', (request: IncomingMessage, socket: Socket) => {
      // Answered as any other: nobody has to change protocols.
      socket.on('error', () => {});
      const lines = this.upgradeAnswer(request);
      if (lines === undefined) socket.destroy();
      else socket.end(lines);
    });
    server.on('secureConnection', (socket) => {
      socket.on('error', () => {});
      this.sockets.add(socket);
      socket.once('close', () => this.sockets.delete(socket));
    });
  }

  /** What a request to change protocols gets; undefined: its connection is closed. */
  upgradeAnswer: (request: IncomingMessage) => string | undefined = () => undefined;

  static async start(name: string, authority: Authority): Promise<FakeMember> {
    const { cert, key } = await authority.issue({ name, ips: ['127.0.0.1'] });
    const member = new FakeMember(name, createServer({ cert, key }));
    member.server.listen(0, '127.0.0.1');
    await once(member.server, 'listening');
    return member;
  }

  get url(): string {
    return `https://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    this.server.close();
    await once(this.server, 'close');
  }
}
