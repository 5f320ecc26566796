/** The areas that mutants are drawn from: patterns over `<package>/<path below src>`. The first that matches counts. */
export const AREAS = {
  exports: /^crud\/(export\/|exchange\/open-export)|^sql\/export\//,
  errors: /^sql\/errors\/|^crud\/(errors\.|validation\/(body-exceptions|rule-errors))/,
  cursors: /\/(cursor|keyset|sort-values)(\.|-|\/)/,
  upserts: /\/(upsert|upsert-writes|unique-values|unique-columns|insert-refusals)\./,
  scope:
    /^sql\/scope\/|^crud\/evaluate-auth\.|\/(body-scope|nested-scope|scoped-body|relation-scope|reach|persisted-key|write-relations|within)\./,
  permissions:
    /^crud\/(visibility\/|request\/(authorize|permissions|tautology|parameters)|plan\/(column-access|condition-origins|projection))/,
  bodies:
    /^crud\/(validation\/|plan\/(values|column-forms|numbers-and-dates|item-keys|write|write-plan|write-checks|write-context|refusal))/,
  conditions:
    /^crud\/(plan\/(condition|operands|server-mistakes|resolve-names|joins)|request\/(merge|path-values))|^sql\/select\/(condition|predicate|where|having|operand|join|join-conditions)\.|^crud-request\/(parse|ast|operators|operator-meanings)/,
  changes:
    /^sql\/(persist|statements)\/|^crud-typeorm\/typeorm\/commits\.|^crud\/service\/change|^crud\/store\/(hooks|hooked\.service|write-matching|write-many|write-one|shown)\./,
};

/** @param path such as `packages/crud/src/plan/cursor.ts` */
export function findArea(path) {
  const [, name, below] = /^packages\/([^/]+)\/src\/(.*)$/.exec(path) ?? [];
  const [area] = Object.entries(AREAS).find(([, pattern]) => pattern.test(`${name}/${below}`)) ?? [];

  return area;
}

/** Of a source, its package. What tests are made of is no source. */
export function findPackage(path) {
  const [, name] = /^packages\/([^/]+)\/src\//.exec(path) ?? [];

  return name === 'testing' ? undefined : name;
}
