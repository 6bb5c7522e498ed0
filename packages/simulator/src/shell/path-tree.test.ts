import { describe, expect, it } from 'vitest';
import { PathTree } from './path-tree.ts';

describe('a tree of paths', () => {
  it('has each directory that a path names, with what is in it', () => {
    const tree = new PathTree();
    for (const path of ['/var/run', '/var/log/app', '/']) tree.add(path);
    expect(tree.entries('/')).toEqual(['var']);
    expect(tree.entries('/var')).toEqual(['log', 'run']);
    tree.add('/var/cache');
    expect(tree.entries('/var')).toEqual(['cache', 'log', 'run']);
    expect(tree.entries('/var/run')).toEqual([]);
    expect([tree.has('/var/log'), tree.has('/var/constructor'), tree.has('/va')]).toEqual([true, false, false]);
  });

  it('finds the nearest value above a path', () => {
    const tree = new PathTree<string>();
    tree.add('/data', 'outer');
    tree.add('/data/in/ner', 'inner');
    expect(tree.above('/data')).toBeUndefined();
    expect(tree.above('/data/in/x')).toBe('outer');
    expect(tree.above('/data/in/ner/x/y')).toBe('inner');
    expect(tree.above('/other/x')).toBeUndefined();
  });

  it('leaves out what is longer than a path can be, and what is beyond its limit', () => {
    const tree = new PathTree();
    tree.add(`/${'x'.repeat(5000)}`);
    expect(tree.entries('/')).toEqual([]);
    for (let n = 0; n < 100; n++) tree.add(`/${n}${'/a'.repeat(2000)}`);
    expect(tree.has(`/0${'/a'.repeat(2000)}`)).toBe(true);
    expect(tree.has(`/1${'/a'.repeat(2000)}`)).toBe(true);
    expect(tree.has('/3')).toBe(false);
  });
});
