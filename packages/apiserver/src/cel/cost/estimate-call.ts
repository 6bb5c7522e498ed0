/** Estimates the maximum cost of a call (`EstimateCallCost` of kube-apiserver, `functionCost` of cel-go). */

import { sameType } from '../types.ts';
import { type Bounds, exactly, plus, scaled, times, unknown } from './bounds.ts';
import type { Estimated } from './estimate.ts';
import { listCreation, perSign, perSignOfExpression } from './factors.ts';

export interface CallEstimate {
  cost: Bounds;
  /** Of the result. */
  size?: Bounds | undefined;
}

/** The known size of a node: computed, or from the schema of its path. */
type SizeOf = (node: Estimated) => Bounds | undefined;

interface Call {
  overload: string;
  target: Estimated | undefined;
  args: readonly Estimated[];
  sizeOf: SizeOf;
}

type Estimate = (call: Call) => CallEstimate | undefined;

const once: Estimate = () => ({ cost: exactly(1) });
const size = ({ sizeOf }: Call, node: Estimated | undefined): Bounds => (node && sizeOf(node)) ?? unknown;
/** The computed size only: cel-go's own estimates do not use the schema again. */
const computed = (node: Estimated | undefined): Bounds => node?.size ?? unknown;

const list =
  (factor: number, count: (call: Call) => Bounds): Estimate =>
  (call) => {
    const bounds = count(call);
    return { cost: plus(scaled(bounds, factor), exactly(1 + listCreation)), size: bounds };
  };
const squared = (call: Call, node: Estimated | undefined): Bounds => times(size(call, node), size(call, node));
const literalInt = (node: Estimated | undefined): number | undefined =>
  node?.expr?.kind === 'literal' && typeof node.expr.value === 'bigint' ? Number(node.expr.value) : undefined;

const elementOf = (node: Estimated): Estimated | undefined => {
  const [type] = node.type.params;
  return type && { expr: undefined, type, path: node.path.length > 0 ? [...node.path, '@items'] : [], size: undefined };
};

const walked: Estimate = (call) => {
  if (!call.target) return undefined;
  const element = elementOf(call.target);
  if (!element) return { cost: scaled(size(call, call.target), perSign) };
  const isText = element.type.kind === 'string' || element.type.kind === 'bytes';
  const each = isText ? plus(exactly(1), scaled(size(call, element), perSign)) : exactly(1);
  return { cost: times(size(call, call.target), each) };
};

const firstArgument =
  (factor = perSign, keepsSize = false): Estimate =>
  (call) => {
    if (call.args.length === 0) return undefined;
    const bounds = size(call, call.args[0]);
    return { cost: scaled(bounds, factor), ...(keepsSize ? { size: bounds } : {}) };
  };

const sameSize: Estimate = (call) => {
  const bounds = size(call, call.target);
  return { cost: scaled(bounds, perSign), size: bounds };
};

/** The longest and the shortest result of a replacement. */
function replaced(call: Call): CallEstimate {
  const [text, old, next] = [size(call, call.target), size(call, call.args[0]), size(call, call.args[1])];
  const [count, kept]: [Bounds, Bounds] = [
    { min: 0, max: 0 },
    { min: 0, max: 0 },
  ];
  if (old.min === 0) [count.max, kept.max] = [text.max + 1, text.max];
  else if (next.max <= old.min) kept.max = text.max;
  else count.max = Math.ceil(text.max / old.min);
  if (old.max === 0) [count.min, kept.min] = [text.min + 1, text.min];
  else if (old.max <= next.min) kept.min = text.min;
  else count.min = Math.ceil(text.min / old.max);
  return { cost: scaled(text, 2 * perSign), size: plus(times(count, next), kept) };
}

const split: Estimate = (call) => {
  const bounds = size(call, call.target);
  const most = literalInt(call.args[1]) ?? bounds.max;
  return { cost: scaled(bounds, 2 * perSign), size: { min: 0, max: most < 0 ? unknown.max : most } };
};

const join: Estimate = (call) => {
  if (!call.target) return undefined;
  const count = size(call, call.target);
  const element = elementOf(call.target);
  let bounds = element ? times(count, size(call, element)) : exactly(0);
  if (call.args.length > 0) {
    const separators = { min: Math.max(0, count.min - 1), max: Math.max(0, count.max - 1) };
    bounds = plus(bounds, times(size(call, call.args[0]), separators));
  }
  return { cost: scaled(bounds, perSign), size: bounds };
};

const searched = (text: Bounds, expression: Bounds): Bounds =>
  times(scaled(plus(text, exactly(1)), perSign), scaled(expression, perSignOfExpression));

const find: Estimate = (call) => {
  const bounds = size(call, call.target);
  return { cost: searched(bounds, size(call, call.args[0])), size: { min: 0, max: bounds.max } };
};

/** Of IPv4 or IPv6. */
const addressBytes: Bounds = { min: 4, max: 16 };
const contained =
  (ofText: string, isCidr: boolean): Estimate =>
  (call) => {
    let cost = scaled(plus(addressBytes, addressBytes), perSign);
    if (isCidr) cost = plus(plus(cost, scaled(addressBytes, perSign)), exactly(1));
    if (call.overload === ofText) cost = plus(cost, scaled(size(call, call.args[0]), perSign));
    return { cost };
  };

const sets =
  (factor: number): Estimate =>
  (call) => ({ cost: plus(scaled(times(size(call, call.args[0]), size(call, call.args[1])), factor), exactly(1)) });

const sorted =
  (node: (call: Call) => Estimated | undefined): Estimate =>
  (call) => {
    const isText = /^list_(string|bytes)_/.test(call.overload);
    return list(2 + (isText ? perSign : 0), (one) => squared(one, node(one)))(call);
  };

const longestFormat = 64;
const longestFormatExpression = 128;

/** Values of libraries are compared in constant time; of others the smaller one is visited. */
const equality: Estimate = ({ args: [left, right] }) => {
  if (!left || !right || !sameType(left.type, right.type)) return undefined;
  switch (left.type.name) {
    case 'net.IP':
    case 'net.CIDR':
    case 'kubernetes.Quantity':
    case 'kubernetes.Semver':
      return { cost: exactly(1) };
    case 'kubernetes.NamedFormat':
      return { cost: scaled({ min: 1, max: longestFormat }, perSign) };
    case 'kubernetes.URL':
      return { cost: scaled({ min: 1, max: right.size?.max ?? 1 }, perSign) };
    default:
      return undefined;
  }
};

const all = (estimate: Estimate, names: string): { [name: string]: Estimate } =>
  Object.fromEntries(names.split(' ').map((name) => [name, estimate]));

const byFunction: { [name: string]: Estimate } = {
  ...all(walked, 'isSorted sum max min indexOf lastIndexOf'),
  url: firstArgument(perSign, true),
  ...all(sameSize, 'lowerAscii upperAscii substring trim'),
  replace: replaced,
  split,
  join,
  ...all(find, 'find findAll'),
  ...all(firstArgument(), 'cidr isIP isCIDR quantity isQuantity semver isSemver'),
  ip: (call) => (call.overload === 'cidr_ip' ? once(call) : firstArgument()(call)),
  'ip.isCanonical': firstArgument(2 * perSign),
  containsIP: contained('cidr_contains_ip_string', false),
  containsCIDR: contained('cidr_contains_cidr_string', true),
  validate: (call) => ({
    cost: scaled(scaled(size(call, call.args[0]), perSign), longestFormatExpression * perSignOfExpression),
  }),
  ...all(once, 'format.named masked prefixLength family isUnspecified isLoopback isLinkLocalMulticast'),
  ...all(once, 'isLinkLocalUnicast isGlobalUnicast sign asInteger isInteger asApproximateFloat isGreaterThan'),
  ...all(once, 'isLessThan compareTo add sub major minor patch'),
  ...all(once, 'getScheme getHostname getHost getPort getEscapedPath getQuery'),
  '_==_': equality,
  slice: (call) => {
    const end = literalInt(call.args[1]) ?? size(call, call.target).max;
    return list(1, () => exactly(end - (literalInt(call.args[0]) ?? 0)))(call);
  },
  'lists.range': list(1, ({ args }) => exactly(literalInt(args[0]) ?? unknown.max)),
  reverse: list(1, (call) => size(call, call.target)),
  flatten: (call) =>
    list(call.args.length === 1 ? (literalInt(call.args[0]) ?? unknown.max) : 1, () => size(call, call.target))(call),
  distinct: list(2, (call) => squared(call, call.target)),
  sort: sorted(({ target }) => target),
  '@sortByAssociatedKeys': sorted(({ args }) => args[0]),
  'sets.contains': sets(1),
  'sets.intersects': sets(1),
  'sets.equivalent': sets(2),
};

const smaller: Estimate = ({ args: [left, right] }) => {
  const max = Math.min(computed(left).max, computed(right).max);
  return { cost: scaled({ min: max > 0 ? 1 : 0, max }, perSign) };
};

const added =
  (isList: boolean): Estimate =>
  ({ args: [left, right] }) => {
    const bounds = plus(computed(left), computed(right));
    return { cost: isList ? exactly(1) : scaled(bounds, perSign), size: bounds };
  };

const textual =
  (change: (bounds: Bounds) => Bounds): Estimate =>
  ({ args: [text] }) => ({
    cost: scaled(computed(text), perSign),
    size: change(computed(text)),
  });

const byOverload: { [overload: string]: Estimate } = {
  string_format: ({ target }) => ({ cost: scaled(computed(target), perSign) }),
  string_to_bytes: textual(({ min, max }) => ({ min, max: max * 4 })),
  bytes_to_string: textual(({ min, max }) => ({ min: Math.floor(min / 4), max })),
  strings_quote: textual(({ min, max }) => ({ min: min + 2, max: max * 2 + 2 })),
  ...all(({ args: [part] }) => ({ cost: scaled(computed(part), perSign) }), 'starts_with_string ends_with_string'),
  in_list: ({ args: [, whole] }) => ({ cost: computed(whole) }),
  matches_string: ({ target, args: [expression] }) => ({ cost: searched(computed(target), computed(expression)) }),
  contains_string: ({ target, args: [part] }) => ({
    cost: times(scaled(computed(target), perSign), scaled(computed(part), perSign)),
  }),
  ...all(added(false), 'add_string add_bytes'),
  add_list: added(true),
  ...all(smaller, 'equals not_equals less_string greater_string less_equals_string greater_equals_string'),
  ...all(smaller, 'less_bytes greater_bytes less_equals_bytes greater_equals_bytes'),
};

export function estimateCall(
  name: string,
  overload: string,
  target: Estimated | undefined,
  args: readonly Estimated[],
  sizeOf: SizeOf,
): CallEstimate {
  const call = { overload, target, args, sizeOf };
  const own = Object.hasOwn(byFunction, name) ? byFunction[name]!(call) : undefined;
  if (own) return own;
  return (Object.hasOwn(byOverload, overload) ? byOverload[overload]!(call) : undefined) ?? { cost: exactly(1) };
}
