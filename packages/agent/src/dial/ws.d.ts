/** The part of ws 8 that is used. */

declare module 'ws' {
  import type { EventEmitter } from 'node:events';
  import type { Duplex } from 'node:stream';

  export interface ClientOptions {
    createConnection(): Duplex;
    perMessageDeflate: boolean;
    followRedirects: boolean;
    maxPayload: number;
    skipUTF8Validation: boolean;
    headers: Record<string, string>;
  }

  export class WebSocket extends EventEmitter {
    constructor(url: string, options: ClientOptions);
    terminate(): void;
  }

  export function createWebSocketStream(socket: WebSocket): Duplex;
}
