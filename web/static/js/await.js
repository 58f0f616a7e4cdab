// What is to be done now at a table that a camera watches, in words; games without a board have it over their table.
import { t } from './i18n.js';

const acts = {
  'dessert-dice': () => 'dessert',
  'dice-box': ({ must }) => ({ place: 'box.place', reroll: 'box.reroll' }[must] ?? 'box.any'),
  'dice-flick': ({ flicks_must: must, flicks_may: may }) => `flick.${must > 1 ? 'two' : must > 0 ? 'one' : may > 0 ? 'bonus' : 'score'}`,
};

/** awaited is what the player whose turn it is is to do; '' where that is told elsewhere, or it is nobody's turn. */
export function awaited({ game, state, to_move: seat, players, outcome, clear }) {
  if (clear) return t('state.clear');
  if (!state || outcome || !acts[game]) return '';
  if (seat === -1) return game === 'dice-box' && !state.grid?.length ? t('now.box.seed') : '';
  return seat < 0 ? '' : t('now.said', { player: players[seat], act: t(`now.${acts[game](state)}`) });
}
