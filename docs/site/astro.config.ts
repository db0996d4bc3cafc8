import { fileURLToPath } from 'node:url'
import starlight from '@astrojs/starlight'
import { defineConfig } from 'astro/config'
import { assemble } from './assemble/index.ts'
import { sidebarOf } from './assemble/sidebar.ts'
import { BASE } from './portable.ts'

const path = (name: string) => fileURLToPath(new URL(name, import.meta.url))
const isBuild = process.argv.includes('build')
const base = isBuild ? BASE : ''

const { title, sections } = assemble({
  root: path('../..'),
  content: path('src/content/docs'),
  public: path('public'),
  icons: path('.'),
  base,
})

export default defineConfig({
  base: base || '/',
  outDir: '../dist',
  trailingSlash: 'always',
  devToolbar: { enabled: false },
  integrations: [
    starlight({
      title,
      sidebar: sidebarOf(sections),
      customCss: ['./src/styles/site.css'],
      pagefind: true,
      lastUpdated: false,
      credits: false,
      disable404Route: true,
      expressiveCode: { themes: ['github-dark-high-contrast', 'github-light-high-contrast'] },
      components: { PageTitle: './src/components/PageTitle.astro' },
    }),
  ],
})
