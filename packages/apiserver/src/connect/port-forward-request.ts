/** `pods/portforward`: over SPDY, over SPDY within a WebSocket, or over the channels of a WebSocket. */

import { badRequest } from '@fleet/kube/status.ts';
import { webSocketTunnel } from '@fleet/kube/websocket/tunnel.ts';
import { quoted } from '../errors/quoted.ts';
import type { ApiReply, ApiRequest } from '../http/message.ts';
import {
  agreeOnOne,
  agreeOnSpdy,
  agreeOnWebSocket,
  carrierOf,
  tunnelledProtocols,
  tunnelPrefix,
  upgraded,
} from './negotiation.ts';
import {
  forwardOverSpdy,
  forwardOverWebSocket,
  type PortForwardOptions,
  portForwardProtocol,
  webSocketPortProtocols,
} from './port-forward.ts';

export function servePortForward(request: ApiRequest, query: URLSearchParams, options: PortForwardOptions): ApiReply {
  if (carrierOf(request) === 'spdy') {
    const agreed = agreeOnSpdy(request, [portForwardProtocol]);
    if ('refused' in agreed) return agreed.refused;
    return upgraded(agreed.headers, (connection) => forwardOverSpdy(connection, options));
  }
  const tunnelled = tunnelledProtocols(request);
  if (tunnelled) {
    const agreed = agreeOnOne(tunnelled, [portForwardProtocol]);
    if ('refused' in agreed) return agreed.refused;
    const { headers } = agreeOnWebSocket(request, [`${tunnelPrefix}${agreed.protocol}`]);
    return upgraded(headers, (connection) => forwardOverSpdy(webSocketTunnel(connection), options));
  }
  const ports = askedPorts(query);
  const { protocol, headers } = agreeOnWebSocket(request, webSocketPortProtocols);
  return upgraded(headers, (connection) => forwardOverWebSocket(connection, protocol, ports, options));
}

/** Channels have numbers of one byte. */
const mostPorts = 100;

function askedPorts(query: URLSearchParams): number[] {
  const ports = query.getAll('ports').flatMap((text) => text.split(',').map(portOf));
  if (ports.length === 0) throw badRequest('query parameter "port" is required');
  if (ports.length > mostPorts) throw badRequest(`more than ${mostPorts} ports`);
  return ports;
}

function portOf(text: string): number {
  if (!/^\d{1,5}$/.test(text) || Number(text) > 0xffff) throw badRequest(`unable to parse ${quoted(text)} as a port`);
  if (Number(text) < 1) throw badRequest(`port ${quoted(text)} must be > 0`);
  return Number(text);
}
