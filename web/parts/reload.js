// A page of which a part has not arrived, as the network changed or the server restarted, loads again once the
// server answers: at once, then more and more seldom.
(() => {
  let waits = false;
  const tries = Number(sessionStorage.getItem('again'));
  const again = () => fetch(location.href).then((answer) => {
    if (!answer.ok) throw answer;
    sessionStorage.setItem('again', tries + 1);
    location.reload();
  }).catch(() => setTimeout(again, 1000));
  addEventListener('error', ({ target }) => {
    if (waits || !target.matches?.('script, link[rel="stylesheet"]')) return;
    waits = true;
    setTimeout(again, Math.min(60_000, 250 * 2 ** tries));
  }, true);
  addEventListener('load', () => { if (!waits) sessionStorage.removeItem('again'); });
})();
