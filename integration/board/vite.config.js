/** Bundles the board for `/board/`, with the packages as they are built here. */
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

export default defineConfig({ root: import.meta.dirname, base: '/board/', plugins: [react()], logLevel: 'warn' });
