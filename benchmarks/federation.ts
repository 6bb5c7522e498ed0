/**
 * Federation under load: many templates over many simulated clusters, one template over more of them, and templates on three real
 * members beside a real Karmada. `BENCH_PARTS` (`many`, `deployments`, `wide`, `karmada`), `BENCH_TEMPLATES`, `BENCH_MEMBERS`,
 * `BENCH_WIDE`, `BENCH_KARMADA_TEMPLATES` and `BENCH_ROUNDS` make it smaller.
 */

import { cpus, loadavg } from 'node:os';
import { benchBesideKarmada } from './federation/beside-karmada.ts';
import { benchManyTemplates } from './federation/many-templates.ts';
import { configMaps, deployments } from './federation/templates.ts';
import { benchWideTemplate } from './federation/wide-template.ts';

const parts = (process.env['BENCH_PARTS'] ?? 'many,deployments,wide,karmada').split(',');
const templates = Number(process.env['BENCH_TEMPLATES'] ?? 1_000);
const clusters = Number(process.env['BENCH_MEMBERS'] ?? 50);
const wide = Number(process.env['BENCH_WIDE'] ?? 200);
const besideKarmada = Number(process.env['BENCH_KARMADA_TEMPLATES'] ?? 300);
const rounds = Number(process.env['BENCH_ROUNDS'] ?? 5);
/** Simulated clusters run the pods of Deployments: so many clusters each are enough to compare. */
const deploymentSpread = Math.min(clusters, 5);

export async function benchFederation(): Promise<void> {
  console.log(`${cpus().length} cores, load ${loadavg()[0]!.toFixed(1)}`);
  if (parts.includes('many')) await benchManyTemplates({ kind: configMaps, templates, clusters, spread: clusters });
  if (parts.includes('deployments')) {
    await benchManyTemplates({ kind: deployments, templates, clusters, spread: deploymentSpread });
  }
  if (parts.includes('wide')) await benchWideTemplate({ clusters: wide, rounds });
  if (parts.includes('karmada')) await benchBesideKarmada({ templates: besideKarmada, rounds: Math.min(rounds, 3) });
}
