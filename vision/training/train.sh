#!/bin/sh
# Trains the eight networks from a folder of pictures with answers and holds them against the shipped ones.
#
#   sh train.sh TABLES [PHOTOGRAPHS]
#
# TABLES holds NAME.jpg and NAME.json as the renderer writes them; PHOTOGRAPHS, if given, folders with index.jsonl and
# pictures with boxes: those that ../measure/photographs.tsv gives to learning are learned from. Everything is written to out/ beside this script; copy out/new/*.onnx to ../model to use them.
# SPEED=10 trains ten times shorter than the shipped models were (some thirteen hours on two cores; DEVICE=cuda uses a GPU for most of it), to try things.
set -eu
cd "$(dirname "$0")"
tables=${1:?"say where the pictures are: sh train.sh TABLES [PHOTOGRAPHS]"}
photos=${2:-}
speed=${SPEED:-1}
device=${DEVICE:-cpu}
python=${PYTHON:-/usr/bin/python3}
minutes() { echo "$1 $speed" | awk '{print $1 / $2}'; }

"$python" -c 'import torch, cv2, onnx, PIL' 2>/dev/null || {
	echo "train.sh: python3 has no torch, no cv2, no onnx or no PIL: apt-get install --no-install-recommends python3-torch python3-opencv python3-onnx python3-pil" >&2
	exit 1
}
mkdir -p out/new out/wide
on="--device $device" # a GPU is fed by more cores
[ "$device" = cpu ] || on="$on --workers 5"
batch() { [ "$device" = cpu ] && echo 8 || echo 64; }
"$python" train_find.py $on --batch "$(batch)" --tables "$tables" --minutes "$(minutes 180)" --lr 3e-3 --out out/find1.onnx
"$python" propose.py --find out/find1.pt --tables "$tables" ${photos:+--photos "$photos" --face ../model/face.onnx} --out out/more.pkl --quads out/quads.json --seen out/seen.json
# With the outlines that it tells of dice in photographs, and what it sees under hands, it goes on.
"$python" train_find.py $on --batch "$(batch)" --tables "$tables" --start out/find1.onnx --lr 1e-3 --seed 2 --minutes "$(minutes 240)" \
	${photos:+--photos "$photos" --quads out/quads.json} --seen out/seen.json --out out/new/find.onnx
"$python" train_stand.py --find out/new/find.pt --tables "$tables" ${photos:+--photos "$photos" --quads out/quads.json} --minutes "$(minutes 30)" --out out/new/stand.onnx
# And from the stand network the one that is asked about loose dice as well, on such tables and in photographs.
"$python" train_stand.py --find out/new/find.pt --laid --start out/new/stand.onnx --lr 5e-4 --tables "$tables" \
	${photos:+--photos "$photos" --quads out/quads.json} --minutes "$(minutes 16)" --out out/new/loose_stand.onnx
# The fine one is asked about what is in doubt, on any table. It goes on once at a lower rate.
"$python" train_stand.py --fine --workers 2 --find out/new/find.pt --laid --tables "$tables" \
	${photos:+--photos "$photos" --quads out/quads.json} --minutes "$(minutes 28)" --out out/fine1.onnx
"$python" train_stand.py --fine --workers 2 --find out/new/find.pt --laid --start out/fine1.onnx --lr 8e-4 --seed 2 \
	--tables "$tables" ${photos:+--photos "$photos" --quads out/quads.json} --minutes "$(minutes 22)" --out out/new/fine_stand.onnx
"$python" train_face.py --tables "$tables" --minutes "$(minutes 14)" --lr 3e-3 --out out/face1.onnx --crops out/crops.pkl
"$python" train_face.py --tables "$tables" --minutes "$(minutes 25)" --lr 2e-3 --start out/face1.pt --out out/face2.onnx --crops out/crops.pkl \
	${photos:+--photos "$photos" --quads out/quads.json} --more out/more-dice.pkl out/more-none.pkl
"$python" train_looks.py --tables "$tables" --face out/face2.pt --minutes "$(minutes 14)" --out out/wide
# A smaller one is taught to answer as this one does, its looks too. The looks stay; the face layers then go on with photographs.
more="${photos:+--photos $photos --quads out/quads.json} --more out/more-dice.pkl out/more-none.pkl"
"$python" train_small.py --teacher out/wide/face.pt --tables "$tables" --minutes "$(minutes 55)" --out out/face.onnx --crops out/crops.pkl $more
"$python" train_faces.py --device "$device" --tables "$tables" --start out/face.onnx --none out/more-none.pkl --minutes "$(minutes 30)" \
	${photos:+--photos "$photos" --quads out/quads.json} --out out/new/face.onnx
"$python" train_color.py --tables "$tables" --looks out/new/face.onnx --minutes "$(minutes 20)" --out out/new
"$python" train_surround.py --tables "$tables" --minutes "$(minutes 90)" --out out/new/surround.onnx
"$python" train_owned.py $on --minutes "$(minutes 24)" --out out/new/owned.onnx
"$python" compare.py ../model out/new --tables "$tables" ${photos:+--photos "$photos"}
