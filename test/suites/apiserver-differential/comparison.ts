/** A kube-apiserver and embedded API servers that are sent the same requests. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AdmissionName } from '@fleet/apiserver/admission/admission.ts';
import { type Member, type MemberOptions, startMember } from '@fleet/bed/member.ts';
import type { Mutant } from '@fleet/bed/mutant.ts';
import type { Kind } from '@fleet/differential/kinds/kind.ts';
import { describeDifference, describeReport, type Report } from '@fleet/differential/report.ts';
import { runDifferential } from '@fleet/differential/run.ts';
import { readTolerated } from '@fleet/differential/tolerance.ts';
import { ServerProcess } from '../embedded/server-process.ts';

const differences = new URL('../../../docs/reference/differences.md', import.meta.url).pathname;

export interface ComparisonOptions {
  /** Whose rows of the listed differences count. */
  suite: string;
  kinds: readonly Kind[];
  member?: Partial<MemberOptions>;
  /** Of the embedded API server, if not those of a control plane. */
  admission?: readonly AdmissionName[];
}

export interface Asked {
  seed: string | number;
  count: number;
  kinds?: readonly Kind[];
  /** Only this request, and what led to it. */
  replay?: number;
}

export class Comparison implements AsyncDisposable {
  readonly #options: ComparisonOptions;
  readonly #member: Member;
  readonly #folders: string[] = [];

  private constructor(options: ComparisonOptions, member: Member) {
    this.#options = options;
    this.#member = member;
  }

  static async start(options: ComparisonOptions): Promise<Comparison> {
    return new Comparison(options, await startMember({ name: 'differential', nodes: 0, ...options.member }));
  }

  async run(asked: Asked, mutant?: Mutant): Promise<Report> {
    const { admission, kinds, suite } = this.#options;
    const folder = mkdtempSync(join(tmpdir(), 'fleet-differential-'));
    this.#folders.push(folder);
    await using server = await ServerProcess.startAs(folder, { mutant, ...(admission && { admission }) });
    const { server: url, ca, admin } = this.#member;
    return await runDifferential({
      left: { endpoint: { url, ca, ...admin } },
      right: { endpoint: { url: server.url } },
      kinds,
      tolerated: await readTolerated(differences, suite),
      ...asked,
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#member[Symbol.asyncDispose]();
    for (const folder of this.#folders) rmSync(folder, { recursive: true, force: true });
  }
}

/** The seed is what one needs to see it again. */
export function show(report: Report): Report {
  for (const difference of report.differences) console.log(describeDifference(difference));
  console.log(describeReport(report));
  return report;
}
