/** One watch on the wire, as cheap to read as can be: its lines, over HTTP/1.1 by hand or over HTTP/2. */

import { once } from 'node:events';
import { connect as connectHttp2 } from 'node:http2';
import type { Duplex } from 'node:stream';
import { connect, createSecureContext, type SecureContext } from 'node:tls';

export interface WatchedServer {
  server: string;
  /** PEM. */
  ca: string;
  admin: { cert: string; key: string };
  /** Whom the admin impersonates; HTTP/1.1 alone. */
  as?: { user: string; group: string };
}

export type Protocol = 'HTTP/1.1' | 'HTTP/2' | 'HTTP/2, small window';

/** As Go's HTTP/2 has it: what a client may be behind before the server notices. HTTP/1.1 has as much in the kernel. */
const usualWindow = 4 * 1024 * 1024;
/** As the standard has it; one that does not read is soon noticed. */
const smallWindow = 64 * 1024 - 1;

export interface WatchStream {
  /** Reads no more than this a second from now on; undefined: as fast as can be. */
  readAtMost(bytesPerSecond: number | undefined): void;
  /** Breaks it off. */
  cut(): void;
}

export interface StreamEvents {
  /** Without its newline; the bytes are another's afterwards. */
  onLine(bytes: Buffer, start: number, end: number): void;
  /** `whole`: by the server, and not within a line. */
  onEnd(whole: boolean): void;
}

/** Open when this returns: the server has sent the answer's head. */
export function openWatch(
  from: WatchedServer,
  path: string,
  protocol: Protocol,
  events: StreamEvents,
): Promise<WatchStream> {
  if (protocol === 'HTTP/1.1') return overHttp1(from, path, events);
  return overHttp2(from, path, events, protocol === 'HTTP/2' ? usualWindow : smallWindow);
}

const contexts = new Map<string, SecureContext>();

/** Made once: reading a certificate takes longer than a handshake with it. */
function contextOf({ ca, admin }: WatchedServer): SecureContext {
  const known = contexts.get(admin.cert) ?? createSecureContext({ ca, ...admin });
  contexts.set(admin.cert, known);
  return known;
}

async function overHttp1(from: WatchedServer, path: string, events: StreamEvents): Promise<WatchStream> {
  const { hostname, port } = new URL(from.server);
  const socket = connect({ host: hostname, port: Number(port), secureContext: contextOf(from) });
  const lines = new Lines(events);
  const chunks = new Chunks((bytes) => lines.take(bytes));
  await once(socket, 'secureConnect');
  const impersonated = from.as ? `impersonate-user: ${from.as.user}\r\nimpersonate-group: ${from.as.group}\r\n` : '';
  socket.write(
    `GET ${path} HTTP/1.1\r\nhost: ${hostname}\r\naccept: application/json\r\nuser-agent: crowd\r\n${impersonated}\r\n`,
  );
  const behindHead = await headOf(socket);
  if (behindHead.length > 0) chunks.take(behindHead);
  socket.on('data', (bytes: Buffer) => {
    chunks.take(bytes);
    if (chunks.ended) socket.destroy();
  });
  socket.on('error', () => {});
  socket.on('close', () => lines.end(chunks.ended));
  return controlOf(socket, () => socket.destroy());
}

/** Reads an answer's head; gives what came behind it. */
async function headOf(socket: Duplex): Promise<Buffer> {
  let read = Buffer.alloc(0);
  for (;;) {
    const [bytes] = (await once(socket, 'data')) as [Buffer];
    read = Buffer.concat([read, bytes]);
    const end = read.indexOf('\r\n\r\n');
    if (end < 0) continue;
    const head = read.toString('latin1', 0, end);
    if (!head.startsWith('HTTP/1.1 200')) throw new Error(read.toString());
    return read.subarray(end + 4);
  }
}

async function overHttp2(
  from: WatchedServer,
  path: string,
  events: StreamEvents,
  window: number,
): Promise<WatchStream> {
  const settings = { enablePush: false, initialWindowSize: window };
  const session = connectHttp2(from.server, { secureContext: contextOf(from), settings });
  session.once('connect', () => session.setLocalWindowSize(window));
  session.on('error', () => {});
  const stream = session.request({ ':path': path, accept: 'application/json', 'user-agent': 'crowd' });
  const lines = new Lines(events);
  const [{ ':status': status }] = (await once(stream, 'response')) as [Record<string, unknown>];
  if (status !== 200) throw new Error(`${path}: ${status}`);
  let ended = false;
  stream.on('data', (bytes: Buffer) => lines.take(bytes));
  stream.on('end', () => {
    ended = !stream.aborted;
  });
  stream.on('error', () => {});
  stream.on('close', () => {
    lines.end(ended && stream.rstCode === 0);
    session.destroy();
  });
  return controlOf(stream, () => session.destroy());
}

const tick = 1_000;

function controlOf(stream: Duplex, cut: () => void): WatchStream {
  let reading: NodeJS.Timeout | undefined;
  stream.once('close', () => clearInterval(reading));
  return {
    readAtMost(bytes) {
      clearInterval(reading);
      if (bytes === undefined) {
        stream.resume();
        return;
      }
      stream.pause();
      // What is read so is emitted to those who listen for data, too.
      reading = setInterval(() => stream.read(Math.min(bytes, stream.readableLength)), tick);
    },
    cut,
  };
}

const newline = 0x0a;

class Lines {
  private readonly events: StreamEvents;
  private begun: Buffer | undefined;

  constructor(events: StreamEvents) {
    this.events = events;
  }

  take(bytes: Buffer): void {
    const all = this.begun ? Buffer.concat([this.begun, bytes]) : bytes;
    let start = 0;
    for (let end = all.indexOf(newline); end >= 0; end = all.indexOf(newline, start)) {
      this.events.onLine(all, start, end);
      start = end + 1;
    }
    this.begun = start < all.length ? all.subarray(start) : undefined;
  }

  end(byServer: boolean): void {
    this.events.onEnd(byServer && this.begun === undefined);
  }
}

/** The chunks of an answer over HTTP/1.1: `SIZE CR LF bytes CR LF`, the last of size 0. */
class Chunks {
  ended = false;
  private readonly onBytes: (bytes: Buffer) => void;
  private size = '';
  private left = 0;

  constructor(onBytes: (bytes: Buffer) => void) {
    this.onBytes = onBytes;
  }

  take(bytes: Buffer): void {
    let at = 0;
    while (at < bytes.length && !this.ended) {
      if (this.left > 0) {
        const end = Math.min(bytes.length, at + this.left);
        this.onBytes(bytes.subarray(at, end));
        this.left -= end - at;
        at = end;
        continue;
      }
      const end = bytes.indexOf(newline, at);
      this.size += bytes.toString('latin1', at, end < 0 ? bytes.length : end);
      if (end < 0) return;
      at = end + 1;
      const size = this.size.trim();
      this.size = '';
      // What is left of the chunk before.
      if (size === '') continue;
      this.left = Number.parseInt(size, 16);
      this.ended = this.left === 0;
    }
  }
}
