import { mkdir, readdir, readFile, rm, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { clear } from './clear.ts';

/** What is kept of a member that goes on after the command that started it. */
export interface MemberRecord {
  name: string;
  version: string;
  /** The mark of its processes. */
  run: string;
  dir: string;
  /** Both only once it is up. */
  server?: string;
  kubeconfig?: string;
}

/** The members `bed up` has left running: a folder with a file and a folder for each. */
export class BedState {
  readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  memberFolder(name: string): string {
    return join(this.folder, name);
  }

  /** Before its first process starts, so that `down` finds it whatever happens. */
  async keep(record: MemberRecord): Promise<void> {
    await mkdir(this.folder, { recursive: true });
    await writeFile(this.#file(record.name), `${JSON.stringify(record, null, 2)}\n`);
  }

  async members(): Promise<MemberRecord[]> {
    const names = await readdir(this.folder).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return [];
      throw error;
    });
    const files = names.filter((name) => name.endsWith('.json')).sort();
    return Promise.all(
      files.map(async (file) => JSON.parse(await readFile(join(this.folder, file), 'utf8')) as MemberRecord),
    );
  }

  async remove(record: MemberRecord): Promise<void> {
    await clear(record.run, record.dir);
    await rm(this.#file(record.name), { force: true });
    await rmdir(this.folder).catch((error: NodeJS.ErrnoException) => {
      // others are still in it, or removed it first
      if (error.code !== 'ENOTEMPTY' && error.code !== 'ENOENT') throw error;
    });
  }

  #file(name: string): string {
    return join(this.folder, `${name}.json`);
  }
}
