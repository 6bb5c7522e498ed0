/** Somebody in between who changes bytes: of each connection one at a place, or one of whatever comes next. */

import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export type Direction = 'toServer' | 'toAgent';

export interface TamperingProxy extends AsyncDisposable {
  port: number;
  /** Bytes before each piece, of the first connection: where packets begin. */
  seen: Record<Direction, number[]>;
  /** Of each new connection the byte at this place is changed. */
  change?: { direction: Direction; at: number } | undefined;
  /** The next piece is changed, whichever connection it is of. */
  changeNext?: Direction | undefined;
  connections: number;
  /** That the server sees. */
  addresses: string[];
  changed: number;
}

/** Of all proxies: each connection is from an address of its own, since one has ten a second, and one audit line for each reason. */
let dialled = 0;

export async function startTamperingProxy(target: number): Promise<TamperingProxy> {
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const isFirst = proxy.connections++ === 0;
    const localAddress = `127.0.${50 + (++dialled >> 8)}.${dialled & 0xff}`;
    proxy.addresses.push(localAddress);
    const behind = connect({ port: target, host: '127.0.0.1', localAddress });
    for (const [direction, from, to] of [
      ['toServer', client, behind],
      ['toAgent', behind, client],
    ] as const) {
      sockets.add(from.setNoDelay(true));
      let passed = 0;
      from.on('data', (piece: Buffer) => {
        if (isFirst) proxy.seen[direction].push(passed);
        const at = placeIn(proxy, direction, piece, passed);
        if (at !== undefined) {
          piece[at]! ^= 0x04;
          proxy.changed++;
        }
        passed += piece.length;
        to.write(piece);
      });
      from.on('error', () => {});
      from.on('close', () => {
        sockets.delete(from);
        to.end();
      });
    }
  });
  const proxy: TamperingProxy = {
    port: 0,
    seen: { toServer: [], toAgent: [] },
    connections: 0,
    addresses: [],
    changed: 0,
    async [Symbol.asyncDispose]() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  proxy.port = (server.address() as AddressInfo).port;
  return proxy;
}

function placeIn(proxy: TamperingProxy, direction: Direction, { length }: Buffer, passed: number): number | undefined {
  if (proxy.changeNext === direction) {
    proxy.changeNext = undefined;
    return length >> 1;
  }
  const { change } = proxy;
  const isHere = change?.direction === direction && change.at >= passed && change.at < passed + length;
  return isHere ? change.at - passed : undefined;
}
