/** Computes completion candidates from the definitions of commands and flags, so that there is no second list. */

import type { Argument, Command, Option } from 'commander';
import { reservedClusterspaces } from '../existing-cluster.ts';

export interface Candidate {
  word: string;
  about: string;
}

export type Completion =
  | { kind: 'words'; candidates: Candidate[] }
  /** The members, whose names the fleet knows, and the other clusterspaces, as far as they begin with `current`. */
  | { kind: 'clusters'; others: readonly string[]; current: string; prefix: string }
  | { kind: 'files' }
  | { kind: 'folders' };

const nothing: Completion = { kind: 'words', candidates: [] };

/** What a flag or an argument takes. */
type Value = 'clusters' | 'clusterspaces' | 'files' | 'folders' | readonly string[] | undefined;

/** `words`: behind the name of the program; the last one is where the cursor is. */
export function complete(program: Command, words: readonly string[]): Completion {
  const { command, option, positionals, isPlain } = readBefore(program, words.slice(0, -1));
  const current = words.at(-1) ?? '';
  // bash makes words of their own of what stands around an equals sign.
  if (option) return ofValue(valueOfOption(option), current === '=' ? '' : current, '');
  if (!isPlain && current.startsWith('-')) {
    const [flag = '', value] = splitFlag(current);
    const assigned = value === undefined ? undefined : optionOf(command, flag);
    if (assigned) return ofValue(valueOfOption(assigned), value!, `${flag}=`);
    return candidates(flagsOf(command), current);
  }
  const below = positionals.length === 0 ? subcommandsOf(command) : [];
  const argument = command.registeredArguments[positionals.length] ?? variadicOf(command);
  const value = argument && !isPlain ? valueOfArgument(command, argument, positionals) : undefined;
  if (below.length > 0) return candidates(below, current);
  return ofValue(value, current, '');
}

interface Before {
  command: Command;
  /** Whose value is next. */
  option: Option | undefined;
  positionals: string[];
  /** Behind `--` nothing is a flag. */
  isPlain: boolean;
}

function readBefore(program: Command, words: readonly string[]): Before {
  const before: Before = { command: program, option: undefined, positionals: [], isPlain: false };
  for (const word of words) {
    if (word === '=' && before.option) continue;
    if (before.option) before.option = undefined;
    else if (before.isPlain) before.positionals.push(word);
    else if (word === '--') before.isPlain = true;
    else if (word.startsWith('-')) {
      const [flag = '', value] = splitFlag(word);
      const option = optionOf(before.command, flag);
      before.option = option?.required && value === undefined ? option : undefined;
    } else {
      const below = before.positionals.length === 0 ? visible(before.command, word) : undefined;
      if (below) before.command = below;
      else before.positionals.push(word);
    }
  }
  return before;
}

function splitFlag(word: string): [string, string | undefined] {
  const at = word.indexOf('=');
  return at < 0 || !word.startsWith('--') ? [word, undefined] : [word.slice(0, at), word.slice(at + 1)];
}

const optionOf = (command: Command, flag: string): Option | undefined =>
  command.options.find(({ short, long }) => short === flag || long === flag);

const shown = (command: Command): Command[] => [...command.createHelp().visibleCommands(command)];

const visible = (command: Command, name: string): Command | undefined =>
  command.commands.find((one) => one.name() === name && shown(command).includes(one));

const subcommandsOf = (command: Command): Candidate[] =>
  shown(command).map((one) => ({ word: one.name(), about: one.description() }));

const flagsOf = (command: Command): Candidate[] =>
  command
    .createHelp()
    .visibleOptions(command)
    .map(({ long, short, description }) => ({ word: long ?? short ?? '', about: description }));

const variadicOf = (command: Command): Argument | undefined => {
  const last = command.registeredArguments.at(-1);
  return last?.variadic ? last : undefined;
};

function valueOfOption({ flags, argChoices, long, description }: Option): Value {
  if (argChoices) return argChoices;
  if (description.startsWith(outputFormats)) return description.slice(outputFormats.length).split(', ');
  if (long === '--cluster') return 'clusterspaces';
  if (flags.includes('<file>')) return 'files';
  if (flags.includes('<folder>')) return 'folders';
  return /[<[]boolean[>\]]/.test(flags) ? ['true', 'false'] : undefined;
}

/** The formats, as the description of `-o` lists them. */
const outputFormats = 'output format: ';

/** Kinds that are looked for first; any other can be typed. */
const kinds = [
  ...['clusters', 'agents', 'registries', 'pods', 'deployments', 'services', 'configmaps', 'secrets', 'events'],
  ...['nodes', 'namespaces', 'jobs', 'cronjobs', 'daemonsets', 'statefulsets', 'ingresses', 'persistentvolumeclaims'],
];

/** Whose objects have the names of the members. */
const likeClusters = ['cluster', 'clusters', 'agent', 'agents'];

function valueOfArgument(command: Command, argument: Argument, words: readonly string[]): Value {
  if (argument.argChoices) return argument.argChoices;
  switch (argument.name()) {
    case 'resource':
      return kinds;
    case 'names':
      return likeClusters.includes(words[0]!) ? 'clusters' : undefined;
    case 'clusterspace':
      return 'clusterspaces';
    default: {
      const isMember = argument.description.startsWith('name of the member');
      // One that joins has a new name.
      return isMember && command.name() !== 'join' ? 'clusters' : undefined;
    }
  }
}

function ofValue(value: Value, current: string, prefix: string): Completion {
  switch (value) {
    case 'files':
    case 'folders':
      return { kind: value };
    case 'clusters':
      return { kind: 'clusters', others: [], current, prefix };
    case 'clusterspaces':
      return { kind: 'clusters', others: reservedClusterspaces, current, prefix };
    case undefined:
      return nothing;
    default:
      return candidates(withoutText(value, prefix), prefix + current);
  }
}

export const withoutText = (words: readonly string[], prefix: string): Candidate[] =>
  words.map((word) => ({ word: prefix + word, about: '' }));

function candidates(all: readonly Candidate[], current: string): Completion {
  return { kind: 'words', candidates: all.filter(({ word }) => word.startsWith(current)) };
}
