/** Chooses the simulated program of a container, by its image and its command. */

import type { LoggedContainer, LogProgram } from './program.ts';
import { postgres, redis } from './programs/database.ts';
import { logsGenerator } from './programs/logs-generator.ts';
import { service } from './programs/service.ts';
import { webServer } from './programs/web-server.ts';

const silent: LogProgram = { rate: 0, opening: [], steady: () => '', closing: [] };

/** The behaviour of `agnhost` without arguments. */
const paused: LogProgram = { ...silent, opening: [() => 'Paused'] };

/** Images with nothing but a shell, or not even that. */
const silentImages = ['busybox', 'alpine', 'debian', 'ubuntu', 'pause'];
const waiting = ['sleep', 'tail', 'pause'];

/** Its log is the output of the container's command. */
export const isScripted = ({ image, command }: LoggedContainer): boolean =>
  command.length > 0 && silentImages.includes(nameOf(image));

/** The name in `registry.example:5000/shop/payment:1.4@sha256:…` is `payment`. */
const nameOf = (image: string): string => image.split('@')[0]!.split('/').at(-1)!.split(':')[0]!;

export function programOf(container: LoggedContainer): LogProgram {
  const { command } = container;
  const name = nameOf(container.image);
  if (command.includes('logs-generator')) return logsGenerator(container);
  if (name === 'agnhost' && (command[0] ?? 'pause') === 'pause') return paused;
  if (waiting.includes(command[0] ?? '')) return silent;
  if (name.includes('nginx') || name === 'httpd') return webServer(container);
  if (name.includes('postgres')) return postgres(container);
  if (name.includes('redis') || name.includes('valkey')) return redis(container);
  return silentImages.includes(name) ? silent : service(container);
}
