/** The web server of all pods: HTTP/1.1 on streams that need not be sockets. */

import { createServer, type Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { endConnection } from '@fleet/kube/end-connection.ts';
import type { Pod } from '../pods/pod.ts';
import { webAnswer } from './answer.ts';

interface Listening {
  pod: Pod;
  port: number;
}

/** The limit for the head of a request, in bytes. */
const largestHead = 16 * 1024;

export class PodServer {
  readonly #byStream = new WeakMap<Duplex, Listening>();
  readonly #server: Server;

  constructor() {
    this.#server = createServer({ maxHeaderSize: largestHead }, (request, response) => {
      const { pod, port } = this.#byStream.get(request.socket)!;
      // The request body is read and dropped.
      request.resume();
      const { method = 'GET', url: path = '/', headers } = request;
      const { status, contentType, body } = webAnswer(pod, port, { method, path, accept: headers.accept });
      response.writeHead(status, { 'content-type': contentType, 'content-length': Buffer.byteLength(body) });
      response.end(body);
    });
    this.#server.on('clientError', (_error, stream) => {
      // The parser reports another error for the bytes that follow.
      if (!stream.writable) return;
      stream.write('HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n');
      endConnection(stream);
    });
  }

  /** Serves one connection; settles at its end. */
  async serve(stream: Duplex, listening: Listening): Promise<void> {
    this.#byStream.set(stream, listening);
    const { promise, resolve } = Promise.withResolvers<void>();
    stream.once('close', resolve);
    this.#server.emit('connection', stream);
    await promise;
  }
}
