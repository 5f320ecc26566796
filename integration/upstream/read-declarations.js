/** Writes `declarations.json`: the names, and nothing else, that the published packages declare which this library replaces. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, posix, relative } from 'node:path';
import ts from 'typescript';

const PACKAGES = [
  ...['4.6.2', '5.0.0-alpha.3'].flatMap((version) =>
    ['crud', 'crud-request', 'crud-typeorm', 'util'].map((name) => `@nestjsx/${name}@${version}`),
  ),
  ...['crud', 'crud-request', 'crud-typeorm', 'crud-util'].map((name) => `@dataui/${name}@5.3.4`),
  ...['crud', 'crud-request', 'crud-typeorm', 'util'].map((name) => `@rewiko/${name}@5.1.12`),
];

const { SyntaxKind } = ts;

/** The kinds of declarations that have a name and a value or a type of their own. */
const KINDS = new Map([
  [SyntaxKind.ClassDeclaration, 'class'],
  [SyntaxKind.InterfaceDeclaration, 'interface'],
  [SyntaxKind.TypeAliasDeclaration, 'type'],
  [SyntaxKind.EnumDeclaration, 'enum'],
  [SyntaxKind.FunctionDeclaration, 'function'],
  [SyntaxKind.VariableStatement, 'const'],
]);

const MEMBER_KINDS = new Map([
  [SyntaxKind.MethodDeclaration, 'method'],
  [SyntaxKind.MethodSignature, 'method'],
  [SyntaxKind.GetAccessor, 'getter'],
  [SyntaxKind.SetAccessor, 'setter'],
  [SyntaxKind.PropertyDeclaration, 'property'],
  [SyntaxKind.PropertySignature, 'property'],
  [SyntaxKind.EnumMember, 'value'],
]);

const MODIFIERS = new Map([
  [SyntaxKind.PrivateKeyword, 'private'],
  [SyntaxKind.ProtectedKeyword, 'protected'],
  [SyntaxKind.AbstractKeyword, 'abstract'],
  [SyntaxKind.ReadonlyKeyword, 'readonly'],
]);

/** `protected method`, `optional property`: what stands before a member's name, and what it is. */
function describeMember(member) {
  const words = (member.modifiers ?? []).flatMap(({ kind }) => MODIFIERS.get(kind) ?? []);
  return [...words, ...(member.questionToken ? ['optional'] : []), MEMBER_KINDS.get(member.kind)].join(' ');
}

const isStatic = ({ modifiers }) => (modifiers ?? []).some(({ kind }) => kind === SyntaxKind.StaticKeyword);

/** Members of instances and of the class itself apart, since a class may have both under one name. */
function membersOf(declaration, wanted) {
  const named = (declaration.members ?? []).filter((member) => member.name && MEMBER_KINDS.has(member.kind));
  const entries = named
    .filter((member) => isStatic(member) === wanted)
    .map((one) => [one.name.text, describeMember(one)]);
  return entries.length > 0 ? Object.fromEntries(entries) : undefined;
}

function describeDeclaration(declaration, file) {
  const bases = (declaration.heritageClauses ?? [])
    .filter(({ token }) => token === SyntaxKind.ExtendsKeyword)
    .flatMap(({ types }) => types.map(({ expression }) => expression.getText()));
  const parameters = (declaration.typeParameters ?? []).map(({ name }) => name.text);
  const [members, statics] = [membersOf(declaration, false), membersOf(declaration, true)];
  return {
    kind: KINDS.get(declaration.kind),
    file,
    ...(parameters.length > 0 && { typeParameters: parameters }),
    ...(bases.length > 0 && { extends: bases }),
    ...(members && { members }),
    ...(statics && { statics }),
  };
}

const namesOf = (statement) =>
  statement.kind === SyntaxKind.VariableStatement
    ? statement.declarationList.declarations.map(({ name }) => name.text)
    : [statement.name.text];

const parse = (path) => ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true);

const declarationsIn = (path) =>
  parse(path).statements.filter(
    ({ kind, modifiers }) => KINDS.has(kind) && (modifiers ?? []).some((one) => one.kind === SyntaxKind.ExportKeyword),
  );

/** The files whose declarations an index file exports, itself among them. */
function reachable(path, seen = new Set()) {
  const file = [path, `${path}.d.ts`, join(path, 'index.d.ts')].find((one) => one.endsWith('.d.ts') && existsSync(one));
  if (file === undefined || seen.has(file)) return seen;
  seen.add(file);
  for (const statement of parse(file).statements) {
    if (!ts.isExportDeclaration(statement) || !statement.moduleSpecifier) continue;
    if (statement.exportClause) throw new Error(`${file} exports names one by one, which this script does not read`);
    reachable(join(dirname(file), statement.moduleSpecifier.text), seen);
  }
  return seen;
}

/** Each name that the files of a package export: `public` are those that its index exports. */
function readPackage(folder) {
  const { types, typings, main } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const index = join(folder, types ?? typings ?? main.replace(/\.js$/, '.d.ts'));
  const exported = reachable(index);
  if (exported.size === 0) throw new Error(`${index} does not exist`);
  const files = readdirSync(folder, { recursive: true })
    .filter((file) => file.endsWith('.d.ts') && !file.split('/').includes('node_modules'))
    .map((file) => join(folder, file))
    .sort();
  const namesIn = (wanted) =>
    Object.fromEntries(
      files
        .filter((file) => exported.has(file) === wanted)
        .flatMap((file) => {
          const name = relative(folder, file).split(/[\\/]/).join(posix.sep);
          return declarationsIn(file).flatMap((one) =>
            namesOf(one).map((key) => [key, describeDeclaration(one, name)]),
          );
        })
        .sort(([a], [b]) => (a < b ? -1 : 1)),
    );
  return { public: namesIn(true), internal: namesIn(false) };
}

function unpack(name, folder) {
  const packed = execFileSync('npm', ['pack', name, '--silent', '--ignore-scripts'], { cwd: folder, encoding: 'utf8' });
  execFileSync('tar', ['-xzf', packed.trim()], { cwd: folder });
  const unpacked = join(folder, 'package');
  const names = readPackage(unpacked);
  rmSync(unpacked, { recursive: true });
  return names;
}

const folder = mkdtempSync(join(tmpdir(), 'declarations-'));
try {
  const declarations = Object.fromEntries(PACKAGES.map((name) => [name, unpack(name, folder)]));
  writeFileSync(join(import.meta.dirname, 'declarations.json'), `${JSON.stringify(declarations, null, 2)}\n`);
} finally {
  rmSync(folder, { recursive: true });
}
