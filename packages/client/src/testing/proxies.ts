/** Small proxies on loopback, for tests: CONNECT and SOCKS5. */

import { once } from 'node:events';
import { createServer as createHttpServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, connect, createServer, type Server as NetServer, type Socket } from 'node:net';

export interface TestProxy extends AsyncDisposable {
  /** `host:port`, without a scheme. */
  address: string;
  /** The addresses that clients connected to. */
  targets: string[];
  /** Of each request to an http proxy. */
  headers: IncomingHttpHeaders[];
  /** `user:password` of each client of a SOCKS5 proxy that sent one. */
  users: string[];
}

const seen = () => ({ targets: [] as string[], headers: [] as IncomingHttpHeaders[], users: [] as string[] });

async function listening(server: NetServer | Server, record: ReturnType<typeof seen>): Promise<TestProxy> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => sockets.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    ...record,
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

function join(client: Socket, server: Socket): void {
  for (const [one, other] of [
    [client, server],
    [server, client],
  ] as const) {
    one.on('error', () => other.destroy());
    one.on('close', () => other.destroy());
    one.pipe(other);
  }
}

/** Refuses clients without the `authorization` header. It alone resolves the names in `hosts`. */
export function startConnectProxy(
  authorization?: string,
  tls?: { cert: string; key: string },
  hosts: Partial<Record<string, string>> = {},
): Promise<TestProxy> {
  const record = seen();
  const server = tls ? createHttpsServer(tls) : createHttpServer();
  server.on('connect', (request, client: Socket) => {
    record.targets.push(request.url ?? '');
    record.headers.push(request.headers);
    if (authorization && request.headers['proxy-authorization'] !== authorization) {
      client.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
      return;
    }
    const [host = '', port] = (request.url ?? '').split(':');
    const upstream = connect(Number(port), hosts[host] ?? host, () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      join(client, upstream);
    });
    upstream.on('error', () => client.end('HTTP/1.1 502 Bad Gateway\r\n\r\n'));
  });
  return listening(server, record);
}

/** Requires a user and a password if `password` is set. */
export function startSocksProxy(password = false): Promise<TestProxy> {
  const record = seen();
  const server = createServer(async (client) => {
    const bytes = async (count: number): Promise<Buffer> => {
      for (;;) {
        const got = client.read(count) as Buffer | null;
        if (got) return got;
        await once(client, 'readable');
      }
    };
    const text = async () => (await bytes((await bytes(1))[0]!)).toString();
    const methods = await bytes((await bytes(2))[1]!);
    const method = password ? 2 : 0;
    client.write(Buffer.from([5, methods.includes(method) ? method : 0xff]));
    if (!methods.includes(method)) return;
    if (password) {
      await bytes(1);
      record.users.push(`${await text()}:${await text()}`);
      client.write(Buffer.from([1, record.users.at(-1) === 'alice:secret' ? 0 : 1]));
    }
    const [, , , kind] = await bytes(4);
    const host = kind === 3 ? await text() : [...(await bytes(4))].join('.');
    const port = (await bytes(2)).readUInt16BE();
    record.targets.push(`${host}:${port}`);
    const upstream = connect(port, host, () => {
      // a name as the bound address, to be read over
      client.write(Buffer.from([5, 0, 0, 3, 2, 0x61, 0x62, 0, 80]));
      join(client, upstream);
    });
    upstream.on('error', () => client.end(Buffer.from([5, 5, 0, 1, 0, 0, 0, 0, 0, 0])));
  });
  return listening(server, record);
}
