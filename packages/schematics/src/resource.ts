/** `nest g -c @nestwright/schematics resource books`. */
import { posix } from 'node:path';
import { applicationIn, type Tree } from './application.js';
import { namesOf } from './names.js';
import { filesOf } from './templates.js';

/** What the CLI hands over. */
export interface ResourceOptions {
  readonly name: string;
  readonly path?: string;
  readonly sourceRoot?: string;
  readonly spec?: boolean;
}

/** What the CLI runs. */
export type Rule = (tree: Tree, context: { readonly logger: { warn(message: string): void } }) => Promise<void>;

/**
 * Adds a resource to an application: its files, and its module in `app.module.ts`.
 *
 * @throws Error if the application has no service of nestwright, or no place for the resource; nothing is written then
 */
export function resource({ name, path = '', sourceRoot = 'src', spec = true }: ResourceOptions): Rule {
  return async (tree, { logger }) => {
    const application = applicationIn(tree);
    const names = namesOf(posix.basename(name));
    const root = posix.join('/', sourceRoot);
    const folder = posix.join(root, path, posix.dirname(name), names.plural);
    const up = `${posix.relative(folder, root)}/`;
    const appModule = posix.join(root, 'app.module.ts');
    const needed = application.orm === 'drizzle' ? ['app.module', 'database', 'schema'] : ['app.module'];
    for (const file of needed.map((each) => posix.join(root, `${each}.ts`)))
      if (!tree.exists(file)) throw new Error(`${file.slice(1)} is missing, to which a resource is added`);

    const files = Object.entries(filesOf({ names, application, up }, spec));
    const taken = files.map(([file]) => posix.join(folder, file)).find((file) => tree.exists(file));
    if (taken) throw new Error(`${taken.slice(1)} is there already`);

    const from = (file: string) => `'./${posix.relative(root, folder)}/${file}${application.extension}'`;
    const before = tree.readText(appModule);
    const after = await withModule(before, `${names.Plural}Module`, from(`${names.plural}.module`));
    for (const [file, text] of files) tree.create(posix.join(folder, file), text);
    tree.overwrite(appModule, after);
    const database = posix.join(root, 'database.ts');
    const connecting = before + (tree.exists(database) ? tree.readText(database) : '');
    if (application.orm === 'typeorm' && !connecting.includes('autoLoadEntities'))
      logger.warn(`Add ${names.Singular} to the entities of TypeOrmModule, or set autoLoadEntities: true there.`);
    if (application.orm === 'drizzle') {
      const schema = posix.join(root, 'schema.ts');
      tree.overwrite(schema, `${tree.readText(schema)}\nexport * from ${from(`${names.plural}.schema`)};\n`);
    }
  };
}

/** The application's module with one more. */
async function withModule(text: string, symbol: string, from: string): Promise<string> {
  // With Nest's CLI comes one or the other kind of module.
  const { MetadataManager } = await import('@nestjs/schematics');
  const declared = new MetadataManager(text).insert('imports', symbol);
  if (declared === undefined) throw new Error('app.module.ts has no @Module() with an object in it');
  const lastImport = [...declared.matchAll(/^(?:import\b|\}) .*['"];?$/gm)].at(-1);
  const at = lastImport ? lastImport.index + lastImport[0].length : 0;

  return `${declared.slice(0, at)}\nimport { ${symbol} } from ${from};${declared.slice(at)}`;
}
