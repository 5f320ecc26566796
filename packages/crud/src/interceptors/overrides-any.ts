/** Whether a subclass or instance overrides any of the methods. */
export function overridesAny(
  instance: object,
  { prototype }: { readonly prototype: object },
  methods: readonly string[],
): boolean {
  return methods.some(
    (method) => (instance as Record<string, unknown>)[method] !== (prototype as Record<string, unknown>)[method],
  );
}
