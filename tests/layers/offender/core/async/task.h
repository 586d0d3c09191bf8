// Stands for the header with the coroutines.
#pragma once
