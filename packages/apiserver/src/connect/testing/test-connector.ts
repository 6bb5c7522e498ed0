/** A connector for tests: a few commands, an echo behind each port. */

import type { Duplex } from 'node:stream';
import { badRequest } from '@fleet/kube/status.ts';
import type { ApiReply } from '../../http/message.ts';
import type { KubeObject } from '../../registry/kube-object.ts';
import type { CommandSession, Connector, LogOptions, ProxyTarget } from '../connector.ts';

export class TestConnector implements Connector {
  /** The recorded requests. */
  readonly asked: unknown[] = [];
  /** Open sessions. */
  readonly sessions: CommandSession[] = [];

  async log({ metadata }: KubeObject, options: LogOptions, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>> {
    this.asked.push({ log: metadata.name, ...options });
    if (options.previous) throw badRequest(`previous terminated container "${options.container}" not found`);
    return lines(options, signal);
  }

  async exec(pod: KubeObject, session: CommandSession): Promise<number> {
    const [program, ...words] = session.command;
    const { container, tty } = session;
    this.asked.push({ exec: pod.metadata.name, container, tty, command: session.command });
    this.sessions.push(session);
    switch (program) {
      case 'cat':
        return this.#cat(session);
      case 'echo':
        await session.stdout?.(Buffer.from(`${words.join(' ')}\n`));
        return 0;
      case 'complain':
        await session.stderr?.(Buffer.from('oh no\n'));
        return 1;
      case 'exit':
        return Number(words[0]);
      case 'many':
        for (let left = Number(words[0]); left > 0; left -= 1) await session.stdout?.(Buffer.alloc(64 * 1024, 'x'));
        return 0;
      case 'size':
        for await (const { width, height } of session.resizes) {
          await session.stdout?.(Buffer.from(`${width}x${height}\n`));
          return 0;
        }
        return 1;
      case 'wait':
        await new Promise((resolve) => session.signal.addEventListener('abort', resolve));
        return 0;
      case 'refuse':
        throw badRequest('the container is not running');
      default:
        throw new Error(`secret: there is no ${program}`);
    }
  }

  async attach(pod: KubeObject, session: CommandSession): Promise<number> {
    this.asked.push({ attach: pod.metadata.name, container: session.container });
    await session.stdout?.(Buffer.from('attached\n'));
    return this.#cat(session);
  }

  async portForward(pod: KubeObject, port: number, stream: Duplex): Promise<void> {
    this.asked.push({ forward: pod.metadata.name, port });
    if (port === 1) throw badRequest('connection refused');
    for await (const chunk of stream.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      const isHttp = /^(?:GET|HEAD) /.test(chunk.toString('latin1', 0, 5));
      const page = `port ${port}\n`;
      const head = `HTTP/1.1 200 OK\r\ncontent-length: ${page.length}\r\nconnection: close\r\n\r\n`;
      stream.write(isHttp ? `${head}${page}` : chunk);
      if (isHttp) break;
    }
    stream.end();
  }

  async proxy(target: ProxyTarget): Promise<ApiReply> {
    const { object, ...rest } = target;
    const body = Buffer.from(`${JSON.stringify({ name: object.metadata.name, ...rest })}\n`);
    return { status: 200, headers: { 'content-type': 'application/json' }, body };
  }

  async #cat({ stdin, stdout }: CommandSession): Promise<number> {
    for await (const chunk of stdin ?? []) await stdout?.(chunk);
    return 0;
  }
}

async function* lines({ tailLines = 3, follow }: LogOptions, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  for (let number = 1; number <= tailLines; number += 1) yield Buffer.from(`line ${number}\n`);
  if (follow) await new Promise((resolve) => signal.addEventListener('abort', resolve));
}
