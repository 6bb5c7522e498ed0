/** Serves `pods/portforward`: over SPDY, over SPDY within a WebSocket, or over the channels of a WebSocket. */

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

export function servePortForward(request: ApiRequest, ports: readonly number[], options: PortForwardOptions): ApiReply {
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
  refusePorts(ports);
  const { protocol, headers } = agreeOnWebSocket(request, webSocketPortProtocols);
  return upgraded(headers, (connection) => forwardOverWebSocket(connection, protocol, ports, options));
}

/** PodPortForwardOptions in a query. */
export const readPorts = (query: URLSearchParams): number[] =>
  query.getAll('ports').flatMap((text) => text.split(',').map(portOf));

function portOf(text: string): number {
  const refuse = (why: string) =>
    badRequest(`cannot convert to []int32: strconv.ParseUint: parsing ${quoted(text)}: ${why}`);
  if (!/^\d+$/.test(text)) throw refuse('invalid syntax');
  if (Number(text) > 0xffff) throw refuse('value out of range');
  return Number(text);
}

/** Channel numbers have one byte. */
const mostPorts = 100;

/** Channels do not name a port, so the query has to. */
function refusePorts(ports: readonly number[]): void {
  if (ports.length === 0) throw badRequest('query parameter "port" is required');
  if (ports.includes(0)) throw badRequest('port "0" must be > 0');
  if (ports.length > mostPorts) throw badRequest(`more than ${mostPorts} ports`);
}
