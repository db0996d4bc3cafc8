/** What this machine has to say to package managers: where registries are and whom to trust. */
export const registries: Record<string, string> = Object.fromEntries(
  Object.entries(process.env).flatMap(([name, value]) =>
    value !== undefined && /^(?:UV|PIP|SSL|GO)[A-Z_]*$|^NODE_EXTRA_CA_CERTS$|_proxy$/i.test(name)
      ? [[name, value]]
      : [],
  ),
)
