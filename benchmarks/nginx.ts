/** nginx as TLS reverse proxy to a member: one process, kept connections, the member's admin certificate towards it. */

import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { createConnection } from 'node:net';
import { join } from 'node:path';
import type { Member } from '@fleet/bed/member.ts';
import { createAuthority } from '@fleet/bed/pki.ts';
import { freePort, givePortBack } from '@fleet/bed/ports.ts';
import { markedEnv } from '@fleet/bed/run-mark.ts';
import { until } from '@fleet/bed/until.ts';

export interface Nginx extends AsyncDisposable {
  server: string;
  /** PEM. */
  ca: string;
}

const binary = '/usr/sbin/nginx';

/** From the distribution. The run level of a machine under repair keeps the package from starting a server of its own. */
function install(): void {
  if (spawnSync(binary, ['-v']).status === 0) return;
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
  const { status } = spawnSync('apt-get', ['install', '-y', '--no-install-recommends', 'nginx-light'], {
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (status !== 0) throw new Error('nginx is missing and could not be installed: apt-get install nginx-light');
}

const config = (folder: string, port: number, member: string) => `
daemon off;
# its one worker and nothing beside: a master would overwrite the mark by which the bed finds what to end
master_process off;
pid ${folder}/pid;
error_log ${folder}/error.log warn;
events { worker_connections 4096; }
http {
  access_log off;
  ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((use) => `${use}_temp_path ${folder}/${use};`).join(' ')}
  keepalive_requests 1000000;
  upstream member { server ${member}; keepalive 256; keepalive_requests 1000000; }
  server {
    listen 127.0.0.1:${port} ssl;
    ssl_certificate ${folder}/server.crt;
    ssl_certificate_key ${folder}/server.key;
    ssl_protocols TLSv1.2 TLSv1.3;
    location / {
      proxy_pass https://member;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_ssl_certificate ${folder}/client.crt;
      proxy_ssl_certificate_key ${folder}/client.key;
      proxy_ssl_trusted_certificate ${folder}/member.crt;
      proxy_ssl_verify on;
      proxy_ssl_name localhost;
      # its defaults write what is larger than 64 KB to disk
      proxy_buffers 16 64k;
      proxy_max_temp_file_size 0;
    }
  }
}
`;

/** Its folder and, whatever happens, its process end with the member. */
export async function startNginx(member: Member): Promise<Nginx> {
  install();
  const [folder, port] = [join(member.dir, 'nginx'), await freePort()];
  await mkdir(folder);
  const authority = await createAuthority('bench-ca');
  const own = await authority.issue({ name: 'nginx', ips: ['127.0.0.1'], dns: ['localhost'] });
  const files = {
    'server.crt': own.cert,
    'server.key': own.key,
    'client.crt': member.admin.cert,
    'client.key': member.admin.key,
    'member.crt': member.ca,
    'nginx.conf': config(folder, port, new URL(member.directServer).host),
  };
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text, { mode: 0o600 });
  const child = spawn(binary, ['-e', join(folder, 'error.log'), '-c', join(folder, 'nginx.conf')], {
    env: markedEnv(member.run),
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const failed = once(child, 'exit').then(([code]) => new Error(`nginx ended with ${code}`));
  await until('nginx listens', () => connects(port), { failed });
  return {
    server: `https://127.0.0.1:${port}`,
    ca: authority.cert,
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM');
      await failed;
      givePortBack(port);
    },
  };
}

async function connects(port: number): Promise<boolean> {
  const socket = createConnection(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } finally {
    socket.destroy();
  }
}
