// Breaks the layers on purpose, to test the check: a room includes the one above it.
#include "monitor/analyse/leads.h"
