/** What is asked of both servers, in order. Each answer is named after what was asked. */

import type { JsonObject, JsonValue } from '@fleet/kube/json-value.ts';
import { definition, definitionCases, group, ruled, ruledNames } from './definitions.ts';
import { ruleCases, transitionCases } from './rules.ts';
import { type Answer, definitionsPath, type Side, type Step, versionOf } from './side.ts';
import { changeSteps, objectSteps, several, severalSteps } from './steps.ts';
import { widgets } from './widgets.ts';

export interface Answered {
  what: string;
  answer: Answer;
}

const objects = (plural: string, version = 'v1'): string => `/apis/${group}/${version}/namespaces/default/${plural}`;
const dryRun = { dryRun: 'All' };

/** Only the parts that are asked for: `definitions`, `rules`, `objects`. */
export async function* answersTo(side: Side, parts: readonly string[]): AsyncGenerator<Answered> {
  if (parts.includes('definitions')) yield* answersToDefinitions(side);
  if (parts.includes('rules')) yield* answersToRules(side);
  if (parts.includes('objects')) yield* answersToObjects(side);
}

async function* answersToDefinitions(side: Side): AsyncGenerator<Answered> {
  for (const [index, body] of definitionCases.entries()) {
    const answer = await side.send({ method: 'POST', path: definitionsPath, body, query: dryRun });
    yield { what: `definition ${index}: ${JSON.stringify(body['spec']).slice(0, 200)}`, answer };
  }
}

const ruledObject = (field: string, value: JsonValue): JsonObject => ({
  apiVersion: `${group}/v1`,
  kind: ruledNames.kind,
  metadata: { name: 'a' },
  spec: { [field]: value },
});

async function* answersToRules(side: Side): AsyncGenerator<Answered> {
  const path = objects(ruledNames.plural);
  yield { what: 'all rules', answer: await side.define(ruled) };
  for (const [index, one] of ruleCases.entries()) {
    for (const which of ['good', 'bad'] as const) {
      const body = ruledObject(`r${index}`, one[which]);
      yield {
        what: `${which} for ${index}: ${one.rule}`,
        answer: await side.send({ method: 'POST', path, body, query: dryRun }),
      };
    }
  }
  for (const [index, one] of transitionCases.entries()) {
    for (const which of ['good', 'bad'] as const) {
      const [before, after] = one[which] as [JsonValue, JsonValue];
      const made = await side.send({ method: 'POST', path, body: ruledObject(`t${index}`, before) });
      const next = ruledObject(`t${index}`, after);
      const body = { ...next, metadata: { name: 'a', resourceVersion: versionOf(made) } };
      yield {
        what: `${which} for ${index}: ${one.rule}`,
        answer: await side.send({ method: 'PUT', path: `${path}/a`, body }),
      };
      await side.send({ method: 'DELETE', path: `${path}/a` });
    }
  }
}

async function* each(side: Side, steps: readonly (Step & { whole?: boolean })[]): AsyncGenerator<Answered> {
  for (const [index, step] of steps.entries()) {
    const { method, path, query = {} } = step;
    const asked = `${index} ${method} ${path}?${new URLSearchParams(query)} ${JSON.stringify(step.body ?? '').slice(0, 200)}`;
    yield { what: asked, answer: await side.send(await withVersion(side, step)) };
  }
}

/** A PUT of what is there needs its version. */
async function withVersion(side: Side, step: Step): Promise<Step> {
  if (step.method !== 'PUT' || !step.headers?.['x-current']) return step;
  const version = versionOf(await side.send({ method: 'GET', path: step.path }));
  const body = step.body as JsonObject;
  const { 'x-current': _, ...headers } = step.headers;
  return {
    ...step,
    headers,
    body: { ...body, metadata: { ...(body['metadata'] as JsonObject), resourceVersion: version } },
  };
}

async function* answersToObjects(side: Side): AsyncGenerator<Answered> {
  yield { what: 'widgets', answer: await side.define(widgets) };
  const path = `${definitionsPath}/widgets.${group}`;
  yield { what: 'widgets as they are now', answer: await side.send({ method: 'GET', path }) };
  yield* each(side, objectSteps);
  yield { what: 'several versions', answer: await side.define(several) };
  yield* each(side, severalSteps);
  yield* each(side, changeSteps);
  for (const name of [`widgets.${group}`, `severals.${group}`]) {
    yield { what: `delete ${name}`, answer: await side.send({ method: 'DELETE', path: `${definitionsPath}/${name}` }) };
    await side.gone(name);
  }
  yield { what: 'no widgets', answer: await side.send({ method: 'GET', path: objects('widgets') }) };
  yield {
    what: 'defined again',
    answer: await side.define(definition({ plural: 'widgets', kind: 'Widget' }, { type: 'object' })),
  };
  yield { what: 'nothing is left', answer: await side.send({ method: 'GET', path: objects('widgets') }) };
}
