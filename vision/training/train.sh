#!/bin/sh
# Trains the nine networks from a folder of pictures with answers and holds them against the shipped ones.
#
#   sh train.sh TABLES [PHOTOGRAPHS]
#
# TABLES holds NAME.jpg and NAME.json as the renderer writes them; PHOTOGRAPHS, if given, folders with index.jsonl and
# pictures with boxes: those that ../measure/photographs.tsv gives to learning are learned from. Everything is written to out/ beside this script; copy out/new/*.onnx to ../model to use them.
# SPEED=10 trains ten times shorter than the shipped models were (some eleven hours on two cores), to try things.
set -eu
cd "$(dirname "$0")"
tables=${1:?"say where the pictures are: sh train.sh TABLES [PHOTOGRAPHS]"}
photos=${2:-}
speed=${SPEED:-1}
python=${PYTHON:-/usr/bin/python3}
minutes() { echo "$1 $speed" | awk '{print $1 / $2}'; }

"$python" -c 'import torch, cv2, onnx, PIL' 2>/dev/null || {
	echo "train.sh: python3 has no torch, no cv2, no onnx or no PIL: apt-get install --no-install-recommends python3-torch python3-opencv python3-onnx python3-pil" >&2
	exit 1
}
mkdir -p out/new out/wide
"$python" train_find.py --wide --tables "$tables" --minutes "$(minutes 55)" --out out/find1.onnx
"$python" propose.py --find out/find1.pt --tables "$tables" ${photos:+--photos "$photos" --face ../model/face.onnx} --out out/more.pkl --quads out/quads.json --seen out/seen.json
"$python" train_find.py --wide --tables "$tables" --start out/find1.pt --lr 1e-3 --seed 2 --minutes "$(minutes 38)" \
	${photos:+--photos "$photos" --quads out/quads.json} --seen out/seen.json --out out/find2.onnx
# The one that ships is cut down from it and trained on: two thirds of its work.
"$python" train_find.py --tables "$tables" --start out/find2.pt --seed 3 --minutes "$(minutes 72)" \
	${photos:+--photos "$photos" --quads out/quads.json} --seen out/seen.json --out out/find3.onnx
"$python" train_find.py --tables "$tables" --start out/find3.pt --lr 1e-3 --seed 4 --minutes "$(minutes 22)" \
	${photos:+--photos "$photos" --quads out/quads.json} --seen out/seen.json --out out/new/find.onnx
# From it goes on the one that is asked on patterned tables.
"$python" train_find.py --tables "$tables" --start out/new/find.onnx --relaid 0.5 --lr 3e-4 --seed 15 --minutes "$(minutes 140)" \
	${photos:+--photos "$photos" --quads out/quads.json} --seen out/seen.json --out out/new/patterned.onnx
"$python" train_stand.py --find out/new/find.pt --tables "$tables" ${photos:+--photos "$photos" --quads out/quads.json} --minutes "$(minutes 30)" --out out/new/stand.onnx
"$python" train_face.py --tables "$tables" --minutes "$(minutes 14)" --lr 3e-3 --out out/face1.onnx --crops out/crops.pkl
"$python" train_face.py --tables "$tables" --minutes "$(minutes 25)" --lr 2e-3 --start out/face1.pt --out out/face2.onnx --crops out/crops.pkl \
	${photos:+--photos "$photos" --quads out/quads.json} --more out/more-dice.pkl out/more-none.pkl
"$python" train_looks.py --tables "$tables" --face out/face2.pt --minutes "$(minutes 14)" --out out/wide
# The looks stay; the face layers are trained on and the last two trainings' mean is taken.
more="${photos:+--photos $photos --quads out/quads.json} --more out/more-dice.pkl out/more-none.pkl"
"$python" train_face.py --faces-only --tables "$tables" --minutes "$(minutes 20)" --lr 1.5e-3 --seed 5 --start out/wide/face.pt --out out/face3.onnx --crops out/crops.pkl $more
"$python" train_face.py --faces-only --tables "$tables" --minutes "$(minutes 12)" --lr 1e-3 --seed 9 --start out/face3.pt --out out/face4.onnx --crops out/crops.pkl $more
"$python" mean.py out/face3.pt out/face4.pt --out out/face.onnx
# A smaller one is taught to answer as this one does, its looks too.
"$python" train_small.py --teacher out/face.pt --tables "$tables" --minutes "$(minutes 55)" --out out/new/face.onnx --crops out/crops.pkl $more
"$python" train_color.py --tables "$tables" --looks out/new/face.onnx --minutes "$(minutes 20)" --out out/new
"$python" train_surround.py --tables "$tables" --minutes "$(minutes 90)" --out out/new/surround.onnx
"$python" train_owned.py --minutes "$(minutes 24)" --out out/new/owned.onnx
"$python" compare.py ../model out/new --tables "$tables" ${photos:+--photos "$photos"}
