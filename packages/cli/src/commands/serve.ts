import { serve } from '@fleet/server/main.ts';

/** Runs the product until it is told to stop; a second signal ends it at once. */
export async function runServe(flags: Record<string, unknown>): Promise<void> {
  const server = await serve(flags);
  const { promise: told, resolve: tell } = Promise.withResolvers<void>();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, tell);
  await told;
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => process.exit(1));
  await server[Symbol.asyncDispose]();
}
