/** A remote command over a WebSocket, with a channel for each part. */

import type { Duplex } from 'node:stream';
import { WebSocketChannels } from '@fleet/kube/websocket/channels.ts';
import { type CommandStreams, ended, inputOf, outputOf, type RequestedStreams, statusText } from './command-streams.ts';
import { TerminalSizes } from './terminal-sizes.ts';

const v5 = 'v5.channel.k8s.io';

/** Those of the kubelet, including no protocol. */
const older: readonly string[] = [
  '',
  'channel.k8s.io',
  'base64.channel.k8s.io',
  'v4.channel.k8s.io',
  'v4.base64.channel.k8s.io',
];

/** kube-apiserver serves version 5 itself, and lets the kubelet serve all others. */
export const webSocketCommandProtocols = (offered: readonly string[]): readonly string[] =>
  offered.includes(v5) ? [v5] : older;

const channels = { stdin: 0, stdout: 1, stderr: 2, error: 3, resize: 4 } as const;

export function webSocketCommand(transport: Duplex, protocol: string, requested: RequestedStreams): CommandStreams {
  const sockets = new WebSocketChannels(transport, {
    count: 5,
    isBase64: protocol.includes('base64.'),
    hasClose: protocol === v5,
  });
  const [stdin, stdout, stderr, error, resize] = (['stdin', 'stdout', 'stderr', 'error', 'resize'] as const).map(
    (part) => sockets.channel(channels[part]),
  ) as [Duplex, Duplex, Duplex, Duplex, Duplex];
  for (const unread of [stdout, stderr, error, ...(requested.stdin ? [] : [stdin])]) unread.resume();
  const resizes = new TerminalSizes();
  resize.on('data', (piece: Buffer) => resizes.take(piece));
  resize.once('end', () => resizes.end());
  // An empty message on the first channel, so that clients know that the connection works.
  const first = requested.stdout ? stdout : requested.stderr ? stderr : error;
  first.write(Buffer.alloc(0));
  const isJson = protocol.startsWith('v');
  return {
    stdin: requested.stdin ? inputOf(stdin, sockets.over) : undefined,
    stdout: requested.stdout ? outputOf(stdout) : undefined,
    stderr: requested.stderr ? outputOf(stderr) : undefined,
    resizes,
    signal: sockets.over,
    async finish(status) {
      await Promise.all([stdout, stderr].map((stream) => ended(stream)));
      await ended(error, statusText(status, isJson));
      sockets.close();
    },
  };
}
