/** Why a port cannot be listened on, for whoever starts the server. */

const whyNot: Partial<Record<string, string>> = {
  EADDRINUSE: 'the port is taken',
  EADDRNOTAVAIL: 'this machine has no such address',
  EACCES: 'this user may not use that port',
};

export function cannotListen({ host, port }: { host: string; port: number }, cause: NodeJS.ErrnoException): Error {
  const shown = host.includes(':') ? `[${host}]` : host;
  return new Error(`cannot listen on ${shown}:${port}: ${whyNot[cause.code ?? ''] ?? cause.message}`, { cause });
}
