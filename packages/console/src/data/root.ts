/**
 * Where the service is: at the root of its origin, or below the path of a proxy (`--base-path`). Addresses in the code
 * of the console begin at the service: `/reports`, `/docs`. Those that the browser sees begin with the base path.
 */
import { options } from 'preact';

/** The base path, such as `/daypart`; empty at the root. The scripts are in the folder `console/` of the service. */
export const ROOT = new URL('..', import.meta.url).pathname.replace(/\/$/, '');

/** A path of the browser as one of the service; undefined if it is not of the service. */
export function pathInside(pathname: string, root: string = ROOT): string | undefined {
  if (pathname === root) return '/';
  return pathname.startsWith(`${root}/`) ? pathname.slice(root.length) : undefined;
}

/** Sends a request to the service outside of `/v1`, such as `/session`. */
export const fetchRoot = (path: string, init: RequestInit): Promise<Response> => fetch(ROOT + path, init);

/** Lets every link that is drawn lead below the base path. Call it before the first one is. */
export function startRoot(): void {
  if (ROOT === '') return;
  const { vnode: before } = options;
  options.vnode = (vnode) => {
    const props = vnode.props as { href?: unknown };
    if (vnode.type === 'a' && typeof props.href === 'string' && props.href.startsWith('/'))
      props.href = ROOT + props.href;
    before?.(vnode);
  };
}
