/** The process of a fake member: ends with the one that started it. */

import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { behaviourOf } from './behaviours.ts';
import type { Identity, Order } from './fake-member.ts';

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

function serve({ cert, key }: Identity): void {
  let misbehave = behaviourOf('well');
  let upgradeAnswer: string | undefined;
  const server = createServer({ cert, key });
  server.on('request', (request, response) => {
    response.on('error', () => {});
    if (!misbehave(request, response)) well(request, response);
  });
  server.on('upgrade', (_request: IncomingMessage, socket: Socket) => {
    // Answered as any other: nobody has to change protocols.
    socket.on('error', () => {});
    if (upgradeAnswer === undefined) socket.destroy();
    else socket.end(upgradeAnswer);
  });
  server.on('secureConnection', (socket) => socket.on('error', () => {}));
  server.listen(0, '127.0.0.1', () => {
    process.send?.(`https://127.0.0.1:${(server.address() as AddressInfo).port}`);
  });
  process.on('message', (order: Order) => {
    misbehave = behaviourOf(order.conduct);
    upgradeAnswer = order.upgradeAnswer;
    process.send?.('done');
  });
}

process.once('message', serve);
process.once('disconnect', () => process.exit());
