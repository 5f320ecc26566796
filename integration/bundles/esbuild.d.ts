/** The types of `esbuild.js`, for suites. */
import type { BuildOptions } from 'esbuild';

export const EXTERNAL: readonly string[];

export function esbuildOptions(format: 'cjs' | 'esm'): BuildOptions;
