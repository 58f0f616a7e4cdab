// Where this page answers to https, and whether this browser trusts it there.
import { below, knownCode, root } from './root.js';

/** here says whether this very page may open a camera. */
export const here = window.isSecureContext && Boolean(navigator.mediaDevices?.getUserMedia);

/** address is the same machine over https: it answers there on the same port. */
export const address = (path) => `https://${location.host}${below(path)}${code()}`;

function code() {
  const known = knownCode();
  return known ? `#code=${encodeURIComponent(known)}` : '';
}

/** trusts asks over https; the answer is empty, that it comes at all is what counts. */
export async function trusts() {
  try {
    await fetch(`https://${location.host}${root}/api/v1/trusted`, { mode: 'no-cors', cache: 'no-store', signal: AbortSignal.timeout?.(4000) });
    return true;
  } catch {
    return false;
  }
}
