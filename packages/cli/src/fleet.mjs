#!/usr/bin/env node
/**
 * The `fleet` command. From the second time on its files are neither stripped of their types nor compiled again: a server
 * starts in less time and takes 40 MB less. This file is JavaScript, as the first TypeScript brings what strips them.
 */

import { enableCompileCache } from 'node:module';

const { directory } = enableCompileCache();
// For threads.
if (directory) process.env['NODE_COMPILE_CACHE'] ??= directory;
await import('./fleet.ts');
