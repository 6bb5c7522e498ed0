/** The connect verb: kube-apiserver's checks before it contacts a node, and the protocols. The connector does the work of nodes. */

import { badRequest, methodNotAllowed, noSuchResource, StatusError } from '@fleet/kube/status.ts';
import type { ApiReply } from '../http/message.ts';
import type { Call, Resource } from '../http/verb.ts';
import type { KubeObject } from '../registry/kube-object.ts';
import { decodeObject } from '../registry/stored-object.ts';
import type { Connector } from './connector.ts';
import { readLogOptions } from './log-options.ts';
import { logOverWebSocket, logProtocols } from './log-stream.ts';
import { agreeOnWebSocket, isWebSocket, upgraded } from './negotiation.ts';
import { chosenContainer, hasNode, refuseWithoutNode } from './pod-checks.ts';
import { readPorts, servePortForward } from './port-forward-request.ts';
import { pathBelowProxy, proxyMethods, proxyPort, slashRedirect, splitName } from './proxy-request.ts';
import { serveCommand } from './remote-command.ts';

export interface ConnectOptions {
  connector: Connector | undefined;
  /** Throws 403 if the caller is not allowed another verb on the same resource. */
  authorize(call: Call, verb: string): Promise<void>;
  /** Receives errors whose text is not sent to clients. */
  onInternalError(error: unknown): void;
}

export type Connect = (resource: Resource, call: Call) => Promise<ApiReply>;

const methods: ReadonlyMap<string, readonly string[]> = new Map([
  ['log', ['GET']],
  ['exec', ['GET', 'POST']],
  ['attach', ['GET', 'POST']],
  ['portforward', ['GET', 'POST']],
  ['proxy', proxyMethods],
]);

export const createConnect =
  (options: ConnectOptions): Connect =>
  async (resource, call) => {
    const { verb, namespace, name, subresource, rest } = call.ask;
    const hasPlace = name !== undefined && resource.printed.namespaced === (namespace !== undefined);
    if (!hasPlace || verb === 'watch' || (rest.length > 0 && subresource !== 'proxy')) throw noSuchResource();
    if (!methods.get(subresource!)!.includes(call.request.method)) {
      throw methodNotAllowed('the server does not allow this method on the requested resource');
    }
    if (subresource !== 'log' && call.query.has('dryRun')) throw badRequest('dryRun is not supported');
    switch (subresource) {
      case 'log':
        return serveLog(resource, call, options);
      case 'proxy':
        return serveProxy(resource, call, options);
      default:
        // Read permission must not be enough to run anything, though browsers open WebSockets with GET.
        if (verb !== 'create') await options.authorize(call, 'create');
        return (subresource === 'portforward' ? servePorts : serveSession)(resource, call, options);
    }
  };

function connectorOf({ connector }: ConnectOptions): Connector {
  if (!connector) throw new StatusError(501, 'NotImplemented', 'this server runs no pods', {});
  return connector;
}

const objectOf = async ({ registry }: Resource, name: string, { ask }: Call): Promise<KubeObject> =>
  decodeObject(await registry.get(name, { namespace: ask.namespace }));

async function serveLog(resource: Resource, call: Call, options: ConnectOptions): Promise<ApiReply> {
  const { request, query, ask } = call;
  const asked = readLogOptions(query, ask.name!);
  const pod = await objectOf(resource, ask.name!, call);
  const container = chosenContainer(pod, asked.container);
  const connector = connectorOf(options);
  if (!hasNode(pod)) return { status: 204, headers: {}, body: Buffer.alloc(0) };
  const agreed = isWebSocket(request) ? agreeOnWebSocket(request, logProtocols) : undefined;
  const body = await connector.log(pod, { ...asked, container }, request.signal);
  if (agreed) return upgraded(agreed.headers, (connection) => logOverWebSocket(connection, agreed.protocol, body));
  return { status: 200, headers: { 'content-type': 'text/plain' }, body, isPassed: true };
}

async function serveProxy(resource: Resource, call: Call, options: ConnectOptions): Promise<ApiReply> {
  const { request, ask } = call;
  const named = splitName(ask.name!, resource.printed.singular);
  const object = await objectOf(resource, named.name, call);
  const port = proxyPort(object, named);
  const connector = connectorOf(options);
  const path = pathBelowProxy(request);
  const redirect = slashRedirect(request, path);
  if (redirect) return redirect;
  const target = { object, scheme: named.scheme, port, path: path.startsWith('/') ? path : `/${path}` };
  return { ...(await connector.proxy(target, request)), isPassed: true };
}

async function servePorts(resource: Resource, call: Call, options: ConnectOptions): Promise<ApiReply> {
  const { request, query, ask } = call;
  const ports = readPorts(query);
  const pod = await objectOf(resource, ask.name!, call);
  refuseWithoutNode(pod);
  const connector = connectorOf(options);
  const { name = '', uid = '' } = pod.metadata;
  return servePortForward(request, ports, {
    forward: (port, stream) => connector.portForward(pod, port, stream),
    pod: { name, uid },
    onInternalError: options.onInternalError,
  });
}

async function serveSession(resource: Resource, call: Call, options: ConnectOptions): Promise<ApiReply> {
  const { request, query, ask } = call;
  const pod = await objectOf(resource, ask.name!, call);
  const container = chosenContainer(pod, query.get('container') ?? '');
  refuseWithoutNode(pod);
  const connector = connectorOf(options);
  const verb = ask.subresource as 'exec' | 'attach';
  return serveCommand(request, {
    verb,
    container,
    query,
    run: (session) => connector[verb](pod, session),
    onInternalError: options.onInternalError,
  });
}
