/** Whoever imports a name reads in the editor what it means, and of an option what holds without it. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { join } from 'node:path';
import ts from 'typescript';
import { ROOT } from './markdown.js';

const ENTRIES = [
  ...['crud-request', 'client', 'react-admin', 'refine', 'crud', 'sql', 'crud-typeorm', 'crud-drizzle', 'crud-memory'],
  'testing',
].map((name) => `${name}/src/index`);

/** Types whose members an application may leave out, so that each tells its default. */
const OPTIONS =
  /^(Crud|Model|Dto|Serialize|Join|Query|\w+Route|Routes|CrudRoutes|Operators|OpenApi|Auth|CrudDatabase|RequestQueryBuilder|Write|ClassTransform|Parse)Options$|^(CrudGlobalConfig|OpenApiNaming|ParamOption|QueryLimits|PagingOverride|CreateQueryParams)$/;

/** What stands in rooms that are being rebuilt: to be emptied. */
const WITHOUT = ['JsonText.text', 'NeedsRecords.reason', 'ResultText'];

interface Public {
  /** `CrudOptions`, `CrudOptions.model`. */
  readonly name: string;
  readonly comment: string;
  readonly deprecated: boolean;
  /** Whether it is a member of {@link OPTIONS} that may be left out. */
  readonly option: boolean;
}

let names: Public[];

beforeAll(() => {
  const { config } = ts.readConfigFile(join(ROOT, 'tsconfig.json'), ts.sys.readFile) as { config: object };
  const files = [...ENTRIES, 'crud/src/adapter'].map((entry) => join(ROOT, `packages/${entry}.ts`));
  const { options } = ts.parseJsonConfigFileContent({ ...config, include: [], files }, ts.sys, ROOT);
  const program = ts.createProgram(files, options);
  const checker = program.getTypeChecker();
  const describe = (name: string, symbol: ts.Symbol, option: boolean): Public => ({
    name,
    comment: ts.displayPartsToString(symbol.getDocumentationComment(checker)),
    deprecated: symbol.getJsDocTags(checker).some((tag) => tag.name === 'deprecated'),
    option,
  });

  const isOption = ({ name }: ts.Symbol, { flags }: ts.Symbol) =>
    OPTIONS.test(name) && (flags & ts.SymbolFlags.Optional) !== 0;

  names = files
    .flatMap((file) => checker.getExportsOfModule(checker.getSymbolAtLocation(program.getSourceFile(file)!)!))
    .map((symbol) => (symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol))
    .flatMap((symbol) => [
      describe(symbol.name, symbol, false),
      ...membersOf(symbol).map((one) => describe(`${symbol.name}.${one.name}`, one, isOption(symbol, one))),
    ]);
}, 60_000);

/** Declared members of a class, an interface, an enumeration or an object type, but for private ones and the tags of unions. */
function membersOf(symbol: ts.Symbol): ts.Symbol[] {
  const [declaration] = symbol.declarations ?? [];
  if (!declaration) return [];
  const all = ts.isTypeAliasDeclaration(declaration)
    ? literalsIn(declaration.type).flatMap((literal) => literal.members.map(symbolOf))
    : [...(symbol.members?.values() ?? []), ...(isMerged(symbol) ? (symbol.exports?.values() ?? []) : [])];
  return all.filter((member): member is ts.Symbol => member !== undefined && isPublicMember(member));
}

function isMerged({ flags }: ts.Symbol): boolean {
  return (flags & (ts.SymbolFlags.Class | ts.SymbolFlags.Enum)) !== 0;
}

function literalsIn(type: ts.TypeNode): ts.TypeLiteralNode[] {
  if (ts.isTypeLiteralNode(type)) return [type];
  return ts.isIntersectionTypeNode(type) ? type.types.flatMap(literalsIn) : [];
}

function symbolOf(member: ts.TypeElement): ts.Symbol | undefined {
  return (member as { symbol?: ts.Symbol }).symbol;
}

function isPublicMember({ name, flags, declarations: [declaration] = [] }: ts.Symbol): boolean {
  const unnamed = ts.SymbolFlags.TypeParameter | ts.SymbolFlags.Constructor | ts.SymbolFlags.Signature;

  return (
    declaration !== undefined &&
    name !== 'prototype' &&
    (flags & unnamed) === 0 &&
    (ts.getCombinedModifierFlags(declaration) & ts.ModifierFlags.Private) === 0 &&
    !(ts.isPropertySignature(declaration) && name === 'kind') &&
    !(
      (ts.isMethodDeclaration(declaration) || ts.isAccessor(declaration) || ts.isPropertyDeclaration(declaration)) &&
      ts.isPrivateIdentifier(declaration.name)
    )
  );
}

describe('every public name', () => {
  test('says what it means', () => {
    expect(names.length).toBeGreaterThan(800);
    const silent = names.filter(({ comment, deprecated }) => comment === '' && !deprecated);
    expect(silent.map(({ name }) => name).filter((name) => !WITHOUT.includes(name))).toEqual([]);
  });

  test('says, where it is an option, what holds without it', () => {
    const options = names.filter(({ option }) => option);
    expect(options.length).toBeGreaterThan(100);
    expect(options.filter(({ comment }) => !/\bDefault:\s/.test(comment)).map(({ name }) => name)).toEqual([]);
  });

  test("is deprecated where it is nestjsx/crud's misspelling", () => {
    const misspelt = ['SFiledValues', 'GetMayRouteOptions', 'FEAUTURE_NAME_METADATA'];
    const deprecated = names.filter((each) => each.deprecated).map(({ name }) => name);
    expect(deprecated).toEqual(expect.arrayContaining(misspelt));
  });
});
