// Breaks the layers on purpose, to test the check: reaches a connection through another header.
#include "monitor/analyse/leads.h"
