/** Macros: calls that the parser replaces by an expansion. */

import { accumulatorName, type Expr } from './ast.ts';
import type { Value } from './values.ts';

/** Creates nodes at the position of the macro. */
export interface Maker {
  at: number;
  nextId(): number;
}

/** An error text if the macro is used wrongly. */
export type Expanded = Expr | { at: number; wrong: string };
type Macro = (maker: Maker, target: Expr | undefined, args: Expr[]) => Expanded;

const node = (maker: Maker) => ({ id: maker.nextId(), at: maker.at });
const literal = (maker: Maker, value: Value): Expr => ({ ...node(maker), kind: 'literal', value });
const ident = (maker: Maker, name: string): Expr => ({ ...node(maker), kind: 'ident', name });
const emptyList = (maker: Maker): Expr => ({ ...node(maker), kind: 'list', elements: [], optional: [] });
const call = (maker: Maker, name: string, ...args: Expr[]): Expr => ({
  ...node(maker),
  kind: 'call',
  name,
  target: undefined,
  args,
});
const memberCall = (maker: Maker, name: string, target: Expr, ...args: Expr[]): Expr => ({
  ...node(maker),
  kind: 'call',
  name,
  target,
  args,
});
const accumulated = (maker: Maker): Expr => ident(maker, accumulatorName);

/** A copy has new ids, as types are stored by id. */
function copied(maker: Maker, expr: Expr): Expr {
  const id = maker.nextId();
  const copy = (one: Expr) => copied(maker, one);
  switch (expr.kind) {
    case 'literal':
    case 'ident':
      return { ...expr, id };
    case 'select':
      return { ...expr, id, operand: copy(expr.operand) };
    case 'call':
      return { ...expr, id, target: expr.target && copy(expr.target), args: expr.args.map(copy) };
    case 'list':
      return { ...expr, id, elements: expr.elements.map(copy) };
    case 'map':
      return {
        ...expr,
        id,
        entries: expr.entries.map((one) => ({ ...one, key: copy(one.key), value: copy(one.value) })),
      };
    case 'struct':
      return { ...expr, id, fields: expr.fields.map((one) => ({ ...one, value: copy(one.value) })) };
    case 'fold':
      return {
        ...expr,
        id,
        range: copy(expr.range),
        init: copy(expr.init),
        condition: copy(expr.condition),
        step: copy(expr.step),
        result: copy(expr.result),
      };
  }
}

interface Loop {
  init(maker: Maker): Expr;
  condition(maker: Maker): Expr;
  step(maker: Maker, body: Expr[]): Expr;
  result(maker: Maker): Expr;
}

const isTrue = (maker: Maker) => literal(maker, true);

const all: Loop = {
  init: isTrue,
  condition: (maker) => call(maker, '@not_strictly_false', accumulated(maker)),
  step: (maker, [test]) => call(maker, '_&&_', accumulated(maker), test!),
  result: accumulated,
};
const exists: Loop = {
  init: (maker) => literal(maker, false),
  condition: (maker) => call(maker, '@not_strictly_false', call(maker, '!_', accumulated(maker))),
  step: (maker, [test]) => call(maker, '_||_', accumulated(maker), test!),
  result: accumulated,
};
const existsOne: Loop = {
  init: (maker) => literal(maker, 0n),
  condition: isTrue,
  step: (maker, [test]) =>
    call(maker, '_?_:_', test!, call(maker, '_+_', accumulated(maker), literal(maker, 1n)), accumulated(maker)),
  result: (maker) => call(maker, '_==_', accumulated(maker), literal(maker, 1n)),
};
/** With a filter before the step if there is one. */
const filtered = (maker: Maker, filter: Expr | undefined, step: Expr): Expr =>
  filter ? call(maker, '_?_:_', filter, step, accumulated(maker)) : step;
const toList: Loop = {
  init: emptyList,
  condition: isTrue,
  step: (maker, body) => {
    const item: Expr = { ...node(maker), kind: 'list', elements: [body.at(-1)!], optional: [false] };
    return filtered(maker, body.length > 1 ? body[0] : undefined, call(maker, '_+_', accumulated(maker), item));
  },
  result: accumulated,
};

const wrong = (at: number, text: string): Expanded => ({ at, wrong: text });

function variableFault(expr: Expr, notAName: string): Expanded | undefined {
  if (expr.kind !== 'ident') return wrong(expr.at, notAName);
  if (expr.name === accumulatorName || expr.name === '__result__') {
    return wrong(expr.at, 'iteration variable overwrites accumulator variable');
  }
  return undefined;
}

const nameOf = (expr: Expr): string => (expr.kind === 'ident' ? expr.name : '');

function fold(maker: Maker, loop: Loop, range: Expr, variables: [string, string?], body: Expr[]): Expr {
  return {
    ...node(maker),
    kind: 'fold',
    range,
    variable: variables[0],
    variable2: variables[1],
    accumulator: accumulatorName,
    init: loop.init(maker),
    condition: loop.condition(maker),
    step: loop.step(maker, body),
    result: loop.result(maker),
  };
}

const one =
  (loop: Loop, notAName = 'argument must be a simple name'): Macro =>
  (maker, target, [variable, ...body]) =>
    variableFault(variable!, notAName) ?? fold(maker, loop, target!, [nameOf(variable!)], body);

const filter: Macro = (maker, target, [variable, test]) => {
  const fault = variableFault(variable!, 'argument is not an identifier');
  if (fault) return fault;
  return fold(maker, toList, target!, [nameOf(variable!)], [test!, ident(maker, nameOf(variable!))]);
};

const two =
  (loopOf: (first: string) => Loop): Macro =>
  (maker, target, [first, second, ...body]) => {
    const fault =
      variableFault(first!, 'argument must be a simple name') ??
      variableFault(second!, 'argument must be a simple name');
    if (fault) return fault;
    const [a, b] = [nameOf(first!), nameOf(second!)];
    if (a === b) return wrong(second!.at, `duplicate variable name: ${a}`);
    return fold(maker, loopOf(a), target!, [a, b], body);
  };

const toMap = (insert: (maker: Maker, transform: Expr) => Expr): Loop => ({
  init: (maker) => ({ ...node(maker), kind: 'map', entries: [] }),
  condition: isTrue,
  step: (maker, body) => filtered(maker, body.length > 1 ? body[0] : undefined, insert(maker, body.at(-1)!)),
  result: accumulated,
});
const transformMap = two((key) =>
  toMap((maker, value) => call(maker, 'cel.@mapInsert', accumulated(maker), ident(maker, key), value)),
);
const transformMapEntry = two(() => toMap((maker, entry) => call(maker, 'cel.@mapInsert', accumulated(maker), entry)));

function bound(maker: Maker, name: string, value: Expr, result: Expr): Expr {
  return {
    ...node(maker),
    kind: 'fold',
    range: emptyList(maker),
    variable: '#unused',
    variable2: undefined,
    accumulator: name,
    init: value,
    condition: literal(maker, false),
    step: ident(maker, name),
    result,
  };
}

const optionalMap =
  (name: string, wrap: boolean): Macro =>
  (maker, target, [variable, body]) => {
    if (variable!.kind !== 'ident') return wrong(variable!.at, `${name}() variable name must be a simple identifier`);
    const value = memberCall(maker, 'value', copied(maker, target!));
    const made = bound(maker, variable!.name, value, body!);
    return call(
      maker,
      '_?_:_',
      memberCall(maker, 'hasValue', target!),
      wrap ? call(maker, 'optional.of', made) : made,
      call(maker, 'optional.none'),
    );
  };

const sortBy: Macro = (maker, target, args) => {
  const input = '@__sortBy_input__';
  if (target!.kind === 'literal' || target!.kind === 'map' || target!.kind === 'struct') {
    return wrong(
      target!.at,
      'sortBy can only be applied to a list, identifier, comprehension, call or select expression',
    );
  }
  const keys = one(toList, 'argument is not an identifier')(maker, ident(maker, input), args);
  if ('wrong' in keys) return keys;
  return bound(maker, input, target!, memberCall(maker, '@sortByAssociatedKeys', ident(maker, input), keys));
};

const has: Macro = (maker, _target, [field]) =>
  field!.kind === 'select' && !field!.test
    ? { ...node(maker), kind: 'select', operand: field!.operand, field: field!.field, test: true }
    : wrong(field!.at, 'invalid argument to has() macro');

const memberMacros: { [signature: string]: Macro } = {
  'all/2': one(all),
  'exists/2': one(exists),
  'exists_one/2': one(existsOne),
  'existsOne/2': one(existsOne),
  'map/2': one(toList, 'argument is not an identifier'),
  'map/3': one(toList, 'argument is not an identifier'),
  'filter/2': filter,
  'all/3': two(() => all),
  'exists/3': two(() => exists),
  'exists_one/3': two(() => existsOne),
  'existsOne/3': two(() => existsOne),
  'transformList/3': two(() => toList),
  'transformList/4': two(() => toList),
  'transformMap/3': transformMap,
  'transformMap/4': transformMap,
  'transformMapEntry/3': transformMapEntry,
  'transformMapEntry/4': transformMapEntry,
  'optMap/2': optionalMap('optMap', true),
  'optFlatMap/2': optionalMap('optFlatMap', false),
  'sortBy/2': sortBy,
};

/** Undefined if it is not a macro. */
export function expand(maker: Maker, name: string, target: Expr | undefined, args: Expr[]): Expanded | undefined {
  if (!target) return name === 'has' && args.length === 1 ? has(maker, target, args) : undefined;
  const signature = `${name}/${args.length}`;
  return Object.hasOwn(memberMacros, signature) ? memberMacros[signature]!(maker, target, args) : undefined;
}
