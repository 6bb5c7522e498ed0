/**
 * What only nodes can do: logs, commands, ports and proxies. Its implementation is given from outside; a server without one
 * answers 501. The server itself checks the object, the container and the options, and speaks the wire protocols.
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

/** Settles when the client has taken enough to go on. */
export type Output = (chunk: Uint8Array) => Promise<void>;

/** The streams of one command, whatever protocol carries them. What the client did not ask for is undefined. */
export interface CommandSession {
  container: string;
  /** Empty where it attaches to what runs already. */
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

/** What is behind `pods/proxy`, `services/proxy` and `nodes/proxy`. */
export interface ProxyTarget {
  object: KubeObject;
  scheme: '' | 'http' | 'https';
  /** A number, a name, or empty. */
  port: string;
  /** Path and query below `proxy`, with a leading slash. */
  path: string;
}

/** Errors that are a StatusError reach the client as they are. */
export interface Connector {
  log(pod: KubeObject, options: LogOptions, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>>;
  /** Resolves with the exit code. */
  exec(pod: KubeObject, session: CommandSession): Promise<number>;
  attach(pod: KubeObject, session: CommandSession): Promise<number>;
  /** One connection to a port of the pod. What it throws is reported on the error stream of that connection. */
  portForward(pod: KubeObject, port: number, stream: Duplex): Promise<void>;
  proxy(target: ProxyTarget, request: ApiRequest): Promise<ApiReply>;
}
