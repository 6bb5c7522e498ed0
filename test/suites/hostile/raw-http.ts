/** Hand-written bytes over TLS, and what came back, taken apart as HTTP/1.1: no library in between mends anything. */

import { once } from 'node:events';
import { connect as connectHttp2, type OutgoingHttpHeaders } from 'node:http2';
import { setTimeout as pause } from 'node:timers/promises';
import { connect, type TLSSocket } from 'node:tls';

export interface RawEndpoint {
  /** `https://host:port`. */
  server: string;
  ca: string;
  cert?: string | undefined;
  key?: string | undefined;
}

export interface RawAnswer {
  status: number;
  /** Names in lower case. */
  headers: Record<string, string>;
  body: string;
}

/** All answers that came on the one connection; none if it was closed without a word. */
export type Exchange = (endpoint: RawEndpoint) => Promise<RawAnswer[]>;

/** How long a connection that is kept open must be silent before no further answer is expected. */
const quiet = 250;
const deadline = 15_000;

export const raw =
  (bytes: string | Iterable<string>): Exchange =>
  async (endpoint) => {
    const socket = await dial(endpoint);
    const reader = new AnswerReader(socket);
    const pieces = typeof bytes === 'string' ? [bytes] : bytes;
    await Promise.race([write(socket, pieces, reader), reader.done]);
    const answers = await reader.done;
    socket.destroy();
    return answers;
  };

/** Goes on until there is an answer, for bodies without an end. */
async function write(socket: TLSSocket, pieces: Iterable<string>, reader: AnswerReader): Promise<void> {
  for (const piece of pieces) {
    if (socket.destroyed || reader.answered) return;
    if (!socket.write(piece, 'latin1')) await Promise.race([once(socket, 'drain'), once(socket, 'close')]);
  }
}

async function dial({ server, ca, cert, key }: RawEndpoint): Promise<TLSSocket> {
  const { hostname, port } = new URL(server);
  const socket = connect({
    ...{ host: hostname, port: Number(port), ca, ALPNProtocols: ['http/1.1'] },
    ...(cert && key ? { cert, key } : {}),
  });
  await once(socket, 'secureConnect');
  return socket;
}

class AnswerReader {
  readonly done: Promise<RawAnswer[]>;
  #bytes = '';
  #answers: RawAnswer[] = [];

  constructor(socket: TLSSocket) {
    const { promise, resolve } = Promise.withResolvers<RawAnswer[]>();
    this.done = promise;
    const late = setTimeout(() => resolve([{ status: 0, headers: {}, body: 'no answer in time' }]), deadline);
    let silence: NodeJS.Timeout | undefined;
    const finish = () => {
      clearTimeout(late);
      clearTimeout(silence);
      resolve(this.#answers);
    };
    socket.on('error', finish);
    socket.on('close', finish);
    socket.on('data', (data: Buffer) => {
      this.#bytes += data.toString('latin1');
      this.#take();
      clearTimeout(silence);
      if (this.#answers.length > 0 && this.#bytes === '') silence = setTimeout(finish, quiet);
    });
  }

  get answered(): boolean {
    return this.#answers.length > 0;
  }

  #take(): void {
    for (let next = takeAnswer(this.#bytes); next; next = takeAnswer(this.#bytes)) {
      this.#bytes = next.rest;
      // 100 Continue is no answer yet
      if (next.answer.status !== 100) this.#answers.push(next.answer);
    }
  }
}

function takeAnswer(bytes: string): { answer: RawAnswer; rest: string } | undefined {
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const [first = '', ...lines] = bytes.slice(0, end).split('\r\n');
  const headers: Record<string, string> = {};
  for (const line of lines) {
    const colon = line.indexOf(':');
    headers[line.slice(0, colon).toLowerCase()] = line.slice(colon + 1).trim();
  }
  const status = Number(first.split(' ')[1]);
  const body = takeBody(bytes.slice(end + 4), status, headers);
  return body && { answer: { status, headers, body: body.text }, rest: body.rest };
}

function takeBody(bytes: string, status: number, headers: Record<string, string>) {
  // what follows a change of protocol is no HTTP
  if (status === 101) return { text: bytes, rest: '' };
  if (status < 200 || status === 204 || status === 304) return { text: '', rest: bytes };
  if (headers['transfer-encoding'] === 'chunked') return takeChunks(bytes);
  const length = Number(headers['content-length'] ?? 0);
  return bytes.length < length ? undefined : { text: bytes.slice(0, length), rest: bytes.slice(length) };
}

function takeChunks(bytes: string): { text: string; rest: string } | undefined {
  let text = '';
  for (let at = 0; ; ) {
    const end = bytes.indexOf('\r\n', at);
    if (end < 0) return undefined;
    const size = Number.parseInt(bytes.slice(at, end), 16);
    const next = end + 2 + size + 2;
    if (bytes.length < next) return undefined;
    text += bytes.slice(end + 2, end + 2 + size);
    if (size === 0) return { text, rest: bytes.slice(next) };
    at = next;
  }
}

/** The same over HTTP/2, as far as Node’s client sends what it is given. */
export const overHttp2 =
  (headers: OutgoingHttpHeaders, body?: string): Exchange =>
  async ({ server, ca, cert, key }) => {
    const session = connectHttp2(server, { ca, ...(cert && key ? { cert, key } : {}) });
    const { promise, resolve } = Promise.withResolvers<RawAnswer[]>();
    session.on('error', () => resolve([]));
    const stream = session.request(headers, { endStream: body === undefined });
    if (body !== undefined) stream.end(body);
    stream.setEncoding('latin1');
    let answer: RawAnswer | undefined;
    stream.on('response', (response) => {
      const plain = Object.entries(response).filter(([name]) => !name.startsWith(':'));
      const named = Object.fromEntries(plain.map(([name, value]) => [name, String(value)]));
      answer = { status: response[':status'] ?? 0, headers: named, body: '' };
    });
    stream.on('data', (text: string) => {
      if (answer) answer.body += text;
    });
    stream.on('error', () => {});
    stream.on('close', () => resolve(answer ? [answer] : []));
    const answers = await Promise.race([promise, pause(deadline, [{ status: 0, headers: {}, body: 'no answer' }])]);
    session.destroy();
    return answers;
  };
