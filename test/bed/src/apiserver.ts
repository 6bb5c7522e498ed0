import { Api } from './api.ts';
import { binaryPath, kubernetes, type VersionName } from './binaries.ts';
import { Child } from './child.ts';
import { type ApiserverOptions, apiserverArguments } from './control-plane.ts';
import type { Credentials } from './credentials.ts';
import { freePort, givePortBack } from './ports.ts';
import { until } from './until.ts';

export interface ApiserverSpec {
  folder: string;
  run: string;
  version: VersionName;
  credentials: Credentials;
  options: Omit<ApiserverOptions, 'port'>;
}

/** A member's API server, which can be frozen, killed and started again on the same port. */
export class Apiserver {
  readonly #spec: ApiserverSpec;
  readonly port: number;
  readonly api: Api;
  #child: Child;

  private constructor(spec: ApiserverSpec, port: number) {
    this.#spec = spec;
    this.port = port;
    this.api = new Api(this.server, spec.credentials.authority.cert, spec.credentials.admin);
    this.#child = this.#spawn();
  }

  /** Ready when this returns. */
  static async start(spec: ApiserverSpec): Promise<Apiserver> {
    for (;;) {
      const apiserver = new Apiserver(spec, await freePort());
      try {
        await apiserver.#ready();
        return apiserver;
      } catch (error) {
        apiserver.close();
        // another bed was faster; everything else is meant for the caller
        if (!`${error}`.includes('address already in use')) throw error;
      }
    }
  }

  get server(): string {
    return `https://127.0.0.1:${this.port}`;
  }

  get ended(): Promise<Error> {
    return this.#child.ended;
  }

  freeze(): void {
    this.#child.signal('SIGSTOP');
  }

  thaw(): void {
    this.#child.signal('SIGCONT');
  }

  async kill(): Promise<void> {
    await this.#child.end('SIGKILL');
  }

  async stop(): Promise<void> {
    // a frozen process does not hear it
    this.thaw();
    await this.#child.end('SIGTERM');
  }

  async start(): Promise<void> {
    if (this.#child.running) throw new Error('the API server is running');
    this.#child = this.#spawn();
    await this.#ready();
  }

  unref(): void {
    this.#child.unref();
  }

  close(): void {
    this.api[Symbol.dispose]();
    givePortBack(this.port);
  }

  #spawn(): Child {
    const { folder, run, version, options } = this.#spec;
    return new Child({
      name: 'kube-apiserver',
      path: binaryPath(kubernetes('kube-apiserver', version)),
      args: apiserverArguments({ ...options, port: this.port }),
      folder,
      run,
    });
  }

  async #ready(): Promise<void> {
    const ready = async () => (await this.api.ask('/readyz', { timeout: 2000 })).code === 200;
    await until('API server is ready', ready, { failed: this.ended });
  }
}
