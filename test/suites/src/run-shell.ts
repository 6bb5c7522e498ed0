import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

/** Both outputs as a terminal shows them, up to the first command that fails. */
export async function runShell(
  commands: string,
  folder: string,
  env: NodeJS.ProcessEnv,
): Promise<{ code: number; output: string }> {
  const child = spawn('sh', ['-ec', `exec 2>&1\n${commands}`], {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [[code], output] = await Promise.all([once(child, 'close'), text(child.stdout)]);
  return { code, output };
}
