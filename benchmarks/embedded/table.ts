/** What was measured, in one table with what was aimed at. Ratios of more than 1 are ours being better. */

import { quantile, ratios, spread } from '../ratio.ts';
import type { Taken } from './requests.ts';
import type { Delivered } from './watchers.ts';

interface Row {
  name: string;
  ours: string;
  theirs: string;
  ratio: string;
  aim: string;
  isMet: boolean | undefined;
}

/** What two rounds of the same differ by. */
const noise = 0.05;

const median = (numbers: readonly number[]): number => quantile(numbers, 0.5);
const rates = (taken: readonly Taken[]): number[] => taken.map(({ rate }) => rate);
const cpus = (taken: readonly Taken[]): number[] => taken.map(({ cpu }) => cpu);

export class Table {
  readonly #rows: Row[] = [];

  requests(name: string, ours: readonly Taken[], theirs: readonly Taken[], aim: number): void {
    const shown = (taken: readonly Taken[]) => {
      const rate = median(rates(taken));
      const speed = rate < 200 ? `${(1_000 / rate).toFixed(1)} ms` : `${rate.toFixed(0)}/s`;
      return `${speed}, ${median(cpus(taken)).toFixed(2)} ms of CPU`;
    };
    const compared = ratios(rates(ours), rates(theirs));
    this.#add({ name, ours: shown(ours), theirs: shown(theirs), ...judged(compared, aim) });
  }

  /** How many of so many were refused; none is the aim. */
  refused(name: string, ours: number, theirs: number, of: number): void {
    const shown = (count: number) => `${count} of ${of}`;
    this.#add({ name, ours: shown(ours), theirs: shown(theirs), ratio: '', aim: 'none', isMet: ours === 0 });
  }

  deliveries(name: string, ours: readonly Delivered[], theirs: readonly Delivered[]): void {
    const rate = (taken: readonly Delivered[]) => {
      const least = Math.min(...taken.map(({ share }) => share));
      const lost = least < 1 ? `, as little as ${Math.floor(least * 100)} % of all` : '';
      return `${median(rates(taken)).toFixed(0)} deliveries/s${lost}`;
    };
    const compared = ratios(rates(ours), rates(theirs));
    this.#add({ name, ours: rate(ours), theirs: rate(theirs), ...judged(compared, 1) });
    const cpu = (taken: readonly Taken[]) => `${(median(cpus(taken)) * 1_000).toFixed(1)} us`;
    const cheaper = ratios(cpus(theirs), cpus(ours));
    this.#add({ name: `${name}, CPU of one`, ours: cpu(ours), theirs: cpu(theirs), ...judged(cheaper, 1) });
  }

  start(which: string, ours: readonly number[], theirs: readonly number[]): void {
    const shown = (millis: readonly number[]) => `${spread(millis)} ms`;
    const ratio = spread(ratios(theirs, ours), 2);
    const met = which === 'first' ? { aim: '', isMet: undefined } : { aim: '< 1 s', isMet: median(ours) < 1_000 };
    this.#add({ name: `${which} start to ready`, ours: shown(ours), theirs: shown(theirs), ratio, ...met });
  }

  memory(when: string, ours: number, theirs: number): void {
    const shown = (megabytes: number) => `${megabytes.toFixed(0)} MiB`;
    const met = when.includes('load')
      ? { aim: '', isMet: undefined }
      : { aim: '< 150 MB', isMet: ours * 1.048576 < 150 };
    const ratio = (theirs / ours).toFixed(2);
    this.#add({ name: `memory ${when}`, ours: shown(ours), theirs: shown(theirs), ratio, ...met });
  }

  print(): void {
    console.log('| | fleet serve | kube-apiserver and etcd | ratio | aim | |\n|---|---|---|---|---|---|');
    for (const row of this.#rows) console.log(lineOf(row));
  }

  #add(row: Row): void {
    this.#rows.push(row);
    // Each row is printed at once, too: a run takes minutes.
    console.log(`${new Date().toISOString().slice(11, 19)} ${lineOf(row)}`);
  }
}

const judged = (compared: readonly number[], aim: number) => ({
  ratio: spread(compared, 2),
  aim: `${aim}`,
  isMet: median(compared) >= aim * (1 - noise),
});

function lineOf({ name, ours, theirs, ratio, aim, isMet }: Row): string {
  const met = isMet === undefined ? '' : isMet ? 'met' : 'missed';
  return `| ${[name, ours, theirs, ratio, aim, met].join(' | ')} |`;
}
