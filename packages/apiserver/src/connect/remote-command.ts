/** Serves `pods/exec` and `pods/attach`: a command's streams over SPDY or a WebSocket. */

import type { Duplex } from 'node:stream';
import { badRequest, StatusError } from '@fleet/kube/status.ts';
import { protocolsOf } from '@fleet/kube/websocket/protocols.ts';
import type { ApiReply, ApiRequest } from '../http/message.ts';
import { isTrue } from '../http/read-options.ts';
import { type CommandStreams, exited, failed, type RequestedStreams, succeeded } from './command-streams.ts';
import type { CommandSession } from './connector.ts';
import { agreeOnSpdy, agreeOnWebSocket, carrierOf, upgraded } from './negotiation.ts';
import { spdyCommand, spdyCommandProtocols } from './spdy-command.ts';
import { webSocketCommand, webSocketCommandProtocols } from './websocket-command.ts';

export interface RemoteCommand {
  verb: 'exec' | 'attach';
  container: string;
  query: URLSearchParams;
  /** Resolves with the exit code, which attach does not report to the client. */
  run(session: CommandSession): Promise<number>;
  onInternalError(error: unknown): void;
}

function requestedStreams(query: URLSearchParams): RequestedStreams {
  const [stdin, stdout, stderr, tty] = ['stdin', 'stdout', 'stderr', 'tty'].map((name) => isTrue(query.get(name))) as [
    boolean,
    boolean,
    boolean,
    boolean,
  ];
  // A terminal has no separate stderr.
  const requested = { stdin, stdout, stderr: stderr && !tty, tty };
  if (!requested.stdin && !requested.stdout && !requested.stderr) {
    throw badRequest('you must specify at least 1 of stdin, stdout, stderr');
  }
  return requested;
}

export function serveCommand(request: ApiRequest, command: RemoteCommand): ApiReply {
  const carrier = carrierOf(request);
  const requested = requestedStreams(command.query);
  const serve = async (opening: CommandStreams | undefined | Promise<CommandStreams | undefined>): Promise<void> => {
    const streams = await opening;
    if (streams) await runCommand(streams, requested.tty, command);
  };
  if (carrier === 'websocket') {
    const { protocol, headers } = agreeOnWebSocket(request, webSocketCommandProtocols(protocolsOf(request.headers)));
    return upgraded(headers, (connection: Duplex) => serve(webSocketCommand(connection, protocol, requested)));
  }
  const agreed = agreeOnSpdy(request, spdyCommandProtocols);
  if ('refused' in agreed) return agreed.refused;
  const { protocol, headers } = agreed;
  return upgraded(headers, (connection: Duplex) => serve(spdyCommand(connection, protocol, requested)));
}

const doing = { exec: 'executing command in container', attach: 'attaching to container' };

async function runCommand(streams: CommandStreams, tty: boolean, command: RemoteCommand): Promise<void> {
  const { verb, container, query, run, onInternalError } = command;
  const words = verb === 'exec' ? query.getAll('command') : [];
  const { finish, ...parts } = streams;
  try {
    const code = await run({ ...parts, container, command: words, tty });
    await finish(verb === 'attach' || code === 0 ? succeeded : exited(words, code));
  } catch (error) {
    const status = failed(error, doing[verb]);
    // A StatusError of the connector is for the client, and errors after the client is gone are expected.
    if (!(error instanceof StatusError) && !streams.signal.aborted) onInternalError(error);
    await finish(status);
  }
}
