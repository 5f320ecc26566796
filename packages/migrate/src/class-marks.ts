/** Comments for a person, in services, routes factories and interceptors. */
import { Node, SyntaxKind } from 'ts-morph';
import type { AnyClass, Kind } from './class-kinds.js';
import type { Edits } from './edits.js';
import { guide, LOST_FACTORY_STEPS, LOST_SERVICE_MEMBERS, NEW_VERBS, READ_ONLY_SERVICE_MEMBERS } from './names.js';

const VERBS = /\b(?:getMany|getOne|createOne|createMany|updateOne|replaceOne|deleteOne|recoverOne)\s*\(/;

export function markClass(each: AnyClass, kind: Kind, edits: Edits, isOldTypeOrm: boolean): void {
  if (kind === 'service') markService(each, edits, isOldTypeOrm);
  if (kind === 'factory') markMembers(each, LOST_FACTORY_STEPS, edits);
  if (kind === 'request interceptor') markAuthCalls(each, edits);
  if (kind === 'response interceptor') {
    const transform = each.getInstanceMember('transform');
    if (transform) {
      edits.mark(
        transform,
        'transform is given each record of a page, not the page',
        guide('migration-code.md#interceptors'),
      );
    }
  }
}

/** Marks members that are not called any more: where a class declares them, and where it uses upstream's. */
function markMembers(each: AnyClass, lost: ReadonlyMap<string, string>, edits: Edits): void {
  const declared = new Set(each.getInstanceMembers().map((member) => member.getName()));
  for (const member of each.getInstanceMembers()) {
    const name = member.getName();
    const replacement = lost.get(name);
    if (replacement !== undefined)
      edits.mark(member, `${name} is not called any more: use ${replacement}`, guide('migration-code.md#services'));
  }
  for (const access of ownAccesses(each)) {
    const name = access.getName();
    const isLost = lost.has(name) && (access.getExpression().getText() === 'super' || !declared.has(name));
    if (isLost)
      edits.mark(access, `${name} is not there any more: use ${lost.get(name)}`, guide('migration-code.md#services'));
  }
}

function markService(each: AnyClass, edits: Edits, isOldTypeOrm: boolean): void {
  markMembers(each, LOST_SERVICE_MEMBERS, edits);

  const markReadOnly = (node: Node, name: string): void => {
    const replacement = READ_ONLY_SERVICE_MEMBERS.get(name);
    if (replacement !== undefined)
      edits.mark(node, `${name} can be read, not set: use ${replacement}`, guide('migration-code.md#services'));
  };

  for (const member of each.getInstanceMembers()) {
    const name = member.getName();
    markReadOnly(member, name);
    if (NEW_VERBS.some((verb) => verb === name)) {
      edits.mark(
        member,
        `${name} is a verb of the library: give this method another name`,
        guide('migration-code.md#services'),
      );
    }
  }

  for (const access of ownAccesses(each)) {
    const name = access.getName();
    const parent = access.getParent();
    const isSet =
      Node.isBinaryExpression(parent) &&
      parent.getLeft() === access &&
      /^[^=!<>]*=$/.test(parent.getOperatorToken().getText());
    if (isSet) markReadOnly(access, name);
    if (isOldTypeOrm && Node.isCallExpression(parent) && /^(find|findOne|count)$/.test(name)) {
      const [first] = parent.getArguments();
      if (first && !Node.isObjectLiteralExpression(first)) {
        edits.mark(
          access,
          `${name} takes what TypeORM's repository takes: { where: { id } }`,
          guide('migration-code.md#services'),
        );
      }
    }
  }

  for (const call of each.getDescendantsOfKind(SyntaxKind.CallExpression)) {
    const callee = call.getExpression();
    const isTransaction = Node.isPropertyAccessExpression(callee) && callee.getName() === 'transaction';
    if (isTransaction && VERBS.test(call.getText())) {
      edits.mark(
        call,
        'a verb commits by itself: call it on this.within(manager) to join',
        guide('migration-code.md#services'),
      );
    }
  }
}

/** Marks `super.getAuth()` with other arguments than the method's own. */
function markAuthCalls(each: AnyClass, edits: Edits): void {
  for (const access of ownAccesses(each)) {
    const call = access.getParent();
    if (access.getText() !== 'super.getAuth' || !Node.isCallExpression(call)) continue;
    const own = access.getFirstAncestorByKind(SyntaxKind.MethodDeclaration)?.getParameters() ?? [];
    const names = own.map((parameter) => parameter.getName());
    if (call.getArguments().every((argument) => names.includes(argument.getText()))) continue;
    edits.mark(
      access,
      'super.getAuth() takes no other options or request than its own',
      guide('migration-code.md#interceptors'),
    );
  }
}

/** `this.x` and `super.x` of a class. */
function ownAccesses(each: AnyClass) {
  return each
    .getDescendantsOfKind(SyntaxKind.PropertyAccessExpression)
    .filter((access) => /^(this|super)$/.test(access.getExpression().getText()));
}
