import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';

/** Runs the Go tool and returns its standard output. */
export async function go(args: string[], { cwd }: { cwd: string }): Promise<string> {
  // the race detector is the one thing that needs a C compiler
  const env = { ...process.env, CGO_ENABLED: args.includes('-race') ? '1' : '0', GOWORK: 'off' };
  const child = spawn('go', args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', (cause: NodeJS.ErrnoException) => {
      const missing = 'go is not on the PATH. The bed builds Kubernetes from source: install Go 1.26 or newer.';
      reject(cause.code === 'ENOENT' ? new Error(missing, { cause }) : cause);
    });
    child.once('close', resolve);
  });
  const [code, stdout, stderr] = await Promise.all([ended, text(child.stdout), text(child.stderr)]);
  if (code !== 0) {
    const last = `${stdout}\n${stderr}`.trim().split('\n').slice(-30).join('\n');
    throw new Error(`go ${args.join(' ')} failed (${code}):\n${last}`);
  }
  return stdout;
}
