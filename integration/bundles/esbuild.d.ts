/** The types of `esbuild.js`, for suites. */
import type { BuildOptions, Plugin } from 'esbuild';

export const EXTERNAL: readonly string[];

export const mappedTypes: Plugin;

export function esbuildOptions(format: 'cjs' | 'esm', outside?: readonly string[]): BuildOptions;
