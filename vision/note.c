// What this eye is made of. It has a section of the program's file to itself, where diceref reads it
// (eye.Version): to start the eye for it would load all of OpenCV.
#include <opencv2/core/version.hpp>

#define MODELS "eae64c7a" // the start of the models' checksum: TestVersion says what it has to be

#ifdef __APPLE__
#define SECTION "__TEXT,__diceref_eye"
#else
#define SECTION "__diceref_eye"
#endif

__attribute__((used, section(SECTION))) const char diceref_eye[] = "OpenCV " CV_VERSION ", models " MODELS;
