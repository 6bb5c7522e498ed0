/** The server's configuration: one schema, parsed once, frozen. */

import { z } from 'zod';

const listenAddress = z.string().transform((text, context) => {
  const match = /^(?:\[([^\]]+)\]|([^:]*)):(\d{1,5})$/.exec(text);
  const port = Number(match?.[3]);
  if (!match || port > 65535) {
    context.addIssue({ code: 'custom', message: `"${text}" is not HOST:PORT` });
    return z.NEVER;
  }
  return { host: match[1] ?? match[2] ?? '', port };
});

const schema = z.strictObject({
  /** The kubeconfig of the API server that holds the product's own objects. */
  controlPlane: z.string().min(1),
  controlPlaneContext: z.string().optional(),
  listen: listenAddress.default({ host: '127.0.0.1', port: 8443 }),
  dataDir: z.string().default('./fleet-data'),
  /** Further names and addresses for the serving certificate. */
  serverName: z.array(z.string()).default([]),
  anonymousAuth: z.boolean().default(true),
  partialLists: z.enum(['tables', 'always', 'never']).default('tables'),
  logLevel: z.enum(['debug', 'info', 'warn', 'error']).default('info'),
});

export type Config = Readonly<z.infer<typeof schema>>;

export class ConfigError extends Error {}

const flagOf = (key: PropertyKey): string =>
  `--${String(key).replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

/** Throws an error that names the flag. */
export function readConfig(flags: Record<string, unknown>): Config {
  const given = Object.fromEntries(Object.entries(flags).filter(([, value]) => value !== undefined));
  const result = schema.safeParse(given);
  if (result.success) return Object.freeze(result.data);
  const words = result.error.issues.map(({ path, message }) => (path[0] ? `${flagOf(path[0])}: ${message}` : message));
  throw new ConfigError(words.join('; '));
}
