/**
 * kubectl commands that go on, on the vanilla view, through restarts of a member and of the product: they end, and with what,
 * as they do at a kube-apiserver that is restarted (WATCH-4 to WATCH-6, LIMIT-1).
 */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isCached } from '@fleet/bed/cached/everything.ts';
import type { Kubectl } from '@fleet/bed/kubectl.ts';
import type { Mutant } from '@fleet/bed/mutant.ts';
import { type Product, startProduct } from '@fleet/bed/product.ts';
import { until } from '@fleet/bed/until.ts';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { ConfigMaps } from './config-maps.ts';
import { type Fleet, startFleet } from './fleet.ts';
import { GatedDeployment } from './gated-deployment.ts';

const timeout = 150_000;

let fleet: Fleet<'member1' | 'member2'>;
let written: ConfigMaps<'member1' | 'member2'>;

beforeAll(async () => {
  // A kube-apiserver that is to end waits so long for what is under way; the product 10 s.
  const one = { nodes: 1, extraApiserverFlags: ['--request-timeout=10s'] };
  fleet = await startFleet({ member1: { version: 'newest', ...one }, member2: { version: 'older', ...one } });
  written = new ConfigMaps(fleet.members);
  for (const { api } of Object.values(fleet.members)) {
    const body = { metadata: { name: 'talker' }, spec: { containers: [{ name: 'talker', image: 'talker:1' }] } };
    // The namespace's account may still be on its way.
    await until('the pod is taken', () =>
      api.object('/api/v1/namespaces/default/pods', { method: 'POST', body }).then(() => true),
    );
  }
  for (const member of Object.values(fleet.members)) {
    const logged = async () => (await member.kubectl('logs', 'talker', '--tail=1')).code === 0;
    await until(`the pod of ${member.name} talks`, logged);
  }
});

afterAll(() => fleet?.[Symbol.asyncDispose]());

const started: Kubectl[] = [];
afterEach(() => {
  for (const one of started.splice(0)) one.kill();
});

/** What a kubectl has printed so far. */
class Printing {
  readonly kubectl: Kubectl;
  heard = '';
  words = '';

  constructor(kubectl: Kubectl) {
    this.kubectl = kubectl;
    started.push(kubectl);
    kubectl.stdout.on('data', (data) => {
      this.heard += data;
    });
    kubectl.stderr.on('data', (data) => {
      this.words += data;
    });
  }

  get ended(): boolean {
    return this.kubectl.exitCode !== null || this.kubectl.signalCode !== null;
  }

  get lines(): number {
    return this.heard.split('\n').length;
  }

  prints = (text: string) =>
    until(`"${text}"`, () => {
      if (this.ended) throw new Error(`it ended: ${this.words}`);
      return this.heard.includes(text);
    });

  /** With which code, and its words, but for the numbers of streams. */
  async end(): Promise<{ code: number | null; words: string }> {
    await until(`it ends; so far it printed ${this.heard} ${this.words}`, () => this.ended, { timeout: 100_000 });
    const words = this.words.trim().replaceAll(/(?<=LastStreamID=)\d+/g, 'N');
    return { code: this.kubectl.exitCode, words };
  }
}

/** A product that is restarted on the same port, with kubectls that outlive it. */
class Restarted implements AsyncDisposable {
  private product: Product;
  private readonly dataDir: string;
  private readonly mutant: Mutant | undefined;

  private constructor(product: Product, dataDir: string, mutant: Mutant | undefined) {
    this.product = product;
    this.dataDir = dataDir;
    this.mutant = mutant;
  }

  static async start(mutant?: Mutant): Promise<Restarted> {
    const dataDir = await mkdtemp(join(tmpdir(), 'fleet-restarted-'));
    const { controlPlane } = fleet;
    const product = await startProduct({ controlPlane, dataDir, ...(mutant && { mutant }) });
    return new Restarted(product, dataDir, mutant);
  }

  /** Of the fleet's own product: what a product started ends with it. */
  kubectl(...args: string[]): Printing {
    return new Printing(fleet.product.startKubectl({ kubeconfig: this.product.adminKubeconfig }, ...args));
  }

  async stop(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    this.product.signal(signal);
    await this.product.ended;
  }

  async start(): Promise<void> {
    const { controlPlane } = fleet;
    const listen = this.product.server.replace('https://', '');
    await this.product[Symbol.asyncDispose]();
    const { dataDir, mutant } = this;
    this.product = await startProduct({ controlPlane, dataDir, listen, ...(mutant && { mutant }) });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.product[Symbol.asyncDispose]();
    await rm(this.dataDir, { recursive: true });
  }
}

async function restartMember(): Promise<void> {
  await fleet.members.member1.faults.kill();
  await fleet.members.member1.faults.start();
}

const follow = ['logs', '-f', '--tail=1'] as const;
/** A member's broken connection is left as it is: its client waits for ever. */
const endlessStreams: Mutant = {
  file: 'server/src/http/write-reply.ts',
  from: 'const clientLeft = signal.aborted;\n    abort(response);',
  to: 'const clientLeft = signal.aborted;',
};

/** What one stream breaks by ends all of them. */
const oneForAll: Mutant = {
  file: 'server/src/http/write-reply.ts',
  from: 'if (!clientLeft) throw error;',
  to: 'if (!clientLeft) process.exit(1);',
};
/** A log that is cut off looks like one that is over. */
const cleanEnds: Mutant = {
  file: 'server/src/limits/drain.ts',
  from: 'return watches.has(incoming) ? endingWith(reply, ending) : reply;',
  to: 'return endingWith(reply, ending);',
};

describe('rollout status', () => {
  test('goes on through a restart of the member and of the product, and ends with success', { timeout }, async () => {
    await using product = await Restarted.start();
    await using endless = await Restarted.start(endlessStreams);
    const gated = await GatedDeployment.create(fleet.members.member1, 'gated');
    const status = ['rollout', 'status', 'deploy/gated.clusterspace.member1', '-n', 'default', '--timeout=100s'];
    const [rollout, control] = [product.kubectl(...status), endless.kubectl(...status)];
    for (const one of [rollout, control]) await one.prints('Waiting for deployment');
    await restartMember();
    await product.stop('SIGTERM');
    await product.start();
    expect(rollout.ended).toBe(false);
    await gated.open();
    expect(await rollout.end()).toMatchObject({ code: 0 });
    expect(rollout.heard).toContain('successfully rolled out');
    // negative control: it received nothing of the member's restart, so of nothing behind it
    expect(control.ended).toBe(false);
  });
});

const watch = ['get', 'configmaps', '-n', 'default', '-w', '--no-headers'] as const;

describe('logs -f and get -w', () => {
  test('a member’s restart ends them as it does directly, but no others', { timeout }, async () => {
    await using endless = await Restarted.start(endlessStreams);
    await using fragile = await Restarted.start(oneForAll);
    const direct = (...args: string[]) => new Printing(fleet.members.member1.startKubectl(...args));
    const through = (...args: string[]) => new Printing(fleet.product.startKubectl({}, ...args));
    const logs = {
      direct: direct(...follow, 'talker'),
      own: through(...follow, 'talker.clusterspace.member1'),
      other: through(...follow, 'talker.clusterspace.member2'),
      control: endless.kubectl(...follow, 'talker.clusterspace.member1'),
      fragileOwn: fragile.kubectl(...follow, 'talker.clusterspace.member1'),
      fragileOther: fragile.kubectl(...follow, 'talker.clusterspace.member2'),
    };
    const watches = { direct: direct(...watch), through: through(...watch) };
    for (const one of Object.values(logs)) await one.prints('talker line');
    for (const one of Object.values(watches)) await one.prints('kube-root-ca.crt');
    // What a watch has not received before is too old for an API server that begins anew.
    await written.moveOn('member1');
    await restartMember();
    const yardstick = await logs.direct.end();
    expect(yardstick).toEqual({ code: 1, words: expect.stringContaining('error: unexpected EOF') });
    // As kube-apiserver reports that a kubelet's answer broke off: its own connection is well.
    const brokenOff = expect.stringMatching(/error: stream error: stream ID \d+; INTERNAL_ERROR; received from peer/);
    expect(await logs.own.end()).toEqual({ code: yardstick.code, words: brokenOff });
    const { code } = await watches.direct.end();
    // The cache still has what the member has forgotten.
    if (isCached) expect(watches.through.ended).toBe(false);
    else expect((await watches.through.end()).code).toBe(code);
    const before = logs.other.lines;
    await until('the other goes on', () => logs.other.lines > before + 1);
    expect(logs.other.ended).toBe(false);
    // negative controls
    expect(logs.control.ended).toBe(false);
    expect((await logs.fragileOther.end()).code).toBe(1);
  });

  test.each(['SIGTERM', 'SIGKILL'] as const)(
    'a restart of the product by %s ends them as that of a kube-apiserver does',
    { timeout },
    async (signal) => {
      await using product = await Restarted.start();
      await using clean = await Restarted.start(cleanEnds);
      const { faults, startKubectl } = fleet.members.member1;
      const direct = [startKubectl(...follow, 'talker'), startKubectl(...watch)].map((one) => new Printing(one));
      const through = [[...follow, 'talker.clusterspace.member2'], watch].map((args) => product.kubectl(...args));
      const control = clean.kubectl(...follow, 'talker.clusterspace.member2');
      await control.prints('talker line');
      // What comes behind the list shows that the watch is open: one that is still being opened is tried again.
      const behind = `behind-${signal.toLowerCase()}`;
      for (const [, watching] of [direct, through]) await watching!.prints('kube-root-ca.crt');
      await fleet.members.member1.kubectl('create', 'configmap', behind);
      for (const [log, watching] of [direct, through]) {
        await log!.prints('talker line');
        await watching!.prints(behind);
      }
      const stopMember = () => (signal === 'SIGTERM' ? faults.stop() : faults.kill());
      await Promise.all([product.stop(signal), clean.stop(signal), stopMember()]);
      await Promise.all([product.start(), faults.start()]);
      const ends = (side: readonly Printing[]) => Promise.all(side.map((one) => one.end()));
      expect(await ends(through)).toEqual(await ends(direct));
      if (signal === 'SIGTERM') expect((await control.end()).code).toBe(0); // negative control
      const again = product.kubectl(...follow, 'talker.clusterspace.member2');
      await again.prints('talker line');
    },
  );
});

describe('delete --wait', () => {
  test('goes on through a restart of the member and of the product', { timeout }, async () => {
    await using product = await Restarted.start();
    await written.put('member1', 'going');
    await written.change('member1', 'going', { metadata: { finalizers: ['test.example.com/hold'] } });
    const name = 'configmap/going.clusterspace.member1';
    const deleting = product.kubectl('delete', name, '-n', 'default', '--wait', '--timeout=100s', '-v=6');
    // Before it watches it asks once for the object. A member that has just begun may refuse that, as it does not know its
    // roles yet, and kubectl takes a refusal for the end.
    await until('it watches', () => deleting.words.includes('watch=true'));
    await restartMember();
    await product.stop('SIGTERM');
    await product.start();
    expect(deleting.ended).toBe(false);
    await written.change('member1', 'going', { metadata: { finalizers: null } });
    expect(await deleting.end()).toMatchObject({ code: 0 });
  });
});
