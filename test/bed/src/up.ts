import { randomUUID } from 'node:crypto';
import { resolveVersion, type VersionName } from './binaries.ts';
import { build } from './build.ts';
import { binariesOf, type Member, startMember } from './member.ts';
import type { BedState, MemberRecord } from './state.ts';

export interface UpOptions {
  members: number;
  nodes: number;
  workloads: boolean;
  /** Given out in turn. */
  versions: readonly VersionName[];
}

/** Starts members that outlive this process; if one cannot start, none is left. */
export async function up(state: BedState, { members, nodes, workloads, versions }: UpOptions): Promise<MemberRecord[]> {
  const before = await state.members();
  if (before.length > 0) throw new Error(`${before.map(({ name }) => name).join(', ')}: already there; end them first`);
  const plan = Array.from({ length: members }, (_, index): MemberRecord => {
    const name = `member${index + 1}`;
    const version = resolveVersion(versions[index % versions.length] ?? 'newest');
    return { name, version, run: randomUUID(), dir: state.memberFolder(name) };
  });
  await build(plan.flatMap(({ version }) => binariesOf(version as VersionName, nodes)));
  const starts = await Promise.allSettled(
    plan.map(async (record) => {
      await state.keep(record);
      const { name, run, dir } = record;
      return startMember({ name, run, dir, nodes, workloads, version: record.version as VersionName });
    }),
  );
  const failure = starts.find((start) => start.status === 'rejected');
  if (failure) {
    await Promise.all(plan.map((record) => state.remove(record)));
    throw failure.reason;
  }
  const started = starts.map((start) => (start as PromiseFulfilledResult<Member>).value);
  return Promise.all(
    started.map(async (member, index) => {
      const record = { ...(plan[index] as MemberRecord), server: member.server, kubeconfig: member.kubeconfig };
      await state.keep(record);
      member.release();
      return record;
    }),
  );
}
