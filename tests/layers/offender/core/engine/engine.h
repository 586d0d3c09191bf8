// Breaks the layers on purpose, to test the check.
#include "async/task.h"
