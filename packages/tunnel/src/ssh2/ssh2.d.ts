/** The part of ssh2 1.17 that is used. Names with an underscore are internal: check each of them when the version changes. */

declare module 'ssh2' {
  import type { EventEmitter } from 'node:events';
  import type { Duplex, Readable } from 'node:stream';

  export interface Direction {
    id: number;
    window: number;
    packetSize: number;
    state: 'open' | 'eof' | 'closing' | 'closed';
  }

  export interface Channel extends Duplex {
    incoming: Direction;
    outgoing: Direction;
    /** On a client: what the other side sends as stderr. On a server: writable. */
    stderr: Readable;
    eof(): void;
    close(): void;
  }

  export interface ChannelOpen {
    type: string;
    sender: number;
    data: object;
  }

  export interface Protocol {
    /** Set during a key exchange. */
    _kexinit: Buffer | undefined;
    /** Packets that wait for the end of a key exchange. */
    _queue: Buffer[] | undefined;
    _strictMode: boolean | undefined;
    _handlers: {
      CHANNEL_OPEN(protocol: Protocol, info: ChannelOpen): void;
      CHANNEL_DATA(protocol: Protocol, recipient: number, data: Buffer): void;
      GLOBAL_REQUEST(protocol: Protocol, name: string, wantReply: boolean, data: unknown): void;
    };
    channelOpenFail(recipient: number, reason: number, description: string): void;
  }

  export interface Negotiated {
    kex: string;
    serverHostKey: string;
    cs: { cipher: string; mac: string; compress: string };
    sc: { cipher: string; mac: string; compress: string };
  }

  export interface Algorithms {
    kex: string[];
    serverHostKey: string[];
    cipher: string[];
    hmac: string[];
    compress: string[];
  }

  export interface Key {
    type: string;
    getPublicSSH(): Buffer;
    verify(data: Buffer, signature: Buffer, hash?: string): boolean | Error;
    sign(data: Buffer): Buffer | Error;
  }

  export interface AuthContext {
    username: string;
    method: 'none' | 'password' | 'publickey' | 'hostbased' | 'keyboard-interactive';
    password: string;
    key: { algo: string; data: Buffer };
    hashAlgo: string | undefined;
    signature: Buffer | undefined;
    blob: Buffer | undefined;
    accept(): void;
    reject(methods?: string[]): void;
  }

  export type Session = EventEmitter;

  export interface ServerClient extends EventEmitter {
    authenticated: boolean;
    _protocol: Protocol;
    _chanMgr: { get(id: number): unknown };
    forwardOut(
      boundAddress: string,
      boundPort: number,
      originAddress: string,
      originPort: number,
      done: (error: Error | undefined, channel: Channel) => void,
    ): void;
    rekey(): void;
    end(): void;
  }

  export interface ServerOptions {
    hostKeys: string[];
    algorithms: Algorithms;
    ident: string;
    keepaliveInterval: number;
    keepaliveCountMax: number;
  }

  export interface ClientOptions {
    sock: Duplex;
    username: string;
    password: string;
    hostVerifier(key: Buffer): boolean;
    algorithms: Algorithms;
    ident: string;
    keepaliveInterval: number;
    keepaliveCountMax: number;
    readyTimeout: number;
    authHandler: (string | { type: 'publickey'; username: string; key: Key })[];
  }

  export class Client extends EventEmitter {
    _protocol: Protocol;
    connect(options: ClientOptions): void;
    forwardIn(address: string, port: number, done: (error: Error | undefined) => void): void;
    unforwardIn(address: string, port: number, done: (error: Error | undefined) => void): void;
    subsys(name: string, done: (error: Error | undefined, channel: Channel) => void): void;
    end(): void;
  }

  export class Server {
    constructor(options: ServerOptions, listener: (client: ServerClient) => void);
    injectSocket(socket: Duplex): void;
  }

  const utils: {
    generateKeyPairSync(
      type: 'ed25519' | 'ecdsa',
      options: { comment?: string; bits?: 256; passphrase?: string; cipher?: string; rounds?: number },
    ): { private: string; public: string };
    parseKey(key: string | Buffer): Key | Error;
  };

  // CommonJS: Node does not find named exports.
  const ssh2: { Client: typeof Client; Server: typeof Server; utils: typeof utils };
  export default ssh2;
}
