/** How each game is drawn and tapped; loaded once it is looked at. */
export const drawers = {
  'dessert-dice': () => import('./tap-board.js'),
  'dice-box': () => import('./tap-board.js'),
  'dice-flick': () => import('./tap-flick.js'),
  'fromage-a-trois': () => import('./tap-fromage.js'),
  'dicecreams': () => import('./tap-creams.js'),
};
