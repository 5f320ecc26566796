export function startEmbeddedPostgres(): Promise<{ readonly url: string; stop(): Promise<void> }>;
export function removeForgotten(parent: string): Promise<void>;
