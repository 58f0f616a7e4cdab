// Asks whether the OpenCV that is here can do what the eye needs: it is built and
// run by .dev/install. Prints the version; what works less well goes to standard error.
#include <algorithm>
#include <iostream>
#include <opencv2/calib3d.hpp>
#include <opencv2/dnn.hpp>
#include <opencv2/features2d.hpp>
#include <opencv2/highgui.hpp>
#include <opencv2/objdetect.hpp>
#include <opencv2/opencv.hpp>
#include <opencv2/photo.hpp>
#include <opencv2/video.hpp>
#include <opencv2/videoio/registry.hpp>

int main() {
	cv::Mat picture(64, 64, CV_8UC3, cv::Scalar(40, 80, 160)), half;
	cv::resize(picture, half, cv::Size(32, 32), 0, 0, cv::INTER_AREA);
	for (const char *format : {".jpg", ".png"}) {
		std::vector<uchar> file;
		if (!cv::imencode(format, half, file) || cv::imdecode(file, cv::IMREAD_COLOR).size() != half.size()) {
			std::cerr << "this OpenCV cannot write and read " << format << " files\n";
			return 1;
		}
	}
	if (cv::dnn::blobFromImage(half).total() != 3 * 32 * 32) {
		std::cerr << "the networks of this OpenCV (dnn) cannot take a picture\n";
		return 1;
	}
	const auto ways = cv::videoio_registry::getBackends();
	if (std::find(ways.begin(), ways.end(), cv::CAP_FFMPEG) == ways.end())
		std::cerr << "diceref: this OpenCV has no FFmpeg, so recordings and cameras of the network will not play\n";
	std::cout << cv::getVersionString() << "\n";
}
