/** Checks who imports whom, and that the checker really read the modules: with a wrong parser it reads nothing and is content. */

import { globSync } from 'node:fs';
import { createRequire } from 'node:module';
import { cruise, type ICruiseResult } from 'dependency-cruiser';

const require = createRequire(import.meta.url);
const { Visitor } = require('@swc/core/Visitor.js') as { Visitor: { prototype: StatementVisitor } };
const config = require('../.dependency-cruiser.cjs') as { forbidden: []; options: object };

interface StatementVisitor {
  visitStatement(statement: { type: string; decls?: unknown }): unknown;
  visitVariableDeclarators(declarators: unknown): unknown;
}

// swc parses `using`, but the visitor it ships does not know it and throws.
const { visitStatement } = Visitor.prototype;
Visitor.prototype.visitStatement = function (statement) {
  if (statement.type !== 'UsingDeclaration') return visitStatement.call(this, statement);
  statement.decls = this.visitVariableDeclarators(statement.decls);
  return statement;
};

const roots = ['packages', 'test'];
const sources = globSync(roots.map((root) => `${root}/**/*.ts`)).filter((path) => !path.includes('node_modules'));
const { output } = await cruise(roots, { ruleSet: { forbidden: config.forbidden }, validate: true, ...config.options });
const { modules, summary } = output as ICruiseResult;

const read = new Set(modules.map(({ source }) => source));
const unread = sources.filter((path) => !read.has(path));
const edges = modules.reduce((sum, { dependencies }) => sum + dependencies.length, 0);
for (const { rule, from, to } of summary.violations) console.error(`${rule.name}: ${from} -> ${to}`);
for (const path of unread) console.error(`not read: ${path}`);
if (summary.violations.length > 0 || unread.length > 0 || edges < sources.length) process.exit(1);
console.log(`imports: ${sources.length} modules, ${edges} imports, no violations`);
