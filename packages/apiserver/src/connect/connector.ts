/**
 * The interface to nodes: logs, commands, ports and proxies. Its implementation is injected; a server without one
 * responds with 501. The server itself checks the object, the container and the options, and implements the wire protocols.
 */

import type { Duplex } from 'node:stream';
import type { ApiReply, ApiRequest } from '../http/message.ts';
import type { KubeObject } from '../registry/kube-object.ts';

/** PodLogOptions. */
export interface LogOptions {
  container: string;
  follow: boolean;
  previous: boolean;
  timestamps: boolean;
  sinceSeconds?: number | undefined;
  /** RFC 3339. */
  sinceTime?: string | undefined;
  tailLines?: number | undefined;
  limitBytes?: number | undefined;
  stream: 'All' | 'Stdout' | 'Stderr';
}

export interface TerminalSize {
  width: number;
  height: number;
}

/** Settles when the client accepts more. */
export type Output = (chunk: Uint8Array) => Promise<void>;

/** The streams of one command, independent of the protocol. Streams that the client did not request are undefined. */
export interface CommandSession {
  container: string;
  /** Empty if the client attaches to the running process. */
  command: readonly string[];
  tty: boolean;
  /** Ends when the client closes its half. */
  stdin: AsyncIterable<Uint8Array> | undefined;
  stdout: Output | undefined;
  /** Never with a TTY. */
  stderr: Output | undefined;
  /** Only with a TTY. */
  resizes: AsyncIterable<TerminalSize>;
  /** Aborted when the client is gone. */
  signal: AbortSignal;
}

/** The target of `pods/proxy`, `services/proxy` and `nodes/proxy`. */
export interface ProxyTarget {
  object: KubeObject;
  scheme: '' | 'http' | 'https';
  /** A number, a name, or empty. */
  port: string;
  /** Path and query below `proxy`, with a leading slash. */
  path: string;
}

/** A StatusError reaches the client unchanged. */
export interface Connector {
  log(pod: KubeObject, options: LogOptions, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>>;
  /** Resolves with the exit code. */
  exec(pod: KubeObject, session: CommandSession): Promise<number>;
  attach(pod: KubeObject, session: CommandSession): Promise<number>;
  /** One connection to a port of the pod. Its error is reported on the error stream of that connection. */
  portForward(pod: KubeObject, port: number, stream: Duplex): Promise<void>;
  proxy(target: ProxyTarget, request: ApiRequest): Promise<ApiReply>;
}
