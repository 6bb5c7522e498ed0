/** A reader of the guides: runs their `sh` blocks in one folder, and compares the output with the one that the guide shows. */

import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { expect } from 'vitest';
import { runShell } from '../../suites/src/run-shell.ts';
import { patternOf, readTour, type Step, sectionOf } from '../../suites/src/tour.ts';
import { command, type Product } from './product.ts';

export class GuideReader {
  readonly folder: string;
  private readonly PATH: string;

  private constructor(folder: string, PATH: string) {
    this.folder = folder;
    this.PATH = PATH;
  }

  /** With `fleet` in the PATH, and the Node of this test, whichever is in the PATH before. */
  static async in(folder: string): Promise<GuideReader> {
    const bin = join(folder, 'bin');
    await mkdir(bin, { recursive: true });
    await symlink(command, join(bin, 'fleet'));
    await symlink(process.execPath, join(bin, 'node'));
    return new GuideReader(folder, [bin, process.env['PATH']].join(delimiter));
  }

  async steps(guide: string, heading: string): Promise<Step[]> {
    return readTour(await text(guide), heading);
  }

  /** Writes the YAML of a section into files, in its order. */
  async save(guide: string, heading: string, ...files: readonly string[]): Promise<void> {
    const blocks = [...sectionOf(await text(guide), heading).matchAll(/^```yaml\n([\s\S]*?)^```$/gm)];
    expect(blocks.length).toBeGreaterThanOrEqual(files.length);
    for (const [index, file] of files.entries()) await writeFile(join(this.folder, file), blocks[index]![1]!);
  }

  async shell(commands: string, product: Product): Promise<string> {
    const env = { KUBECONFIG: product.adminKubeconfig, KUBECACHEDIR: join(this.folder, 'cache'), FLEET: product.url };
    const { code, output } = await runShell(commands, this.folder, {
      ...process.env,
      ...env,
      PATH: this.PATH,
      HOME: this.folder,
    });
    expect(code, `${commands}\n${output}`).toBe(0);
    return output;
  }

  async follow({ commands, shows }: Step, product: Product): Promise<void> {
    const output = await this.shell(commands, product);
    if (shows !== undefined) expect(output).toMatch(patternOf(shows));
  }

  async followAll(guide: string, heading: string, product: Product): Promise<void> {
    const all = await this.steps(guide, heading);
    expect(all.length).toBeGreaterThan(0);
    for (const step of all) await this.follow(step, product);
  }
}

const text = (guide: string): Promise<string> =>
  readFile(join(import.meta.dirname, '../../../docs/guides', guide), 'utf8');
