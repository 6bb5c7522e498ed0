/** Compiles the rules of a schema (`x-kubernetes-validations`), and estimates their maximum cost. */

import { walk } from '../../cel/ast.ts';
import type { Checked } from '../../cel/checked.ts';
import { type Compiled, compile } from '../../cel/compile.ts';
import type { Bounds } from '../../cel/cost/bounds.ts';
import { estimateCost } from '../../cel/cost/estimate.ts';
import type { Environment } from '../../cel/environment.ts';
import type { Program } from '../../cel/evaluate.ts';
import { CompileError } from '../../cel/issues.ts';
import { functions } from '../../cel/library/all.ts';
import * as types from '../../cel/types.ts';
import type { Rule, Schema } from '../../schema/open-api.ts';
import { type DeclaredType, largestRequest, structsIn } from './declared-type.ts';
import { fieldAt } from './field-path.ts';

export interface CompiledRule {
  rule: Rule;
  /** The compile error; without a program and a fault the rule is empty. */
  fault?: string;
  program?: Program;
  usesOldSelf: boolean;
  mostCost: number;
  /** How often a value of this type fits into a request. */
  mostTimes: number;
  messageFault?: string;
  message?: Program;
  messageCost: number;
  /** For example `.spec.x`. */
  path: string;
}

export function compileRules(rules: readonly Rule[], schema: Schema, declared: DeclaredType): CompiledRule[] {
  const structs = structsIn(declared);
  const environment = (isOptional: boolean): Environment => ({
    variables: new Map([
      ['self', declared.type],
      ['oldSelf', isOptional ? types.optional(declared.type) : declared.type],
    ]),
    fieldsOf: (name) => structs.get(name),
    functions,
  });
  const environments = { plain: environment(false), optional: environment(true) };
  return rules.map((rule) =>
    compileRule(rule, schema, declared, rule.optionalOldSelf ? environments.optional : environments.plain),
  );
}

function compileRule(rule: Rule, schema: Schema, declared: DeclaredType, environment: Environment): CompiledRule {
  const mostTimes = Math.floor(largestRequest / (declared.smallest + 1));
  const made: CompiledRule = { rule, usesOldSelf: false, mostCost: 0, mostTimes, messageCost: 0, path: '' };
  if ((rule.rule ?? '').trim() === '') return made;
  const compiled = attempt(rule.rule, environment, declared);
  if (typeof compiled === 'string') return { ...made, fault: `compilation failed: ${compiled}` };
  if (compiled.type.kind !== 'bool') return { ...made, fault: 'cel expression must evaluate to a bool' };
  made.usesOldSelf = uses(compiled.checked, 'oldSelf');
  made.program = compiled.program;
  made.mostCost = costOf(compiled.checked, declared);
  if (rule.messageExpression) Object.assign(made, messageOf(rule.messageExpression, declared, environment));
  if (rule.fieldPath) made.path = fieldAt(rule.fieldPath, schema)?.path ?? '';
  return made;
}

function messageOf(source: string, declared: DeclaredType, environment: Environment): Partial<CompiledRule> {
  const compiled = attempt(source, environment, declared);
  if (typeof compiled === 'string') return { messageFault: `messageExpression compilation failed: ${compiled}` };
  if (compiled.type.kind !== 'string') return { messageFault: 'messageExpression must evaluate to a string' };
  return { message: compiled.program, messageCost: costOf(compiled.checked, declared) };
}

/** Error texts name types relative to the rule. */
function attempt(source: string, environment: Environment, { name }: DeclaredType): Compiled | string {
  try {
    return compile(source, environment);
  } catch (error) {
    if (error instanceof CompileError) return error.message.replaceAll(name, name.split('.', 1)[0]!);
    throw error;
  }
}

const uses = ({ expr }: Checked, name: string): boolean =>
  [...walk(expr)].some(({ expr: one }) => one.kind === 'ident' && one.name === name);

const costOf = (checked: Checked, declared: DeclaredType): number =>
  estimateCost(checked, (path) => sizeAt(declared, path.slice(1))).max;

function sizeAt(from: DeclaredType, path: readonly string[]): Bounds | undefined {
  let at: DeclaredType | undefined = from;
  for (const step of path) {
    if (step === '@items' || step === '@values') at = at.element;
    else if (step === '@keys') at = at.key;
    else at = at.fields?.get(step);
    if (!at) return undefined;
  }
  return { min: 0, max: at.mostElements };
}
