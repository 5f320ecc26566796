/** Bundles an application into one file. */
import { build } from 'esbuild';
import webpack from 'webpack';
import { esbuildOptions } from './esbuild.js';
import { webpackOptions } from './webpack.js';

/** The bundlers by name: each makes one file of another and what it imports, and gives its warnings and the modules that it took. Links are not followed: a project's dependencies may be one. */
export const BUNDLERS = {
  async esbuild(entry, outfile, format, outside, options) {
    const { warnings, metafile } = await build({
      ...esbuildOptions(format, outside),
      entryPoints: [entry],
      outfile,
      preserveSymlinks: true,
      metafile: true,
      ...options,
    });

    return {
      warnings: warnings.map(({ text, location }) => `${location?.file}: ${text}`),
      modules: Object.values(metafile.outputs).flatMap(({ inputs }) => Object.keys(inputs)),
    };
  },

  webpack(entry, outfile, format, outside, options) {
    const { resolve: resolving, ...rest } = webpackOptions(format, entry, outfile, outside);

    return new Promise((resolve, reject) => {
      webpack({ ...rest, resolve: { ...resolving, symlinks: false }, ...options }, (failure, stats) => {
        if (failure) return reject(failure);
        if (stats.hasErrors()) return reject(new Error(stats.toString('errors-only')));

        const { warnings, modules } = stats.toJson({ all: false, warnings: true, modules: true, nestedModules: true });
        resolve({
          warnings: warnings.map(({ moduleName, message }) => `${moduleName}: ${message}`),
          modules: modules.flatMap(({ name, modules: nested = [] }) => [name, ...nested.map((each) => each.name)]),
        });
      });
    });
  },
};
